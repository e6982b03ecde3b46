/* Kinds of tensors, and what moved between checkpoints. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include <stdio.h>
#include <string.h>

/* Closer saves may have no update between them (detectors.md 6, ckpt-frozen). */
#define FAR_STEPS 100
#define NEAR_STEPS 10
#define FAR_SHARE 0.1 /* of the steps so far, for short runs */
#define LEAST_SHARE 0.01

bool tensor_is_float(const struct tensor *tensor)
{
    return tensor->dtype <= DTYPE_FLOAT8_E5M2FNUZ;
}

/* "W", "w1", "layer/W_2": what programs of their own call a matrix. */
static bool is_short(struct text name)
{
    size_t begin = name.size;
    while (begin > 0 && name.data[begin - 1] != '.' && name.data[begin - 1] != '/')
        begin--;
    const struct text last = text_cut(name, begin, name.size - begin);
    if (last.size == 0 || (last.data[0] != 'W' && last.data[0] != 'w'))
        return false;
    for (size_t i = 1; i < last.size; i++)
        if (last.data[i] != '_' && (last.data[i] < '0' || last.data[i] > '9'))
            return false;
    return true;
}

bool tensor_is_kernel(const struct tensor *tensor)
{
    return tensor->measured && tensor->rank >= 2 && tensor_is_float(tensor) &&
           (tensor_has(tensor->name, "weight") || tensor_has(tensor->name, "kernel") ||
            is_short(tensor->name)) &&
           !tensor_is_state(tensor->name);
}

bool tensor_is_mask(const struct tensor *tensor)
{
    const struct tensor_stats *s = &tensor->stats;
    return s->nan == 0 &&
           (tensor_has(tensor->name, "mask") || tensor_has(tensor->name, "attn.bias") ||
            tensor_has(tensor->name, "bound") || s->inf == s->count ||
            (s->inf == s->negative_inf && s->inf + s->zero == s->count));
}

const struct checkpoint *checkpoint_at(const struct run *run, uint32_t input)
{
    for (size_t i = 0; i < run->checkpoint_count; i++)
        if (run->checkpoints[i].input == input)
            return &run->checkpoints[i];
    return NULL;
}

double movement_steps(const struct movement *movement)
{
    if (movement->a_step == STEP_NONE || movement->b_step == STEP_NONE ||
        movement->b_step <= movement->a_step)
        return (double)NAN;
    return (double)movement->b_step - (double)movement->a_step;
}

bool movement_far(const struct run *run, const struct movement *movement)
{
    const double steps = movement_steps(movement);
    if (!movement->ordered)
        return false;
    const struct series *loss = run_main(run, KIND_LOSS);
    const bool epochs = loss && (loss->grain & (GRAIN_STEP | GRAIN_BATCH)) == 0 &&
                        loss->whole.last.step != STEP_NONE;
    if (isnan(steps) || (epochs && !movement->sure && movement->b_step <= loss->whole.last.step))
        return true; /* whole epochs */
    const double last =
        fmax((double)movement->b_step, run->last_step == STEP_NONE ? 0 : (double)run->last_step);
    return (steps >= FAR_STEPS && steps >= LEAST_SHARE * (double)movement->b_step) ||
           (steps >= NEAR_STEPS && steps >= FAR_SHARE * last);
}

bool movement_kernel(const struct compared *compared)
{
    const struct text name = compared->b->name;
    return tensor_is_kernel(compared->a) && tensor_is_kernel(compared->b) &&
           !tensor_is_loose(name) && !tensor_is_buffer(name) && compared->b->stats.count >= 4 &&
           compared->b->stats.nan + compared->b->stats.inf == 0; /* lost weights do not move */
}

double kernel_expected(const struct tensor *tensor)
{
    const double count = (double)tensor->stats.count;
    const double rows = (double)tensor->shape[0];
    const double columns = (double)tensor->shape[tensor->rank - 1];
    const double wide = fmin(rows > 0 ? count / rows : 1, columns > 0 ? count / columns : 1);
    return sqrt(2 / fmax(wide, 1));
}

struct candidate candidate_tensor(const struct use *use, const struct tensor *tensor)
{
    const struct place place = {.input = tensor->input, .offset = tensor->offset};
    struct candidate candidate = candidate_bare(use, point_make(tensor->step, (double)NAN, place));
    candidate.form = use->form;
    candidate.subject = tensor->name;
    return candidate;
}

void value_add_name(struct candidate *candidate, const char *name, struct text text)
{
    if (candidate->value_count < VALUES_MAX)
        candidate->values[candidate->value_count++] =
            (struct value){.name = name, .number = (double)NAN, .text = text};
}

void value_add_place(const struct use *use, struct candidate *candidate, const char *name,
                     uint32_t input)
{
    const struct checkpoint *checkpoint = checkpoint_at(use->run, input);
    const struct collection *collection = use->run->collection;
    struct text said = {"", 0};
    if (!checkpoint)
        return;
    if (checkpoint->step == STEP_NONE && checkpoint->epoch != STEP_NONE)
        said = arena_print(use->arena, "epoch %lld", (long long)checkpoint->epoch);
    else if (checkpoint->step == STEP_NONE && collection && input <= collection->source_count) {
        said = collection->sources[input - 1].path;
        said = text_cut(said, text_behind(said, '/'), said.size);
    }
    if (said.size)
        value_add_name(candidate, name, said);
    else
        value_add(candidate, name,
                  checkpoint->step != STEP_NONE ? (double)checkpoint->step : (double)NAN);
}

void evidence_add_tensor(struct candidate *candidate, const struct tensor *tensor, const char *text)
{
    if (candidate->evidence_count == EVIDENCE_MAX)
        return;
    candidate->evidence[candidate->evidence_count++] = (struct evidence){
        .kind = EVIDENCE_TENSOR,
        .place = {.input = tensor->input, .offset = tensor->offset},
        .step = tensor->step,
        .series = tensor->name,
        .value = value_missing_make(),
        .text = text_of(text),
    };
}
