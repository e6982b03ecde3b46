/* stall: the best level was reached long ago, and what follows does not improve on it. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <string.h>

#define HELD 0.7 /* of a gain, by what follows */
#define GAINED 5 /* times what counts as better: gained beyond doubt */

enum { STALL, MAX_DROP, DELTA, DELTA_SIGMA, LEAST, FALLING_Z, FALLING_SHARE, CERTAIN };
static const struct parameter parameters[] = {
    [STALL] = {"stall", "share", 0, 1, 0.35, "of the run without a better level"},
    [MAX_DROP] = {"max-drop", "share", -1, 1, 0.5, "that the level may have fallen in all"},
    [DELTA] = {"delta", "share", 0, 1, 0.005, "that counts as better"},
    [DELTA_SIGMA] = {"delta-sigma", "deviations", 0, 10, 2, "between groups that count as better"},
    [LEAST] = {"groups", "groups", 2, 64, 4, "in the stalled part"},
    [FALLING_Z] = {"falling-z", "", -10, 0, -2.33, "Mann-Kendall z of a part that still falls"},
    [FALLING_SHARE] = {"falling-share", "share", 0, 1, 0.02, "and its fall"},
    /* Where noise wanders, a fall can hide in it: then nothing is said. */
    [CERTAIN] = {"certain", "share", 0, 1, 0.08, "that the part can have fallen, with its noise"},
};
static const char *const values[] = {"stall", "drop",     "delta",   "points", "start",
                                     "end",   "best",     "at",      "steps",  "fellow",
                                     "z",     "nameless", "glimpse", NULL};

/* The group at which the best level was replaced last. A better level has to be confirmed by the
   group behind it and by most of those that follow: a dip is none. The edge, smoothed from two
   values only, does not count. */
static size_t last_gain(const struct groups *groups, double delta)
{
    const double *level = groups->smooth;
    double best = level[0], rest[GROUPS_MAX];
    size_t at = 0;
    for (size_t i = 1; i + 1 < groups->count; i++) {
        bool confirmed = groups->count < 12 || fmin(level[i], level[i + 1]) == level[i] ||
                         level[i + 1] < best - delta;
        if (!(level[i] < best - delta && confirmed))
            continue;
        memcpy(rest, level + i, (groups->count - i) * sizeof *rest);
        if (median_of(rest, groups->count - i) < best - delta * HELD) {
            best = level[i];
            at = i;
        }
    }
    return at;
}

/* Two standard errors of the fall of a line through the readings, neighbours being alike or not. */
static double doubt(const double *x, const double *y, size_t count, double slope)
{
    double rest[GROUPS_MAX], copy[GROUPS_MAX], level, sum = 0, square = 0;
    for (size_t i = 0; i < count; i++)
        copy[i] = rest[i] = y[i] - slope * (x[i] - x[0]);
    level = median_of(copy, count);
    for (size_t i = 0; i < count; i++) {
        square += (rest[i] - level) * (rest[i] - level);
        if (i)
            sum += (rest[i] - level) * (rest[i - 1] - level);
    }
    double alike = square > 0 ? fmin(fmax(sum / square, 0), 0.95) : 0;
    double own = fmax((double)count * (1 - alike) / (1 + alike), 2);
    return 2 * deviation_of(copy, count) * sqrt(12 / own);
}

