/* Upward excursions of made series. */
/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct excursions options = {6, 1.25, 3, 1.1, 0};
static const struct scale scale = {true, 1, 1e-4, 1};
static struct point points[TEST_POINTS_MAX];
static struct episode episodes[8];

static void make(size_t count)
{
    for (size_t i = 0; i < count; i++)
        points[i] =
            point_make((int64_t)i, 2 + 0.05 * sin((double)i * 2.3), (struct place){.line = i + 1});
}

static void finds_a_spike_with_its_height_and_its_end(void **state)
{
    (void)state;
    make(100);
    points[60].value = 6;
    points[61].value = 4;
    assert_int_equal(episodes_of(points, 100, &scale, &options, episodes, 8), 1);
    assert_int_equal(episodes[0].start.step, 60);
    assert_int_equal(episodes[0].peak.step, 60);
    assert_int_equal(episodes[0].end.step, 62);
    assert_int_equal(episodes[0].readings, 2);
    assert_true(fabs(episodes[0].height - log(3)) < 0.05);
    assert_false(episodes[0].open);
}

static void a_quiet_series_has_none(void **state)
{
    (void)state;
    make(200);
    assert_int_equal(episodes_of(points, 200, &scale, &options, episodes, 8), 0);
}

static void a_new_level_is_no_spike(void **state)
{
    (void)state;
    make(200);
    for (size_t i = 60; i < 200; i++)
        points[i].value *= 2;
    assert_int_equal(episodes_of(points, 200, &scale, &options, episodes, 8), 1);
    assert_true(episodes[0].level);
}

static void the_rise_before_a_nan_is_cut(void **state)
{
    (void)state;
    make(60);
    points[57].value = 5;
    points[58].value = 9;
    points[59].value = NAN;
    assert_int_equal(episodes_of(points, 60, &scale, &options, episodes, 8), 1);
    assert_true(episodes[0].cut);
    assert_int_equal(episodes[0].start.step, 57);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_spike_with_its_height_and_its_end),
        cmocka_unit_test(a_quiet_series_has_none),
        cmocka_unit_test(a_new_level_is_no_spike),
        cmocka_unit_test(the_rise_before_a_nan_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
