/* A run that begins where the one before it in the same log ended. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"

enum { END_READINGS = 5, RUNS_BACK = 8 };
static const double NEAR_END = 1.5, FAR_BELOW_START = 0.5;

/* It goes on with the loss of the run before it. */
static bool goes_on(const struct run *run, const struct run *before)
{
    const struct series *loss = run_main(run, KIND_LOSS), *earlier = run_main(before, KIND_LOSS);
    if (!loss || !earlier || run->input_count == 0 || before->input_count == 0 ||
        before->inputs[0] != run->inputs[0] || !text_equal(loss->tag, earlier->tag))
        return false;
    const double ended =
        points_level(earlier->whole.tail, earlier->whole.tail_count, END_READINGS, true);
    return ended > 0 && start_level(loss) <= NEAR_END * ended;
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
        if (start_level(loss) <= FAR_BELOW_START * start_level(first))
            return TRUE_;
    }
    return UNKNOWN;
}
