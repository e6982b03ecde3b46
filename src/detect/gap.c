/* gap: one part of a kind is orders of magnitude over the others. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { LARGEST_TO_MEDIAN, PARTS };
enum { PARTS_MAX = 512 };
static const struct parameter parameters[] = {
    [LARGEST_TO_MEDIAN] = {"largest-to-median", "ratio", 1, 1e12, 1000, "of the parts' medians"},
    [PARTS] = {"parts", "parts", 2, PARTS_MAX, 4, "that are needed to compare"},
};
static const char *const values[] = {"ratio", "median", "largest", "parts", NULL};

static double level(const struct track *track)
{
    struct point points[BUCKETS_MAX];
    double readings[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact);
    for (size_t i = 0; i < count; i++)
        readings[i] = points[i].value;
    return median_of(readings, count);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct series *own = use->series[0];
    double levels[PARTS_MAX], mine = level(use->tracks[0]);
    size_t count = 0;
    for (size_t i = 0; i < use->run->series_count && count < PARTS_MAX; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind != own->kind || series->scope != SCOPE_PART || !series->speaks ||
            use->segment >= series->segment_count)
            continue;
        double other = level(&series->segments[use->segment]);
        if (!isfinite(other))
            continue;
        if (other > mine)
            return true; /* the largest part speaks for all */
        levels[count++] = other;
    }
    double median = median_of(levels, count);
    if ((double)count < use->parameters[PARTS] || !(median > 0) ||
        mine < use->parameters[LARGEST_TO_MEDIAN] * median)
        return true;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    value_add(&candidate, "ratio", mine / median);
    value_add(&candidate, "median", median);
    value_add(&candidate, "largest", mine);
    value_add(&candidate, "parts", (double)count);
    evidence_add(&candidate, own, use->tracks[0]->high, "the largest reading");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_gap = {
    .name = "gap",
    .about = "one part of a kind is orders of magnitude over the others",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