static bool falls(const struct use *use, const struct groups *groups, size_t from, bool *certain)
{
    double x[GROUPS_MAX] = {0}, y[GROUPS_MAX] = {0};
    size_t count = 0;
    for (size_t i = from; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    struct trend trend = trend_of(x, y, count, groups->precision);
    double fall = -trend.slope * (x[count - 1] - x[0]);
    double least = scale_ratio(&groups->scale, 1 + use->parameters[FALLING_SHARE]);
    double most = scale_ratio(&groups->scale, 1 + use->parameters[CERTAIN]);
    *certain = fall + doubt(x, y, count, trend.slope) < most;
    return trend.z < use->parameters[FALLING_Z] && fall > least;
}

/* The trend of the later half of the part behind the best level: far below 0 where even the end
   still falls, if by traces. */
static double end_z(const struct groups *groups, size_t at)
{
    double x[GROUPS_MAX] = {0}, y[GROUPS_MAX] = {0};
    size_t count = 0;
    for (size_t i = at + (groups->count - at) / 2; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    return trend_of(x, y, count, 0).z;
}

/* The line through the readings gains more than a trace of their level: chance alone gives one
   series in twenty a trend. */
static bool gains(const struct groups *groups, const double *x, const double *y, size_t count,
                  double sign)
{
    const double trace = 0.01;
    double least = scale_ratio(&groups->scale, 1 + trace), levels[GROUPS_MAX];
    if (!groups->scale.logarithmic) {
        memcpy(levels, y, count * sizeof *levels);
        least = fmax(least, trace * fabs(median_of(levels, count)));
    }
    struct trend trend = trend_of(x, y, count, groups->precision);
    double gain = sign * trend.slope * (x[count - 1] - x[0]);
    const bool certain = sign * trend.z > 3.3; /* then half of it is enough */
    return sign * trend.z > 1.96 && gain > (certain ? 0.5 * least : least);
}

/* In one file the line decides: a validation may count epochs where the loss counts steps. */
static bool stands_before(const struct point *a, const struct point *b)
{
    return a->input == b->input ? a->offset < b->offset : point_before(a, b);
}

/* Another series of the run gets better all through the stalled part. */
static bool progress_elsewhere(const struct use *use, const struct point *since)
{
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_LOSS, KIND_VAL_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct series *series = NULL;
        const struct track *track = companion(use, kinds[i], &series);
        struct groups groups;
        if (!track || series == use->series[0] || series->direction == DIRECTION_NONE ||
            !groups_of(track, kinds[i], 0, &groups))
            continue;
        double x[GROUPS_MAX] = {0}, y[GROUPS_MAX] = {0};
        size_t count = 0;
        for (size_t k = 0; k < groups.count; k++) {
            if (stands_before(&groups.group[k].first, since))
                continue;
            x[count] = groups.group[k].x;
            y[count++] = groups.group[k].y;
        }
        double sign = series->direction == DIRECTION_UP ? 1 : -1;
        if (count >= 4 && gains(&groups, x, y, count, sign))
            return true;
    }
    return false;
}

/* The fall of another loss of the run through the stalled part, in levels of the stalled one. */
static double fellow_fall(const struct use *use, const struct series *series,
                          const struct point *since, double level)
{
    const struct track *track =
        use->segment < series->segment_count ? &series->segments[use->segment] : NULL;
    struct groups groups;
    if (!track || series == use->series[0] || series->kind != use->series[0]->kind ||
        series->phase != use->series[0]->phase || series->rank != use->series[0]->rank ||
        !groups_of(track, series->kind, 0, &groups))
        return 0;
    size_t from = 0;
    while (from < groups.count && stands_before(&groups.group[from].first, since))
        from++;
    if (from + 4 > groups.count)
        return 0;
    return (scale_down(&groups.scale, groups.smooth[from]) -
            scale_down(&groups.scale, groups.smooth[groups.count - 1])) /
           level;
}

/* Another loss falls by more than a third of this one's level, so this one is not their sum. */
static bool fellow_falls(const struct use *use, const struct point *since, double level)
{
    if (!use->run || use->series[0]->kind != KIND_LOSS || !(level > 0))
        return false;
    for (size_t i = 0; i < use->run->series_count; i++)
        if (fellow_fall(use, &use->run->series[i], since, level) > 1.0 / 3)
            return true;
    return false;
}

/* What follows still falls: slowly, but beyond chance, in the stalled part or in the last half. */
static bool falling(const struct use *use, const struct groups *groups, size_t from)
{
    bool certain, ignored;
    size_t half = groups->count / 2;
    if (falls(use, groups, from, &certain) || !certain)
        return true;
    return half > from && groups->count - half >= 4 && falls(use, groups, half, &ignored);
}

/* The learning rate climbs to the last reading and stands at twice its start and more: the run is
   warming up, and what it could gain is ahead. */
static bool warms(const struct use *use)
{
    enum { WARM_LEAST = 8 };
    const struct series *series = NULL;
    const struct track *track = companion(use, KIND_LEARNING_RATE, &series);
    struct point points[BUCKETS_MAX];
    bool exact;
    const size_t count = track ? track_points(track, points, &exact) : 0;
    for (size_t i = 1; i < count; i++)
        if (!(points[i].value > points[i - 1].value))
            return false;
    return count >= WARM_LEAST && points[0].value >= 0 &&
           points[count - 1].value >= 2 * points[0].value;
}

/* A loss below 0, as densities have, knows no floor that it is far from, and a share of its start
   says nothing: where it gained anything, it may be done. */
static bool below_floors(const struct use *use, const struct groups *groups, double delta)
{
    const double first = use->tracks[0]->first.value;
    const double start = isfinite(first) ? scale_up(&groups->scale, first) : groups->smooth[0];
    const double gained = start - groups->smooth[groups->count - 1];
    return use->series[0]->kind == KIND_LOSS && groups->end < 0 && gained > GAINED * delta;
}

/* The steps of a run that lie before a segment that goes on where another ended. */
static double gone_before(const struct use *use, const struct groups *groups)
{
    const int64_t begin = use->series[0]->whole.first.step, here = use->tracks[0]->first.step;
    const bool steps = (double)use->tracks[0]->last.step == groups->x_last;
    if (use->segment == 0 || begin == STEP_NONE || here == STEP_NONE || !steps || begin > here)
        return 0;
    return (double)(here - begin);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct series *series = use->series[0];
    struct groups groups;
    if (!groups_for(use, 0, true, &groups) || groups.count < 3)
        return true;
    bool up = series->direction == DIRECTION_UP;
    if (up)
        groups_turn(&groups);
    double delta = fmax(scale_ratio(&groups.scale, 1 + use->parameters[DELTA]),
                        use->parameters[DELTA_SIGMA] * groups.sigma_group);
    size_t at = last_gain(&groups, delta);
    double length = groups.x_last - groups.x_first + gone_before(use, &groups);
    double stall = length > 0 ? (groups.x_last - groups.group[at].x) / length : 0;
    size_t behind = groups.count - 1 - at;
    double drop = fmax(groups.drop, whole_drop(use, 0, up));
    const double risen = -0.15; /* a level that rose is no plateau */
    if (groups.drop < risen || below_floors(use, &groups, delta) || warms(use))
        return true;
    if (stall < use->parameters[STALL] || !(drop < use->parameters[MAX_DROP]) ||
        (double)behind < use->parameters[LEAST] || falling(use, &groups, at) ||
        progress_elsewhere(use, &groups.group[at].first))
        return true;

    const struct group *onset = &groups.group[at];
    struct candidate candidate = candidate_at(use, 0, onset->first);
    candidate.end_line = groups.group[at + 1].first.line;
    double best = scale_down(&groups.scale, up ? -groups.smooth[at] : groups.smooth[at]);
    double relative = groups.scale.logarithmic ? 1 - exp(-delta) : delta * groups.scale.unit;
    value_add(&candidate, "stall", stall);
    value_add(&candidate, "drop", drop);
    value_add(&candidate, "delta", relative);
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "start", groups.start);
    value_add(&candidate, "end", groups.end);
    value_add(&candidate, "best", best);
    value_add(&candidate, "at", share_at(use->tracks[0], &onset->first));
    value_add(&candidate, "steps", groups.x_last - onset->x);
    value_add(&candidate, "z", end_z(&groups, at));
    value_add(&candidate, "nameless", series->origin == ORIGIN_BARE);
    value_add(&candidate, "fellow", fellow_falls(use, &onset->first, best));
    value_add(&candidate, "glimpse", is_glimpse(use, 0));
    evidence_add(&candidate, series, onset->first, "the last level that was better");
    evidence_add(&candidate, series, use->tracks[0]->last_finite, "the end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_stall = {
    .name = "stall",
    .about = "the best level was reached long ago, and what follows does not improve on it",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
