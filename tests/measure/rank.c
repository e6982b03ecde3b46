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

/* Against the definition: as many values below a quantile as its share says, in lists with ties,
   in order, turned round and mixed. */
static void finds_what_sorting_finds(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (size_t count = 1; count < 70; count++)
        for (unsigned shape = 0; shape < 5; shape++) {
            double values[70], copy[70];
            for (size_t i = 0; i < count; i++) {
                seed = seed * 1664525u + 1013904223u;
                const double mixed = (double)(seed >> 8), up = (double)i;
                values[i] = shape == 0   ? up
                            : shape == 1 ? -up
                            : shape == 2 ? mixed
                            : shape == 3 ? (double)(seed >> 30)
                                         : (i % 2 ? up : -up);
            }
            const size_t rank = (count - 1) / 3;
            for (size_t i = 0; i < count; i++)
                copy[i] = values[i];
            const double share = count > 1 ? (double)rank / (double)(count - 1) : 0;
            const double found = quantile_of(copy, count, share);
            size_t below = 0, at = 0;
            for (size_t i = 0; i < count; i++) {
                below += values[i] < found - 1e-9;
                at += fabs(values[i] - found) <= 1e-9 * (1 + fabs(found));
            }
            assert_true(below <= rank + 1 && below + at >= rank);
            assert_true(at > 0 || share * (double)(count - 1) != (double)rank);
            for (size_t i = 0; i < count; i++)
                copy[i] = values[i];
            size_t under = 0, over = 0;
            const double median = median_of(copy, count);
            for (size_t i = 0; i < count; i++) {
                under += values[i] < median;
                over += values[i] > median;
            }
            assert_true(2 * under <= count && 2 * over <= count);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_middle_value),
        cmocka_unit_test(measures_the_spread_around_the_median),
        cmocka_unit_test(interpolates_quantiles),
        cmocka_unit_test(finds_what_sorting_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
