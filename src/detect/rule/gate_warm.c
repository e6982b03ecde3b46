/* A run that begins where the one before it in the same log ended. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"

#include "stalldoc/statistics.h"

enum { LEVEL_READINGS = 5, RUNS_BACK = 8 };
static const double NEAR_END = 1.5, FAR_BELOW_START = 0.5;

/* The middle of the first readings of the main loss, or of the last. */
static double level_of(const struct series *loss, bool last)
{
    const struct track *track = &loss->whole;
    const struct point *points = last ? track->tail : track->head;
    const size_t most = last ? track->tail_count : track->head_count;
    double values[LEVEL_READINGS];
    size_t count = 0;
    for (size_t i = 0; i < most && count < LEVEL_READINGS; i++) {
        const double value = points[last ? most - 1 - i : i].value;
        if (isfinite(value))
            values[count++] = value;
    }
    return median_of(values, count);
}

/* It goes on with the loss of the run before it. */
static bool goes_on(const struct run *run, const struct run *before)
{
    const struct series *loss = run_main(run, KIND_LOSS), *earlier = run_main(before, KIND_LOSS);
    if (!loss || !earlier || run->input_count == 0 || before->input_count == 0 ||
        before->inputs[0] != run->inputs[0] || !text_equal(loss->tag, earlier->tag))
        return false;
    const double ended = level_of(earlier, true);
    return ended > 0 && level_of(loss, false) <= NEAR_END * ended;
}

enum truth begins_warm(const struct run *run)
{
    const struct collection *collection = run->collection;
    const struct run *before = run;
    for (size_t i = 0; collection && i < RUNS_BACK && before != collection->runs; i++) {
        if (!goes_on(before, before - 1))
            return UNKNOWN;
        before--;
        const struct series *first = run_main(before, KIND_LOSS), *loss = run_main(run, KIND_LOSS);
        if (level_of(loss, false) <= FAR_BELOW_START * level_of(first, false))
            return TRUE_;
    }
    return UNKNOWN;
}
