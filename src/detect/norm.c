/* What the gradient norm says beside readings of the loss. */
/* SPDX-License-Identifier: MIT */
#include "detect/norm.h"

#include "detect/common.h"

enum { GROUPS_OF_PARAMETERS = 16 };

const char *norm_state_name(enum norm_state state)
{
    static const char *const names[] = {"unknown", "sound", "zero", "not finite"};
    return names[state];
}

bool norm_sentinel(double value)
{
    if (value == -1)
        return true;
    double square = value * value, whole = round(square);
    return whole >= 1 && whole <= GROUPS_OF_PARAMETERS && fabs(square - whole) <= 1e-6 * whole;
}

enum norm_state norm_over(const struct use *use, const struct point *from)
{
    const struct track *track = companion(use, KIND_GRAD_NORM, NULL);
    if (!track)
        return NORM_UNKNOWN;
    const struct nonfinite *bad = track_nonfinite(track);
    if (bad->nan + bad->inf > 0 && !point_before(&bad->last, from))
        return NORM_BAD;
    struct point tail[TAIL_MAX];
    size_t count = track_tail(track, tail, TAIL_MAX), zeros = 0, marks = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (point_before(&tail[i], from))
            continue;
        all++;
        zeros += tail[i].value == 0;
        marks += norm_sentinel(tail[i].value) && (all == 1 || tail[i].value == tail[i - 1].value);
    }
    if (all == 0)
        return NORM_UNKNOWN;
    if (zeros * 2 > all)
        return NORM_ZERO;
    /* A single 1 or 2 may be the norm itself. */
    if (all == 1 && tail[count - 1].value == round(tail[count - 1].value) &&
        tail[count - 1].value > 0)
        return NORM_SOUND;
    return marks * 10 >= all * 9 ? NORM_BAD : NORM_SOUND;
}
