/* outrun: training has nearly all answers right, and validation stands far below it. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { LEARNED, GAP, STILL };
static const struct parameter parameters[] = {
    [LEARNED] = {"learned", "share", 0, 1, 0.9, "of right answers in training"},
    [GAP] = {"gap", "share", 0, 1, 0.3, "of right answers that validation has less"},
    [STILL] = {"still", "share", 0, 1, 0.02, "that the last evaluations gained on the best before"},
};
static const char *const values[] = {"validation", "train", "gap", "points", NULL};

/* A share of right answers, or of wrong ones. */
static bool counts_answers(const struct series *series, const struct track *track)
{
    static const char *const right[] = {"acc", "accuracy", "prec",      "top1",
                                        "top", "acc1",     "precision", NULL};
    static const char *const wrong[] = {"err", "error", NULL};
    if (track_signs(track)->negatives || track->high.value > 100)
        return false;
    return tag_has(series->tag, series->direction == DIRECTION_DOWN ? wrong : right);
}

static double answers(const struct series *series, double value, double unit)
{
    const double share = value / unit;
    return series->direction == DIRECTION_DOWN ? 1 - share : share;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct series *const own = use->series[0], *const other = use->series[1];
    const struct track *track = use->tracks[0], *train = use->tracks[1];
    struct point points[TAIL_MAX];
    double right[TAIL_MAX], trained[TAIL_MAX];
    if (!counts_answers(own, track) || !counts_answers(other, train))
        return true;
    const double unit = fmax(share_unit(track), share_unit(train));
    const size_t last = track_tail(train, points, 3);
    for (size_t i = 0; i < last; i++)
        trained[i] = answers(other, points[i].value, unit);
    const size_t count = track_tail(track, points, TAIL_MAX), early = count - (count + 2) / 3;
    for (size_t i = 0; i < count; i++)
        right[i] = answers(own, points[i].value, unit);
    if (early == 0 || last == 0)
        return true;
    double before = 0;
    for (size_t i = 0; i < early; i++)
        before = fmax(before, right[i]);
    const double after = median_of(right + early, count - early);
    const double level = median_of(trained, last);
    if (level < use->parameters[LEARNED] || level - after < use->parameters[GAP] ||
        after - before > use->parameters[STILL])
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.end_line = track->last.line;
    value_add(&candidate, "validation", track->last_finite.value);
    value_add(&candidate, "train", train->last_finite.value);
    value_add(&candidate, "gap", level - after);
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, own, track->last_finite, "validation");
    evidence_add(&candidate, other, train->last_finite, "training");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_outrun = {
    .name = "outrun",
    .about = "training has nearly all answers right, and validation stands far below it",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
