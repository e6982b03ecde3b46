/* Turns that are the epochs of one run: its steps begin anew in each, and what tells that it goes
   on stands beside them or behind. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"
#include "stalldoc/measure.h"
#include "track_state.h"

enum { LAPS_LEAST = 3 }; /* of which the loss alone tells that they are no runs */

static const struct stretch *stretch_at(const struct name *name, uint32_t turn)
{
    for (size_t i = 0; i < name->stretch_count; i++)
        if (name->stretches[i].turn == turn)
            return &name->stretches[i];
    return NULL;
}

/* The track of a name in a turn; false: it has no points there. */
static bool turn_view(const struct name *name, uint32_t turn, struct track *track)
{
    const struct stretch *stretch = stretch_at(name, turn);
    return stretch && track_view(stretch->track, track) && track->points > 0;
}

static bool rises(const struct point *points, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!(points[i].value > points[i - 1].value))
            return false;
    return true;
}

/* A count that rises all through the turn before goes on at its pace. */
static bool count_goes_on(const struct track *before, const struct track *now)
{
    static const double pace_most = 3;
    if (before->points < 2 || !rises(before->head, before->head_count) ||
        !rises(before->tail, before->tail_count) || !rises(now->head, now->head_count))
        return false;
    const double gone = before->last.value - before->first.value;
    const double pace = gone / (double)(before->points - 1),
                 on = now->first.value - before->last.value;
    return gone > 0 && on >= 0 && on <= pace_most * pace;
}

/* What counts through the run, samples or epochs, goes on in the turn. */
static bool counts_on(const struct name *name, uint32_t turn)
{
    const bool epochs = (name->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) == GRAIN_EPOCH;
    struct track before, now;
    if ((name->naming.kind != KIND_COUNTER && !epochs) || !turn_view(name, turn - 1, &before) ||
        !turn_view(name, turn, &now))
        return false;
    return epochs ? before.last.step != STEP_NONE && now.first.step == before.last.step + 1
                  : count_goes_on(&before, &now);
}

/* Told once in the turn before, as what ends an epoch is: an evaluation, or a value by that name.
 */
static bool told_once(const struct name *name, uint32_t turn)
{
    struct track before;
    const bool epoch = text_glob(TEXT("*epoch*"), name->key, true);
    return (epoch || name->phase == PHASE_VALIDATION) && turn_view(name, turn - 1, &before) &&
           before.points == 1;
}

static bool any_name(const struct tape *tape, const struct route *route, uint32_t turn,
                     bool (*holds)(const struct name *name, uint32_t turn))
{
    for (size_t i = 0; i < tape->slot_count; i++)
        for (const struct name *name = tape->slots[i]; name; name = name->next)
            if (name->stream == route->stream && !name->redraw && holds(name, turn))
                return true;
    return false;
}

/* The loss begins near where it stood and far from where the run began. */
static bool level_goes_on(const struct track *first, const struct track *before,
                          const struct track *now)
{
    enum { MOST = 5, SHARE = 4 }; /* readings of a level: a quarter of a short lap */
    size_t most = first->points / SHARE < MOST ? (size_t)(first->points / SHARE) : MOST;
    most = most ? most : 1;
    if (now->head_count < most || before->tail_count < most || first->head_count < most)
        return false;
    const double start = points_level(first->head, most, most, false),
                 level = points_level(now->head, most, most, false);
    const double stood = points_level(before->tail, before->tail_count, most, true);
    return 2 * fabs(level - stood) < fabs(level - start) &&
           2 * fabs(level - start) >= first->high.value - first->low.value;
}

/* A turn that has the steps of the first, as far as it goes. */
static bool same_steps(const struct track *first, const struct track *track, bool last)
{
    if (track->first.step == STEP_NONE || track->first.step != first->first.step)
        return false;
    return last ? track->last.step <= first->last.step
                : track->last.step == first->last.step && track->points == first->points;
}

static int64_t length_of(const struct track *track)
{
    const int64_t span = track->last.step - track->first.step;
    return track->points > 1 ? span + span / (int64_t)(track->points - 1) : span + 1;
}

/* The turn goes on with the one before: what is counted says so, or it is one more lap like `first`
   and its loss begins where that stood. */
static bool goes_on(const struct tape *tape, const struct route *route, const struct track *first,
                    const struct name *lead, uint32_t turn)
{
    const struct turn *turned = &route->stream->turns[turn];
    struct track before, now;
    if (turned->resumed || turned->started || !turn_view(lead, turn - 1, &before) ||
        !turn_view(lead, turn, &now) || before.last.step == STEP_NONE)
        return false;
    return any_name(tape, route, turn, counts_on) ||
           (same_steps(first, &before, false) &&
            same_steps(first, &now, turn + 1 == route->stream->turn_count) &&
            level_goes_on(first, &before, &now));
}

