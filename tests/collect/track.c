/* Tracks: exact aggregates, merging buckets, windows and episodes, whatever the batches. */
/* SPDX-License-Identifier: MIT */
#include "feed.h"

static double noise(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (double)(*state >> 8) / (1 << 24) - 0.5;
}

static void keeps_a_few_points_as_they_are(void **unused)
{
    (void)unused;
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    feed_values(&feed, (const double[]){3, 2, 2, 1.5}, 4, 3);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.points, 4);
    assert_int_equal(track.head_count, 4);
    assert_int_equal(track.tail_count, 4);
    assert_int_equal(track.bucket_count, 4);
    assert_int_equal(track.first.step, 1);
    assert_true(track.last.value == 1.5 && track.last.step == 4 && track.last.line == 4);
    assert_true(track.low.value == 1.5 && track.high.value == 3);
    assert_int_equal(track.longest.count, 2);
    assert_int_equal(track.longest.first.step, 2);
    assert_int_equal(track.current.count, 1);
    arena_free(&feed.arena);
}

static void finds_the_longest_run_wherever_it_stands(void **unused)
{
    (void)unused;
    enum { VALUES = 600 };
    double values[VALUES];
    for (size_t at = 300; at < 340; at++)
        for (size_t count = 2; count < 9; count++) {
            struct feed feed;
            for (size_t i = 0; i < VALUES; i++)
                values[i] = i >= at && i < at + count ? 2 : 3 + 0.001 * (double)(i % 200);
            values[at - 20] = values[at - 19] = 2.5; /* a shorter one, or the first of two */
            feed_open(&feed, KIND_LOSS);
            feed_values(&feed, values, VALUES, VALUES);
            const struct track track = feed_view(&feed);
            const size_t first = count == 2 ? at - 20 : at;
            assert_int_equal(track.longest.count, count);
            assert_int_equal(track.longest.first.step, first + 1);
            assert_int_equal(track.longest.last.step, first + count);
            arena_free(&feed.arena);
        }
}

static void is_born_small(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    const double values[] = {1, 2, 3};
    for (size_t i = 0; i < 1000; i++) {
        struct track_builder *builder = track_open(&arena, KIND_LOSS, true);
        const struct track_rows rows = {.count = 3, .values = values, .input = 1};
        assert_true(track_add(builder, &rows, NULL));
    }
    assert_true(arena.used < 600 * 1000);
    arena_free(&arena);
}

static void counts_exactly_at_any_length(void **unused)
{
    (void)unused;
    static double values[MANY];
    uint32_t random = 7;
    double sum = 0;
    for (size_t i = 0; i < MANY; i++)
        sum += values[i] = 2 + noise(&random);
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    feed_values(&feed, values, MANY, 1000);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.points, MANY);
    assert_in_range(track.bucket_count, BUCKETS_MAX / 2, BUCKETS_MAX);
    uint64_t count = 0;
    double all = 0, low = 9, high = 0;
    for (size_t i = 0; i < track.bucket_count; i++) {
        const struct bucket *b = &track.buckets[i];
        assert_int_equal(b->index, count);
        assert_int_equal(b->first_step, (int64_t)count + 1);
        assert_true(b->low.value == values[b->low.step - 1]);
        assert_true(b->high.value == values[b->high.step - 1]);
        if (i + 1 < track.bucket_count)
            assert_int_equal(b->count, track.buckets[0].count);
        count += b->count;
        all += b->sum;
    }
    for (size_t i = 0; i < MANY; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    assert_int_equal(count, MANY);
    assert_true(fabs(all - sum) < 1e-6);
    assert_true(track.low.value == low && track.high.value == high);
    assert_int_equal(track.tail[0].step, MANY - TAIL_MAX + 1);
    assert_int_equal(track.tail[TAIL_MAX - 1].step, MANY);
    assert_true(feed.arena.used < 80 << 10);
    arena_free(&feed.arena);
}

