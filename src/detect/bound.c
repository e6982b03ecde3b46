/* bound: the readings of a series lie beyond limits. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { MEDIAN_BELOW, P95_BELOW, MEDIAN_ABOVE, P5_ABOVE, HIGH_ABOVE };
static const struct parameter parameters[] = {
    [MEDIAN_BELOW] = {"median-below", "", -1e300, 1e300, 1e300, "of all readings"},
    [P95_BELOW] = {"p95-below", "", -1e300, 1e300, 1e300, "95 % of them"},
    [MEDIAN_ABOVE] = {"median-above", "", -1e300, 1e300, -1e300, "of all readings"},
    [P5_ABOVE] = {"p5-above", "", -1e300, 1e300, -1e300, "95 % of them"},
    [HIGH_ABOVE] = {"high-above", "", -1e300, 1e300, -1e300, "the largest"},
};
static const char *const values[] = {"median", "p95", "p5", "high", "points", NULL};

/* Where the readings are beyond the limit first: from their start on, but for the largest alone. */
static struct point onset_of(const struct use *use)
{
    const struct track *track = use->tracks[0];
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].count > 0 &&
            track->buckets[i].high.value > use->parameters[HIGH_ABOVE])
            return use->parameters[HIGH_ABOVE] > -1e300 ? track->buckets[i].high : track->first;
    return track->first;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct point points[BUCKETS_MAX];
    double readings[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(use->tracks[0], points, &exact);
    for (size_t i = 0; i < count; i++)
        readings[i] = points[i].value;
    double median = median_of(readings, count);
    double high = quantile_of(readings, count, 0.95), low = quantile_of(readings, count, 0.05);
    if (count == 0 || !(median < use->parameters[MEDIAN_BELOW]) ||
        !(high < use->parameters[P95_BELOW]) || !(median > use->parameters[MEDIAN_ABOVE]) ||
        !(low > use->parameters[P5_ABOVE]) ||
        !(use->tracks[0]->high.value > use->parameters[HIGH_ABOVE]))
        return true;
    struct candidate candidate = candidate_at(use, 0, onset_of(use));
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "median", median);
    value_add(&candidate, "p95", high);
    value_add(&candidate, "p5", low);
    value_add(&candidate, "high", use->tracks[0]->high.value);
    value_add(&candidate, "points", (double)use->tracks[0]->points);
    evidence_add(&candidate, use->series[0], use->tracks[0]->last_finite, "the last reading");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_bound = {
    .name = "bound",
    .about = "the readings of a series lie beyond limits",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
