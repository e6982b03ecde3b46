/* Tracks: born as a few raw points, grown to bounded state with their points. */
/* SPDX-License-Identifier: MIT */
#include "track_state.h"

enum { POINTS_LEAST = 4 };

/* Points that are kept raw before they become a state. The first half of them is the head of a
   brief track then, the other half its ring. */
static size_t raw_most(const struct track_builder *builder)
{
    const bool least = builder->capacity <= HEAD_MAX && builder->arena->used > TRACKS_MEMORY;
    return builder->full || least ? HEAD_MAX : HEAD_MAX + TAIL_BRIEF;
}
_Static_assert(HEAD_MAX + TAIL_BRIEF == BUCKETS_BRIEF, "each raw point has a bucket of its own");

struct track_builder *track_open(struct arena *arena, enum kind kind, bool full)
{
    struct track_builder *builder = arena_take(arena, 1, sizeof(*builder));
    if (builder)
        *builder = (struct track_builder){.arena = arena,
                                          .kind = kind,
                                          .full = full,
                                          .places = INT16_MIN,
                                          .first_time = (double)NAN,
                                          .last_time = (double)NAN};
    return builder;
}

/* The line of a point that a window may be frozen at, as long as the point is kept here. */
static bool text_keep(struct track_builder *builder, const struct text *texts, size_t i)
{
    builder->text_size = 0;
    if (!texts || !builder->full)
        return true;
    if (!builder->text)
        builder->text = arena_take(builder->arena, LINE_KEPT, 1);
    if (!builder->text)
        return false;
    const struct text text = text_cut(texts[i], 0, LINE_KEPT);
    memcpy(builder->text, text.data, text.size);
    builder->text_size = text.size;
    return true;
}

/* Adds raw points to a state. */
static bool state_put(struct state *state, const struct track_builder *builder,
                      const struct point *points, size_t count, size_t text_at)
{
    for (size_t i = 0; i < count; i++) {
        const struct text text = {builder->text, builder->text_size};
        const uint64_t line = points[i].line;
        const struct track_rows rows = {.count = 1,
                                        .values = &points[i].value,
                                        .steps = &points[i].step,
                                        .lines = &line,
                                        .offsets = &points[i].offset,
                                        .texts = i == text_at && text.size ? &text : NULL,
                                        .input = points[i].input,
                                        .places = (int16_t)builder->places};
        if (!state_add(state, &rows))
            return false;
    }
    return true;
}

/* A state of the raw points, `ring` its scratch, which they fill: their last ones stand for it. */
static bool state_raw(struct state *state, const struct track_builder *builder, size_t buckets,
                      const struct lent *lent, struct point *ring)
{
    if (!state_init(state, builder->arena, builder->kind, builder->full, buckets, lent))
        return false;
    state->places = builder->places;
    state->head = builder->points;
    state->head_count = builder->count < HEAD_MAX ? builder->count : HEAD_MAX;
    state->tail = ring;
    state->tail_capacity =
        builder->full || builder->count < TAIL_BRIEF ? builder->count : TAIL_BRIEF;
    if (!state_put(state, builder, builder->points, builder->count, builder->text_at))
        return false;
    state->tail = builder->points + (builder->count - state->tail_count);
    state->tail_next = 0;
    return true;
}

static bool ring_widen(struct state *state)
{
    struct point *tail = arena_take(state->arena, TAIL_MAX, sizeof(*tail));
    if (!tail)
        return false;
    memcpy(tail, state->tail, state->tail_count * sizeof(*tail));
    state->tail = tail;
    state->tail_next = state->tail_count;
    state->tail_capacity = TAIL_MAX;
    return true;
}

/* Beyond raw_most points: they become a state, the last of them stays pending. */
static bool grow(struct track_builder *builder)
{
    struct point ring[TAIL_MAX];
    struct state *state = arena_take(builder->arena, 1, sizeof(*state));
    if (!state || !state_raw(state, builder, 0, &builder->lent, ring))
        return false;
    if (builder->full && !ring_widen(state))
        return false;
    if (!builder->full) {
        state->head_count = state->tail_count = state->tail_capacity = builder->count / 2;
        state->tail = builder->points + state->head_count;
    }
    builder->state = state;
    builder->text_size = 0;
    builder->lent = (struct lent){0};
    return true;
}

static bool pending_settle(struct track_builder *builder)
{
    if (!builder->pending)
        return true;
    builder->pending = false;
    return state_put(builder->state, builder, &builder->last, 1, 0);
}

