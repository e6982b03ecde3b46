/* change: a series falls to a lower level at one point and stays there. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { DROP, CUSUM_K, CUSUM_H, LEAST, STAYS, SETTLED };
static const struct parameter parameters[] = {
    [DROP] = {"drop", "share", 0, 1, 0.1, "of the level before"},
    [CUSUM_K] = {"cusum-k", "deviations", 0, 10, 0.5, "of a reading that are passed over"},
    [CUSUM_H] = {"cusum-h", "deviations", 0, 1000, 8, "of their sum that count as a change"},
    [LEAST] = {"least", "readings", 2, 1e6, 10, "on either side"},
    [STAYS] = {"stays", "share", 0, 1, 0.1, "of the run that the new level lasts"},
    [SETTLED] = {"settled", "readings", 0, 1e6, 0,
                 "at least before it, within a tenth of each other"},
};
static const char *const values[] = {"ratio", "before", "after", "points", "at",
                                     "sigma", "abrupt", "late",  NULL};

/* The split into two levels that leaves the least squares. */
static size_t split(const double *u, size_t count, size_t least)
{
    double all = 0, before = 0, best = -1;
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        all += u[i];
    for (size_t i = 1; i < count; i++) {
        before += u[i - 1];
        if (i < least || count - i < least)
            continue;
        double a = before / (double)i, b = (all - before) / (double)(count - i);
        double gain = (double)i * (double)(count - i) * (a - b) * (a - b);
        if (gain > best) {
            best = gain;
            at = i;
        }
    }
    return at;
}

/* So many of the first readings as the change needs before it, at one level. */
static bool settled(const double *u, size_t at, double needed)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t i = 0; i < at; i++) {
        low = fmin(low, u[i]);
        high = fmax(high, u[i]);
    }
    return needed == 0 || ((double)at >= needed && high - low <= log(1.1));
}

static double median_part(const double *u, size_t from, size_t end)
{
    double part[BUCKETS_MAX];
    for (size_t i = from; i < end; i++)
        part[i - from] = u[i];
    return median_of(part, end - from);
}

/* The part of the change that happens within `near` readings on either side of the split: all of it
   where the level jumps, little where it creeps. */
static double abrupt(const double *u, size_t count, size_t at, size_t near, double change)
{
    const size_t from = at > near ? at - near : 0, end = at + near < count ? at + near : count;
    return (median_part(u, from, at) - median_part(u, at, end)) / change;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    double u[BUCKETS_MAX], steps[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact);
    size_t least = (size_t)fmax(use->parameters[LEAST], use->parameters[STAYS] * (double)count);
    struct scale scale = scale_of(track, use->series[0]->kind);
    /* Times rise where speeds fall. */
    double sign = use->series[0]->kind == KIND_STEP_TIME && !is_rate(use->series[0]) ? -1 : 1;
    if (count < 2 * least || !scale.logarithmic)
        return true;
    for (size_t i = 0; i < count; i++)
        u[i] = sign * scale_up(&scale, points[i].value);
    for (size_t i = 0; i + 1 < count; i++)
        steps[i] = u[i + 1] - u[i];
    size_t longer = 0;
    for (size_t i = 0; i + 1 < count; i++)
        longer += steps[i] * sign >= 0;
    if (sign < 0 && longer * 20 >= 19 * (count - 1))
        return true; /* a clock that adds up is no time of a step */
    double sigma = fmax(deviation_of(steps, count - 1) / sqrt(2), 0.01);
    size_t at = split(u, count, least);
    if (at == 0 || !settled(u, at, use->parameters[SETTLED]))
        return true;
    double before = median_part(u, 0, at), after = median_part(u, at, count), sum = 0;
    for (size_t i = at; i < count; i++)
        sum = fmax(0, sum + (before - u[i]) / sigma - use->parameters[CUSUM_K]);
    size_t under = 0, end_count = least < 5 ? least : 5;
    for (size_t i = at; i < count; i++)
        under += u[i] < (before + after) / 2;
    bool stays = (double)under >= 0.9 * (double)(count - at) &&
                 median_part(u, count - end_count, count) < (before + after) / 2;
    if (!(after < before + log(1 - use->parameters[DROP])) || !stays ||
        sum < use->parameters[CUSUM_H] || before - after < 2 * sigma)
        return true;
    if (behind_plan(use, &points[at]))
        return true;
    struct candidate candidate = candidate_at(use, 0, points[at]);
    candidate.end_line = at + 1 < count ? points[at + 1].line : 0;
    value_add(&candidate, "ratio", exp(after - before));
    value_add(&candidate, "before", exp(sign * before));
    value_add(&candidate, "after", exp(sign * after));
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "at", share_at(track, &points[at]));
    value_add(&candidate, "sigma", sigma);
    value_add(&candidate, "abrupt", abrupt(u, count, at, least < 10 ? least : 10, before - after));
    /* What the last quarter adds to the one before it. */
    const double quarters =
        median_part(u, count / 2, count - count / 4) - median_part(u, count - count / 4, count);
    value_add(&candidate, "late", quarters / (before - after));
    evidence_add(&candidate, use->series[0], points[at - 1], "the last at the old level");
    evidence_add(&candidate, use->series[0], points[at], "the first at the new one");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_change = {
    .name = "change",
    .about = "a series falls to a lower level at one point and stays there",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
