/* Checkpoints of our own making, and what moved between them. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_MADE_MOVES_H
#define TEST_MADE_MOVES_H

#include "made_tensor.h"
#include "used.h"

enum { MOVES_MAX = 3, MOVES_TENSORS = 12 };

struct moves { /* saves of one line; all zero to begin with */
    struct tensor tensors[(MOVES_MAX + 1) * MOVES_TENSORS];
    struct checkpoint checkpoints[MOVES_MAX + 1];
    struct compared compared[MOVES_MAX][MOVES_TENSORS];
    struct movement movements[MOVES_MAX];
    size_t saves;
};

/* The same tensors at the next step, `count` of them as in the first save. */
static inline struct tensor *moves_save(struct moves *moves, int64_t step,
                                        const struct tensor *tensors, size_t count)
{
    struct tensor *saved = &moves->tensors[moves->saves * count];
    memcpy(saved, tensors, count * sizeof(*saved));
    for (size_t i = 0; i < count; i++) {
        saved[i].step = step;
        saved[i].input = (uint32_t)moves->saves + 1;
    }
    moves->checkpoints[moves->saves] = (struct checkpoint){.input = (uint32_t)moves->saves + 1,
                                                           .step = step,
                                                           .epoch = STEP_NONE,
                                                           .first = moves->saves * count,
                                                           .count = count};
    moves->saves++;
    return saved;
}

/* By how much each moved, against its norm; 0: not at all. */
static inline void moves_between(struct moves *moves, size_t at, const double *relative)
{
    struct checkpoint *a = &moves->checkpoints[at], *b = &moves->checkpoints[at + 1];
    struct movement *movement = &moves->movements[at];
    *movement = (struct movement){.a = a->input,
                                  .b = b->input,
                                  .a_step = a->step,
                                  .b_step = b->step,
                                  .a_epoch = STEP_NONE,
                                  .b_epoch = STEP_NONE,
                                  .ordered = a->step < b->step,
                                  .sure = true,
                                  .tensors = moves->compared[at],
                                  .tensor_count = b->count,
                                  .whole = true};
    for (size_t i = 0; i < b->count; i++) {
        struct compared *compared = &moves->compared[at][i];
        compared->a = &moves->tensors[a->first + i];
        compared->b = &moves->tensors[b->first + i];
        compared->pair =
            (struct tensor_pair){.relative = relative[i],
                                 .diff_l2 = relative[i],
                                 .changed = relative[i] > 0 ? compared->b->stats.count : 0,
                                 .identical = relative[i] == 0};
        movement->identical += relative[i] == 0;
    }
}

static inline void moves_give(const struct moves *moves, struct run *run)
{
    run->tensors = moves->tensors;
    run->tensor_count = moves->saves * moves->checkpoints[0].count;
    run->checkpoints = moves->checkpoints;
    run->checkpoint_count = moves->saves;
    run->movements = moves->movements;
    run->movement_count = moves->saves - 1;
    run->first_step = run->last_step = STEP_NONE;
}

/* Two saves of these tensors at steps `from` and `to`. */
static inline void moves_two(struct moves *moves, struct run *run, int64_t from, int64_t to,
                             const struct tensor *tensors, size_t count, const double *relative)
{
    memset(moves, 0, sizeof(*moves));
    moves_save(moves, from, tensors, count);
    moves_save(moves, to, tensors, count);
    moves_between(moves, 0, relative);
    moves_give(moves, run);
}

#endif
