/* growth: kernels that grew, or shrank, out of proportion between checkpoints. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include "stalldoc/statistics.h"
#include <string.h>

enum { RATIO, LIMIT, SHARE };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1e-9, 1e9, 3, "of the later size to the earlier; below 1: a fall"},
    /* Trained networks stay within 0.2 to 20 times what a fresh layer of their width has. */
    [LIMIT] = {"limit", "ratio", 0, 1e9, 5, "of the later size to that of a fresh layer"},
    [SHARE] = {"share", "share", 0, 1, 0.01, "of the kernels that have to show it"},
};
static const char *const values[] = {"tensors", "total", "share", "tensor", "from", "to",
                                     "steps",   "ratio", "rms",   "start",  NULL};

struct grown {
    size_t kernels, count;
    const struct compared *most;
    double ratio; /* of `most`, as a factor over 1 */
};

/* Pruned kernels lose size because their values are set to 0. */
static bool is_pruned(const struct tensor *tensor)
{
    return 2 * tensor->stats.zero > tensor->stats.count;
}

static void grown_look(const struct use *use, const struct compared *compared, struct grown *grown)
{
    const double before = tensor_rms(&compared->a->stats), after = tensor_rms(&compared->b->stats);
    const double wanted = use->parameters[RATIO];
    if (!movement_kernel(compared) || tensor_starts_at_zero(compared->b->name) || !(before > 0) ||
        !(after > 0) || is_pruned(compared->b))
        return;
    const double bound = use->parameters[LIMIT] * kernel_expected(compared->b);
    grown->kernels++;
    const double ratio = wanted >= 1 ? after / before : before / after;
    const bool met = wanted >= 1 ? ratio >= wanted && after >= bound
                                 : after <= wanted * before && after <= bound;
    if (!met)
        return;
    grown->count++;
    if (!grown->most || ratio > grown->ratio) {
        grown->most = compared;
        grown->ratio = ratio;
    }
}

static bool grown_add(const struct use *use, const struct movement *movement,
                      const struct grown *grown, struct candidates *candidates, struct error *error)
{
    const struct tensor *shown = grown->most->b;
    struct candidate candidate = candidate_tensor(use, shown);
    value_add(&candidate, "tensors", (double)grown->count);
    value_add(&candidate, "total", (double)grown->kernels);
    value_add(&candidate, "share", (double)grown->count / (double)grown->kernels);
    value_add_name(&candidate, "tensor", shown->name);
    value_add_place(use, &candidate, "from", grown->most->a->input);
    value_add_place(use, &candidate, "to", movement->b);
    value_add(&candidate, "steps", movement_steps(movement));
    value_add(&candidate, "ratio", grown->ratio);
    value_add(&candidate, "rms", tensor_rms(&shown->stats));
    value_add(&candidate, "start", tensor_rms(&grown->most->a->stats));
    evidence_add_tensor(&candidate, grown->most->a, "the earlier checkpoint");
    evidence_add_tensor(&candidate, shown, "the later checkpoint");
    return candidates_add(candidates, &candidate, error);
}

/* What a tensor was where its line begins; files of a line hold their tensors in one order, so that
   it is looked for at its place first. */
static const struct tensor *origin_of(const struct run *run, size_t at, size_t place,
                                      const struct tensor *tensor)
{
    for (size_t i = at; i > 0; i--) {
        const struct movement *movement = &run->movements[i - 1];
        if (movement->b != tensor->input)
            continue;
        size_t k = place;
        if (k >= movement->tensor_count || movement->tensors[k].b != tensor)
            for (k = 0; k < movement->tensor_count && movement->tensors[k].b != tensor;)
                k++;
        if (k < movement->tensor_count)
            tensor = movement->tensors[k].a;
    }
    return tensor;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *movement = &run->movements[i];
        struct grown grown = {0};
        struct compared *whole = arena_take(use->arena, movement->tensor_count + 1, sizeof(*whole));
        if (!whole)
            return error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for tensors");
        for (size_t k = 0; movement->ordered && k < movement->tensor_count; k++) {
            whole[k] = movement->tensors[k];
            if (movement_kernel(&whole[k])) /* slow decay shows over the whole line only */
                whole[k].a = origin_of(run, i, k, whole[k].a);
            grown_look(use, &whole[k], &grown);
        }
        if (grown.count > 0 &&
            (double)grown.count >= use->parameters[SHARE] * (double)grown.kernels)
            return grown_add(use, movement, &grown, candidates, error);
    }
    return true;
}

const struct detector detector_growth = {
    .name = "growth",
    .about = "kernels that grew or shrank out of proportion between checkpoints",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
