/* given: trees rank everything right at once, while the loss has hardly moved. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { AT_ONCE, ROUNDS, END, LEFT };
static const struct parameter parameters[] = {
    [AT_ONCE] = {"at-once", "share", 0, 1, 0.997, "of the area under the curve, within the rounds"},
    [ROUNDS] = {"rounds", "readings", 1, 1e6, 3, "in which it is reached"},
    [END] = {"end", "share", 0, 1, 0.9995, "that the area ends at"},
    [LEFT] = {"left", "share", 0, 1, 0.5, "of its first reading that the loss still has then"},
};
static const char *const values[] = {"first", "end", "round", "points", NULL};

/* The reading at which the area is as large as that; 0: not in so many rounds. */
static size_t round_of(const struct use *use, const struct track *track)
{
    const size_t most = (size_t)use->parameters[ROUNDS];
    for (size_t i = 0; i < track->head_count && i < most; i++)
        if (track->head[i].value >= use->parameters[AT_ONCE] && track->head[i].value <= 1)
            return i + 1;
    return 0;
}

/* What is left of the loss at that reading; 1 where none is logged. */
static double left_at(const struct track *loss, size_t round)
{
    if (!loss)
        return 1;
    if (loss->head_count < round || !(loss->head[0].value > 0))
        return 0;
    return loss->head[round - 1].value / loss->head[0].value;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    static const char *const names[] = {"auc", "auroc", NULL};
    const struct series *series = use->series[0];
    const struct track *track = use->tracks[0];
    const struct track *loss = companion(use, KIND_VAL_LOSS, NULL);
    const size_t round = round_of(use, track);
    if (!loss)
        loss = companion(use, KIND_LOSS, NULL);
    if (!tag_has(series->tag, names) || round == 0 ||
        !(track->last_finite.value >= use->parameters[END]) ||
        !(left_at(loss, round) >= use->parameters[LEFT]))
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    value_add(&candidate, "first", track->head[round - 1].value);
    value_add(&candidate, "end", track->last_finite.value);
    value_add(&candidate, "round", (double)round);
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, series, track->head[round - 1], "at once");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_given = {
    .name = "given",
    .about = "trees rank everything right at once, while the loss has hardly moved",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
