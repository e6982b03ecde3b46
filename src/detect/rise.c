/* rise: the level at the end stands above the best one and does not come back. */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"
#include "detect/common.h"

enum { RATIO, SIGMA, LEAST_BACK, SHARE };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1, 1e9, 1.3, "of the end over the best level"},
    [SIGMA] = {"sigma", "deviations", 0, 100, 4, "and so many deviations between groups"},
    [LEAST_BACK] = {"back", "groups", 1, 32, 2, "that the best level lies behind"},
    [SHARE] = {"start-share", "share", 0, 10, 0, "of the start that the end has to reach"},
};
static const char *const values[] = {"ratio",  "start-share",  "best",   "end",
                                     "at",     "points",       "chance", "sigma",
                                     "groups", "median-ratio", NULL};

struct rise {
    size_t best, onset;
    double level, height, threshold;
};

static size_t clamp(size_t value, size_t low, size_t high)
{
    return value < low ? low : value > high ? high : value;
}

static double level_of_last(const struct groups *groups, size_t count)
{
    double last[GROUPS_MAX];
    for (size_t i = 0; i < count; i++)
        last[i] = groups->group[groups->count - count + i].y;
    return median_of(last, count);
}

/* The first reading was the only good one: all that follow stand well over it. */
static bool left_at_once(const struct groups *groups, const struct use *use)
{
    if (groups->group[0].count > 1)
        return false;
    double threshold = scale_ratio(&groups->scale, 1.5);
    for (size_t i = 1; i < groups->count; i++)
        if (!(groups->group[i].y > groups->group[0].y + threshold))
            return false;
    double end = level_of_last(groups, groups->count < 5 ? groups->count - 1 : 4);
    return end > groups->group[0].y + scale_ratio(&groups->scale, 2 * use->parameters[RATIO]);
}

/*
 * So few readings that a steep fall passes for noise: each lies below the one before, down to one
 * from which each lies above it, and all of those far above the best.
 */
static bool turns(const struct groups *groups, const struct use *use, size_t *best)
{
    enum { POINTS = 20, SIDE = 3 };
    const struct group *group = groups->group;
    const size_t count = groups->count;
    size_t low = 0;
    while (low + 1 < count && group[low + 1].y < group[low].y)
        low++;
    if (groups->points >= POINTS || groups->points != count || low < SIDE || low + SIDE >= count)
        return false;
    const double far = scale_ratio(&groups->scale, 2 * use->parameters[RATIO]);
    for (size_t i = low + 1; i < count; i++)
        if (!(group[i].y > group[i - 1].y) || !(group[i].y > group[low].y + far))
            return false;
    *best = low;
    return true;
}

static bool metric_worsens(const struct use *use, uint64_t least)
{
    const struct series *metric = run_main(use->run, KIND_METRIC);
    struct point points[BUCKETS_MAX];
    bool exact;
    const size_t count = metric ? track_points(&metric->whole, points, &exact) : 0;
    if (count < least || metric->direction == DIRECTION_NONE)
        return false;
    const double sign = metric->direction == DIRECTION_UP ? 1 : -1;
    for (size_t i = 1; i < count; i++)
        if (!(sign * points[i].value < sign * points[i - 1].value))
            return false;
    return true;
}

/* So few readings that a slow rise passes for noise, but each is worse than the one before, and so
   is each of the metric. */
static bool worsens(const struct groups *groups, const struct use *use)
{
    enum { LEAST = 5, POINTS = 20 };
    const struct group *group = groups->group;
    const size_t count = groups->count;
    if (count < LEAST || groups->points >= POINTS || groups->points != count ||
        !(group[count - 1].y > group[0].y + scale_ratio(&groups->scale, 1.05)))
        return false;
    for (size_t i = 1; i < count; i++)
        if (!(group[i].y > group[i - 1].y))
            return false;
    return use->series[0]->kind == KIND_LOSS && metric_worsens(use, LEAST);
}

/* The lowest of many levels lies under the others by chance: an end that the run stood at for most
   of its time has to be further from it. */
static double noise_factor(const struct groups *groups, double end)
{
    enum { MANY = 20 };
    static const double usual = 1.2, more = 1.4;
    double levels[GROUPS_MAX];
    for (size_t i = 0; i < groups->count; i++)
        levels[i] = groups->group[i].y;
    const double middle = median_of(levels, groups->count);
    return groups->count >= MANY && end < middle + scale_ratio(&groups->scale, usual) ? more : 1;
}

