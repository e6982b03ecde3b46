/* Loss scales that were saved with checkpoints. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_SCALER_H
#define COLLECT_SCALER_H

#include "runs.h"

size_t scaler_most(const struct group *group); /* series that scaler_make may make: 0 or 1 */
/* The scale over the checkpoints' steps, as a series; *made false: none was saved. False: memory
   ended. */
bool scaler_make(struct arena *arena, const struct group *group, struct series *series, bool *made);

#endif
