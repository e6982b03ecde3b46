/* equal: validation prints the very numbers of training, reading by reading. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { READINGS, DIGITS };
static const struct parameter parameters[] = {
    [READINGS] = {"readings", "readings", 2, 1e6, 6, "of both that are equal, and no others"},
    [DIGITS] = {"digits", "digits", 1, 20, 3, "of the values, at least"},
};
static const char *const values[] = {"points", NULL};

static bool fine(const struct track *track, double digits)
{
    const double level = fabs(track->last_finite.value);
    return level > 0 && floor(log10(level)) + 1 + track->places >= digits;
}

/* Each reading differs from the one before: a value that stands still is equal to much. */
static bool moves(const struct point *points, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (points[i].value == points[i - 1].value)
            return false;
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *held = use->tracks[0], *trained = use->tracks[1];
    struct point points[BUCKETS_MAX], others[BUCKETS_MAX];
    bool exact, others_exact;
    if (use->series_count < 2 || held->points != trained->points ||
        (double)held->points < use->parameters[READINGS] || !fine(held, use->parameters[DIGITS]))
        return true;
    const size_t count = track_points(held, points, &exact);
    if (track_points(trained, others, &others_exact) != count || !exact || !others_exact ||
        !moves(points, count))
        return true;
    for (size_t i = 0; i < count; i++)
        if (points[i].step != others[i].step || !(points[i].value == others[i].value))
            return true;
    struct candidate candidate = candidate_at(use, 0, held->first);
    candidate.form = "one-set";
    candidate.end_line = held->last.line;
    value_add(&candidate, "points", (double)held->points);
    return candidates_add(candidates, &candidate, error);
}

static const char *const forms[] = {"one-set", NULL};
const struct detector detector_equal = {
    .name = "equal",
    .about = "validation prints the very numbers of training, reading by reading",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