static void equal_tracks(const struct track *a, const struct track *b)
{
    assert_int_equal(a->points, b->points);
    assert_int_equal(a->bucket_count, b->bucket_count);
    for (size_t i = 0; i < a->bucket_count; i++) {
        assert_true(a->buckets[i].sum == b->buckets[i].sum);
        assert_true(a->buckets[i].square == b->buckets[i].square);
        assert_int_equal(a->buckets[i].count, b->buckets[i].count);
        assert_int_equal(a->buckets[i].first_step, b->buckets[i].first_step);
        assert_int_equal(a->buckets[i].last_step, b->buckets[i].last_step);
        assert_int_equal(a->buckets[i].high.step, b->buckets[i].high.step);
    }
    assert_int_equal(a->longest.count, b->longest.count);
    assert_int_equal(a->longest.first.step, b->longest.first.step);
    assert_int_equal(a->current.count, b->current.count);
    assert_int_equal(track_nonfinite(a)->nan, track_nonfinite(b)->nan);
    assert_int_equal(track_nonfinite(a)->longest_run, track_nonfinite(b)->longest_run);
    assert_int_equal(track_signs(a)->zeros, track_signs(b)->zeros);
    assert_int_equal(a->tail_count, b->tail_count);
    for (size_t i = 0; i < a->tail_count; i++)
        assert_int_equal(a->tail[i].step, b->tail[i].step);
    assert_int_equal(a->frozen_count, b->frozen_count);
    for (size_t i = 0; i < a->frozen_count; i++) {
        assert_int_equal(a->frozen[i]->count, b->frozen[i]->count);
        assert_int_equal(a->frozen[i]->at, b->frozen[i]->at);
    }
    assert_int_equal(a->episode_count, b->episode_count);
    for (size_t i = 0; i < a->episode_count; i++) {
        assert_int_equal(a->episodes[i].start.step, b->episodes[i].start.step);
        assert_int_equal(a->episodes[i].end.step, b->episodes[i].end.step);
        assert_true(a->episodes[i].score == b->episodes[i].score);
    }
}

static void says_the_same_however_it_is_cut(void **unused)
{
    (void)unused;
    static double values[MANY];
    uint32_t random = 3;
    for (size_t i = 0; i < MANY; i++) {
        values[i] = 2 + 0.1 * noise(&random);
        if (i % 977 == 500)
            values[i] *= 3;
        if (i % 20011 == 600)
            values[i] = (double)NAN;
        if (i % 313 == 7)
            values[i] = value_missing_make();
        if (i / 100 == 55)
            values[i] = 1.25;
        if (i % 30000 == 9)
            values[i] = 0;
    }
    struct feed whole;
    feed_open(&whole, KIND_LOSS);
    feed_values(&whole, values, MANY, MANY);
    const struct track track = feed_view(&whole);
    assert_int_equal(track_nonfinite(&track)->nan, 5);
    assert_in_range(track.longest.count, 99, 100);
    assert_int_equal(track.frozen_count, FROZEN_MAX);
    assert_int_equal(track.episode_count, 64);
    for (size_t batch = 1; batch < 3000; batch = batch * 3 + 1) {
        struct feed feed;
        feed_open(&feed, KIND_LOSS);
        feed_values(&feed, values, MANY, batch);
        const struct track cut = feed_view(&feed);
        equal_tracks(&track, &cut);
        arena_free(&feed.arena);
    }
    arena_free(&whole.arena);
}

static void freezes_a_window_at_the_first_nan(void **unused)
{
    (void)unused;
    double values[300];
    struct text texts[300];
    int64_t steps[300];
    for (size_t i = 0; i < 300; i++) {
        values[i] = i == 150 || i > 200 ? (double)NAN : 1 + 0.001 * (double)(i % 7);
        texts[i] = i == 150 ? TEXT("loss nan") : TEXT("loss");
        steps[i] = (int64_t)i;
    }
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    const struct track_rows rows = {
        .count = 300, .values = values, .steps = steps, .texts = texts, .input = 1, .places = 3};
    assert_true(track_add(feed.builder, &rows, NULL));
    const struct track track = feed_view(&feed);
    assert_int_equal(track.frozen_count, 1);
    const struct frozen *window = track.frozen[0];
    assert_int_equal(window->count, FROZEN_POINTS);
    assert_int_equal(window->points[window->at].step, 150);
    assert_int_equal(window->points[0].step, 150 - 63);
    assert_int_equal(window->points[FROZEN_POINTS - 1].step, 150 + 64);
    assert_true(text_is(window->line, "loss nan"));
    assert_int_equal(track_nonfinite(&track)->nan, 100);
    assert_int_equal(track_nonfinite(&track)->first.step, 150);
    assert_int_equal(track_nonfinite(&track)->last_run, 99);
    assert_int_equal(track.last_finite.step, 200);
    arena_free(&feed.arena);
}

