/* frozen: weights that are the same to the bit in two checkpoints, though they should train. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include <string.h>

enum { ROUNDING_SHARE };
static const struct parameter parameters[] = {
    [ROUNDING_SHARE] = {"rounding-share", "share", 0, 1, 0.01,
                        "of a half-precision kernel's values that moved, at most"},
};
static const char *const values[] = {"tensors", "total",   "share", "tensor", "from",
                                     "to",      "moments", "steps", NULL};
static const char *const forms[] = {"all", "part", "rounding", NULL};

enum { MASKED_MAX = 256 };

struct tally { /* of one movement */
    const struct movement *movement;
    size_t kernels, same;
    const struct tensor *first; /* that did not move */
    size_t suspects;            /* that did not move although their like did */
    const struct tensor *suspect;
    size_t rounded;
    const struct tensor *rounding;
    bool vectors; /* biases, norms or embeddings moved */
    bool adapters;
    bool others; /* something that is not trained moved: counters, statistics, moments */
    bool moments;
    size_t states, trained;
};

/* The name with its numbers masked: what layers of one stack have in common. */
static size_t masked(struct text name, char *bytes, bool *numbered)
{
    size_t size = 0;
    *numbered = false;
    for (size_t i = 0; i < name.size && size < MASKED_MAX; i++) {
        const bool digit = name.data[i] >= '0' && name.data[i] <= '9';
        if (digit && size > 0 && bytes[size - 1] == '#')
            continue;
        *numbered = *numbered || digit;
        bytes[size++] = digit ? '#' : name.data[i];
    }
    return size;
}

/* Layers of its stack moved before it and behind it. */
static bool amid(const struct movement *movement, size_t at)
{
    char own[MASKED_MAX], other[MASKED_MAX];
    bool numbered, ignored, before = false, behind = false;
    const size_t size = masked(movement->tensors[at].b->name, own, &numbered);
    for (size_t i = 0; numbered && i < movement->tensor_count; i++) {
        const struct compared *compared = &movement->tensors[i];
        if (compared->pair.identical || !movement_kernel(compared) ||
            masked(compared->b->name, other, &ignored) != size || memcmp(own, other, size) != 0)
            continue;
        before = before || i < at;
        behind = behind || i > at;
    }
    return before && behind;
}

/* Its own bias moved. */
static bool beside(const struct movement *movement, size_t at)
{
    static const char *const words[] = {"weight", "kernel", "weights"};
    const struct text name = movement->tensors[at].b->name;
    for (size_t w = 0; w < COUNT(words); w++) {
        if (!text_ends(name, words[w]))
            continue;
        const struct text stem = text_cut(name, 0, name.size - strlen(words[w]));
        for (size_t i = 0; i < movement->tensor_count; i++) {
            const struct text other = movement->tensors[i].b->name;
            if (!movement->tensors[i].pair.identical && other.size > stem.size &&
                memcmp(other.data, stem.data, stem.size) == 0 &&
                text_starts(text_cut(other, stem.size, other.size - stem.size), "bias"))
                return true;
        }
    }
    return false;
}

static bool is_moment(struct text name)
{
    return tensor_is_state(name) &&
           (text_ends(name, "exp_avg") || text_ends(name, "momentum_buffer") ||
            text_ends(name, "square_avg"));
}

static void count_other(struct tally *tally, const struct compared *compared)
{
    const struct text name = compared->b->name;
    const bool moved = !compared->pair.identical;
    if (tensor_is_state(name)) {
        tally->moments = tally->moments || (moved && is_moment(name));
        tally->others = tally->others || moved;
    } else if (tensor_is_buffer(name) || !tensor_is_float(compared->b) ||
               compared->b->stats.count < 2) {
        tally->others = tally->others || moved;
    } else {
        tally->vectors = tally->vectors || moved;
    }
}

/* Weights that the optimizer of this moment keeps state for. */
static size_t states_of(const struct run *run, const struct movement *movement)
{
    size_t count = 0;
    for (size_t i = 0; i < run->tensor_count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        const bool moment = tensor->input == movement->b ||
                            (movement->b_step != STEP_NONE && tensor->step == movement->b_step);
        count += moment &&
                 (text_ends(tensor->name, "exp_avg") || text_ends(tensor->name, "momentum_buffer"));
    }
    return count;
}

