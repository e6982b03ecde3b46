/* fade: a series shrinks to (nearly) nothing against its own start. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

/* Over what counts as gone, little is left already: what stops there stops for that. */
static const double NEARLY = 10;

enum { RATIO, ABSOLUTE, PART, MAX_DROP, SPARE_RISING, NEGATED, PEAK };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 0, 1, 0.001, "of the last part over the first"},
    [ABSOLUTE] = {"absolute", "", 0, 1e12, 0, "a median below this is enough"},
    [PART] = {"part", "share", 0.01, 0.5, 0.2, "of the readings at either end"},
    [MAX_DROP] = {"max-drop", "share", -1, 1, 1, "that the loss may have fallen meanwhile"},
    [SPARE_RISING] = {"spare-rising", "", 0, 1, 0, "1: not while the reward still rises"},
    [PEAK] = {"peak", "", 0, 1, 0, "1: against the highest reading, not the first part"},
    [NEGATED] = {"negated", "", 0, 1, 0, "1: what is printed with its sign turned, never over 0"},
};
static const char *const values[] = {"ratio",  "median",    "start", "drop",
                                     "points", "companion", "share", NULL};

static double part_level(const struct groups *groups, size_t from, size_t count)
{
    double y[GROUPS_MAX];
    for (size_t i = 0; i < count; i++)
        y[i] = groups->group[from + i].y;
    return scale_down(&groups->scale, median_of(y, count));
}

static bool reward_rises(const struct use *use, bool *known)
{
    const struct series *series = NULL;
    const struct track *track = companion(use, KIND_REWARD, &series);
    struct groups groups;
    *known = track && groups_of(track, KIND_REWARD, 0, &groups) && groups.count >= 4;
    if (!*known)
        return false;
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = groups.count / 2; i < groups.count; i++, count++) {
        x[count] = groups.group[i].x;
        y[count] = groups.group[i].y;
    }
    return trend_of(x, y, count, groups.precision).z >= 1;
}

/* Where it fell to the limit for good: at `from`, or before it. */
static size_t low_from(const struct groups *groups, size_t from, double sign, double limit)
{
    while (from > 1 && sign * scale_down(&groups->scale, groups->group[from - 1].y) <= limit)
        from--;
    return from;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups, loss;
    const struct track *track = use->tracks[0];
    const bool negated = use->parameters[NEGATED] > 0, peak = use->parameters[PEAK] > 0;
    if (!groups_for(use, 0, !peak, &groups) || groups.count < 5 ||
        (negated ? track->high.value > 0 : track_signs(track)->negatives > 0))
        return true;
    size_t part = (size_t)ceil(use->parameters[PART] * (double)groups.count);
    const double sign = negated ? -1 : 1;
    double start = peak ? track->high.value : sign * part_level(&groups, 0, part);
    double end = sign * part_level(&groups, groups.count - part, part);
    double precision = pow(10, -(double)track->places);
    bool small = start > 0 && end <= use->parameters[RATIO] * start &&
                 precision <= use->parameters[RATIO] * start;
    if (!small && !(end < use->parameters[ABSOLUTE]))
        return true;
    const struct track *main = companion(use, KIND_LOSS, NULL);
    double drop = (double)NAN;
    if (main && groups_of(main, KIND_LOSS, 0, &loss))
        drop = loss.drop;
    bool known = main != NULL;
    if (drop >= use->parameters[MAX_DROP])
        return true;
    if (use->parameters[SPARE_RISING] > 0 && reward_rises(use, &known))
        return true;
    const double gone = use->parameters[RATIO] * start;
    const size_t under = low_from(&groups, groups.count - part, sign, gone);
    if (peak && point_before(&groups.group[under].first, &track->high))
        return true; /* it has not fallen from there: the peak stands behind, or alone within */
    const struct group *last = &groups.group[groups.count - 1];
    const struct group *onset = &groups.group[low_from(&groups, under, sign, NEARLY * gone)];
    struct candidate candidate = candidate_at(use, 0, onset->first);
    candidate.end_line = track->last.line;
    value_add(&candidate, "ratio", start > 0 ? end / start : (double)NAN);
    value_add(&candidate, "median", end);
    value_add(&candidate, "start", start);
    value_add(&candidate, "drop", drop);
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "companion", known);
    value_add(&candidate, "share",
              (last->x - groups.group[under].x) / (last->x - groups.group[0].x));
    evidence_add(&candidate, use->series[0], groups.group[0].first, "the start");
    evidence_add(&candidate, use->series[0], track->last_finite, "the end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_fade = {
    .name = "fade",
    .about = "a series shrinks to nearly nothing against its own start",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
