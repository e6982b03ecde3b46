/* Where warm-up ends. */
/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double values[TEST_POINTS_MAX], rates[TEST_POINTS_MAX];
static struct made made, rate;

static void a_short_series_has_none(void **state)
{
    (void)state;
    make_track(&made, values, 19, 2, 1);
    assert_int_equal(warmup_of(&made.track, NULL, STEP_NONE), 0);
}

static void ends_where_the_rate_is_highest(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        rates[i] = i < 10 ? (i + 1) * 0.1 : 1 - (i - 9) * 0.01;
    make_track(&made, values, 100, 2, 1);
    make_track(&rate, rates, 100, 6, 1);
    assert_int_equal(warmup_of(&made.track, &rate.track, STEP_NONE), 9);
}

static void a_falling_rate_tells_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        rates[i] = 1 - i * 0.001;
    make_track(&made, values, 1000, 2, 1);
    make_track(&rate, rates, 1000, 6, 1);
    assert_int_equal(warmup_of(&made.track, &rate.track, STEP_NONE), 20);
}

static void five_readings_at_least_and_a_fifth_at_most(void **state)
{
    (void)state;
    make_track(&made, values, 50, 2, 1);
    assert_int_equal(warmup_of(&made.track, NULL, STEP_NONE), 5);
    make_track(&made, values, 20, 2, 1);
    assert_int_equal(warmup_of(&made.track, NULL, STEP_NONE), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_series_has_none),
        cmocka_unit_test(ends_where_the_rate_is_highest),
        cmocka_unit_test(a_falling_rate_tells_nothing),
        cmocka_unit_test(five_readings_at_least_and_a_fifth_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