static void kernels_count(const struct use *use, struct tally *tally)
{
    const struct movement *movement = tally->movement;
    for (size_t i = 0; i < movement->tensor_count; i++) {
        const struct compared *compared = &movement->tensors[i];
        const struct tensor *tensor = compared->b;
        const bool moved = !compared->pair.identical;
        tally->adapters = tally->adapters || tensor_is_adapter(tensor->name);
        tally->trained += tensor_is_float(tensor) && !tensor_is_state(tensor->name) &&
                          !tensor_is_buffer(tensor->name) && tensor->stats.count > 1;
        if (!movement_kernel(compared) || tensor_starts_at_zero(tensor->name) ||
            tensor->stats.zero == tensor->stats.count) {
            count_other(tally, compared);
            continue;
        }
        tally->kernels++;
        tally->same += !moved;
        if (!moved && !tally->first)
            tally->first = tensor;
        const bool half = tensor->dtype == DTYPE_FLOAT16 || tensor->dtype == DTYPE_BFLOAT16;
        if (moved && half && tensor->stats.count >= 256 &&
            (double)compared->pair.changed <
                use->parameters[ROUNDING_SHARE] * (double)tensor->stats.count) {
            tally->rounded++;
            tally->rounding = tally->rounding ? tally->rounding : tensor;
        }
    }
}

/* Kernels that stood still where that has no design: amid their stack, beside their own bias, or
   in the hands of the optimizer. */
static void suspects_count(const struct use *use, struct tally *tally)
{
    const struct movement *movement = tally->movement;
    if (tally->same == 0 || tally->same == tally->kernels || tally->adapters)
        return;
    tally->states = states_of(use->run, movement);
    const bool held = tally->states > 0 && tally->states >= tally->trained;
    const bool few = 2 * tally->same < tally->kernels;
    for (size_t i = 0; i < movement->tensor_count; i++) {
        const struct compared *compared = &movement->tensors[i];
        if (!compared->pair.identical || !movement_kernel(compared) ||
            tensor_starts_at_zero(compared->b->name) ||
            compared->b->stats.zero == compared->b->stats.count)
            continue;
        if (!held && !(few && (amid(movement, i) || beside(movement, i))))
            continue;
        tally->suspects++;
        tally->suspect = tally->suspect ? tally->suspect : compared->b;
    }
}

/* Other files of the same two moments, or the log between them, say that training went on. */
static bool went_on(const struct run *run, const struct movement *movement)
{
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *other = &run->movements[i];
        if (other != movement && other->b_step != STEP_NONE && other->a_step == movement->a_step &&
            other->b_step == movement->b_step && other->identical < other->tensor_count)
            return true;
    }
    const struct series *loss = run_main(run, KIND_LOSS);
    if (!loss || loss->whole.points < 3)
        return false;
    /* A log by epochs beside checkpoints by steps, or the other way round, tells no more. */
    const bool epochs = (loss->grain & (GRAIN_STEP | GRAIN_BATCH)) == 0;
    if (movement->a_step == STEP_NONE || movement->b_step == STEP_NONE ||
        loss->whole.first.step == STEP_NONE || epochs)
        return true;
    return loss->whole.first.step < movement->b_step && loss->whole.last.step > movement->a_step;
}

static bool moments_moved(const struct run *run, const struct tally *tally)
{
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *other = &run->movements[i];
        if (other->a_step != tally->movement->a_step || other->b_step != tally->movement->b_step)
            continue;
        for (size_t k = 0; k < other->tensor_count; k++)
            if (is_moment(other->tensors[k].b->name) && !other->tensors[k].pair.identical)
                return true;
    }
    return tally->moments;
}

static bool tally_add(const struct use *use, const struct tally *tally, const char *form,
                      const struct tensor *shown, size_t count, struct candidates *candidates,
                      struct error *error)
{
    const struct movement *movement = tally->movement;
    struct candidate candidate = candidate_tensor(use, shown);
    candidate.form = form;
    value_add(&candidate, "tensors", (double)count);
    value_add(&candidate, "total", (double)tally->kernels);
    value_add(&candidate, "share", (double)count / (double)tally->kernels);
    value_add_name(&candidate, "tensor", shown->name);
    value_add_place(use, &candidate, "from", movement->a);
    value_add_place(use, &candidate, "to", movement->b);
    value_add(&candidate, "moments", moments_moved(use->run, tally));
    value_add(&candidate, "steps", movement_steps(movement));
    evidence_add_tensor(&candidate, shown, "the later of the two checkpoints");
    return candidates_add(candidates, &candidate, error);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    for (size_t i = 0; i < run->movement_count; i++) {
        struct tally tally = {.movement = &run->movements[i]};
        if (!movement_far(run, tally.movement))
            continue;
        kernels_count(use, &tally);
        suspects_count(use, &tally);
        if (tally.kernels > 0 && tally.same == tally.kernels && !tally.vectors && !tally.adapters &&
            (tally.others || went_on(run, tally.movement)))
            return tally_add(use, &tally, "all", tally.first, tally.same, candidates, error);
        if (tally.suspects > 0)
            return tally_add(use, &tally, "part", tally.suspect, tally.suspects, candidates, error);
        if (2 * tally.rounded >= tally.kernels && tally.rounded > 0)
            return tally_add(use, &tally, "rounding", tally.rounding, tally.rounded, candidates,
                             error);
    }
    return true;
}

const struct detector detector_frozen = {
    .name = "frozen",
    .about = "weights that did not move between two checkpoints",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
