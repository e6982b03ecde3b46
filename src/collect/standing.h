/* Where in its run a checkpoint stands, and which files are one line of checkpoints. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_STANDING_H
#define COLLECT_STANDING_H

#include "stalldoc/arena.h"
#include "stalldoc/record.h"

enum {                         /* the stronger word stands */
       STANDING_OPTIMIZER = 1, /* the optimizer's own count, which a new optimizer begins anew */
       STANDING_NAME = 2,      /* of the file or its folder */
       STANDING_PLAIN = 7,     /* "step" in the file; deeper keys say less */
       STANDING_WIDE = 10,     /* "global_step" */
};

struct group_told { /* settings of the optimizer's first group; NAN unknown */
    double rate, beta1, beta2, alpha, momentum, dampening;
    double decay; /* of the rate, by one over 1 + decay * step */
    bool descent; /* SGD of Keras */
    bool scaled;  /* a scaler was saved, and with it: */
    double scale; /* of the loss */
};

struct standing {
    int64_t step, epoch; /* STEP_NONE unknown */
    int64_t bare;        /* of a name without a word: a step only beside its like; STEP_NONE */
    bool sure; /* its step is one: numbers behind "ckpt", or none, may be epochs as well */
    bool last; /* its name says that it is the end: "final", "last" */
    int step_strength, epoch_strength;
    struct group_told optimizer;
    double scale;        /* met under a name of it; told where the next keys are a scaler's */
    uint64_t scale_path; /* hash of what stands before that name */
};

void standing_begin(struct standing *standing);
void standing_setting(struct standing *standing, struct text key, struct text value);
void standing_tensor(struct standing *standing, const struct tensor_view *view);
void standing_path(struct standing *standing, struct text path);
/* The path with the numbers of its steps masked: what files of one line have in common; data NULL
   where memory ended. */
struct text standing_line(struct arena *arena, struct text path);
/* "run/global_step10/" of "run/global_step10/zero/fc.weight/fp32.pt": of a universal checkpoint of
   DeepSpeed, which keeps a folder a parameter. Empty: it is none. */
struct text standing_zero(struct text path);
/* The folder of the run: without folders of checkpoints, and those that are one. */
struct text standing_home(struct text path);
/* Its folder is one checkpoint: "checkpoint-500/". */
bool standing_inside(struct text path);

#endif
