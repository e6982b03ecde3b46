/* `train=0.35 heldout=0.27`, on one line or on two: what is named by a phase alone is a loss where
   both fall. `learn: 0.8 test: 0.7 best: 0.7` of a booster that is given a score climbs. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#include <math.h>

enum { POINTS_LEAST = 5 };
#define NEAR 3.0     /* times the loss, or a part of it, at the start; and that twice at the end */
#define FALLS_TO 0.8 /* of its first value: no accuracy of a training does */
#define CLIMBS 0.1   /* of what a share was short of 1, at least */

struct ends { /* of a name in all its turns */
    double first, last, low, high;
    uint64_t points;
};

static bool ends_of(const struct name *name, struct ends *ends)
{
    *ends = (struct ends){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < name->stretch_count; i++) {
        struct track track;
        if (!track_view(name->stretches[i].track, &track))
            return false;
        if (ends->points == 0)
            ends->first = track.first.value;
        ends->last = track.last.value;
        ends->low = fmin(ends->low, track.low.value);
        ends->high = fmax(ends->high, track.high.value);
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

/* A share that gets nearer to 1, and nowhere falls below where it began: no loss that is trained.
 */
static bool climbs(const struct name *name, bool *sound)
{
    struct ends ends;
    *sound = *sound && ends_of(name, &ends);
    return *sound && ends.points >= POINTS_LEAST && ends.first > 0 && ends.low >= ends.first &&
           ends.high <= 1 && ends.last - ends.first >= CLIMBS * (1 - ends.first);
}

static bool has_word(struct name *const *names, size_t count, const struct name *name,
                     const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (names[i]->stream == name->stream && names[i]->grain == name->grain &&
            text_is(names[i]->key, word))
            return true;
    return false;
}

/* `learn` and `test` of a booster, whose line does not name what it counts. */
static bool boosters_decide(struct name *const *names, size_t count)
{
    bool sound = true;
    for (size_t i = 0; i < count && sound; i++) {
        struct name *name = names[i];
        const bool validates = name->phase == PHASE_VALIDATION || text_is(name->key, "test");
        const bool best = name->guessed && has_word(names, count, name, "best");
        if (!text_is(name->key, "learn") && !best &&
            !(validates && has_word(names, count, name, "learn")))
            continue;
        if (climbs(name, &sound))
            name->naming = (struct naming){.kind = validates ? KIND_VAL_METRIC : KIND_METRIC,
                                           .direction = DIRECTION_UP,
                                           .known = true};
        else if (!best || !falls(name, &sound))
            continue;
        name->guessed = false;
    }
    return sound;
}

bool guesses_decide(struct name *const *names, size_t count)
{
    bool named = false, validated = false, sound = boosters_decide(names, count);
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
