/* Finished tracks put one behind the other: the segments of a run as one track of their own. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"
#include "track_state.h"

static uint64_t width_of(const struct track *track)
{
    uint64_t width = 1;
    const uint64_t readings =
        track->bucket_count > 1 ? track->buckets[1].index - track->buckets[0].index : track->points;
    while (width < readings)
        width *= 2;
    return width;
}

static void buckets_append(struct state *state, const struct track *track)
{
    struct bucket more[BUCKETS_MAX];
    size_t count = track->bucket_count;
    uint64_t width = width_of(track);
    memcpy(more, track->buckets, count * sizeof(*more));
    if (state->bucket_count == 0)
        state->width = width;
    while (width < state->width || state->width < width ||
           state->bucket_count + count > state->bucket_most) {
        const uint64_t target = width == state->width  ? 2 * width
                                : width > state->width ? width
                                                       : state->width;
        if (state->width < target) {
            state->bucket_count = buckets_halve(state->buckets, state->bucket_count);
            state->width *= 2;
        }
        if (width < target) {
            count = buckets_halve(more, count);
            width *= 2;
        }
    }
    for (size_t i = 0; i < count; i++) {
        more[i].index += state->points;
        state->buckets[state->bucket_count++] = more[i];
    }
    memset(state->sum, 0, sizeof(state->sum));
    memset(state->square, 0, sizeof(state->square));
    state->sum[0] = more[count - 1].sum;
    state->square[0] = more[count - 1].square;
    state->room = 0;
}

static bool nonfinite_append(struct state *state, const struct nonfinite *more)
{
    if (more->nan + more->inf == 0) {
        if (state->odd)
            state->odd->nonfinite.last_run = 0;
        return true;
    }
    if (!state_odd(state))
        return false;
    struct nonfinite *all = &state->odd->nonfinite;
    const uint64_t longest = all->longest_run;
    const struct nonfinite before = *all;
    *all = *more;
    all->nan += before.nan;
    all->inf += before.inf;
    if (before.nan + before.inf > 0)
        all->first = before.first;
    if (before.nan > 0)
        all->first_nan = before.first_nan;
    if (before.inf > 0)
        all->first_inf = before.first_inf;
    if (longest > all->longest_run)
        all->longest_run = longest;
    return true;
}

static bool signs_append(struct state *state, const struct track *track)
{
    if (!track->signs)
        return true;
    if (!state->signs)
        state->signs = arena_take(state->arena, 1, sizeof(*state->signs));
    if (!state->signs)
        return false;
    struct signs *all = state->signs;
    if (all->zeros == 0)
        all->first_zero = track->signs->first_zero;
    if (all->negatives == 0)
        all->first_negative = track->signs->first_negative;
    all->zeros += track->signs->zeros;
    all->negatives += track->signs->negatives;
    return true;
}

static bool windows_append(struct state *state, const struct track *track)
{
    if (track->frozen_count + track->episode_count > 0 && !state_odd(state))
        return false;
    struct odd *odd = state->odd;
    if (!odd)
        return true;
    for (size_t i = 0; i < track->frozen_count && odd->frozen_count < FROZEN_MAX; i++) {
        struct frozen *window = arena_take(state->arena, 1, sizeof(*window));
        if (!window)
            return false;
        *window = *track->frozen[i];
        window->line = arena_text(state->arena, window->line);
        if (!window->line.data)
            return false;
        odd->frozen[odd->frozen_count++] = window;
    }
    for (size_t i = 0; i < odd->episode_count; i++)
        odd->episodes[i].open = false; /* it ended with its segment */
    for (size_t i = 0; i < track->episode_count && odd->episode_count < EPISODES_MAX; i++) {
        if (odd->episode_count == odd->episode_capacity &&
            !room_make(state->arena, (void **)&odd->episodes, odd->episode_count,
                       &odd->episode_capacity, odd->episode_count + track->episode_count - i,
                       sizeof(*odd->episodes)))
            return false;
        odd->episodes[odd->episode_count++] = track->episodes[i];
    }
    return true;
}

static void points_append(struct state *state, const struct track *track)
{
    if (state->points == 0)
        state->first = track->first;
    if (state->points == state->head_count)
        for (size_t i = 0; i < track->head_count && state->head_count < HEAD_MAX; i++)
            state->head[state->head_count++] = track->head[i];
    for (size_t i = 0; i < track->tail_count; i++)
        ring_put(state, &track->tail[i]);
    state->last = track->last;
    if (track_bad(track) < track->points)
        state->last_finite = track->last_finite;
    if (track->longest.count > state->longest.count)
        state->longest = track->longest;
    state->current = track->current;
}

static bool track_append(struct state *state, const struct track *track)
{
    if (track->points == 0)
        return true;
    buckets_append(state, track);
    points_append(state, track);
    if (!signs_append(state, track) || !nonfinite_append(state, track_nonfinite(track)))
        return false;
    state->points += track->points;
    return windows_append(state, track);
}

static bool joined_init(struct state *state, struct arena *arena, enum kind kind,
                        const struct join_part *parts, size_t count)
{
    size_t buckets = 0, tail = 0;
    for (size_t i = 0; i < count; i++) {
        buckets += parts[i].track->bucket_count;
        tail += parts[i].track->tail_count;
    }
    *state = (struct state){.arena = arena, .kind = kind, .full = true, .width = 1};
    state->bucket_most = BUCKETS_MAX;
    state->bucket_capacity = buckets > BUCKETS_MAX ? BUCKETS_MAX : buckets;
    state->tail_capacity = tail > TAIL_MAX ? TAIL_MAX : tail > 0 ? tail : 1;
    state->buckets = arena_take(arena, state->bucket_capacity, sizeof(*state->buckets));
    state->tail = arena_take(arena, state->tail_capacity, sizeof(*state->tail));
    state->head = arena_take(arena, tail < HEAD_MAX ? tail : HEAD_MAX, sizeof(*state->head));
    baseline_restart(&state->baseline);
    return state->buckets && state->tail && state->head;
}

bool track_join(struct arena *arena, enum kind kind, const struct join_part *parts, size_t count,
                struct track *track)
{
    const struct point none = {.step = STEP_NONE, .value = (double)NAN};
    struct track joined = {.first = none,
                           .last = none,
                           .low = none,
                           .high = none,
                           .last_finite = none,
                           .places = INT16_MIN,
                           .first_time = (double)NAN,
                           .last_time = (double)NAN};
    struct state state;
    if (!joined_init(&state, arena, kind, parts, count))
        return false;
    state.first = state.last = state.last_finite = none;
    for (size_t i = 0; i < count; i++) {
        const struct track *part = parts[i].track;
        if (parts[i].drop != STEP_NONE)
            state_drop(&state, parts[i].drop);
        if (part->points == 0)
            continue;
        if (!track_append(&state, part))
            return false;
        if (part->places > joined.places)
            joined.places = part->places;
        if (isnan(joined.first_time))
            joined.first_time = part->first_time;
        if (!isnan(part->last_time))
            joined.last_time = part->last_time;
    }
    if (joined.places == INT16_MIN)
        joined.places = 0;
    *track = joined;
    return state.points == 0 || state_view(&state, track);
}
