/* anew: the optimizer counts from the start again while training goes on. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include <string.h>

enum { SHARE };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.5, "of the counts that have to fall"},
};
static const char *const values[] = {"before", "after", "from", "to", "tensor", NULL};

/* What the optimizer counts for one parameter, or for all. */
static bool is_count(const struct tensor *tensor)
{
    return tensor->measured && tensor->stats.count == 1 && tensor->stats.nan == 0 &&
           text_ends(tensor->name, ".step") &&
           (tensor_is_state(tensor->name) || tensor_has(tensor->name, "state."));
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *movement = &run->movements[i];
        const struct compared *first = NULL;
        size_t counts = 0, fallen = 0;
        for (size_t k = 0; movement->ordered && k < movement->tensor_count; k++) {
            const struct compared *compared = &movement->tensors[k];
            if (!is_count(compared->a) || !is_count(compared->b))
                continue;
            counts++;
            if (compared->b->stats.sum >= compared->a->stats.sum)
                continue;
            fallen++;
            first = first ? first : compared;
        }
        if (!first || (double)fallen < use->parameters[SHARE] * (double)counts)
            continue;
        struct candidate candidate = candidate_tensor(use, first->b);
        value_add(&candidate, "before", first->a->stats.sum);
        value_add(&candidate, "after", first->b->stats.sum);
        value_add_place(use, &candidate, "from", movement->a);
        value_add_place(use, &candidate, "to", movement->b);
        value_add_name(&candidate, "tensor", first->b->name);
        evidence_add_tensor(&candidate, first->a, "the count before");
        evidence_add_tensor(&candidate, first->b, "the count after");
        return candidates_add(candidates, &candidate, error);
    }
    return true;
}

const struct detector detector_anew = {
    .name = "anew",
    .about = "the optimizer counts from the start again while training goes on",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
