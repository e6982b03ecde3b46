/* Gradient norms that checkpoints tell. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_GRADIENTS_H
#define COLLECT_GRADIENTS_H

#include "runs.h"

size_t gradients_most(const struct run *run); /* series at most */
/* Fills `series` with totals first, then parts in the order of their tensors; all of basis
   estimated, with one segment. The run's tensors, checkpoints and movements stand. */
bool gradients_make(struct arena *arena, const struct group *group, const struct run *run,
                    struct series *series, size_t *count);

#endif
