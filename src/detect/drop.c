/* drop: a metric falls from the level it had reached and does not come back. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE, SIGMA, GAIN_SIGMA, BACK, LEAST, FIRST };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.2, "of what had been gained that is lost again"},
    [SIGMA] = {"sigma", "deviations", 0, 100, 4, "and so many deviations between groups"},
    [GAIN_SIGMA] = {"gain-sigma", "deviations", 0, 100, 3, "that had been gained"},
    [BACK] = {"back", "groups", 1, 32, 2, "that the best level lies behind"},
    [LEAST] = {"least", "share", 0, 1, 0.02, "of the best level that is lost at least"},
    [FIRST] = {"first", "share", 0, 1, 0,
               "of the first reading, over 0: the best, and left at once"},
};
static const char *const values[] = {"drop", "lost",   "best",     "end",
                                     "at",   "points", "regained", NULL};

static size_t clamp(size_t value, size_t low, size_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* What was lost and is won back behind the fall, in one steady climb: something else that learns
   from its own start, or one that recovers. 0 where the climb is not beyond chance. */
static double regained(const struct groups *groups, size_t onset, double level)
{
    enum { CLIMB_LEAST = 5 };
    const double beyond_chance = -1.96;
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = onset; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
    }
    if (count < CLIMB_LEAST || !(trend_of(x, y, count, groups->precision).z < beyond_chance) ||
        !(y[0] > level))
        return 0;
    return (y[0] - y[count - 1]) / (y[0] - level);
}

/* The first reading is the best by far: each that follows has lost half of it, the last has less
   than `first` of it left. */
static bool lost_at_once(const struct use *use, struct candidates *candidates, struct error *error)
{
    enum { POINTS = 4 };
    const double least = 0.2; /* lower ones may be guessing among five classes and more */
    const struct series *series = use->series[0];
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    bool exact;
    const size_t count = track_points(track, points, &exact);
    if (series->direction != DIRECTION_UP || count < POINTS || !exact ||
        !(points[0].value > least * share_unit(track)))
        return true;
    for (size_t i = 1; i < count; i++)
        if (!(points[i].value < points[0].value / 2))
            return true;
    const double end = fmax(points[count - 1].value, points[count - 2].value);
    if (!(end < use->parameters[FIRST] * points[0].value))
        return true;
    struct candidate candidate = candidate_at(use, 0, points[1]);
    candidate.form = "first";
    value_add(&candidate, "drop", points[0].value - end);
    value_add(&candidate, "lost", 1 - end / points[0].value);
    value_add(&candidate, "best", points[0].value);
    value_add(&candidate, "end", end);
    value_add(&candidate, "regained", 0);
    value_add(&candidate, "at", share_at(track, &points[1]));
    value_add(&candidate, "points", (double)count);
    evidence_add(&candidate, series, points[0], "the first and best");
    evidence_add(&candidate, series, track->last_finite, "the last");
    return candidates_add(candidates, &candidate, error);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    if (use->parameters[FIRST] > 0)
        return lost_at_once(use, candidates, error);
    struct groups groups;
    const struct series *series = use->series[0];
    if (!groups_for(use, 0, false, &groups) || series->direction == DIRECTION_NONE)
        return true;
    bool up = series->direction == DIRECTION_UP;
    if (up)
        groups_turn(&groups);
    size_t count = groups.count, best = 0, tail = clamp(count / 20 + 2, 2, 5);
    for (size_t i = 1; i + 1 < count; i++)
        if (groups.smooth[i] < groups.smooth[best])
            best = i;
    if (count < tail + 2 || best + (size_t)use->parameters[BACK] > count - 1)
        return true;
    double last[GROUPS_MAX];
    for (size_t i = 0; i < tail; i++)
        last[i] = groups.group[count - tail + i].y;
    double level = groups.smooth[best], gain = groups.group[0].y - level;
    double lost = median_of(last, tail) - level;
    double value = fabs(scale_down(&groups.scale, level));
    double least = use->parameters[LEAST] * value / groups.scale.unit;
    if (!(gain > use->parameters[GAIN_SIGMA] * groups.sigma_group) ||
        !(lost > fmax(fmax(use->parameters[SHARE] * gain, least),
                      use->parameters[SIGMA] * groups.sigma_group)))
        return true;
    for (size_t i = count - clamp(count / 20 + 1, 2, count); i < count; i++)
        if (!(groups.group[i].y > level + lost / 2))
            return true;
    size_t onset = best;
    for (size_t i = best; i < count; i++)
        if (groups.smooth[i] <= level + fmax(groups.sigma_group, lost / 10))
            onset = i;
    onset += onset + 1 < count;
    struct candidate candidate = candidate_at(use, 0, groups.group[onset].first);
    double sign = up ? -1 : 1; /* and 0 added, that none is printed as -0 */
    value_add(&candidate, "drop", lost * groups.scale.unit);
    value_add(&candidate, "lost", lost / gain);
    value_add(&candidate, "best", scale_down(&groups.scale, sign * level) + 0.0);
    value_add(&candidate, "end", scale_down(&groups.scale, sign * (level + lost)) + 0.0);
    value_add(&candidate, "regained", regained(&groups, onset, level));
    value_add(&candidate, "at", share_at(use->tracks[0], &groups.group[onset].first));
    value_add(&candidate, "points", (double)groups.points);
    evidence_add(&candidate, series, groups.group[best].first, "the best level");
    evidence_add(&candidate, series, groups.group[onset].first, "where it left that level");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_drop = {
    .name = "drop",
    .about = "a metric falls from the level it had reached and does not come back",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
