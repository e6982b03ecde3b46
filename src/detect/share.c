/* share: how much of one series another one takes, in the same records. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.3, "median over all readings"},
};
static const char *const values[] = {"share", "outside-first-of-epoch", "points", "part", "whole",
                                     NULL};

/* Both in one unit; a part that is larger than the whole was not counted in it. */
static double ratio(double part, double whole)
{
    if (!(part >= 0) || !(whole > 0))
        return (double)NAN;
    return part <= whole * 1.02 ? fmin(part / whole, 1) : part / (part + whole);
}

static bool same_record(const struct point *a, const struct point *b)
{
    if (a->input == b->input && a->line && a->line == b->line)
        return true;
    return a->step != STEP_NONE && a->step == b->step;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct point part[BUCKETS_MAX], whole[BUCKETS_MAX];
    double shares[BUCKETS_MAX], later[BUCKETS_MAX];
    bool exact;
    size_t parts = track_points(use->tracks[0], part, &exact);
    size_t wholes = track_points(use->tracks[1], whole, &exact);
    size_t count = 0, later_count = 0, k = 0;
    bool rate = is_rate(use->series[1]);
    for (size_t i = 0; i < parts; i++) {
        while (k < wholes && !same_record(&part[i], &whole[k]) && point_before(&whole[k], &part[i]))
            k++;
        if (k == wholes || !same_record(&part[i], &whole[k]))
            continue;
        double step = rate ? 1 / whole[k].value : whole[k].value;
        double share = ratio(part[i].value, step);
        if (!isfinite(share))
            continue;
        shares[count++] = share;
        if (i > 0)
            later[later_count++] = share;
    }
    double share = median_of(shares, count);
    if (count < 2 || !(share >= use->parameters[SHARE]))
        return true;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "share", share);
    value_add(&candidate, "outside-first-of-epoch", median_of(later, later_count));
    value_add(&candidate, "points", (double)count);
    value_add(&candidate, "part", part[parts - 1].value);
    value_add(&candidate, "whole", whole[wholes - 1].value);
    evidence_add(&candidate, use->series[0], part[parts - 1], "the wait");
    evidence_add(&candidate, use->series[1], whole[wholes - 1], "of the whole step");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_share = {
    .name = "share",
    .about = "how much of one series another one takes, in the same records",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
