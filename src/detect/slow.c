/* slow: the loss falls steadily, in a straight line, and hardly at all. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { Z, TAU, MAX_DROP, CURVATURE, PLAN, REACH };
static const struct parameter parameters[] = {
    [Z] = {"z", "", -20, 0, -2.58, "Mann-Kendall z at most"},
    [TAU] = {"tau", "", -1, 0, -0.5, "Mann-Kendall tau at most"},
    [MAX_DROP] = {"max-drop", "share", 0, 1, 0.2, "that the level may have fallen"},
    [CURVATURE] = {"curvature", "ratio", 0, 10, 0.5,
                   "of the slope of the second half to the first"},
    [PLAN] = {"plan", "share", 0, 1, 0.3, "of the plan that has to be done"},
    [REACH] = {"reach", "share", 0, 1, 0, "of the way to its bound that a metric may have gone"},
};
static const char *const values[] = {"drop", "z",    "tau",    "curvature", "reached", "points",
                                     "end",  "done", "gained", "nameless",  "glimpse", NULL};

static struct trend part(const struct groups *groups, size_t from, size_t end)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = from; i < end; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    return trend_of(x, y, count, groups->precision);
}

/* A metric stands near its start still, far from what it could reach. */
static bool hardly_moved(const struct use *use, const struct groups *groups)
{
    double bound = metric_bound(use->series[0], use->tracks[0]);
    if (!isfinite(bound) || use->series[0]->direction != DIRECTION_UP)
        return false;
    double limit = 1.25 * groups->start + use->parameters[REACH] * (bound - groups->start);
    limit = fmin(limit, 2 * groups->start);
    return groups->end <= limit && groups->end < 0.5 * bound;
}

/* The way to its bound that a metric beside the loss has gone, as a share: the larger one of
   training's and validation's. What the loss measures is then learned, however slowly it falls. */
static double gained(const struct use *use)
{
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    double most = 0, unit;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct track *track = companion_share(use, kinds[i], &unit);
        struct groups groups;
        if (!track || !groups_of(track, kinds[i], 0, &groups) || groups.count < 3)
            continue;
        const double start = scale_down(&groups.scale, groups.smooth[0]);
        const double end = scale_down(&groups.scale, groups.smooth[groups.count - 1]);
        if (start < unit)
            most = fmax(most, (end - start) / (unit - start));
    }
    return most;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups;
    if (!groups_for(use, 0, true, &groups) || groups.count < 6)
        return true;
    bool metric = use->parameters[REACH] > 0;
    if (metric) {
        if (!hardly_moved(use, &groups))
            return true;
        groups_turn(&groups);
    }
    size_t count = groups.count;
    struct trend all = part(&groups, 0, count);
    if (!(all.z < use->parameters[Z]) || !(all.tau < use->parameters[TAU]) ||
        (!metric &&
         (!(whole_drop(use, 0, false) < use->parameters[MAX_DROP]) || !(groups.drop > 0))))
        return true;
    double first = part(&groups, 0, (count + 1) / 2).slope;
    double second = part(&groups, count / 2, count).slope;
    double curvature = first < 0 ? second / first : (double)INFINITY;
    /* One that still picks up speed has only begun. */
    if (!(curvature > use->parameters[CURVATURE]) || curvature > 1.6 || !(second < 0))
        return true;
    double planned = use->run ? (double)use->run->planned_steps : 0, done = (double)NAN;
    double reached = groups.end;
    if (planned > 0 && use->tracks[0]->last.step != STEP_NONE) {
        done = (double)use->tracks[0]->last.step / planned;
        if (done < use->parameters[PLAN])
            return true;
        double left = planned - groups.x_last;
        if (!metric)
            reached = scale_down(&groups.scale,
                                 scale_up(&groups.scale, groups.end) + second * fmax(left, 0));
    }
    struct candidate candidate = candidate_at(use, 0, groups.group[0].first);
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "drop", groups.drop);
    value_add(&candidate, "z", all.z);
    value_add(&candidate, "tau", all.tau);
    value_add(&candidate, "curvature", curvature);
    value_add(&candidate, "reached", reached);
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "end", groups.end);
    value_add(&candidate, "done", done);
    value_add(&candidate, "nameless", use->series[0]->origin == ORIGIN_BARE);
    value_add(&candidate, "gained", metric ? 0 : gained(use));
    value_add(&candidate, "glimpse", is_glimpse(use, 0));
    evidence_add(&candidate, use->series[0], groups.group[0].first, "the start");
    evidence_add(&candidate, use->series[0], use->tracks[0]->last_finite, "the end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_slow = {
    .name = "slow",
    .about = "the loss falls steadily, in a straight line, and hardly at all",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
