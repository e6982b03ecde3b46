/* What the gradient norm says beside readings of the loss. */
/* SPDX-License-Identifier: MIT */
#ifndef DETECT_NORM_H
#define DETECT_NORM_H

#include "stalldoc/detector.h"

enum norm_state { NORM_UNKNOWN, NORM_SOUND, NORM_ZERO, NORM_BAD };
const char *norm_state_name(enum norm_state state);
/* Of the readings from `from` on. */
enum norm_state norm_over(const struct use *use, const struct point *from);
/* -1, or the root of a small integer: what DeepSpeed prints for norms that are not finite. */
bool norm_sentinel(double value);

#endif
