/* Gates on weights: what checkpoints and evaluations say against causes that readings of the
   training alone suggest. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"
#include "detect/rule/condition.h"

#include "stalldoc/statistics.h"

#define MOVE_SHARE 0.9  /* of the kernels */
#define MOVE_LEAST 1e-4 /* of a kernel's norm between two saves: no rounding of one */

enum truth weights_sound(const struct run *run)
{
    const struct series *loss = run_main(run, KIND_LOSS);
    uint64_t kernels = 0;
    if (!loss || track_bad(&loss->whole) == 0 ||
        track_nonfinite(&loss->whole)->first.step == STEP_NONE)
        return UNKNOWN;
    for (size_t i = 0; i < run->tensor_count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (!tensor->measured || !tensor_is_float(tensor))
            continue;
        if (tensor->stats.nan + tensor->stats.inf > 0 && !tensor_is_mask(tensor))
            return FALSE_;
        kernels += tensor->step != STEP_NONE &&
                   tensor->step > track_nonfinite(&loss->whole)->first.step &&
                   tensor_is_kernel(tensor);
    }
    return kernels > 0 ? TRUE_ : UNKNOWN;
}

enum truth weights_move(const struct run *run)
{
    size_t kernels = 0, moved = 0;
    for (size_t i = 0; i < run->movement_count; i++) {
        const struct movement *movement = &run->movements[i];
        for (size_t k = 0; movement_far(run, movement) && k < movement->tensor_count; k++) {
            const struct compared *compared = &movement->tensors[k];
            if (!movement_kernel(compared))
                continue;
            kernels++;
            moved += compared->pair.relative > MOVE_LEAST;
        }
    }
    if (kernels == 0)
        return UNKNOWN;
    return (double)moved >= MOVE_SHARE * (double)kernels ? TRUE_ : FALSE_;
}

enum truth weights_fresh(const struct run *run)
{
    double usual[PARAMETERS_MAX] = {0};
    size_t kernels = 0;
    for (size_t i = 0; i < detector_initial.parameter_count; i++)
        usual[i] = detector_initial.parameters[i].usual;
    const size_t odd = initial_odd(run, usual, &kernels);
    if (kernels == 0)
        return UNKNOWN;
    return odd == 0 ? TRUE_ : FALSE_;
}

/* The same data and the same weights give the same loss; batch norm's statistics may move it too.
 */
enum truth evaluation_moves(const struct run *run)
{
    enum { EVALUATIONS = 4, REPEATS = 4 }; /* one in so many pairs may print alike */
    const struct series *series = run_main(run, KIND_VAL_LOSS);
    const struct track *track = series ? &series->whole : NULL;
    size_t alike = 0;
    if (!track || track->head_count < EVALUATIONS)
        return UNKNOWN;
    for (size_t i = 1; i < track->head_count; i++) /* NaN does not move */
        alike +=
            track->head[i].value == track->head[i - 1].value || !isfinite(track->head[i].value);
    return REPEATS * alike <= track->head_count - 1 ? TRUE_ : FALSE_;
}
