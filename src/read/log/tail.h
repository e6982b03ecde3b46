/* The last line of a log that nobody ended. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_TAIL_H
#define STALLDOC_READ_LOG_TAIL_H

#include "stalldoc/span.h"

#include <stddef.h>

/* How many bytes of the last line are sound, by the lines before it: without a number that ends it
   and is printed shorter than all of its like. */
size_t tail_size(struct text before, struct text last);

#endif