static void keeps_the_line_of_a_nan_among_few_points(void **unused)
{
    (void)unused;
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    const struct text line = TEXT("step 1 loss nan");
    const double nan = (double)NAN;
    const struct track_rows rows = {.count = 1, .values = &nan, .texts = &line, .input = 1};
    assert_true(track_add(feed.builder, &rows, NULL));
    const struct track track = feed_view(&feed);
    assert_int_equal(track.points, 1);
    assert_int_equal(track.frozen_count, 1);
    assert_true(text_is(track.frozen[0]->line, "step 1 loss nan"));
    assert_int_equal(track.buckets[0].count, 0);
    assert_true(isnan(track.low.value));
    arena_free(&feed.arena);
}

static void records_a_spike_with_its_way_back(void **unused)
{
    (void)unused;
    double values[200];
    uint32_t random = 5;
    for (size_t i = 0; i < 200; i++)
        values[i] = 2 + 0.02 * noise(&random);
    values[100] = 2.3;
    values[101] = 4;
    values[102] = 3;
    values[103] = 2.25;
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    feed_values(&feed, values, 200, 200);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.episode_count, 1);
    const struct episode *episode = &track.episodes[0];
    assert_int_equal(episode->start.step, 101);
    assert_int_equal(episode->peak.step, 102);
    assert_int_equal(episode->end.step, 105);
    assert_false(episode->open || episode->level || episode->cut);
    assert_int_equal(episode->readings, 4);
    assert_true(fabs(episode->height - log(2)) < 0.02);
    assert_true(fabs(episode->median - 2) < 0.02);
    assert_true(episode->score >= 10);
    assert_int_equal(track.frozen_count, 1);
    assert_int_equal(track.frozen[0]->points[track.frozen[0]->at].step, 102);
    arena_free(&feed.arena);
}

static void tells_a_level_from_a_spike(void **unused)
{
    (void)unused;
    double values[400];
    uint32_t random = 5;
    for (size_t i = 0; i < 400; i++)
        values[i] = (i < 200 ? 2 : 4) + 0.02 * noise(&random);
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    feed_values(&feed, values, 400, 17);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.episode_count, 1);
    assert_true(track.episodes[0].level);
    assert_int_equal(track.episodes[0].start.step, 201);
    arena_free(&feed.arena);
}

static void cuts_an_episode_at_a_nan_and_leaves_the_last_one_open(void **unused)
{
    (void)unused;
    double values[120];
    uint32_t random = 5;
    for (size_t i = 0; i < 120; i++)
        values[i] = 2 + 0.02 * noise(&random);
    values[50] = 5;
    values[51] = 9;
    values[52] = (double)NAN;
    values[119] = 8;
    struct feed feed;
    feed_open(&feed, KIND_LOSS);
    feed_values(&feed, values, 120, 7);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.episode_count, 2);
    assert_true(track.episodes[0].cut);
    assert_int_equal(track.episodes[0].readings, 2);
    assert_true(track.episodes[1].open);
    assert_true(track.episodes[1].end.step == STEP_NONE && isnan(track.episodes[1].end.value));
    arena_free(&feed.arena);
}

static void asks_more_of_a_gradient_norm(void **unused)
{
    (void)unused;
    double values[200];
    uint32_t random = 5;
    for (size_t i = 0; i < 200; i++)
        values[i] = 1 + 0.2 * noise(&random);
    values[100] = 5;
    values[150] = 50;
    struct feed feed;
    feed_open(&feed, KIND_GRAD_NORM);
    feed_values(&feed, values, 200, 200);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.episode_count, 1);
    assert_int_equal(track.episodes[0].peak.step, 151);
    arena_free(&feed.arena);
}

static void replaces_the_last_point(void **unused)
{
    (void)unused;
    for (size_t count = 3; count < 50; count += 40) {
        double values[50];
        for (size_t i = 0; i < count; i++)
            values[i] = i + 1 == count ? (double)NAN : (double)i;
        struct feed feed;
        feed_open(&feed, KIND_LOSS);
        feed_values(&feed, values, count, 50);
        const struct point point = {.step = (int64_t)count, .value = 0.5, .line = 99, .input = 1};
        assert_true(track_replace(feed.builder, &point, 0));
        const struct track track = feed_view(&feed);
        assert_int_equal(track.points, count);
        assert_true(track.last.value == 0.5 && track.last.line == 99);
        assert_int_equal(track_nonfinite(&track)->nan, 0);
        arena_free(&feed.arena);
    }
}