static bool point_keep(struct track_builder *builder, const struct track_rows *rows, size_t i)
{
    if (builder->count == builder->capacity) {
        const size_t wanted = builder->capacity == 0         ? POINTS_LEAST
                              : builder->capacity < HEAD_MAX ? HEAD_MAX
                                                             : HEAD_MAX + TAIL_BRIEF;
        struct point *points = arena_take(builder->arena, wanted, sizeof(*points));
        if (!points)
            return false;
        if (builder->count > 0)
            memcpy(points, builder->points, builder->count * sizeof(*points));
        builder->points = points;
        builder->capacity = wanted;
    }
    if (!isfinite(rows->values[i]) &&
        (builder->text_size == 0 || builder->text_at >= builder->count)) {
        builder->text_at = builder->count;
        if (!text_keep(builder, rows->texts, i))
            return false;
    }
    builder->points[builder->count++] = point_at(rows, i);
    return true;
}

/* All but the last of the rows from `from` on go to the state; the last is pending. */
static bool rows_keep(struct track_builder *builder, const struct track_rows *rows, size_t from)
{
    size_t end = rows->count;
    while (end > from && value_missing(rows->values[end - 1]))
        end--;
    if (end == from)
        return true;
    if (!pending_settle(builder))
        return false;
    end--;
    if (end > from) {
        struct track_rows part = *rows;
        part.count = end - from;
        part.values += from;
        part.steps = rows->steps ? rows->steps + from : NULL;
        part.lines = rows->lines ? rows->lines + from : NULL;
        part.offsets = rows->offsets ? rows->offsets + from : NULL;
        part.texts = rows->texts ? rows->texts + from : NULL;
        if (!state_add(builder->state, &part))
            return false;
    }
    builder->last = point_at(rows, end);
    builder->pending = true;
    builder->text_size = 0;
    const bool odd = !(builder->last.value <= builder->state->baseline.bound);
    return !odd || text_keep(builder, rows->texts, end);
}

static void times_follow(struct track_builder *builder, const struct track_rows *rows)
{
    if (!rows->times)
        return;
    for (size_t i = 0; isnan(builder->first_time) && i < rows->count; i++)
        if (!value_missing(rows->values[i]))
            builder->first_time = rows->times[i];
    for (size_t i = rows->count; i > 0; i--)
        if (!value_missing(rows->values[i - 1]) && !isnan(rows->times[i - 1])) {
            builder->last_time = rows->times[i - 1];
            break;
        }
}

static bool memory_ended(struct error *error)
{
    return error_set(error, ERROR_MEMORY, (struct place){0},
                     "no memory for the points of a series");
}

bool track_add(struct track_builder *builder, const struct track_rows *rows, struct error *error)
{
    if (rows->count > 0 && rows->places > builder->places)
        builder->places = rows->places;
    times_follow(builder, rows);
    size_t i = 0;
    if (!builder->state) {
        const size_t most = raw_most(builder);
        for (; i < rows->count && builder->count < most; i++)
            if (!value_missing(rows->values[i]) && !point_keep(builder, rows, i))
                return memory_ended(error);
        while (i < rows->count && value_missing(rows->values[i]))
            i++;
        if (i == rows->count)
            return true;
        if (!grow(builder))
            return memory_ended(error);
    }
    if (!rows_keep(builder, rows, i))
        return memory_ended(error);
    return true;
}

/* Within what the coarser of two prints leaves out. */
#define PRINT_LOSS 1e-3

bool track_agrees(const struct track_builder *builder, double value, int places)
{
    if (builder->state ? !builder->pending : builder->count == 0)
        return false;
    const double last =
        builder->state ? builder->last.value : builder->points[builder->count - 1].value;
    if (value == last || (isnan(value) && isnan(last)))
        return true;
    return places > builder->places && fabs(value - last) <= PRINT_LOSS * fabs(value);
}

bool track_replace(struct track_builder *builder, const struct point *point, double time)
{
    if (!builder->state && builder->count == 0)
        return false;
    if (builder->state && !builder->pending)
        return false;
    if (!isnan(time))
        builder->last_time = time;
    if (builder->state)
        builder->last = *point;
    else
        builder->points[builder->count - 1] = *point;
    return true;
}

