/* Tracks of our own making for the tests of measure/ and detect/. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_MADE_H
#define TEST_MADE_H

#include "stalldoc/measure.h"

#include <stdio.h>
#include <string.h>

enum { TEST_POINTS_MAX = 8192 };

struct made { /* a track and what it points at */
    struct track track;
    struct nonfinite nonfinite;
    struct signs signs;
    struct bucket buckets[BUCKETS_MAX];
    struct point head[HEAD_MAX], tail[TAIL_MAX];
};

static inline struct point made_point(const double *values, size_t i, int64_t step_width)
{
    return point_make(((int64_t)i + 1) * step_width, values[i],
                      (struct place){.input = 1, .line = i + 1, .offset = i * 100});
}

static inline void made_count(struct made *made, const struct point *point, size_t i)
{
    struct track *track = &made->track;
    struct nonfinite *bad = &made->nonfinite;
    struct signs *signs = &made->signs;
    if (!isfinite(point->value)) {
        struct point *first = isnan(point->value) ? &bad->first_nan : &bad->first_inf;
        if (bad->nan + bad->inf == 0)
            bad->first = *point;
        if ((isnan(point->value) ? bad->nan++ : bad->inf++) == 0)
            *first = *point;
        bad->last = *point;
        if (++bad->last_run > bad->longest_run)
            bad->longest_run = bad->last_run;
        return;
    }
    bad->last_run = 0;
    track->last_finite = *point;
    if (i == bad->nan + bad->inf || point->value < track->low.value)
        track->low = *point;
    if (i == bad->nan + bad->inf || point->value > track->high.value)
        track->high = *point;
    if (point->value == 0 && signs->zeros++ == 0)
        signs->first_zero = *point;
    if (point->value < 0 && signs->negatives++ == 0)
        signs->first_negative = *point;
}

static inline void made_bucket(struct bucket *bucket, const struct point *point, size_t i)
{
    if (bucket->first_line == 0) {
        bucket->first_step = point->step;
        bucket->first_line = point->line;
        bucket->first_offset = point->offset;
        bucket->input = 1;
        bucket->index = i;
    }
    bucket->last_step = point->step;
    if (!isfinite(point->value))
        return;
    if (bucket->count == 0 || point->value < bucket->low.value)
        bucket->low = *point;
    if (bucket->count == 0 || point->value > bucket->high.value)
        bucket->high = *point;
    bucket->count++;
    bucket->sum += point->value;
    bucket->square += point->value * point->value;
}

static inline void made_run(struct track *track, const struct point *point)
{
    struct constant *now = &track->current;
    if (track->points > 1 && now->value == point->value) {
        now->count++;
    } else {
        now->value = point->value;
        now->count = 1;
        now->first = *point;
    }
    now->last = *point;
    if (now->count > track->longest.count)
        track->longest = *now;
}

/* Significant digits of a value printed with so many decimals. */
static inline int made_digits(double value, int places)
{
    char text[64];
    snprintf(text, sizeof(text), "%.*f", places, fabs(value));
    int digits = 0;
    for (const char *c = text; *c; c++)
        digits += *c != '.' && (digits > 0 || *c != '0');
    return digits;
}

/* A track of these readings, printed with `places` decimals, `step_width` steps apart. */
static inline void make_track(struct made *made, const double *values, size_t count, int places,
                              int64_t step_width)
{
    memset(made, 0, sizeof(*made));
    struct track *track = &made->track;
    track->nonfinite = &made->nonfinite;
    track->signs = &made->signs;
    size_t width = 1;
    while (count > width * BUCKETS_MAX)
        width *= 2;
    for (size_t i = 0; i < count; i++) {
        struct point point = made_point(values, i, step_width);
        track->points++;
        made_count(made, &point, i);
        made_bucket(&made->buckets[i / width], &point, i);
        made_run(track, &point);
        if (i < HEAD_MAX)
            made->head[track->head_count++] = point;
        if (i + TAIL_MAX >= count)
            made->tail[track->tail_count++] = point;
    }
    track->buckets = made->buckets;
    track->bucket_count = (count + width - 1) / width;
    track->head = made->head;
    track->tail = made->tail;
    track->places = places;
    track->longest.digits = made_digits(track->longest.value, places);
    track->current.digits = made_digits(track->current.value, places);
    track->first_time = track->last_time = NAN;
    if (count) {
        track->first = made_point(values, 0, step_width);
        track->last = made_point(values, count - 1, step_width);
    }
}

#endif
