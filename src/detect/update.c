/* update: how far the kernels moved a step, against their size (detectors.md 6). */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include <stdlib.h>
#include <string.h>

enum { LOW, HIGH, SINGLE, REPLACED, SHARE, EARLY, LAYERS };
static const struct parameter parameters[] = {
    [LOW] = {"low", "ratio", 0, 1, 1e-6, "a step, even of a random walk, at most"},
    [HIGH] = {"high", "ratio", 0, 1e6, 0.01, "a step, even in one direction, at least"},
    [SINGLE] = {"single", "ratio", 0, 1e6, 0.1, "the same where the saves are one step apart"},
    [REPLACED] = {"replaced", "ratio", 0, 1e6, 3, "of all steps: replaced rather than trained"},
    [EARLY] = {"early", "ratio", 0, 1, 1e-3, "of what the first kernels moved to the last"},
    [LAYERS] = {"layers", "layers", 2, 256, 4, "in a row that each move less than the next"},
    [SHARE] = {"share", "share", 0, 1, 0.5, "of the kernels that have to show it"},
};
static const char *const values[] = {"tensors", "total", "share",    "tensor", "from", "to",
                                     "steps",   "rel",   "per-step", "ratio",  "last", NULL};
static const char *const forms[] = {"low", "high", "early", NULL};

enum { EARLY_STEPS = 20 }; /* from the very start the first steps of Adam are large by nature */

struct moved { /* of one movement: the kernels' relative changes */
    size_t kernels, low, high;
    const struct compared *least, *most;
};

static bool is_high(const struct use *use, const struct movement *movement, double relative,
                    double steps)
{
    const double bound = steps > 1 ? use->parameters[HIGH] : use->parameters[SINGLE];
    const bool early = movement->a_step == 0 && steps < EARLY_STEPS;
    const bool replaced = relative > use->parameters[REPLACED] && movement->a_step > 0 &&
                          steps <= (double)movement->a_step;
    return (movement->sure && !early && relative / steps > bound) || replaced;
}

static void moved_look(const struct use *use, const struct movement *movement, struct moved *moved)
{
    const double steps = movement_steps(movement);
    for (size_t i = 0; i < movement->tensor_count; i++) {
        const struct compared *compared = &movement->tensors[i];
        const double relative = compared->pair.relative;
        if (!movement_kernel(compared) || tensor_starts_at_zero(compared->b->name) ||
            compared->pair.identical || !isfinite(relative) || relative == 0 ||
            compared->b->stats.nan + compared->b->stats.inf > 0)
            continue;
        moved->kernels++;
        const bool fine = compared->b->dtype <= DTYPE_FLOAT32; /* halves round small steps away */
        moved->low += fine && relative / sqrt(steps) < use->parameters[LOW];
        moved->high += is_high(use, movement, relative, steps);
        if (!moved->least || relative < moved->least->pair.relative)
            moved->least = compared;
        if (!moved->most || relative > moved->most->pair.relative)
            moved->most = compared;
    }
}

static bool moved_add(const struct use *use, const struct movement *movement,
                      const struct moved *moved, bool high, struct candidates *candidates,
                      struct error *error)
{
    const struct compared *shown = high ? moved->most : moved->least;
    const double steps = movement_steps(movement);
    const size_t count = high ? moved->high : moved->low;
    struct candidate candidate = candidate_tensor(use, shown->b);
    candidate.form = high ? "high" : "low";
    value_add(&candidate, "tensors", (double)count);
    value_add(&candidate, "total", (double)moved->kernels);
    value_add(&candidate, "share", (double)count / (double)moved->kernels);
    value_add_name(&candidate, "tensor", shown->b->name);
    value_add_place(use, &candidate, "from", movement->a);
    value_add_place(use, &candidate, "to", movement->b);
    value_add(&candidate, "steps", steps);
    value_add(&candidate, "rel", shown->pair.relative);
    value_add(&candidate, "per-step", shown->pair.relative / (high ? steps : sqrt(steps)));
    evidence_add_tensor(&candidate, shown->b, "the later of the two checkpoints");
    return candidates_add(candidates, &candidate, error);
}

