/* cycle: a loss repeats the same values in the same order, to the last digit. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { TIMES, LEAST, DIGITS };
static const struct parameter parameters[] = {
    [TIMES] = {"times", "cycles", 2, 100, 3, "in a row, up to the end"},
    [LEAST] = {"least", "readings", 2, 1e6, 16, "that come again"},
    [DIGITS] = {"digits", "digits", 1, 20, 3, "of the values, at least"},
};
static const char *const values[] = {"period", "times", "points", NULL};

enum { DISTINCT = 3 }; /* values in a cycle: two take turns by chance */

/* Readings at the end that equal the one `period` before them. */
static size_t again(const struct point *points, size_t count, size_t period)
{
    size_t equal = 0;
    while (equal + period < count &&
           points[count - 1 - equal].value == points[count - 1 - equal - period].value)
        equal++;
    return equal;
}

static bool varied(const struct point *cycle, size_t period)
{
    size_t distinct = 0;
    for (size_t i = 0; i < period && distinct < DISTINCT; i++) {
        bool met = false;
        for (size_t k = 0; k < i; k++)
            met = met || cycle[k].value == cycle[i].value;
        distinct += !met;
    }
    return distinct >= DISTINCT;
}

static bool fine(const struct track *track, double digits)
{
    const double level = fabs(track->last_finite.value);
    return level > 0 && floor(log10(level)) + 1 + track->places >= digits;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact);
    if (!exact)
        count = track_tail(track, points, TAIL_MAX);
    if (!fine(track, use->parameters[DIGITS]))
        return true;
    const double cycles = use->parameters[TIMES] - 1;
    for (size_t period = DISTINCT; (double)period * (cycles + 1) <= (double)count; period++) {
        const size_t equal = again(points, count, period);
        if ((double)equal < cycles * (double)period || (double)equal < use->parameters[LEAST] ||
            !varied(points + count - period, period))
            continue;
        const struct point from = points[count - equal - period];
        struct candidate candidate = candidate_at(use, 0, from);
        candidate.end_line = track->last.line;
        value_add(&candidate, "period", (double)period);
        value_add(&candidate, "times", floor((double)equal / (double)period) + 1);
        value_add(&candidate, "points", (double)track->points);
        evidence_add(&candidate, use->series[0], from, "the first of them");
        evidence_add(&candidate, use->series[0], points[count - equal], "the same again");
        return candidates_add(candidates, &candidate, error);
    }
    return true;
}

const struct detector detector_cycle = {
    .name = "cycle",
    .about = "a loss repeats the same values in the same order, to the last digit",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
