/* A track that stands on few values for long: a setting that is printed with every reading. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

#include <math.h>

enum { LEAST = 3 }; /* readings on a value: the last batch of an epoch, which is smaller, is none */

struct walk {
    struct tread *treads;
    size_t count, most;
};

static bool begin(struct walk *walk, struct point first, uint64_t points)
{
    if (walk->count == walk->most)
        return false;
    walk->treads[walk->count++] = (struct tread){first, points};
    return true;
}

/* Of a bucket that holds two values, how many are the second. 0: it holds others too. */
static uint64_t seconds(const struct bucket *bucket, double first, double second)
{
    const double count = (bucket->sum - (double)bucket->count * first) / (second - first);
    const double whole = round(count);
    return fabs(count - whole) < 1e-6 * (double)bucket->count ? (uint64_t)fmax(whole, 0) : 0;
}

static bool take(struct walk *walk, const struct bucket *bucket)
{
    struct tread *last = walk->count > 0 ? &walk->treads[walk->count - 1] : NULL;
    const double low = bucket->low.value, high = bucket->high.value;
    if (low == high) {
        struct point first = bucket_point(bucket);
        first.value = low; /* no mean of equal values */
        if (!last || last->first.value != low)
            return begin(walk, first, bucket->count);
        last->points += bucket->count;
        return true;
    }
    if (!last || (last->first.value != low && last->first.value != high))
        return false;
    const bool rises = last->first.value == low;
    const uint64_t moved = seconds(bucket, last->first.value, rises ? high : low);
    if (moved == 0)
        return false;
    last->points += bucket->count - moved;
    return begin(walk, rises ? bucket->high : bucket->low, moved);
}

size_t track_treads(const struct track *track, struct tread *treads, size_t most)
{
    struct walk walk = {treads, 0, most};
    if (track_bad(track) > 0)
        return 0;
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].count > 0 && !take(&walk, &track->buckets[i]))
            return 0;
    for (size_t i = 0; i < walk.count; i++)
        if (treads[i].points < LEAST)
            return 0;
    return walk.count;
}
