/* loss-zero: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
    memset(others, 0, sizeof(others));
}

static void an_error_beside_a_norm_that_is_no_number(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++) {
        values[i] = i < 10 ? 1.5 : 0;
        others[i] = i < 10 ? 0.7 : (double)NAN;
    }
    used_series(&used, KIND_LOSS, "loss", values, 20, 4);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", others, 20, 4);
    const struct finding *found = judged(&used, "loss-zero");
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "nan-norm");
    used_end(&used);
}

static void an_error_from_the_start_beside_a_norm_of_zero(void **state)
{
    (void)state;
    begin();
    used_series(&used, KIND_LOSS, "loss", values, 10, 1);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", others, 10, 1);
    assert_string_equal(judged(&used, "loss-zero")->form, "zero-norm");
    used_end(&used);
}

static void a_warning_where_nothing_but_zeros_is_printed(void **state)
{
    (void)state;
    begin();
    used_series(&used, KIND_LOSS, "loss", values, 4, 1);
    const struct finding *found = judged(&used, "loss-zero");
    assert_string_equal(found->form, "start");
    assert_int_equal(found->severity, SEVERITY_WARNING);
    used_end(&used);
    begin(); /* four decimals round */
    used_series(&used, KIND_LOSS, "loss", values, 4, 4);
    assert_null(judged(&used, "loss-zero"));
    used_end(&used);
}

static void an_error_beside_an_accuracy_of_a_half(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 5; i++)
        others[i] = 0.48 + 0.01 * i;
    used_series(&used, KIND_LOSS, "loss", values, 5, 4);
    used_series(&used, KIND_METRIC, "accuracy", others, 5, 4)->direction = DIRECTION_UP;
    const struct finding *found = judged(&used, "loss-zero");
    assert_string_equal(found->form, "start");
    assert_int_equal(found->severity, SEVERITY_ERROR);
    used_end(&used);
    begin(); /* all right */
    for (int i = 0; i < 5; i++)
        others[i] = 1;
    used_series(&used, KIND_LOSS, "loss", values, 5, 4);
    used_series(&used, KIND_METRIC, "accuracy", others, 5, 4)->direction = DIRECTION_UP;
    assert_null(judged(&used, "loss-zero"));
    used_end(&used);
}

static void a_remark_where_the_metric_grows(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 10; i++)
        others[i] = 0.48 + 0.03 * i;
    used_series(&used, KIND_LOSS, "loss", values, 10, 4);
    used_series(&used, KIND_METRIC, "accuracy", others, 10, 4)->direction = DIRECTION_UP;
    assert_int_equal(judged(&used, "loss-zero")->severity, SEVERITY_INFO);
    used_end(&used);
}

static void silent_on_a_loss_that_approaches_zero(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++)
        values[i] = i < 12 ? pow(0.3, i) : 0;
    used_series(&used, KIND_LOSS, "loss", values, 20, 4);
    assert_null(judged(&used, "loss-zero"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_beside_a_norm_that_is_no_number),
        cmocka_unit_test(an_error_from_the_start_beside_a_norm_of_zero),
        cmocka_unit_test(a_warning_where_nothing_but_zeros_is_printed),
        cmocka_unit_test(an_error_beside_an_accuracy_of_a_half),
        cmocka_unit_test(a_remark_where_the_metric_grows),
        cmocka_unit_test(silent_on_a_loss_that_approaches_zero),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
