/* What the tests of the rules on arrays stand on: a run, and the arrays that are made for it. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_JUDGED_SAMPLES_H
#define TEST_JUDGED_SAMPLES_H

#include "made_samples.h"

static struct used used;
static struct made_samples made;

static inline void begin(void)
{
    used_begin(&used);
}

static inline void end(void)
{
    used_end(&used);
    made_end(&made);
}

#endif
