/* loss-floor: where the rule speaks, and where it is silent. */
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

static void an_error_beside_an_accuracy_of_one_tenth(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++) {
        values[i] = 2.3027 + 0.0004 * sin(i * 2.1);
        others[i] = 0.1 + 0.002 * sin(i);
    }
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    used_series(&used, KIND_METRIC, "acc", others, 40, 4);
    const struct finding *found = judged(&used, "loss-floor");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "uniform");
    used_end(&used);
}

/* Of bytes, printed with two decimals; and a level that no usual number of classes has. */
static void a_warning_where_bytes_are_guessed(void **state)
{
    (void)state;
    for (int bytes = 0; bytes < 2; bytes++) {
        begin();
        for (int i = 0; i < 40; i++)
            values[i] = (bytes ? 5.54 : 5.24) + (i % 7 == 0 ? 0.01 : 0);
        used_series(&used, KIND_LOSS, "loss", values, 40, 2);
        assert_true(judged_alarm(&used, "loss-floor") == (bytes == 1));
        used_end(&used);
    }
}

static void silent_on_a_loss_that_passes_the_value(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 2.3026 + 3.0 / (1 + i);
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    assert_null(judged(&used, "loss-floor"));
    used_end(&used);
}

/* Two readings at the end tell a clip level to six digits; near it they do not. */
static void an_error_where_two_readings_are_a_clip_level(void **state)
{
    (void)state;
    static const double cases[][3] = {{21.4, 87.3365, 87.3365}, {21.4, 87.3, 87.4}};
    for (size_t i = 0; i < 2; i++) {
        begin();
        used_series(&used, KIND_LOSS, "loss", cases[i], 3, 4);
        const struct finding *found = judged(&used, "loss-floor");
        assert_int_equal(found != NULL, i == 0);
        if (found)
            assert_string_equal(found->form, "clip-constant");
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_beside_an_accuracy_of_one_tenth),
        cmocka_unit_test(a_warning_where_bytes_are_guessed),
        cmocka_unit_test(silent_on_a_loss_that_passes_the_value),
        cmocka_unit_test(an_error_where_two_readings_are_a_clip_level),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
