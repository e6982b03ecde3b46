/* Tracks that stand on few values. */
/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double values[TEST_POINTS_MAX];
static struct made made;
static struct tread treads[TREADS_MOST];

static void tells_where_each_value_begins(void **state)
{
    (void)state;
    for (size_t count = 100; count <= 1600; count += 1500) { /* alone, and sharing buckets */
        for (size_t i = 0; i < count; i++)
            values[i] = i < 61 ? 0.1 : i < 83 ? 64 : 16;
        make_track(&made, values, count, 1, 10);
        assert_int_equal(track_treads(&made.track, treads, TREADS_MOST), 3);
        assert_true(treads[0].first.value == 0.1 && treads[1].first.value == 64);
        assert_int_equal(treads[0].points, 61);
        assert_int_equal(treads[1].points, 22);
        assert_int_equal(treads[2].points, count - 83);
        assert_int_equal(treads[1].first.line, 62);
        assert_int_equal(treads[2].first.line, 84);
        assert_true(treads[1].first.step == 620);
    }
}

static void a_last_batch_of_each_epoch_is_no_level(void **state)
{
    (void)state;
    for (size_t i = 0; i < 100; i++)
        values[i] = i % 50 == 49 ? 17 : 32;
    make_track(&made, values, 100, 0, 1);
    assert_int_equal(track_treads(&made.track, treads, TREADS_MOST), 0);
}

static void what_moves_all_the_time_has_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2000; i++)
        values[i] = 0.1 * (double)(i / 100);
    make_track(&made, values, 2000, 1, 1);
    assert_int_equal(track_treads(&made.track, treads, TREADS_MOST), 0);
    for (size_t i = 0; i < 2000; i++)
        values[i] = 3 + sin((double)i);
    make_track(&made, values, 2000, 4, 1);
    assert_int_equal(track_treads(&made.track, treads, TREADS_MOST), 0);
    values[7] = (double)NAN;
    make_track(&made, values, 10, 4, 1);
    assert_int_equal(track_treads(&made.track, treads, TREADS_MOST), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_where_each_value_begins),
        cmocka_unit_test(a_last_batch_of_each_epoch_is_no_level),
        cmocka_unit_test(what_moves_all_the_time_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