static void agrees_with_a_coarser_print(void **unused)
{
    (void)unused;
    static const double values[] = {3, 2, 0.2792};
    struct feed feed;
    feed_open(&feed, KIND_GRAD_NORM);
    feed_values(&feed, values, 3, 50);
    assert_true(track_agrees(feed.builder, 0.2792, 4));
    assert_true(track_agrees(feed.builder, 0.27916, 5));
    assert_false(track_agrees(feed.builder, 0.2791, 4));
    assert_false(track_agrees(feed.builder, 0.2772, 5));
    arena_free(&feed.arena);
}

static void drops_what_a_resumed_run_prints_again(void **unused)
{
    (void)unused;
    static const size_t lengths[] = {10, 40, 200, 5000};
    for (size_t l = 0; l < 4; l++) {
        const size_t count = lengths[l], cut = count * 7 / 10;
        static double values[5000];
        uint32_t random = 5;
        for (size_t i = 0; i < count; i++)
            values[i] = i > cut ? (double)NAN : 2 + 0.02 * noise(&random);
        struct feed feed;
        feed_open(&feed, KIND_LOSS);
        feed_values(&feed, values, count, 64);
        track_drop(feed.builder, (int64_t)cut + 1);
        struct track track = feed_view(&feed);
        assert_int_equal(track.points, cut);
        assert_int_equal(track_nonfinite(&track)->nan, 0);
        assert_true(track.last.step <= (int64_t)cut && track.last.step > (int64_t)cut - 64);
        feed.next = (int64_t)cut + 1;
        for (size_t i = 0; i < count; i++)
            values[i] = 1;
        feed_values(&feed, values, count - cut, 64);
        track = feed_view(&feed);
        assert_int_equal(track.points, count);
        assert_int_equal(track.last.step, count);
        assert_int_equal(track.head_count, count < HEAD_MAX ? count : HEAD_MAX);
        uint64_t readings = 0;
        for (size_t i = 0; i < track.bucket_count; i++)
            readings += track.buckets[i].count;
        assert_int_equal(readings, count);
        arena_free(&feed.arena);
    }
}

static void counts_exactly_what_the_ring_still_shows(void **unused)
{
    (void)unused;
    static double values[2000];
    static int64_t steps[2000];
    for (size_t i = 0; i < 2000; i++) {
        values[i] = 2;
        steps[i] = (int64_t)(i * i); /* no even distances */
    }
    for (size_t cut = 1950; cut < 2000; cut += 7) {
        struct feed feed;
        feed_open(&feed, KIND_LOSS);
        const struct track_rows rows = {.count = 2000, .values = values, .steps = steps};
        assert_true(track_add(feed.builder, &rows, NULL));
        track_drop(feed.builder, steps[cut]);
        const struct track track = feed_view(&feed);
        assert_int_equal(track.points, cut);
        assert_int_equal(track.last.step, steps[cut - 1]);
        uint64_t readings = 0;
        for (size_t i = 0; i < track.bucket_count; i++)
            readings += track.buckets[i].count;
        assert_int_equal(readings, cut);
        arena_free(&feed.arena);
    }
}

static void drops_everything_and_begins_anew(void **unused)
{
    (void)unused;
    double values[40];
    for (size_t i = 0; i < 40; i++)
        values[i] = (double)i;
    struct feed feed;
    feed_open(&feed, KIND_OTHER);
    feed_values(&feed, values, 40, 40);
    track_drop(feed.builder, 1);
    assert_int_equal(feed_view(&feed).points, 0);
    feed.next = 1;
    feed_values(&feed, values, 5, 5);
    const struct track track = feed_view(&feed);
    assert_int_equal(track.points, 5);
    assert_int_equal(track.head_count, 5);
    assert_int_equal(track.first.step, 1);
    arena_free(&feed.arena);
}

static void ends_with_a_word_where_memory_ends(void **unused)
{
    (void)unused;
    double values[600];
    for (size_t i = 0; i < 600; i++)
        values[i] = i == 300 ? (double)NAN : (double)(i % 9);
    for (size_t limit = 1; limit < 120000; limit += 977) {
        struct arena arena = {.limit = limit};
        struct track_builder *builder = track_open(&arena, KIND_LOSS, true);
        if (builder) {
            const struct track_rows rows = {.count = 600, .values = values, .input = 1};
            struct error error = {0};
            struct track track;
            if (!track_add(builder, &rows, &error))
                assert_int_equal(error.kind, ERROR_MEMORY);
            else
                track_view(builder, &track);
        }
        arena_free(&arena);
    }
}

