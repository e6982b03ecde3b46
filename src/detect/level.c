/* level: the end of a series stands at another order of magnitude than the part before. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { LAST_GROUPS, RATIO, LEAST, FIRST_HALF, Z };
static const struct parameter parameters[] = {
    [LAST_GROUPS] = {"last-groups", "groups", 1, 32, 5, "that all have to stand there"},
    [RATIO] = {"ratio", "ratio", 1e-12, 1e12, 10, "over the reference; below 1: under it"},
    [LEAST] = {"least", "", 0, 1e12, 0, "that their median has to reach"},
    [FIRST_HALF] = {"first-half", "", 0, 1, 0, "1: against the first half, else the middle one"},
    [Z] = {"z", "", 0, 10, 0, "Mann-Kendall z of the last half at least"},
};
static const char *const values[] = {"ratio", "median", "peak", "points", "at", NULL};

static double reference(const struct groups *groups, bool first_half)
{
    double y[GROUPS_MAX];
    size_t count = 0, quarter = groups->count / 4;
    size_t from = first_half ? 0 : quarter;
    size_t end = first_half ? groups->count / 2 : groups->count - quarter;
    for (size_t i = from; i < end; i++)
        y[count++] = groups->group[i].y;
    return median_of(y, count);
}

static double rising(const struct groups *groups)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = groups->count / 2; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    return trend_of(x, y, count, groups->precision).z;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups;
    size_t last = (size_t)use->parameters[LAST_GROUPS];
    if (!groups_for(use, 0, true, &groups) || groups.count < 2 * last)
        return true;
    double middle = scale_down(&groups.scale, reference(&groups, use->parameters[FIRST_HALF] > 0));
    double ratio = use->parameters[RATIO];
    double ends[GROUPS_MAX];
    if (!(middle > 0))
        return true;
    for (size_t i = 0; i < last; i++) {
        ends[i] = scale_down(&groups.scale, groups.group[groups.count - last + i].y);
        if (ratio >= 1 ? ends[i] < ratio * middle : ends[i] > ratio * middle)
            return true;
    }
    double end = median_of(ends, last);
    if (end < use->parameters[LEAST] || rising(&groups) < use->parameters[Z])
        return true;
    const struct group *onset = &groups.group[groups.count - last];
    struct candidate candidate = candidate_at(use, 0, onset->first);
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "ratio", end / middle);
    value_add(&candidate, "median", middle);
    value_add(&candidate, "peak", end);
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "at", run_share_at(use, use->tracks[0], &onset->first));
    evidence_add(&candidate, use->series[0], onset->first, "the first of the last groups");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_level = {
    .name = "level",
    .about = "the end of a series stands at another order of magnitude than the part before",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