/* How many turns from `begin` on are laps of one run; two are where more than the loss tells it. */
static uint32_t laps_from(const struct tape *tape, const struct route *route,
                          const struct name *lead, uint32_t begin)
{
    struct track first;
    uint32_t turn = begin + 1;
    bool told = false;
    if (!turn_view(lead, begin, &first) || first.points < 2)
        return 1;
    for (; turn < route->stream->turn_count &&
           route->turnings[turn].run != route->turnings[turn - 1].run &&
           goes_on(tape, route, &first, lead, turn);
         turn++)
        told = told || any_name(tape, route, turn, counts_on) ||
               any_name(tape, route, turn, told_once);
    return told || turn - begin >= LAPS_LEAST ? turn - begin : 1;
}

void laps_join(struct tape *tape, struct route *route, const struct name *lead)
{
    uint32_t less = 0;
    if (lead && (lead->epochs || !(lead->grain & (GRAIN_STEP | GRAIN_BATCH))))
        return; /* epochs that begin anew are of another run */
    for (uint32_t begin = 0, count; lead && begin < route->stream->turn_count; begin += count) {
        int64_t shift = 0;
        struct track before;
        count = laps_from(tape, route, lead, begin);
        route->turnings[begin].run -= less;
        for (uint32_t turn = begin + 1; turn < begin + count; turn++) {
            struct turning *turning = &route->turnings[turn];
            if (turn_view(lead, turn - 1, &before))
                shift += length_of(&before);
            *turning = route->turnings[begin];
            turning->shift = shift;
            turning->drops = turning->retold = false;
        }
        less += count - 1;
    }
    route->run_count -= less;
}

static void point_shift(struct point *point, int64_t shift)
{
    if (point->step != STEP_NONE)
        point->step += shift;
}

static bool points_shift(struct arena *arena, const struct point **points, size_t count,
                         int64_t shift)
{
    struct point *own = arena_take(arena, count ? count : 1, sizeof(*own));
    if (!own)
        return false;
    for (size_t i = 0; i < count; i++) {
        own[i] = (*points)[i];
        point_shift(&own[i], shift);
    }
    *points = own;
    return true;
}

static bool buckets_shift(struct arena *arena, struct track *track, int64_t shift)
{
    struct bucket *own = arena_take(arena, track->bucket_count + 1, sizeof(*own));
    if (!own)
        return false;
    for (size_t i = 0; i < track->bucket_count; i++) {
        own[i] = track->buckets[i];
        own[i].first_step += own[i].first_step == STEP_NONE ? 0 : shift;
        own[i].last_step += own[i].last_step == STEP_NONE ? 0 : shift;
        point_shift(&own[i].low, shift);
        point_shift(&own[i].high, shift);
    }
    track->buckets = own;
    return true;
}

static bool episodes_shift(struct arena *arena, struct track *track, int64_t shift)
{
    struct episode *own = arena_take(arena, track->episode_count + 1, sizeof(*own));
    if (!own)
        return false;
    for (size_t i = 0; i < track->episode_count; i++) {
        own[i] = track->episodes[i];
        point_shift(&own[i].start, shift);
        point_shift(&own[i].peak, shift);
        point_shift(&own[i].end, shift);
    }
    track->episodes = own;
    return true;
}

static bool windows_shift(struct arena *arena, struct track *track, int64_t shift)
{
    const struct frozen **all = arena_take(arena, track->frozen_count + 1, sizeof(*all));
    for (size_t i = 0; all && i < track->frozen_count; i++) {
        struct frozen *own = arena_take(arena, 1, sizeof(*own));
        if (!own)
            return false;
        *own = *track->frozen[i];
        for (size_t k = 0; k < own->count; k++)
            point_shift(&own->points[k], shift);
        all[i] = own;
    }
    track->frozen = all;
    return all != NULL;
}

static bool rare_shift(struct arena *arena, struct track *track, int64_t shift)
{
    if (track->nonfinite) {
        struct nonfinite *own = arena_take(arena, 1, sizeof(*own));
        if (!own)
            return false;
        *own = *track->nonfinite;
        point_shift(&own->first, shift);
        point_shift(&own->last, shift);
        point_shift(&own->first_nan, shift);
        point_shift(&own->first_inf, shift);
        track->nonfinite = own;
    }
    if (track->signs) {
        struct signs *own = arena_take(arena, 1, sizeof(*own));
        if (!own)
            return false;
        *own = *track->signs;
        point_shift(&own->first_zero, shift);
        point_shift(&own->first_negative, shift);
        track->signs = own;
    }
    return true;
}

static bool track_shift(struct arena *arena, struct track *track, int64_t shift)
{
    struct point *const plain[] = {
        &track->first,        &track->last,          &track->low,
        &track->high,         &track->last_finite,   &track->longest.first,
        &track->longest.last, &track->current.first, &track->current.last};
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        point_shift(plain[i], shift);
    return points_shift(arena, &track->head, track->head_count, shift) &&
           points_shift(arena, &track->tail, track->tail_count, shift) &&
           buckets_shift(arena, track, shift) && episodes_shift(arena, track, shift) &&
           windows_shift(arena, track, shift) && rare_shift(arena, track, shift);
}

bool laps_shift(struct tape *tape, const struct name *name, const struct turning *turning,
                struct track *track)
{
    const bool epochs = (name->grain & GRAIN_EPOCH) || name->epochs;
    return turning->shift == 0 || epochs || track_shift(&tape->arena, track, turning->shift);
}
