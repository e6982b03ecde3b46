/* sentinel: a loss of 0 beside a norm that stands for one that is not finite. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"
#include "detect/norm.h"

enum { RUN };
static const struct parameter parameters[] = {
    [RUN] = {"run", "readings", 1, 1e6, 2, "of the loss at 0"},
};
static const char *const values[] = {"run", "share", "points", "norm", NULL};

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *loss = companion(use, KIND_LOSS, NULL);
    if (!loss || track_signs(loss)->zeros == 0)
        return true;
    const struct constant *run = loss->current.value == 0 ? &loss->current : &loss->longest;
    if (run->value != 0 || (double)run->count < use->parameters[RUN])
        return true;
    if (norm_over(use, &run->first) != NORM_BAD)
        return true;
    struct candidate candidate = candidate_at(use, 0, run->first);
    candidate.last_step = run->last.step;
    value_add(&candidate, "run", (double)run->count);
    value_add(&candidate, "share", (double)run->count / (double)loss->points);
    value_add(&candidate, "points", (double)loss->points);
    value_add_text(&candidate, "norm", norm_state_name(NORM_BAD));
    evidence_add(&candidate, use->series[0], run->first, "the loss turns 0 here");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_sentinel = {
    .name = "sentinel",
    .about = "a loss of 0 beside a norm that stands for one that is not finite",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
