/* trend: a steady change over the last part of a series. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <float.h>

enum { PART, RATIO, Z, STILL, CLOCK };
static const struct parameter parameters[] = {
    [PART] = {"part", "share", 0, 1, 0.3, "of the groups that is looked at, from the end"},
    [RATIO] = {"ratio", "ratio", 1e-9, 1e9, 10, "of its end over its start; below 1: a fall"},
    [Z] = {"z", "", 0, 10, 2.58, "Mann-Kendall z at least"},
    [STILL] = {"still", "ratio", 0, 1e9, 0, "that the last quarter has to change by as well"},
    [CLOCK] = {"clock", "", 0, 1, 0,
               "1: readings that hardly fall may be a running clock, and are none"},
};
static const char *const values[] = {"ratio", "z",   "points", "steps", "at",
                                     "start", "end", "noise",  NULL};

static double ratio_of(const struct groups *groups, size_t from, double *z)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = from; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    struct trend trend = trend_of(x, y, count, groups->precision);
    *z = trend.z;
    double rise = trend.slope * (x[count - 1] - x[0]);
    if (groups->scale.logarithmic)
        return exp(rise);
    double level = scale_down(&groups->scale, y[0]);
    double unit = fmax(fabs(level), groups->scale.precision);
    return 1 + rise * groups->scale.unit / unit;
}

/* From the group the change begins with to the end, on the scale of the groups. */
static double whole_rise(const struct groups *groups, size_t from)
{
    const size_t last = groups->count - 1;
    return fmax(fabs(groups->smooth[last] - groups->smooth[from]), DBL_MIN);
}

static bool beyond(double ratio, double wanted)
{
    return wanted >= 1 ? ratio >= wanted : ratio <= wanted;
}

/* Where the window is the whole log, the change begins where it leaves the level of its first group
   for good: by a tenth of itself. */
static size_t leaves(const struct groups *groups, size_t from)
{
    const size_t last = groups->count - 1;
    const double whole = groups->group[last].y - groups->group[from].y;
    size_t at = last;
    while (at > from && (groups->group[at].y - groups->group[from].y) / whole > 0.1)
        at--;
    return at;
}

/* The first readings hardly ever fall: time since the start rather than time taken. */
static bool is_clock(const struct track *track)
{
    enum { SELDOM = 8 }; /* once in so many: it was set back */
    size_t falls = 0;
    for (size_t i = 1; i < track->head_count; i++)
        falls += track->head[i].value < track->head[i - 1].value;
    return SELDOM * falls < track->head_count;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups;
    const struct track *loss = companion(use, KIND_LOSS, NULL);
    if (use->series[0]->kind == KIND_MEMORY && loss &&
        point_before(&use->tracks[0]->last, &loss->first))
        return true; /* printed while the model was set up */
    if (use->parameters[CLOCK] > 0 && is_clock(use->tracks[0]))
        return true;
    bool warm = use->series[0]->basis == BASIS_STEP;
    if (!groups_for(use, 0, warm, &groups))
        return true;
    double wanted = use->parameters[RATIO], z;
    size_t part = (size_t)ceil(use->parameters[PART] * (double)groups.count);
    if (part < 3)
        part = groups.count < 3 ? groups.count : 3;
    if (part < 2)
        return true;
    size_t from = groups.count - part;
    double ratio = ratio_of(&groups, from, &z);
    double turned = wanted >= 1 ? z : -z;
    if (!beyond(ratio, wanted) || turned < use->parameters[Z])
        return true;
    if (use->parameters[STILL] > 0 && groups.count >= 8) {
        double ignored;
        double last = ratio_of(&groups, groups.count - groups.count / 4, &ignored);
        if (!beyond(last, use->parameters[STILL]))
            return true;
    }
    if (from == 0)
        from = leaves(&groups, from);
    struct candidate candidate = candidate_at(use, 0, groups.group[from].first);
    if (from + 1 < groups.count)
        candidate.end_line = groups.group[from + 1].first.line;
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "z", z);
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "steps", groups.x_last - groups.group[from].x);
    value_add(&candidate, "at", run_share_at(use, use->tracks[0], &groups.group[from].first));
    /* Of single readings, in shares of the change: over 1/2 it is hidden among them. */
    value_add(&candidate, "noise", groups.sigma_point / whole_rise(&groups, from));
    value_add(&candidate, "start", scale_down(&groups.scale, groups.group[from].y));
    value_add(&candidate, "end", groups.end);
    evidence_add(&candidate, use->series[0], groups.group[from].first, "where the change begins");
    evidence_add(&candidate, use->series[0], use->tracks[0]->last_finite, "the end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_trend = {
    .name = "trend",
    .about = "a steady change over the last part of a series",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
