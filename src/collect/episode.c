/* Excursions of a track over its baseline, and the raw windows kept around them. */
/* SPDX-License-Identifier: MIT */
#include "track_state.h"

enum { LEVEL_POINTS = 32 }; /* open for longer, and for longer than a tenth: a level, no spike */
#define WINDOWS_MEMORY ((size_t)32 << 20) /* an arena over it takes no more windows */

/* A point enters the windows that still take points. */
static void windows_feed(struct odd *odd, const struct point *point)
{
    for (size_t i = odd->frozen_count - odd->filling; i < odd->frozen_count; i++) {
        struct frozen *window = odd->frozen[i];
        window->points[window->count++] = *point;
    }
    while (odd->filling > 0) {
        const struct frozen *oldest = odd->frozen[odd->frozen_count - odd->filling];
        if (oldest->count < FROZEN_POINTS && oldest->count - oldest->at <= TAIL_MAX)
            break;
        odd->filling--;
    }
}

/* The place of the next point. */
static inline struct point *ring_next(struct state *state)
{
    struct point *place = &state->tail[state->tail_next];
    if (++state->tail_next == state->tail_capacity)
        state->tail_next = 0;
    if (state->tail_count < state->tail_capacity)
        state->tail_count++;
    return place;
}

void ring_put(struct state *state, const struct point *point)
{
    *ring_next(state) = *point;
}

void ring_follow(struct state *state, struct scene *scene)
{
    const double *values = scene->rows->values;
    const bool filling = state->odd && state->odd->filling > 0;
    size_t from = scene->synced;
    if (!filling) { /* only the last of them stay in the ring */
        size_t wanted = state->tail_capacity;
        for (from = scene->at; from > scene->synced && wanted > 0; from--)
            wanted -= !value_missing(values[from - 1]);
    }
    for (size_t i = from; i < scene->at; i++) {
        if (value_missing(values[i]))
            continue;
        if (filling) {
            const struct point point = point_at(scene->rows, i);
            windows_feed(state->odd, &point);
        }
        *ring_next(state) = point_at(scene->rows, i); /* made in its place: no copy waits for it */
    }
    scene->synced = scene->at;
}

/* The nth point back in the ring, 0 the newest. */
static const struct point *ring_back(const struct state *state, size_t n)
{
    const size_t at = state->tail_next + 2 * state->tail_capacity - 1 - n;
    return &state->tail[at % state->tail_capacity];
}

static struct text line_of(struct state *state, const struct scene *scene)
{
    if (!scene->rows->texts)
        return (struct text){"", 0};
    struct text text = text_cut(scene->rows->texts[scene->at], 0, LINE_KEPT);
    text = arena_text(state->arena, text);
    return text.data ? text : (struct text){"", 0};
}

void window_freeze(struct state *state, struct scene *scene)
{
    struct odd *odd = state->odd;
    const bool bad = state_bad(state) > 0 || !isfinite(scene->rows->values[scene->at]);
    const size_t most = bad ? FROZEN_MAX : FROZEN_MAX - 1; /* one is kept for the first NaN */
    if (!state->full || odd->frozen_count >= most || state->arena->used > WINDOWS_MEMORY)
        return;
    struct frozen *window = arena_take(state->arena, 1, sizeof(*window));
    if (!window)
        return;
    ring_follow(state, scene);
    size_t before = state->tail_count < TAIL_MAX - 1 ? state->tail_count : TAIL_MAX - 1;
    window->at = before;
    while (before > 0)
        window->points[window->count++] = *ring_back(state, --before);
    window->line = line_of(state, scene);
    odd->frozen[odd->frozen_count++] = window;
    odd->filling++;
}

/* Full: the one with the least score makes room, or the new one is let go. */
static void episode_store(struct arena *arena, struct odd *odd, const struct episode *episode)
{
    if (odd->episode_count == odd->episode_capacity && odd->episode_capacity < EPISODES_MAX) {
        struct episode *grown =
            arena_grow(arena, odd->episodes, odd->episode_count, &odd->episode_capacity,
                       odd->episode_count + 1, sizeof(*grown));
        if (!grown)
            return;
        odd->episodes = grown;
    }
    if (odd->episode_count >= EPISODES_MAX || odd->episode_count == odd->episode_capacity) {
        size_t least = 0;
        for (size_t i = 1; i < odd->episode_count; i++)
            if (odd->episodes[i].score < odd->episodes[least].score)
                least = i;
        if (odd->episodes[least].score >= episode->score)
            return;
        memmove(&odd->episodes[least], &odd->episodes[least + 1],
                (odd->episode_count - least - 1) * sizeof(*episode));
        odd->episode_count--;
    }
    odd->episodes[odd->episode_count++] = *episode;
}

static void episode_count(struct state *state, const struct point *point, double height)
{
    struct episode *open = &state->odd->open;
    const double z = height / state->baseline.deviation - 3;
    open->score += z > 0 ? z : 0;
    open->readings++;
    if (open->readings == 1 || height > open->height) {
        open->height = height;
        open->peak = *point;
    }
}

static void episode_open(struct state *state, struct scene *scene, double height)
{
    const struct point none = {.step = STEP_NONE, .value = (double)NAN};
    window_freeze(state, scene);
    ring_follow(state, scene);
    const struct point point = point_at(scene->rows, scene->at);
    struct episode *open = &state->odd->open;
    *open = (struct episode){.start = point,
                             .end = none,
                             .median = state->baseline.median,
                             .deviation = state->baseline.deviation,
                             .open = true};
    size_t back = 0;
    for (; back < state->tail_count; back++) {
        const struct point *before = ring_back(state, back);
        if (!isfinite(before->value) ||
            !(baseline_height(state, before->value) > 6 * state->baseline.deviation))
            break;
        open->start = *before;
    }
    while (back > 0) {
        const struct point *before = ring_back(state, --back);
        episode_count(state, before, baseline_height(state, before->value));
    }
    episode_count(state, &point, height);
}

bool episode_take(struct state *state, struct scene *scene, double value)
{
    if (!episode_runs(state)) {
        if (state->baseline.accepted < BASELINE_LEAST)
            return false;
        baseline_refresh(state);
        const double height = baseline_height(state, value);
        if (!(height > baseline_opens(state)) || !state_odd(state))
            return false;
        episode_open(state, scene, height);
        return true;
    }
    struct episode *open = &state->odd->open;
    const double height = baseline_height(state, value);
    const struct point point = point_at(scene->rows, scene->at);
    const uint64_t tenth = state->points / 10;
    open->level = open->readings >= (tenth > LEVEL_POINTS ? tenth : LEVEL_POINTS);
    if (height > baseline_closes(state) && !open->level) {
        episode_count(state, &point, height);
        return true;
    }
    open->open = false;
    open->end = point;
    episode_store(state->arena, state->odd, open);
    if (open->level)
        baseline_restart(&state->baseline);
    return false;
}

void episode_break(struct state *state, const struct point *point)
{
    if (!episode_runs(state))
        return;
    struct episode *open = &state->odd->open;
    open->open = false;
    open->cut = true;
    open->end = *point;
    episode_store(state->arena, state->odd, open);
}
