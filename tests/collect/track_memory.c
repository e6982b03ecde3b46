/* Tracks where memory becomes short: what they give up, and what they must not. */
/* SPDX-License-Identifier: MIT */
#include "feed.h"

/* Every reading of a closed track is still counted; the one behind it has its memory. */
static void gives_the_memory_of_a_closed_track_to_its_heir(void **unused)
{
    (void)unused;
    static const struct {
        enum kind kind;
        size_t before; /* MB in the arena */
        size_t most;   /* buckets left */
    } cases[] = {
        {KIND_LOSS, 0, 256}, {KIND_LOSS, 5, 128}, {KIND_LOSS, 13, 64}, {KIND_OTHER, 5, 32}};
    static double values[1001];
    double sum = 0, total = 0;
    uint64_t readings = 0;
    for (size_t i = 0; i < 1001; i++)
        sum += values[i] = 1 + (double)(i * 37 % 101);
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        struct feed feed;
        feed_open(&feed, cases[k].kind);
        assert_non_null(arena_take(&feed.arena, cases[k].before << 20, 1));
        feed_values(&feed, values, 1001, 7);
        struct track_builder *closed = feed.builder;
        feed.builder = track_open(&feed.arena, cases[k].kind, true);
        assert_true(track_close(closed, feed.builder));
        const size_t taken = feed.arena.used;
        feed_values(&feed, values, 1001, 7);
        assert_true(feed.arena.used - taken < 8192 || cases[k].before == 0);
        const struct track heir = feed_view(&feed);
        assert_true(heir.bucket_count > 128);
        assert_int_equal(heir.first.step, 1002);
        struct track track;
        assert_true(track_view(closed, &track));
        assert_true(track.bucket_count <= cases[k].most && track.bucket_count > cases[k].most / 2);
        total = 0;
        readings = 0;
        for (size_t i = 0; i < track.bucket_count; i++) {
            assert_int_equal(track.buckets[i].index, readings);
            readings += track.buckets[i].count;
            total += track.buckets[i].sum;
        }
        assert_int_equal(readings, 1001);
        assert_true(total == sum);
        assert_int_equal(track.points, 1001);
        assert_int_equal(track.last.step, 1001);
        assert_int_equal(track.tail[track.tail_count - 1].step, 1001);
        assert_true(track.low.value == 1 && track.high.value == 101);
        arena_free(&feed.arena);
    }
}

static void joins_raw_points_where_memory_is_short(void **unused)
{
    (void)unused;
    static const struct {
        size_t before, buckets;
    } cases[] = {{0, 14}, {25, 7}, {37, 4}};
    static const double values[14] = {5, 4, 3, 2, 1, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        struct feed feed;
        feed_open(&feed, KIND_LOSS);
        assert_non_null(arena_take(&feed.arena, (cases[k].before << 20) + 1, 1));
        feed_values(&feed, values, 14, 14);
        const struct track track = feed_view(&feed);
        assert_int_equal(track.bucket_count, cases[k].buckets);
        assert_int_equal(track.tail_count, 14);
        assert_true(track.low.value == 1 && track.high.value == 14);
        uint64_t readings = 0;
        for (size_t i = 0; i < track.bucket_count; i++)
            readings += track.buckets[i].count;
        assert_int_equal(readings, 14);
        arena_free(&feed.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_memory_of_a_closed_track_to_its_heir),
        cmocka_unit_test(joins_raw_points_where_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
