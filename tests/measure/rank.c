/* Medians, quantiles and spreads against values worked out by hand. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void takes_the_middle_value(void **state)
{
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    assert_true(median_of(odd, 3) == 3);
    assert_true(median_of(even, 4) == 2.5);
    assert_true(isnan(median_of(odd, 0)));
}

static void measures_the_spread_around_the_median(void **state)
{
    (void)state;
    double values[] = {1, 1, 2, 2, 4, 6, 9};
    assert_true(fabs(deviation_of(values, 7) - 1.4826) < 1e-12);
}

static void interpolates_quantiles(void **state)
{
    (void)state;
    double values[] = {0, 10, 20, 30, 40};
    assert_true(quantile_of(values, 5, 0.95) == 38);
    assert_true(quantile_of(values, 5, 1) == 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_middle_value),
        cmocka_unit_test(measures_the_spread_around_the_median),
        cmocka_unit_test(interpolates_quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
