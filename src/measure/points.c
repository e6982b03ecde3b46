/* The points of a track, as far as they are kept. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

const struct nonfinite nonfinite_none;
const struct signs signs_none;

struct point bucket_point(const struct bucket *bucket)
{
    if (bucket->count == 1)
        return bucket->low;
    return (struct point){
        .step = bucket->first_step,
        .value = bucket->count ? bucket->sum / (double)bucket->count : (double)NAN,
        .line = bucket->first_line,
        .offset = bucket->first_offset,
        .input = bucket->input,
    };
}

size_t track_points(const struct track *track, struct point *points, bool *exact)
{
    size_t count = 0;
    *exact = true;
    for (size_t i = 0; i < track->bucket_count && count < BUCKETS_MAX; i++) {
        if (track->buckets[i].count == 0)
            continue;
        if (track->buckets[i].count > 1)
            *exact = false;
        points[count++] = bucket_point(&track->buckets[i]);
    }
    return count;
}

size_t track_readings(const struct track *track, struct point *points)
{
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        uint64_t next = i + 1 < track->bucket_count ? bucket[1].index : track->points;
        if (bucket->count > 1 || next > bucket->index + 1)
            return 0;
        points[i] = bucket_point(bucket);
    }
    return track->bucket_count;
}

static size_t tail_of_buckets(const struct track *track, struct point *points, size_t most)
{
    size_t left = most;
    for (size_t i = track->bucket_count; i > 0 && left > 0; i--)
        if (track->buckets[i - 1].count)
            points[--left] = bucket_point(&track->buckets[i - 1]);
    size_t count = most - left;
    for (size_t i = 0; i < count; i++)
        points[i] = points[left + i];
    return count;
}

size_t track_tail(const struct track *track, struct point *points, size_t most)
{
    bool exact = true;
    for (size_t i = 0; i < track->bucket_count && exact; i++)
        exact = track->buckets[i].count <= 1;
    if (exact)
        return tail_of_buckets(track, points, most);
    size_t count = 0, first = track->tail_count > most ? track->tail_count - most : 0;
    for (size_t i = first; i < track->tail_count; i++)
        if (isfinite(track->tail[i].value))
            points[count++] = track->tail[i];
    return count;
}

double share_unit(const struct track *track)
{
    return track->high.value > 1 ? 100 : 1;
}

double points_level(const struct point *points, size_t count, size_t most, bool last)
{
    double values[TAIL_MAX];
    size_t finite = 0;
    most = most < TAIL_MAX ? most : TAIL_MAX;
    for (size_t i = 0; i < count && finite < most; i++) {
        const double value = points[last ? count - 1 - i : i].value;
        if (isfinite(value))
            values[finite++] = value;
    }
    return median_of(values, finite);
}