/* What no shortage of memory may change. */
static void brief_holds(const struct track *track, const double *values, size_t count)
{
    uint64_t readings = 0;
    for (size_t i = 0; i < track->bucket_count; i++)
        readings += track->buckets[i].count;
    assert_int_equal(readings, count);
    assert_int_equal(track->points, count);
    assert_int_equal(track->low.line, 1 + (count > 40 ? 40 : 0));
    assert_int_equal(track->first.line, 1);
    assert_int_equal(track->last.line, count);
    assert_true(track->head_count >= 8 && track->tail_count >= 8);
    for (size_t i = 0; i < track->head_count; i++)
        assert_true(track->head[i].value == values[i]);
    for (size_t i = 0; i < track->tail_count; i++)
        assert_true(track->tail[i].value == values[count - track->tail_count + i]);
}

static void takes_the_least_where_memory_is_short(void **unused)
{
    (void)unused;
    static const size_t counts[] = {8, 16, 17, 32, 33, 34, 1000};
    static double values[1000];
    for (size_t i = 0; i < 1000; i++)
        values[i] = i == 40 ? 0.25 : 1 + (double)i;
    for (size_t k = 0; k < 3 * sizeof(counts) / sizeof(counts[0]); k++) {
        const size_t count = counts[k / 3], batch = k % 3 ? 7 : 1;
        struct feed feed;
        feed_open(&feed, KIND_OTHER);
        feed.builder = track_open(&feed.arena, KIND_OTHER, k % 3 == 2);
        feed_values(&feed, values, 5, batch);
        assert_non_null(arena_take(&feed.arena, (size_t)25 << 20, 1));
        const size_t taken = feed.arena.used;
        feed_values(&feed, values + 5, count - 5, batch);
        const struct track track = feed_view(&feed);
        brief_holds(&track, values, count);
        if (count > 34 && k % 3 < 2) {
            assert_true(track.bucket_count <= 4);
            assert_true(feed.arena.used - taken < 2048);
        }
        assert_true(track.bucket_count <= 16 || count <= 16);
        arena_free(&feed.arena);
    }
}

static void keeps_a_brief_track_raw_as_far_as_its_buckets(void **unused)
{
    (void)unused;
    static const size_t counts[] = {8, 16, 17, 31, 32, 33, 1000};
    static double values[1000];
    for (size_t i = 0; i < 1000; i++)
        values[i] = i == 40 ? 0.25 : 1 + (double)i;
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        const size_t count = counts[k];
        struct feed feed;
        feed_open(&feed, KIND_OTHER);
        feed.builder = track_open(&feed.arena, KIND_OTHER, false);
        feed_values(&feed, values, count, 7);
        const struct track track = feed_view(&feed);
        brief_holds(&track, values, count);
        assert_int_equal(track.head_count, count < 16 ? count : 16);
        assert_int_equal(track.tail_count, count < 16 ? count : 16);
        if (count <= 32)
            assert_int_equal(track.bucket_count, count);
        else
            assert_true(track.bucket_count > 16 && track.bucket_count <= 32);
        arena_free(&feed.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_a_few_points_as_they_are),
        cmocka_unit_test(finds_the_longest_run_wherever_it_stands),
        cmocka_unit_test(is_born_small),
        cmocka_unit_test(counts_exactly_at_any_length),
        cmocka_unit_test(says_the_same_however_it_is_cut),
        cmocka_unit_test(freezes_a_window_at_the_first_nan),
        cmocka_unit_test(keeps_the_line_of_a_nan_among_few_points),
        cmocka_unit_test(records_a_spike_with_its_way_back),
        cmocka_unit_test(tells_a_level_from_a_spike),
        cmocka_unit_test(cuts_an_episode_at_a_nan_and_leaves_the_last_one_open),
        cmocka_unit_test(asks_more_of_a_gradient_norm),
        cmocka_unit_test(replaces_the_last_point),
        cmocka_unit_test(agrees_with_a_coarser_print),
        cmocka_unit_test(drops_what_a_resumed_run_prints_again),
        cmocka_unit_test(counts_exactly_what_the_ring_still_shows),
        cmocka_unit_test(drops_everything_and_begins_anew),
        cmocka_unit_test(keeps_a_brief_track_raw_as_far_as_its_buckets),
        cmocka_unit_test(takes_the_least_where_memory_is_short),
        cmocka_unit_test(ends_with_a_word_where_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
