/* share: how much of one series another one takes, in the same records. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE, TOTAL };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.3, "median over all readings"},
    [TOTAL] = {"total", "share", 0, 1, 0, "of all but the first together; 0: the median decides"},
};
static const char *const values[] = {
    "share", "outside-first-of-epoch", "points", "part", "whole", "waits", NULL};

/* Readings of both, in the order of the log. */
struct shares {
    double share[BUCKETS_MAX];
    size_t count;
    double parts, wholes; /* sums, without the first reading */
    size_t waits;         /* readings, without the first, that are waiting for the most */
    size_t last_waits;    /* of them, those in a row at the end */
    int64_t step;         /* of the last reading */
    size_t apart;         /* readings that do not stand a step behind the one before */
};

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

static void shares_add(struct shares *s, double share, double step, int64_t at)
{
    if (s->count > 0) {
        s->parts += share * step;
        s->wholes += step;
        s->waits += share >= 0.5;
        s->last_waits = share >= 0.5 ? s->last_waits + 1 : 0;
        s->apart += at == STEP_NONE || at != s->step + 1;
    }
    s->step = at;
    s->share[s->count++] = share;
}

/*
 * Some readings wait so long that they hold the time of all. Single batches at the start of epochs
 * do as well in a log of every hundredth step: there the waits have to have come to stay.
 */
static bool bursts(const struct shares *s, double total)
{
    enum { LEAST_POINTS = 8, LEAST_WAITS = 3 };
    if (total <= 0 || s->count < LEAST_POINTS || s->waits < LEAST_WAITS)
        return false;
    return s->parts >= total * s->wholes && (s->apart == 0 || s->last_waits >= LEAST_WAITS);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct point part[BUCKETS_MAX], whole[BUCKETS_MAX];
    struct shares shares = {0};
    bool exact, exact_whole;
    size_t parts = track_points(use->tracks[0], part, &exact);
    size_t wholes = track_points(use->tracks[1], whole, &exact_whole);
    size_t k = 0;
    bool rate = is_rate(use->series[1]);
    for (size_t i = 0; i < parts; i++) {
        while (k < wholes && !same_record(&part[i], &whole[k]) && point_before(&whole[k], &part[i]))
            k++;
        if (k == wholes || !same_record(&part[i], &whole[k]))
            continue;
        double step = rate ? 1 / whole[k].value : whole[k].value;
        double share = ratio(part[i].value, step);
        if (isfinite(share))
            shares_add(&shares, share, step, part[i].step);
    }
    const double total = use->parameters[TOTAL];
    const bool few = total > 0;
    const size_t count = shares.count;
    const double later = median_of(shares.share + (count > 1), count - (count > 1));
    const double median = median_of(shares.share, count);
    const bool speaks =
        few ? exact && exact_whole && bursts(&shares, total) : median >= use->parameters[SHARE];
    if (count < 2 || !speaks || (few && median >= use->parameters[SHARE]))
        return true;
    const double share = few ? shares.parts / shares.wholes : median;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "share", share);
    value_add(&candidate, "outside-first-of-epoch", few ? share : later);
    value_add(&candidate, "points", (double)count);
    value_add(&candidate, "part", part[parts - 1].value);
    value_add(&candidate, "whole", whole[wholes - 1].value);
    value_add(&candidate, "waits", (double)shares.waits);
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
