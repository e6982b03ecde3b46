/* Groups, scale and noise of made series. */
/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double values[TEST_POINTS_MAX];
static struct made made;

static void each_reading_of_a_short_series_is_a_group(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        values[i] = 4.0 / (1 + i);
    make_track(&made, values, 10, 4, 5);
    struct groups groups;
    assert_true(groups_of(&made.track, KIND_LOSS, 0, &groups));
    assert_int_equal(groups.count, 10);
    assert_true(groups.scale.logarithmic);
    assert_true(fabs(groups.group[3].y - log(1.0)) < 1e-12);
    assert_true(groups.group[3].x == 20);
    assert_true(fabs(groups.drop - (1 - 4.0 / 9 / 4)) < 1e-9);
}

static void a_long_series_has_groups_of_equal_count(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++)
        values[i] = 1;
    make_track(&made, values, 5000, 4, 1);
    struct groups groups;
    assert_true(groups_of(&made.track, KIND_LOSS, 0, &groups));
    assert_true(groups.count <= GROUPS_MAX);
    assert_true(groups.count >= 30);
    for (size_t i = 0; i + 1 < groups.count; i++)
        assert_int_equal(groups.group[i].count, groups.group[0].count);
    assert_int_equal(groups.points, 5000);
}

static void the_units_do_not_depend_on_the_scale_of_the_values(void **state)
{
    (void)state;
    struct groups small, large;
    for (int i = 0; i < 100; i++)
        values[i] = 1e-5 * (1 + 1.0 / (1 + i) + 0.05 * sin(i * 1.7));
    make_track(&made, values, 100, 12, 1);
    assert_true(groups_of(&made.track, KIND_LOSS, 0, &small));
    for (int i = 0; i < 100; i++)
        values[i] *= 1e11;
    make_track(&made, values, 100, 4, 1);
    assert_true(groups_of(&made.track, KIND_LOSS, 0, &large));
    assert_true(fabs(small.sigma_group - large.sigma_group) < 1e-6);
    assert_true(fabs(small.drop - large.drop) < 1e-6);
}

static void warmup_readings_are_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++)
        values[i] = i < 5 ? 100 : 1;
    make_track(&made, values, 30, 2, 1);
    struct groups groups;
    assert_true(groups_of(&made.track, KIND_LOSS, 5, &groups));
    assert_int_equal(groups.points, 25);
    assert_true(groups.start == 1);
}

static void noise_comes_from_differences_and_not_from_the_slope(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++)
        values[i] = exp(-0.05 * i);
    make_track(&made, values, 60, 9, 1);
    struct groups groups;
    assert_true(groups_of(&made.track, KIND_LOSS, 0, &groups));
    assert_true(groups.sigma_group < 1e-6);
}

static void non_finite_readings_alone_give_no_groups(void **state)
{
    (void)state;
    values[0] = values[1] = NAN;
    make_track(&made, values, 2, 2, 1);
    struct groups groups;
    assert_false(groups_of(&made.track, KIND_LOSS, 0, &groups));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reading_of_a_short_series_is_a_group),
        cmocka_unit_test(a_long_series_has_groups_of_equal_count),
        cmocka_unit_test(the_units_do_not_depend_on_the_scale_of_the_values),
        cmocka_unit_test(warmup_readings_are_left_out),
        cmocka_unit_test(noise_comes_from_differences_and_not_from_the_slope),
        cmocka_unit_test(non_finite_readings_alone_give_no_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
