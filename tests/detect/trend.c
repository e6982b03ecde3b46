/* A steady change over the last part. */
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

static void grows_tenfold_over_the_last_third(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 40 ? 1 : exp((i - 40) * 0.2);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    const struct candidate *found = used_run(&used, "trend", "growth", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "ratio") > 10);
    used_end(&used);
}

static void a_level_does_not_grow(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 1 + 0.3 * sin(i * 2.3);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    assert_null(used_run(&used, "trend", "growth", 1, NULL));
    used_end(&used);
}

static void a_ratio_below_one_asks_for_a_fall(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 100 - i;
    used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 60, 1);
    assert_non_null(used_run(&used, "trend", "creeping", 1, "part", 1.0, "ratio", 0.9, NULL));
    assert_null(used_run(&used, "trend", "growth", 1, NULL));
    used_end(&used);
}

/* A fall of a third among readings that swing threefold, and among quiet ones. */
static void a_fall_is_measured_against_single_readings(void **state)
{
    (void)state;
    for (int quiet = 0; quiet < 2; quiet++) {
        begin();
        for (int i = 0; i < 200; i++)
            values[i] = (400 - 0.7 * i) * (1 + (quiet ? 0.02 : 0.5) * sin(i * 2.3));
        used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 200, 1);
        const struct candidate *found =
            used_run(&used, "trend", "creeping", 1, "part", 1.0, "ratio", 0.85, NULL);
        assert_non_null(found);
        assert_int_equal(used_value(found, "noise") < 0.5, quiet);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_tenfold_over_the_last_third),
        cmocka_unit_test(a_level_does_not_grow),
        cmocka_unit_test(a_ratio_below_one_asks_for_a_fall),
        cmocka_unit_test(a_fall_is_measured_against_single_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
