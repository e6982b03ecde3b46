/* Points for one track after the other. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_COLLECT_FEED_H
#define TESTS_COLLECT_FEED_H

#include "stalldoc/arena.h"
#include "stalldoc/record.h"
#include "stalldoc/track.h"

#include "../check.h"

enum { MANY = 100000 };

struct feed {
    struct arena arena;
    struct track_builder *builder;
    int64_t next;
};

static inline void feed_open(struct feed *feed, enum kind kind)
{
    *feed = (struct feed){.next = 1};
    feed->builder = track_open(&feed->arena, kind, true);
    assert_non_null(feed->builder);
}

/* Steps and lines count up from one; cut into batches of `batch`. */
static inline void feed_values(struct feed *feed, const double *values, size_t count, size_t batch)
{
    static int64_t steps[MANY];
    static uint64_t lines[MANY], offsets[MANY];
    for (size_t i = 0; i < count; i++) {
        steps[i] = feed->next;
        lines[i] = (uint64_t)feed->next;
        offsets[i] = (uint64_t)feed->next * 10;
        feed->next += !value_missing(values[i]);
    }
    for (size_t i = 0; i < count; i += batch) {
        const struct track_rows rows = {.count = count - i < batch ? count - i : batch,
                                        .values = values + i,
                                        .steps = steps + i,
                                        .lines = lines + i,
                                        .offsets = offsets + i,
                                        .input = 1,
                                        .places = 4};
        assert_true(track_add(feed->builder, &rows, NULL));
    }
}

static inline struct track feed_view(struct feed *feed)
{
    struct track track;
    assert_true(track_view(feed->builder, &track));
    return track;
}

#endif
