/* outlier: single readings many times over the usual. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RATIO, MAD, RISE };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1, 1e9, 3, "over the median"},
    [MAD] = {"mad", "deviations", 0, 100, 8, "and so many deviations of the logarithm"},
    /* A series that begins high and falls has its largest readings where it begins. */
    [RISE] = {"rise", "ratio", 0, 1e9, 0, "over the readings before it; 0: not asked"},
};
static const char *const values[] = {"ratio",  "count",  "share",   "median",
                                     "points", "period", "seconds", NULL};

enum { OUTLIERS_MAX = 64, BEFORE = 4 };

/* The level of the buckets just before this one; NAN where there are none. */
static double level_before(const struct track *track, size_t at)
{
    double levels[BEFORE];
    size_t count = 0;
    for (size_t i = at; i > 0 && count < BEFORE; i--)
        if (track->buckets[i - 1].count > 0)
            levels[count++] = track->buckets[i - 1].sum / (double)track->buckets[i - 1].count;
    return median_of(levels, count);
}

/* The steps between outliers are all multiples of one: every so many steps. */
static double period_of(const struct point *found, size_t count)
{
    if (count < 3 || found[0].step == STEP_NONE)
        return 0;
    int64_t width = found[1].step - found[0].step;
    for (size_t i = 2; i < count; i++)
        if (width < 2 || found[i].step - found[i - 1].step != width)
            return 0;
    return (double)width;
}

/* Buckets over the limit that the run begins with, up to a tenth of it: the first readings compile,
   load and warm caches, and the first epoch may read from the disk what memory holds later. */
static size_t opening_of(const struct track *track, double limit)
{
    const size_t most = track->bucket_count / 10;
    size_t at = 0;
    while (at < track->bucket_count &&
           (track->buckets[at].count == 0 || track->buckets[at].low.value >= limit))
        at++;
    if (at > 0 && at < track->bucket_count && track->buckets[at].high.value >= limit)
        at++; /* it ends inside of this one */
    return at <= most ? at : 0;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    double u[BUCKETS_MAX];
    struct point found[OUTLIERS_MAX];
    size_t count = 0, outliers = 0;
    double total = 0, cost = 0, number = 0;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count && bucket->sum > 0)
            u[count++] = log(bucket->sum / (double)bucket->count);
        total += bucket->sum;
    }
    if (count < 10 || is_rate(use->series[0]))
        return true;
    double middle = median_of(u, count), spread = deviation_of(u, count);
    double limit = exp(fmax(middle + log(use->parameters[RATIO]),
                            middle + use->parameters[MAD] * fmax(spread, 0.02)));
    const struct point *largest = NULL;
    for (size_t i = opening_of(track, limit); i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count == 0 || bucket->high.value < limit || bucket->index < 2 ||
            behind_plan(use, &bucket->high))
            continue;
        const double rise = use->parameters[RISE];
        if (rise > 0 && !(bucket->high.value >= rise * level_before(track, i)))
            continue;
        number++;
        cost += bucket->high.value - exp(middle);
        if (!largest || bucket->high.value > largest->value)
            largest = &bucket->high;
        if (outliers < OUTLIERS_MAX)
            found[outliers++] = bucket->high;
    }
    if (!largest)
        return true;
    struct candidate candidate = candidate_at(use, 0, *largest);
    value_add(&candidate, "ratio", largest->value / exp(middle));
    value_add(&candidate, "count", number);
    value_add(&candidate, "share", total > 0 ? cost / total : 0);
    value_add(&candidate, "median", exp(middle));
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "period", period_of(found, outliers));
    value_add(&candidate, "seconds", largest->value);
    evidence_add(&candidate, use->series[0], *largest, "the longest");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_outlier = {
    .name = "outlier",
    .about = "single readings many times over the usual",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
