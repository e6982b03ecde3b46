/* `train=0.35 heldout=0.27`, on one line or on two: what is named by a phase alone is a loss where
   both fall. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#include <math.h>

enum { POINTS_LEAST = 5 };
#define NEAR 3.0     /* times the loss, or a part of it, at the start; and that twice at the end */
#define FALLS_TO 0.8 /* of its first value: no accuracy of a training does */

struct ends { /* of a name in all its turns */
    double first, last, low;
    uint64_t points;
};

static bool ends_of(const struct name *name, struct ends *ends)
{
    *ends = (struct ends){.low = INFINITY};
    for (size_t i = 0; i < name->stretch_count; i++) {
        struct track track;
        if (!track_view(name->stretches[i].track, &track))
            return false;
        if (ends->points == 0)
            ends->first = track.first.value;
        ends->last = track.last.value;
        ends->low = fmin(ends->low, track.low.value);
        ends->points += track.points;
    }
    return true;
}

static bool is_loss(const struct name *name)
{
    return name->naming.kind == KIND_LOSS || name->naming.kind == KIND_VAL_LOSS;
}

static bool beside(const struct name *a, const struct name *b)
{
    return a->stream == b->stream && b->guessed && is_loss(b) && a->grain == b->grain &&
           a->naming.kind != b->naming.kind;
}

/* Training falls, and validation at first: where it overfits it rises again. */
static bool falls(const struct name *name, bool *sound)
{
    struct ends ends;
    *sound = *sound && ends_of(name, &ends);
    const double to = name->naming.kind == KIND_LOSS ? ends.last : ends.low;
    return *sound && ends.points >= POINTS_LEAST && ends.first > 0 && isfinite(ends.first) &&
           ends.low >= 0 && to <= FALLS_TO * ends.first;
}

/* `loss: 2.5 validation: 2.6`: beside a loss by its name the phase alone stands for the same of the
   other phase where it begins and ends near it. */
static bool follows(const struct name *name, const struct name *loss, bool *sound)
{
    struct ends ends, of_loss;
    if (!falls(name, sound) || !ends_of(name, &ends) || !ends_of(loss, &of_loss))
        return false;
    return ends.first <= NEAR * of_loss.first && of_loss.first <= NEAR * ends.first &&
           ends.low <= NEAR * NEAR * of_loss.low && of_loss.low <= NEAR * NEAR * ends.low;
}

bool guesses_decide(struct name *const *names, size_t count)
{
    bool named = false, validated = false, sound = true;
    const struct name *loss = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!is_loss(names[i]) || names[i]->guessed || names[i]->naming.refused)
            continue;
        named = true;
        validated = validated || names[i]->naming.kind == KIND_VAL_LOSS;
        if (!loss && names[i]->naming.kind == KIND_LOSS)
            loss = names[i];
    }
    for (size_t i = 0; i < count && sound; i++) {
        struct name *name = names[i];
        if (!name->guessed || !is_loss(name))
            continue;
        struct name *other = NULL;
        for (size_t k = i + 1; k < count && !other; k++)
            if (beside(name, names[k]))
                other = names[k];
        if (!named && other && falls(name, &sound) && falls(other, &sound)) {
            name->guessed = other->guessed = false; /* known now */
            continue;
        }
        if (loss && !validated && name->naming.kind == KIND_VAL_LOSS &&
            name->stream == loss->stream && follows(name, loss, &sound)) {
            name->guessed = false;
            continue;
        }
        name->naming = (struct naming){.kind = KIND_OTHER};
    }
    return sound;
}
