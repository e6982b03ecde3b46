/* Kinds of tensors, and what moved between checkpoints. */
/* SPDX-License-Identifier: MIT */
#ifndef DETECT_MOVES_H
#define DETECT_MOVES_H

#include "detect/common.h"
#include "stalldoc/weights.h"

bool tensor_is_float(const struct tensor *tensor);
/* A matrix or a convolution that multiplies activations. */
bool tensor_is_kernel(const struct tensor *tensor);
/* Masks and bounds hold infinities on purpose: 0 and -inf, or nothing but infinities. */
bool tensor_is_mask(const struct tensor *tensor);

const struct checkpoint *checkpoint_at(const struct run *run, uint32_t input); /* NULL: none */
/* Steps from one to the other, NAN where they are not known. */
double movement_steps(const struct movement *movement);
/* Ordered, and far enough apart that something has to have moved. */
bool movement_far(const struct run *run, const struct movement *movement);
/* A kernel that is expected to train, in both. */
bool movement_kernel(const struct compared *compared);
/* The largest weight that a fresh kernel of this shape is expected to have, as a deviation. */
double kernel_expected(const struct tensor *tensor);

extern const struct detector detector_initial;
/* Kernels of a start whose spread is not usual, by the parameters of `initial`. */
size_t initial_odd(const struct run *run, const double *parameters, size_t *kernels);

/* A candidate that points at a tensor. */
struct candidate candidate_tensor(const struct use *use, const struct tensor *tensor);
void value_add_name(struct candidate *candidate, const char *name, struct text text);
/* Where a checkpoint stands: its step, else "epoch 3", else the name of its file. */
void value_add_place(const struct use *use, struct candidate *candidate, const char *name,
                     uint32_t input);
void evidence_add_tensor(struct candidate *candidate, const struct tensor *tensor,
                         const char *text);

#endif
