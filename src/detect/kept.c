/* kept: the loss keeps a large part of its start to the end, and no metric beside it got far. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE, METRIC_MOST, APART };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.3, "of its first level at which the loss ends, at least"},
    [METRIC_MOST] = {"metric-most", "share", 0, 1, 0.8, "of full marks that a metric may reach"},
    [APART] = {"apart", "ratio", 0, 100, 0,
               "of validation over training at the end, at most; 0: not asked"},
};
static const char *const values[] = {"start", "end", "drop", "points", "metric", NULL};

/* The best that any metric of shares reached; NAN: there is none. */
static double metric_best(const struct use *use)
{
    static const enum kind kinds[] = {KIND_VAL_METRIC, KIND_METRIC};
    double best = (double)NAN;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        double unit;
        struct groups groups;
        const struct track *track = companion_share(use, kinds[i], &unit);
        if (!track || !groups_of(track, kinds[i], 0, &groups))
            continue;
        for (size_t k = 0; k < groups.count; k++)
            best = fmax(best, scale_down(&groups.scale, groups.smooth[k]) / unit);
    }
    return best;
}

/* Validation ends where training does, so nothing was learnt by heart. */
static bool together(const struct use *use, double end)
{
    struct groups groups;
    const struct track *track = companion(use, KIND_VAL_LOSS, NULL);
    return !(use->parameters[APART] > 0) || (track && groups_of(track, KIND_VAL_LOSS, 0, &groups) &&
                                             groups.end <= use->parameters[APART] * end);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct groups groups;
    if (use->segment > 0 || !(track->first.value > 0) || !isfinite(track->first.value) ||
        track_signs(track)->negatives || !groups_for(use, 0, false, &groups) || groups.count < 4)
        return true;
    const double start = fmax(track->first.value, scale_down(&groups.scale, groups.smooth[0]));
    const double metric = metric_best(use);
    if (groups.end < use->parameters[SHARE] * start || metric > use->parameters[METRIC_MOST] ||
        !together(use, groups.end))
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.end_line = track->last.line;
    value_add(&candidate, "start", start);
    value_add(&candidate, "end", groups.end);
    value_add(&candidate, "drop", 1 - groups.end / start);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "metric", metric);
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    evidence_add(&candidate, use->series[0], track->last_finite, "the last one");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_kept = {
    .name = "kept",
    .about = "the loss keeps a large part of its start, and no metric beside it got far",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
