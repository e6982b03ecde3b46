/* loss-divergence: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
}

static void an_error_where_the_loss_doubles_for_good(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 40 ? 3.0 / (1 + i * 0.1) : 0.6 * exp((i - 39) * 0.1);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_int_equal(judged(&used, "loss-divergence")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_a_fall_with_noise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 3.0 / (1 + i * 0.1) * (1 + 0.2 * sin(i * 2.3));
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_false(judged_alarm(&used, "loss-divergence"));
    used_end(&used);
}

static void an_error_where_the_only_validation_is_astray(void **state)
{
    (void)state;
    begin();
    const double train[] = {12.5}, validation[] = {5e8};
    used_series(&used, KIND_LOSS, "loss", train, 1, 3);
    used_series(&used, KIND_VAL_LOSS, "val_loss", validation, 1, 3);
    const struct finding *found = judged(&used, "loss-divergence");
    assert_non_null(found);
    assert_string_equal(found->candidate.form, "validation");
    assert_int_equal(found->severity, SEVERITY_ERROR);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_the_loss_doubles_for_good),
        cmocka_unit_test(silent_on_a_fall_with_noise),
        cmocka_unit_test(an_error_where_the_only_validation_is_astray),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
