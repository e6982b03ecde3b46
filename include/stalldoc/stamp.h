/* The time of day that a line of a log carries, as it is written there. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_STAMP_H
#define STALLDOC_STAMP_H

#include "stalldoc/span.h"

enum { STAMP_MAX = 64 };

/* Copies the date or clock of the line, with its zone if it has one, and the size of it; 0: the
   line carries none. Times that a text only speaks of (ETA, names of folders) are none of the line.
 */
size_t stamp_take(struct text line, char stamp[STAMP_MAX]);

#endif