enum { KERNELS_MAX = 256 };
#define STEP_TO_NEXT 3.1622776601683795 /* ten in two layers */

struct layer {
    const struct compared *compared;
    double relative;
};

static double level(const struct layer *layers, size_t count)
{
    double values_of[KERNELS_MAX];
    for (size_t i = 0; i < count; i++)
        values_of[i] = layers[i].relative;
    return median_of(values_of, count);
}

static size_t layers_find(const struct movement *movement, struct layer *layers)
{
    size_t count = 0;
    for (size_t i = 0; i < movement->tensor_count && count < KERNELS_MAX; i++) {
        const struct compared *compared = &movement->tensors[i];
        const double relative = compared->pair.relative;
        if (movement_kernel(compared) && !tensor_starts_at_zero(compared->b->name) &&
            !tensor_is_adapter(compared->b->name) && !compared->pair.identical &&
            isfinite(relative) && relative > 0)
            layers[count++] = (struct layer){compared, relative};
    }
    return count;
}

/* The first layers move by orders of magnitude less than the last, one behind the other. */
static bool early_add(const struct use *use, const struct movement *movement,
                      struct candidates *candidates, struct error *error)
{
    struct layer layers[KERNELS_MAX];
    const size_t count = layers_find(movement, layers), part = (count + 3) / 4;
    size_t longest = 1, run = 1;
    if ((double)count < use->parameters[LAYERS])
        return true;
    for (size_t i = count - 1; i > 0; i--) {
        run = layers[i - 1].relative * STEP_TO_NEXT <= layers[i].relative ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    const double ratio = level(layers, part) / level(layers + count - part, part);
    if (!(ratio < use->parameters[EARLY]) || (double)longest < use->parameters[LAYERS])
        return true;
    const struct compared *first = layers[0].compared;
    struct candidate candidate = candidate_tensor(use, first->b);
    candidate.form = "early";
    value_add(&candidate, "tensors", (double)part);
    value_add(&candidate, "total", (double)count);
    value_add(&candidate, "share", (double)part / (double)count);
    value_add_name(&candidate, "tensor", first->b->name);
    value_add_place(use, &candidate, "from", movement->a);
    value_add_place(use, &candidate, "to", movement->b);
    value_add(&candidate, "steps", movement_steps(movement));
    value_add(&candidate, "rel", first->pair.relative);
    value_add(&candidate, "ratio", ratio);
    value_add_name(&candidate, "last", layers[count - 1].compared->b->name);
    evidence_add_tensor(&candidate, first->b, "the first layer");
    evidence_add_tensor(&candidate, layers[count - 1].compared->b, "the last layer");
    return candidates_add(candidates, &candidate, error);
}

/* Too small only where every movement is: a run that comes to its end moves less and less. */
static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    const struct movement *slow = NULL;
    struct moved slowest = {0};
    bool moving = false;
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *movement = &run->movements[i];
        struct moved moved = {0};
        const size_t before = candidates->count;
        if (movement_far(run, movement) && !early_add(use, movement, candidates, error))
            return false;
        if (candidates->count > before)
            return true; /* how even it was comes before how much it was */
        if (isnan(movement_steps(movement)))
            continue;
        moved_look(use, movement, &moved);
        const double enough = use->parameters[SHARE] * (double)moved.kernels;
        if (moved.kernels == 0)
            continue;
        if ((double)moved.high >= enough && moved.high > 0)
            return moved_add(use, movement, &moved, true, candidates, error);
        if ((double)moved.low < enough || moved.low == 0) {
            moving = true;
        } else if (!slow) {
            slow = movement;
            slowest = moved;
        }
    }
    return !slow || moving || moved_add(use, slow, &slowest, false, candidates, error);
}

const struct detector detector_update = {
    .name = "update",
    .about = "the size of the steps between checkpoints against the weights",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