bool track_close(struct track_builder *builder, struct track_builder *heir)
{
    const size_t used = builder->arena->used;
    struct state *state = builder->state;
    if (!state) {
        heir->lent = builder->lent;
        builder->lent = (struct lent){0};
        return true;
    }
    const size_t most = builder->kind > KIND_GRAD_NORM ? BUCKETS_CLOSED_LEAN
                        : used > 3 * CLOSED_MEMORY     ? BUCKETS_CLOSED / 2
                                                       : BUCKETS_CLOSED;
    if (used <= CLOSED_MEMORY || state->bucket_capacity <= most)
        return true;
    if (!pending_settle(builder))
        return false;
    size_t room = 0;
    struct bucket *free = state_squeeze(state, most, &room);
    if (heir->full && free)
        heir->lent = (struct lent){.buckets = free, .bucket_count = room};
    return true;
}

void track_drop(struct track_builder *builder, int64_t step)
{
    if (!builder->state) {
        while (builder->count > 0 && builder->points[builder->count - 1].step != STEP_NONE &&
               builder->points[builder->count - 1].step >= step)
            builder->count--;
        return;
    }
    if (builder->pending) {
        if (builder->last.step == STEP_NONE || builder->last.step < step)
            return;
        builder->pending = false;
    }
    state_drop(builder->state, step);
}

uint64_t track_readings_of(const struct track_builder *builder)
{
    return builder->state ? builder->state->points + builder->pending : builder->count;
}

static int digits_of(double value, int places)
{
    if (value == 0)
        return 1;
    const int digits = (int)floor(log10(fabs(value)) + 1e-12) + 1 + places;
    return digits < 1 ? 1 : digits;
}

static void extremes_of(struct track *track)
{
    const struct point none = {.step = STEP_NONE, .value = (double)NAN};
    track->low = track->high = none;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count == 0)
            continue;
        if (!(bucket->low.value >= track->low.value))
            track->low = bucket->low;
        if (!(bucket->high.value <= track->high.value))
            track->high = bucket->high;
    }
}

static bool odd_view(struct arena *arena, const struct odd *odd, struct track *track)
{
    track->nonfinite = &odd->nonfinite;
    track->frozen = (const struct frozen *const *)odd->frozen;
    track->frozen_count = odd->frozen_count;
    track->episodes = odd->episodes;
    track->episode_count = odd->episode_count;
    if (!odd->open.open || odd->episode_count >= EPISODES_MAX)
        return true;
    struct episode *all = arena_take(arena, odd->episode_count + 1, sizeof(*all));
    if (!all)
        return false;
    if (odd->episode_count > 0)
        memcpy(all, odd->episodes, odd->episode_count * sizeof(*all));
    all[track->episode_count++] = odd->open;
    track->episodes = all;
    return true;
}

bool state_view(struct state *state, struct track *track)
{
    state_settle(state);
    track->buckets = state->buckets;
    track->bucket_count = state->bucket_count;
    track->head = state->head;
    track->head_count = state->head_count;
    track->tail = state->tail;
    track->tail_count = state->tail_count;
    track->points = state->points;
    track->first = state->first;
    track->last = state->last;
    track->last_finite = state->last_finite;
    track->signs = state->signs;
    track->longest = state->longest;
    track->current = state->current;
    track->longest.digits = digits_of(track->longest.value, track->places);
    track->current.digits = digits_of(track->current.value, track->places);
    extremes_of(track);
    return !state->odd || odd_view(state->arena, state->odd, track);
}

/* Mostly a bucket for each raw point. */
static size_t raw_buckets(const struct track_builder *builder)
{
    const size_t used = builder->arena->used;
    const size_t most = used <= TRACKS_MEMORY                       ? SIZE_MAX
                        : used <= TRACKS_MEMORY + TRACKS_MEMORY / 2 ? BUCKETS_RAW
                                                                    : BUCKETS_LEAN;
    return builder->count < most ? builder->count : most;
}

bool track_view(struct track_builder *builder, struct track *track)
{
    const struct point none = {.step = STEP_NONE, .value = (double)NAN};
    *track = (struct track){.first = none,
                            .last = none,
                            .low = none,
                            .high = none,
                            .last_finite = none,
                            .places = builder->places == INT16_MIN ? 0 : builder->places,
                            .first_time = builder->first_time,
                            .last_time = builder->last_time};
    const struct track empty = *track;
    if (builder->state)
        return pending_settle(builder) && state_view(builder->state, track);
    if (builder->count == 0)
        return true;
    struct state state;
    struct point ring[TAIL_MAX];
    double values[BASELINE_VALUES];
    const struct lent lent = {.ring = values};
    if (state_raw(&state, builder, raw_buckets(builder), &lent, ring) && state_view(&state, track))
        return true;
    *track = empty;
    return false;
}