static bool rises(const struct use *use, const struct groups *groups, struct rise *rise)
{
    size_t count = groups->count;
    rise->best = 0;
    for (size_t i = 1; i + 1 < count; i++)
        if (groups->smooth[i] < groups->smooth[rise->best])
            rise->best = i;
    double best = groups->smooth[rise->best];
    bool at_once = left_at_once(groups, use);
    if (at_once) {
        rise->best = 0;
        best = groups->group[0].y;
    }
    rise->level = best;
    size_t tail = clamp(count / 20 + 2, 2, 5);
    if (turns(groups, use, &rise->best)) {
        rise->level = groups->group[rise->best].y;
        rise->height = level_of_last(groups, tail) - rise->level;
        rise->onset = rise->best + 1;
        return true;
    }
    if (worsens(groups, use)) {
        *rise = (struct rise){.level = groups->group[0].y, .onset = 1};
        rise->height = groups->group[count - 1].y - rise->level;
        return true;
    }
    if (count < tail + 1 || rise->best + (size_t)use->parameters[LEAST_BACK] > count - 1)
        return false;
    rise->height = level_of_last(groups, tail) - best;
    rise->threshold = fmax(scale_ratio(&groups->scale, use->parameters[RATIO]),
                           at_once ? 0
                                   : use->parameters[SIGMA] * groups->sigma_group *
                                         noise_factor(groups, best + rise->height));
    /* A first reading alone is a poor level to compare with. */
    if (rise->best == 0 && groups->points < 20 && !at_once)
        rise->threshold =
            fmax(rise->threshold, scale_ratio(&groups->scale, 2 * use->parameters[RATIO]));
    if (!(rise->height > rise->threshold))
        return false;
    size_t above = clamp(count / 20 + 1, 2, count);
    for (size_t i = count - above; i < count; i++)
        if (!(groups->group[i].y > best + rise->threshold / 2))
            return false;
    /* Few single batches: the last two have to exceed it themselves. */
    bool few = groups->points < 20 && use->series[0]->basis == BASIS_STEP && !at_once;
    for (size_t i = count - 2; few && i < count; i++)
        if (!(groups->group[i].y > best + rise->threshold))
            return false;
    /* The last group near the best level: what follows has left it. */
    rise->onset = rise->best;
    for (size_t i = rise->best; i < count; i++)
        if (groups->smooth[i] <= best + 2 * groups->sigma_group)
            rise->onset = i;
    if (rise->onset + 1 < count)
        rise->onset++;
    return true;
}

/* A metric that is asked for its rise is the exponential of a loss: positive, in ratios. */
static bool groups_positive(const struct use *use, struct groups *groups)
{
    const enum kind kind = use->series[0]->kind;
    return groups_of(use->tracks[0], kind == KIND_METRIC ? KIND_LOSS : kind, 0, groups);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups;
    struct rise rise;
    if (!groups_positive(use, &groups) || !rises(use, &groups, &rise))
        return true;
    double best = scale_down(&groups.scale, rise.level);
    double end = scale_down(&groups.scale, rise.level + rise.height);
    double start_share = groups.start != 0 ? end / fabs(groups.start) : 0;
    if (start_share < use->parameters[SHARE])
        return true;
    const struct group *onset = &groups.group[rise.onset];
    struct candidate candidate = candidate_at(use, 0, onset->first);
    candidate.end_line = rise.onset + 1 < groups.count ? groups.group[rise.onset + 1].first.line
                                                       : use->tracks[0]->last.line;
    double ratio = groups.scale.logarithmic ? exp(rise.height) : 1 + rise.height;
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "start-share", start_share);
    value_add(&candidate, "best", best);
    value_add(&candidate, "end", end);
    value_add(&candidate, "at", share_at(use->tracks[0], &onset->first));
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "groups", (double)(groups.count - rise.onset));
    value_add(&candidate, "chance", chance_near(use, end, 0.03) > 0);
    value_add(&candidate, "sigma", rise.height / groups.sigma_group);
    double levels[GROUPS_MAX];
    for (size_t i = 0; i < groups.count; i++)
        levels[i] = scale_down(&groups.scale, groups.group[i].y);
    double median = median_of(levels, groups.count);
    value_add(&candidate, "median-ratio", median != 0 ? end / fabs(median) : (double)NAN);
    evidence_add(&candidate, use->series[0], groups.group[rise.best].first, "the best level");
    evidence_add(&candidate, use->series[0], onset->first, "where it left that level");
    evidence_add(&candidate, use->series[0], use->tracks[0]->last_finite, "the end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_rise = {
    .name = "rise",
    .about = "the level at the end stands above the best one and does not come back",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
