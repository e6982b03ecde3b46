/* The points of a track: exact ones, merged ones, those at the end. */
/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double values[TEST_POINTS_MAX];
static struct made made;
static struct point points[BUCKETS_MAX];

static void a_short_track_has_its_readings(void **state)
{
    (void)state;
    bool exact = false;
    const double short_one[] = {3, NAN, 1, 2};
    make_track(&made, short_one, 4, 0, 10);
    assert_int_equal(track_points(&made.track, points, &exact), 3);
    assert_true(exact);
    assert_true(points[0].value == 3 && points[1].value == 1 && points[2].value == 2);
    assert_int_equal(points[1].step - points[0].step, 20);
    assert_int_equal(track_readings(&made.track, points), 4);
    assert_true(isnan(points[1].value) && points[3].value == 2);
}

static void a_long_track_has_means(void **state)
{
    (void)state;
    const size_t count = 2 * BUCKETS_MAX;
    bool exact = true;
    for (size_t i = 0; i < count; i++)
        values[i] = (double)i;
    make_track(&made, values, count, 0, 1);
    assert_int_equal(track_points(&made.track, points, &exact), BUCKETS_MAX);
    assert_false(exact);
    assert_true(points[0].value == 0.5 && points[BUCKETS_MAX - 1].value == (double)count - 1.5);
    assert_int_equal(track_readings(&made.track, points), 0);
}

static void the_tail_is_of_readings_where_points_are_means(void **state)
{
    (void)state;
    const size_t count = 2 * BUCKETS_MAX;
    for (size_t i = 0; i < count; i++)
        values[i] = (double)i;
    values[count - 2] = NAN;
    make_track(&made, values, count, 0, 1);
    assert_int_equal(track_tail(&made.track, points, 4), 3);
    assert_true(points[0].value == (double)count - 4 && points[2].value == (double)count - 1);
    make_track(&made, values, 6, 0, 1);
    assert_int_equal(track_tail(&made.track, points, 4), 4);
    assert_true(points[0].value == 2 && points[3].value == 5);
    assert_int_equal(track_tail(&made.track, points, 8), 6);
}

static void a_level_is_of_finite_readings_at_an_end(void **state)
{
    (void)state;
    const struct point some[] = {
        {.value = NAN}, {.value = 4}, {.value = 1}, {.value = 2}, {.value = 9}};
    assert_true(points_level(some, 5, 3, false) == 2);
    assert_true(points_level(some, 5, 2, true) == 5.5);
    assert_true(points_level(some, 5, 8, true) == 3);
    assert_true(isnan(points_level(some, 1, 3, false)));
}

static void a_share_over_one_is_percent(void **state)
{
    (void)state;
    const double percent[] = {0.5, 1.5}, share[] = {0.5, 1}, none[] = {NAN};
    make_track(&made, percent, 2, 1, 1);
    assert_true(share_unit(&made.track) == 100);
    make_track(&made, share, 2, 1, 1);
    assert_true(share_unit(&made.track) == 1);
    make_track(&made, none, 1, 1, 1);
    assert_true(share_unit(&made.track) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_track_has_its_readings),
        cmocka_unit_test(a_long_track_has_means),
        cmocka_unit_test(the_tail_is_of_readings_where_points_are_means),
        cmocka_unit_test(a_level_is_of_finite_readings_at_an_end),
        cmocka_unit_test(a_share_over_one_is_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
