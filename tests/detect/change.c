/* A lower level that stays. */
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

static void falls_by_a_third(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i < 60 ? 150 : 100) * (1 + 0.01 * sin(i * 2.3));
    used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 100, 1);
    const struct candidate *found = used_run(&used, "change", "drop", 1, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 61);
    used_end(&used);
}

static void a_ramp_is_not_abrupt(void **state)
{
    (void)state;
    for (int ramp = 0; ramp < 2; ramp++) {
        begin();
        for (int i = 0; i < 200; i++)
            values[i] = (ramp ? 1 + fmin(i, 100) / 100.0 : i < 50 ? 1 : 2) + 0.02 * sin(i * 2.3);
        used_series(&used, KIND_STEP_TIME, "step_time", values, 200, 3);
        const struct candidate *found = used_run(&used, "change", "slower", 1, NULL);
        assert_non_null(found);
        assert_true(ramp ? used_value(found, "abrupt") < 0.5 : used_value(found, "abrupt") > 0.9);
        used_end(&used);
    }
}

static void noise_is_no_change(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 150 * (1 + 0.2 * sin(i * 2.3));
    used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 100, 1);
    assert_null(used_run(&used, "change", "drop", 1, NULL));
    used_end(&used);
}

static void a_dip_is_over(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i > 40 && i < 60 ? 100 : 150) * (1 + 0.01 * sin(i * 2.3));
    used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 100, 1);
    assert_null(used_run(&used, "change", "drop", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_by_a_third),
        cmocka_unit_test(a_ramp_is_not_abrupt),
        cmocka_unit_test(noise_is_no_change),
        cmocka_unit_test(a_dip_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
