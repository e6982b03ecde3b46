/* Records that tell their place by a part of an epoch alone, `{'loss': 2.5, 'epoch': 0.25}`, behind
   the bar of the run: its counter is their step. */
/* SPDX-License-Identifier: MIT */
#include "read/log/reader.h"

#include <math.h>

#define ROUNDED 0.006 /* of an epoch: what a print with two decimals leaves out */
#define STRAYS 0.05   /* of the steps so far: a bar is not drawn at every step */

void tie_bar(struct stream *stream, int64_t k, int64_t total, uint64_t line)
{
    struct tie *tie = &stream->tie;
    if (tie->begun && total != tie->total)
        return; /* of an evaluation */
    tie->k = k;
    tie->total = total;
    tie->line = line;
}

/* Whether so many steps may make that part of an epoch, by what the records before told. */
static bool fits(struct tie *tie, double fraction)
{
    const double k = (double)tie->k;
    if (tie->pace > 0) {
        const double expected = tie->pace * fraction;
        const double doubt = ROUNDED * tie->pace * (1 + fraction / tie->paced);
        if (fabs(k - expected) > 1 + doubt + STRAYS * expected)
            return false;
    }
    if (fraction > tie->paced && k > 0) {
        tie->pace = k / fraction;
        tie->paced = fraction;
    }
    return true;
}

bool tie_record(struct stream *stream, struct position *position, uint64_t line)
{
    struct tie *tie = &stream->tie;
    const double fraction = position->epoch_fraction;
    if (position->step != STEP_NONE || position->batch != STEP_NONE ||
        position->epoch != STEP_NONE || !(fraction >= 0) || tie->total <= 0)
        return false;
    if (!tie->begun && (tie->k == 0 || line > tie->line + 1))
        return false;
    if (!fits(tie, fraction))
        return false;
    tie->begun = true;
    position->step = tie->k;
    return true;
}
