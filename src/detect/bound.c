/* bound: the readings of a series lie beyond limits. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <float.h>

enum { MEDIAN_BELOW, P95_BELOW, MEDIAN_ABOVE, P5_ABOVE, HIGH_ABOVE };
static const double NO_LIMIT = 1e300;
static const struct parameter parameters[] = {
    [MEDIAN_BELOW] = {"median-below", "", -1e300, 1e300, 1e300, "of all readings"},
    [P95_BELOW] = {"p95-below", "", -1e300, 1e300, 1e300, "95 % of them"},
    [MEDIAN_ABOVE] = {"median-above", "", -1e300, 1e300, -1e300, "of all readings"},
    [P5_ABOVE] = {"p5-above", "", -1e300, 1e300, -1e300, "95 % of them"},
    [HIGH_ABOVE] = {"high-above", "", -1e300, 1e300, -1e300, "the largest"},
};
static const char *const values[] = {"median", "p95", "p5", "high", "points", "beside", NULL};

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

/* Without a limit everything is, what is infinite too. */
static bool under(double value, double limit)
{
    return limit >= NO_LIMIT || value < limit;
}

/* An exponent of what is printed beside it runs over: such readings are the largest of all. Only
   limits from below ask for them. Returns how many there are. */
static size_t infinite_add(const struct use *use, double *readings, size_t count)
{
    const struct nonfinite *bad = track_nonfinite(use->tracks[0]);
    const bool asked = use->parameters[MEDIAN_ABOVE] > -NO_LIMIT && bad->nan == 0;
    size_t added = 0;
    while (asked && added < bad->inf && count + added < BUCKETS_MAX)
        readings[count + added++] = DBL_MAX; /* medians take differences */
    return added;
}

/* Where the loss of validation, or else of training, ends; NAN: there is none. */
static double loss_beside(const struct use *use)
{
    const struct track *track = companion(use, KIND_VAL_LOSS, NULL);
    track = track ? track : companion(use, KIND_LOSS, NULL);
    return track ? track->last_finite.value : (double)NAN;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct point points[BUCKETS_MAX];
    double readings[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(use->tracks[0], points, &exact);
    for (size_t i = 0; i < count; i++)
        readings[i] = points[i].value;
    count += infinite_add(use, readings, count);
    double median = median_of(readings, count);
    double high = quantile_of(readings, count, 0.95), low = quantile_of(readings, count, 0.05);
    if (count == 0 || !under(median, use->parameters[MEDIAN_BELOW]) ||
        !under(high, use->parameters[P95_BELOW]) || !(median > use->parameters[MEDIAN_ABOVE]) ||
        (use->parameters[P5_ABOVE] > -NO_LIMIT && !(low > use->parameters[P5_ABOVE])) ||
        (use->parameters[HIGH_ABOVE] > -NO_LIMIT &&
         !(use->tracks[0]->high.value > use->parameters[HIGH_ABOVE])))
        return true;
    struct candidate candidate = candidate_at(use, 0, onset_of(use));
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "median", median < DBL_MAX ? median : (double)INFINITY);
    value_add(&candidate, "p95", high);
    value_add(&candidate, "p5", low);
    value_add(&candidate, "high", use->tracks[0]->high.value);
    value_add(&candidate, "beside", use->run ? loss_beside(use) : (double)NAN);
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
