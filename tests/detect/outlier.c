/* Single long steps. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void one_step_of_a_minute(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 1 + 0.05 * sin(i * 2.3);
    values[60] = 60;
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    const struct candidate *found = used_run(&used, "outlier", "outlier", 1, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 61);
    used_end(&used);
}

static void the_first_steps_compile(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i < 2 ? 60 : 1 + 0.05 * sin(i * 2.3);
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    assert_null(used_run(&used, "outlier", "outlier", 1, NULL));
    used_end(&used);
}

/* What the disk gives slowly in the first epoch comes out of memory in the next. */
static void the_first_epoch_fills_a_cache(void **state)
{
    (void)state;
    for (int later = 0; later < 2; later++) {
        begin();
        for (int i = 0; i < 300; i++)
            values[i] = (later ? i >= 150 && i < 153 : i < 13) ? 12 : 0.2 + 0.01 * sin(i * 2.3);
        used_series(&used, KIND_STEP_TIME, "step_time", values, 300, 3);
        const struct candidate *found = used_run(&used, "outlier", "outlier", 1, NULL);
        assert_true(later ? found != NULL : found == NULL);
        used_end(&used);
    }
}

static void outliers_at_equal_distances_have_a_period(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i % 20 == 19 ? 9 : 1 + 0.05 * sin(i * 2.3);
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    assert_true(used_value(used_run(&used, "outlier", "outlier", 1, NULL), "period") == 20);
    used_end(&used);
}

static void asked_for_a_rise_the_end_of_a_fall_is_no_outlier(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 1 + 90 * exp(-i / 4.0);
    used_series(&used, KIND_GRAD_NORM, "norm", values, 100, 3);
    assert_non_null(used_run(&used, "outlier", "outlier", 1, "mad", 0.0, NULL));
    assert_null(used_run(&used, "outlier", "outlier", 1, "mad", 0.0, "rise", 5.0, NULL));
    values[30] = 80;
    used.run.series_count = 0;
    used_series(&used, KIND_GRAD_NORM, "norm", values, 100, 3);
    const struct candidate *found =
        used_run(&used, "outlier", "outlier", 1, "mad", 0.0, "rise", 5.0, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 31);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_of_a_minute),
        cmocka_unit_test(the_first_steps_compile),
        cmocka_unit_test(asked_for_a_rise_the_end_of_a_fall_is_no_outlier),
        cmocka_unit_test(the_first_epoch_fills_a_cache),
        cmocka_unit_test(outliers_at_equal_distances_have_a_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
