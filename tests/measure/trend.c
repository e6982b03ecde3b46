/* Mann-Kendall and Theil-Sen against values worked out by hand. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_rising_line_has_full_rank_correlation(void **state)
{
    (void)state;
    const double x[] = {0, 2, 4, 6, 8}, y[] = {1, 2, 3, 4, 5};
    struct trend trend = trend_of(x, y, 5, 0);
    assert_true(trend.tau == 1);
    assert_true(trend.slope == 0.5);
    /* S = 10, variance 5 * 4 * 15 / 18. */
    assert_true(fabs(trend.z - 9 / sqrt(300.0 / 18)) < 1e-12);
}

static void ties_take_from_the_variance(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 1, 2, 2, 3};
    struct trend trend = trend_of(x, y, 5, 0);
    /* S = 8; two pairs of ties take 2 * 2 * 1 * 9. */
    assert_true(fabs(trend.z - 7 / sqrt((300.0 - 36) / 18)) < 1e-12);
}

static void differences_below_the_print_precision_are_ties(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3}, y[] = {2.3021, 2.3022, 2.3020, 2.3021};
    struct trend trend = trend_of(x, y, 4, 0.001);
    assert_true(trend.z == 0);
    assert_true(trend.tau == 0);
}

static void one_wild_reading_does_not_bend_the_slope(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 1, 2, 900, 4, 5, 6};
    assert_true(trend_of(x, y, 7, 0).slope == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rising_line_has_full_rank_correlation),
        cmocka_unit_test(ties_take_from_the_variance),
        cmocka_unit_test(differences_below_the_print_precision_are_ties),
        cmocka_unit_test(one_wild_reading_does_not_bend_the_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
