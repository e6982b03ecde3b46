/* A track cut at a step, because a resumed run prints the steps from there on again. */
/* SPDX-License-Identifier: MIT */
#include "track_state.h"

static bool dropped(const struct point *point, int64_t step)
{
    return point->step != STEP_NONE && point->step >= step;
}

/* Readings of the bucket before `step`, if they stand at even distances. */
static uint64_t readings_before(const struct bucket *bucket, uint64_t readings, int64_t step)
{
    if (readings < 2 || bucket->last_step <= bucket->first_step)
        return 1;
    const double span = (double)bucket->last_step - (double)bucket->first_step;
    const double share = ((double)step - (double)bucket->first_step) / span;
    const double kept = ceil(share * (double)(readings - 1) - 1e-9);
    return kept < 1 ? 1 : kept > (double)readings ? readings : (uint64_t)kept;
}

static void bucket_cut(struct state *state, struct bucket *bucket, int64_t step)
{
    const uint64_t readings = state->points - bucket->index;
    const uint64_t kept = readings_before(bucket, readings, step);
    const double share = (double)kept / (double)readings;
    const uint64_t odd = readings - bucket->count;
    uint64_t odd_kept = (uint64_t)((double)odd * share);
    if (odd > 0 && state->odd && dropped(&state->odd->nonfinite.first, step))
        odd_kept = kept > bucket->count ? kept - bucket->count : 0;
    const double finite = bucket->count ? (double)(kept - odd_kept) / (double)bucket->count : 0;
    bucket->count = kept - odd_kept;
    bucket->sum *= finite;
    bucket->square *= finite;
    bucket->last_step = step - 1 < bucket->last_step ? step - 1 : bucket->last_step;
    state->points = bucket->index + kept;
    state->room = state->width - kept;
}

static void buckets_cut(struct state *state, int64_t step)
{
    state->room = 0;
    while (state->bucket_count > 0) {
        struct bucket *bucket = &state->buckets[state->bucket_count - 1];
        if (bucket->last_step == STEP_NONE || bucket->last_step < step) {
            const uint64_t readings = state->points - bucket->index;
            state->room = state->width > readings ? state->width - readings : 0;
            break;
        }
        if (bucket->first_step < step) {
            bucket_cut(state, bucket, step);
            break;
        }
        state->points = bucket->index;
        state->bucket_count--;
    }
    memset(state->sum, 0, sizeof(state->sum));
    memset(state->square, 0, sizeof(state->square));
    if (state->bucket_count > 0) {
        state->sum[0] = state->buckets[state->bucket_count - 1].sum;
        state->square[0] = state->buckets[state->bucket_count - 1].square;
    }
}

/* Points before `step`, exactly, where the ring reaches back so far; else as many as there are. */
static uint64_t points_before(const struct state *state, int64_t step)
{
    uint64_t left = state->points;
    if (state->tail_count == 0 || dropped(&state->tail[0], step))
        return left;
    for (size_t i = 0; i < state->tail_count; i++)
        left -= dropped(&state->tail[i], step);
    return left;
}

/* The last bucket was cut by the distance of its steps: its count is set right. */
static void count_mend(struct state *state, uint64_t points)
{
    if (state->bucket_count == 0 || points == state->points)
        return;
    struct bucket *bucket = &state->buckets[state->bucket_count - 1];
    const uint64_t kept = points - bucket->index, was = state->points - bucket->index;
    if (points <= bucket->index || kept > state->width || bucket->count != was)
        return;
    bucket->sum *= (double)kept / (double)was;
    bucket->square *= (double)kept / (double)was;
    bucket->count = kept;
    state->points = points;
    state->room = state->width - kept;
    state->sum[0] = bucket->sum;
    state->square[0] = bucket->square;
}

/* The ring without the dropped points; where nothing is left, what the buckets still know. */
static void ring_cut(struct state *state, int64_t step)
{
    size_t kept = 0;
    for (; kept < state->tail_count && !dropped(&state->tail[kept], step);)
        kept++;
    if (kept == 0) {
        size_t first = state->bucket_count > state->tail_capacity
                           ? state->bucket_count - state->tail_capacity
                           : 0;
        for (; first < state->bucket_count; first++) {
            const struct bucket *bucket = &state->buckets[first];
            struct point point = bucket->high.step > bucket->low.step ? bucket->high : bucket->low;
            if (bucket->count > 0 && !dropped(&point, step))
                state->tail[kept++] = point;
        }
    }
    state->tail_count = kept;
    state->tail_next = kept % state->tail_capacity;
}

static void nonfinite_cut(struct state *state, int64_t step)
{
    if (state_bad(state) == 0)
        return;
    struct nonfinite *odd = &state->odd->nonfinite;
    uint64_t left = 0;
    for (size_t i = 0; i < state->bucket_count; i++) {
        const uint64_t end =
            i + 1 < state->bucket_count ? state->buckets[i + 1].index : state->points;
        left += end - state->buckets[i].index - state->buckets[i].count;
    }
    if (left == odd->nan + odd->inf)
        return;
    if (left == 0 || dropped(&odd->first, step)) {
        *odd = (struct nonfinite){0};
        return;
    }
    const uint64_t all = odd->nan + odd->inf;
    odd->inf = odd->nan == 0 ? left : odd->inf * left / all;
    odd->nan = left - odd->inf;
    if (dropped(&odd->last, step))
        odd->last = odd->first;
    if (odd->longest_run > left)
        odd->longest_run = left;
    odd->last_run = 0;
}

static void episodes_cut(struct odd *odd, int64_t step)
{
    size_t kept = 0;
    for (size_t i = 0; i < odd->episode_count; i++)
        if (!dropped(&odd->episodes[i].start, step))
            odd->episodes[kept++] = odd->episodes[i];
    odd->episode_count = kept;
    odd->open.open = false;
    kept = 0;
    for (size_t i = 0; i < odd->frozen_count; i++)
        if (!dropped(&odd->frozen[i]->points[odd->frozen[i]->at], step) ||
            odd->frozen[i]->count <= odd->frozen[i]->at)
            odd->frozen[kept++] = odd->frozen[i];
    odd->frozen_count = kept;
    odd->filling = 0;
}

static void signs_cut(struct signs *signs, int64_t step)
{
    if (signs->zeros > 0 && dropped(&signs->first_zero, step))
        signs->zeros = 0;
    if (signs->negatives > 0 && dropped(&signs->first_negative, step))
        signs->negatives = 0;
}

void state_drop(struct state *state, int64_t step)
{
    if (state->points == 0 || !dropped(&state->last, step))
        return;
    state_settle(state);
    const uint64_t before = state->points, points = points_before(state, step);
    buckets_cut(state, step);
    if (points < before)
        count_mend(state, points);
    ring_cut(state, step);
    nonfinite_cut(state, step);
    if (state->odd)
        episodes_cut(state->odd, step);
    if (state->signs)
        signs_cut(state->signs, step);
    baseline_restart(&state->baseline);
    while (state->head_count > 0 && dropped(&state->head[state->head_count - 1], step))
        state->head_count--;
    state->current.count = 0;
    const struct point none = {.step = STEP_NONE, .value = (double)NAN};
    state->last = state->last_finite = none;
    for (size_t i = 0; i < state->tail_count; i++) {
        state->last = state->tail[i];
        if (isfinite(state->last.value))
            state->last_finite = state->last;
    }
}
