/* The accounting of a track: buckets, runs of equal values, what is not finite. */
/* SPDX-License-Identifier: MIT */
#include "track_state.h"
#include "pair.h"

enum { REACH_LEAST = 8, REACH_MOST = 256 }; /* values looked over at once */

struct glance { /* what a look over some values shows */
    double sum[LANES], square[LANES], low, high;
    bool repeats, plain; /* plain: all finite, and their squares */
};

/* Episodes are asked of what has a kind; of the many names without one they are dropped first. */
static bool wants_ring(const struct state *state)
{
    return state->full || (state->kind != KIND_OTHER && state->kind != KIND_COUNTER) ||
           state->arena->used <= TRACKS_MEMORY / 2;
}

bool state_init(struct state *state, struct arena *arena, enum kind kind, bool full, size_t room,
                const struct lent *lent)
{
    *state = (struct state){.arena = arena, .kind = kind, .full = full, .width = 1};
    state->positive = kind == KIND_LOSS || kind == KIND_VAL_LOSS || kind == KIND_GRAD_NORM ||
                      kind == KIND_STEP_TIME || kind == KIND_DATA_TIME || kind == KIND_THROUGHPUT ||
                      kind == KIND_MEMORY;
    const size_t brief = arena->used > TRACKS_MEMORY ? BUCKETS_LEAN : BUCKETS_BRIEF;
    state->bucket_most = room ? room : full ? BUCKETS_MAX : brief;
    state->bucket_capacity = room ? room : full ? BUCKETS_LEAST : brief;
    if (lent && lent->buckets && full) {
        state->buckets = lent->buckets;
        state->bucket_capacity = lent->bucket_count;
    } else {
        state->buckets = arena_take(arena, state->bucket_capacity, sizeof(*state->buckets));
    }
    const bool ring = wants_ring(state);
    if (ring)
        state->baseline.ring =
            lent && lent->ring ? lent->ring : arena_take(arena, BASELINE_VALUES, sizeof(double));
    baseline_restart(&state->baseline);
    return state->buckets && (!ring || state->baseline.ring);
}

struct odd *state_odd(struct state *state)
{
    if (!state->odd)
        state->odd = arena_take(state->arena, 1, sizeof(*state->odd));
    return state->odd;
}

/* Room for what a value of `low` is counted in. */
static bool signs_ready(struct state *state, double low)
{
    if (low <= 0 && !state->signs)
        state->signs = arena_take(state->arena, 1, sizeof(*state->signs));
    return low > 0 || state->signs;
}

static void bucket_fold(struct state *state)
{
    if (state->bucket_count == 0)
        return;
    struct bucket *bucket = &state->buckets[state->bucket_count - 1];
    bucket->sum = (state->sum[0] + state->sum[1]) + (state->sum[2] + state->sum[3]);
    bucket->square = (state->square[0] + state->square[1]) + (state->square[2] + state->square[3]);
}

void bucket_join(struct bucket *a, const struct bucket *b)
{
    if (a->count == 0 || (b->count > 0 && b->low.value < a->low.value))
        a->low = b->low;
    if (a->count == 0 || (b->count > 0 && b->high.value > a->high.value))
        a->high = b->high;
    a->count += b->count;
    a->sum += b->sum;
    a->square += b->square;
    a->last_step = b->last_step;
}

size_t buckets_halve(struct bucket *buckets, size_t count)
{
    const size_t half = (count + 1) / 2;
    for (size_t i = 0; i < half; i++) {
        if (2 * i + 1 < count)
            bucket_join(&buckets[2 * i], &buckets[2 * i + 1]);
        buckets[i] = buckets[2 * i];
    }
    return half;
}

struct bucket *state_squeeze(struct state *state, size_t most, size_t *room)
{
    bucket_fold(state);
    state->room = 0;
    while (state->bucket_count > most) {
        state->bucket_count = buckets_halve(state->buckets, state->bucket_count);
        state->width *= 2;
    }
    memset(state->sum, 0, sizeof(state->sum));
    memset(state->square, 0, sizeof(state->square));
    if (state->bucket_count == 0)
        return NULL;
    state->sum[0] = state->buckets[state->bucket_count - 1].sum;
    state->square[0] = state->buckets[state->bucket_count - 1].square;
    struct bucket *own = arena_take(state->arena, state->bucket_count, sizeof(*own));
    if (!own)
        return NULL;
    struct bucket *free = state->buckets;
    memcpy(own, free, state->bucket_count * sizeof(*own));
    *room = state->bucket_capacity;
    state->buckets = own;
    state->bucket_capacity = state->bucket_most = state->bucket_count;
    return free;
}

static void buckets_merge(struct state *state)
{
    struct bucket *all = state->buckets;
    const size_t half = state->bucket_count / 2;
    for (size_t i = 0; i < half; i++) {
        bucket_join(&all[2 * i], &all[2 * i + 1]);
        all[i] = all[2 * i];
    }
    state->bucket_count = half;
    state->width *= 2;
}

/* The bucket that takes the reading `i`; readings that it takes stand in state->room. */
static struct bucket *bucket_open(struct state *state, const struct track_rows *rows, size_t i)
{
    if (state->room > 0)
        return &state->buckets[state->bucket_count - 1];
    bucket_fold(state);
    if (state->bucket_count == state->bucket_capacity && state->arena->used > TRACKS_MEMORY)
        state->bucket_most = state->bucket_capacity;
    if (state->bucket_count == state->bucket_most)
        buckets_merge(state);
    if (state->bucket_count == state->bucket_capacity) {
        const size_t wanted = state->bucket_count * 4;
        struct bucket *grown =
            arena_grow(state->arena, state->buckets, state->bucket_count, &state->bucket_capacity,
                       wanted < state->bucket_most ? wanted : state->bucket_most, sizeof(*grown));
        if (!grown)
            return NULL;
        state->buckets = grown;
    }
    struct bucket *bucket = &state->buckets[state->bucket_count++];
    const struct point point = point_at(rows, i);
    *bucket = (struct bucket){.first_step = point.step,
                              .last_step = point.step,
                              .first_line = point.line,
                              .first_offset = point.offset,
                              .input = point.input,
                              .low = point,
                              .high = point,
                              .index = state->points};
    bucket->low.value = bucket->high.value = (double)NAN;
    state->room = state->width;
    memset(state->sum, 0, sizeof(state->sum));
    memset(state->square, 0, sizeof(state->square));
    return bucket;
}

static void glance_fold(struct glance *glance, const double *low, const double *high, size_t lane)
{
    const struct glance turned = *glance;
    glance->low = low[0];
    glance->high = high[0];
    glance->plain = true;
    for (size_t l = 0; l < LANES; l++) {
        glance->sum[(lane + l) % LANES] = turned.sum[l];
        glance->square[(lane + l) % LANES] = turned.square[l];
        glance->low = low[l] < glance->low ? low[l] : glance->low;
        glance->high = high[l] > glance->high ? high[l] : glance->high;
        glance->plain = glance->plain && turned.square[l] < (double)INFINITY;
    }
}

/* Looks over n values, the first of which is finite. `before` stands in front of them. */
static void glance_at(const struct state *state, size_t lane, const double *v, size_t n,
                      double before, struct glance *glance)
{
    double low[LANES], high[LANES];
    for (size_t l = 0; l < LANES; l++) {
        glance->sum[l] = state->sum[(lane + l) % LANES];
        glance->square[l] = state->square[(lane + l) % LANES];
    }
    const pair first = {v[0], v[0]};
    pair sum0 = pair_load(glance->sum), sum1 = pair_load(glance->sum + 2);
    pair square0 = pair_load(glance->square), square1 = pair_load(glance->square + 2);
    pair low0 = first, low1 = first, high0 = first, high1 = first;
    pair_mask same = {0, 0}; /* counts, as compilers take masks apart that are joined bit by bit */
    size_t i = 0;
    for (; i + LANES < n; i += LANES) { /* one behind is compared too */
        const pair x = pair_load(v + i), y = pair_load(v + i + 2);
        sum0 += x;
        sum1 += y;
        square0 += x * x;
        square1 += y * y;
        low0 = pair_lower(low0, x);
        low1 = pair_lower(low1, y);
        high0 = pair_raise(high0, x);
        high1 = pair_raise(high1, y);
        same += (pair_mask)(x == pair_load(v + i + 1)) + (pair_mask)(y == pair_load(v + i + 3));
    }
    const pair sums[2] = {sum0, sum1}, squares[2] = {square0, square1};
    const pair lows[2] = {low0, low1}, highs[2] = {high0, high1};
    memcpy(glance->sum, sums, sizeof(sums));
    memcpy(glance->square, squares, sizeof(squares));
    memcpy(low, lows, sizeof(lows));
    memcpy(high, highs, sizeof(highs));
    glance->repeats = before == v[0] || (same[0] | same[1]) != 0;
    for (size_t l = 0; i < n; i++, l++) {
        glance->sum[l] += v[i];
        glance->square[l] += v[i] * v[i];
        low[l] = v[i] < low[l] ? v[i] : low[l];
        high[l] = v[i] > high[l] ? v[i] : high[l];
        glance->repeats = glance->repeats || (i + 1 < n && v[i] == v[i + 1]);
    }
    glance_fold(glance, low, high, lane);
}

static void run_close(struct state *state)
{
    if (state->current.count > 1 && state->current.count > state->longest.count)
        state->longest = state->current;
    state->current.count = 0;
}

static struct constant run_of(const struct track_rows *rows, size_t from, size_t to)
{
    return (struct constant){.value = rows->values[from],
                             .count = to - from,
                             .first = point_at(rows, from),
                             .last = point_at(rows, to - 1)};
}

/* The values from `i` on differ from those in front of them, as far as four at once tell. */
static size_t differing_skip(const double *v, size_t i, size_t to)
{
    for (; i + 4 <= to; i += 4) {
        const pair_mask same = (pair_mask)(pair_load(v + i) == pair_load(v + i - 1)) |
                               (pair_mask)(pair_load(v + i + 2) == pair_load(v + i + 1));
        if (same[0] | same[1])
            break;
    }
    return i;
}

/* Runs of equal values over finite readings from..to, in places that follow one another. */
static void runs_follow(struct state *state, const struct track_rows *rows, size_t from, size_t to)
{
    const double *v = rows->values;
    size_t i = from;
    while (i < to && state->current.count > 0 && v[i] == state->current.value)
        i++;
    if (i > from) {
        state->current.count += i - from;
        state->current.last = point_at(rows, i - 1);
    }
    if (i == to)
        return;
    run_close(state);
    size_t start = i;
    uint64_t least = state->longest.count > 1 ? state->longest.count : 1;
    for (i++; i < to; i++) {
        if (i == start + 1) {
            i = differing_skip(v, i, to);
            start = i - 1;
        }
        if (i == to || v[i] == v[start])
            continue;
        if (i - start > least) {
            state->longest = run_of(rows, start, i);
            least = i - start;
        }
        start = i;
    }
    state->current = run_of(rows, start, to);
}

static void signs_follow(struct state *state, const struct track_rows *rows, size_t from, size_t to)
{
    struct signs *signs = state->signs;
    for (size_t i = from; i < to; i++) {
        const double v = rows->values[i];
        if (v == 0 && signs->zeros++ == 0)
            signs->first_zero = point_at(rows, i);
        if (v < 0 && signs->negatives++ == 0)
            signs->first_negative = point_at(rows, i);
    }
}

static void extremes_follow(struct bucket *bucket, const struct track_rows *rows, size_t from,
                            const struct glance *glance)
{
    size_t i;
    if (bucket->count == 0 || glance->low < bucket->low.value) {
        for (i = from; rows->values[i] != glance->low;)
            i++;
        bucket->low = point_at(rows, i);
    }
    if (bucket->count == 0 || glance->high > bucket->high.value) {
        for (i = from; rows->values[i] != glance->high;)
            i++;
        bucket->high = point_at(rows, i);
    }
}

/* Finite readings of one bucket, as seen by `glance`. */
static void bucket_take(struct state *state, const struct track_rows *rows, size_t from, size_t to,
                        const struct glance *glance)
{
    struct bucket *bucket = &state->buckets[state->bucket_count - 1];
    extremes_follow(bucket, rows, from, glance);
    memcpy(state->sum, glance->sum, sizeof(state->sum));
    memcpy(state->square, glance->square, sizeof(state->square));
    bucket->count += to - from;
    bucket->last_step = rows->steps ? rows->steps[to - 1] : STEP_NONE;
    state->room -= to - from;
    state->points += to - from;
    if (glance->low <= 0)
        signs_follow(state, rows, from, to);
    runs_follow(state, rows, glance->repeats ? from : to - 1, to);
}

static bool nonfinite_take(struct state *state, struct scene *scene)
{
    if (!state_odd(state))
        return false;
    struct nonfinite *odd = &state->odd->nonfinite;
    const struct point point = point_at(scene->rows, scene->at);
    const bool nan = isnan(point.value);
    if (odd->nan + odd->inf == 0) {
        window_freeze(state, scene);
        odd->first = point;
    }
    if (nan && odd->nan == 0)
        odd->first_nan = point;
    if (!nan && odd->inf == 0)
        odd->first_inf = point;
    odd->nan += nan;
    odd->inf += !nan;
    odd->last = point;
    odd->last_run++;
    if (odd->last_run > odd->longest_run)
        odd->longest_run = odd->last_run;
    episode_break(state, &point);
    run_close(state);
    state->buckets[state->bucket_count - 1].last_step = point.step;
    state->room--;
    state->points++;
    return true;
}

static void finite_follows(struct state *state)
{
    if (state->odd)
        state->odd->nonfinite.last_run = 0;
}

static bool reading_take(struct state *state, struct scene *scene)
{
    const struct track_rows *rows = scene->rows;
    const size_t i = scene->at;
    const double *v = &rows->values[i];
    if (value_missing(*v))
        return true;
    struct bucket *bucket = bucket_open(state, rows, i);
    if (!bucket)
        return false;
    if (!isfinite(*v))
        return nonfinite_take(state, scene);
    if (!signs_ready(state, *v))
        return false;
    finite_follows(state);
    const bool apart =
        (episode_runs(state) || *v > state->baseline.bound) && episode_take(state, scene, *v);
    struct glance glance = {.low = *v, .high = *v, .repeats = true};
    memcpy(glance.sum, state->sum, sizeof(glance.sum));
    memcpy(glance.square, state->square, sizeof(glance.square));
    glance.sum[bucket->count % LANES] += *v;
    glance.square[bucket->count % LANES] += *v * *v;
    bucket_take(state, rows, i, i + 1, &glance);
    if (!apart)
        baseline_accept(state, v, 1);
    return true;
}

/* Takes up to `most` readings at once where they are plain: how many. */
static size_t stretch_take(struct state *state, struct scene *scene, size_t most)
{
    const struct track_rows *rows = scene->rows;
    const double *v = &rows->values[scene->at];
    if (episode_runs(state) || !isfinite(*v))
        return 0;
    const struct bucket *bucket = bucket_open(state, rows, scene->at);
    if (!bucket)
        return 0;
    if (most > state->room)
        most = (size_t)state->room;
    if (most > state->baseline.due)
        most = (size_t)state->baseline.due;
    if (most < 2)
        return 0;
    struct glance glance;
    const double before = state->current.count ? state->current.value : (double)NAN;
    glance_at(state, bucket->count % LANES, v, most, before, &glance);
    if (!glance.plain || glance.high > state->baseline.bound)
        return 0;
    if (!signs_ready(state, glance.low))
        return 0;
    finite_follows(state);
    bucket_take(state, rows, scene->at, scene->at + most, &glance);
    baseline_accept(state, v, most);
    return most;
}

static void ends_follow(struct state *state, const struct track_rows *rows, uint64_t before)
{
    const double *v = rows->values;
    size_t i = 0;
    if (state->points == before)
        return;
    if (before == 0) {
        while (value_missing(v[i]))
            i++;
        state->first = point_at(rows, i);
    }
    if (before == state->head_count) /* after a cut among the first points */
        for (i = 0; i < rows->count && state->head_count < HEAD_MAX; i++)
            if (!value_missing(v[i]))
                state->head[state->head_count++] = point_at(rows, i);
    for (i = rows->count; value_missing(v[i - 1]);)
        i--;
    state->last = point_at(rows, i - 1);
    while (i > 0 && !isfinite(v[i - 1]))
        i--;
    if (i > 0)
        state->last_finite = point_at(rows, i - 1);
}

bool state_add(struct state *state, const struct track_rows *rows)
{
    struct scene scene = {.rows = rows};
    const uint64_t before = state->points;
    size_t reach = REACH_MOST;
    if (rows->places > state->places)
        state->places = rows->places;
    while (scene.at < rows->count) {
        const size_t left = rows->count - scene.at;
        const size_t taken = stretch_take(state, &scene, left < reach ? left : reach);
        scene.at += taken;
        if (taken > 0) {
            reach = reach < REACH_MOST ? 2 * reach : REACH_MOST;
            continue;
        }
        reach = REACH_LEAST;
        const size_t end = scene.at + (left < REACH_LEAST ? left : REACH_LEAST);
        for (; scene.at < end; scene.at++)
            if (!reading_take(state, &scene))
                return false;
    }
    ring_follow(state, &scene);
    ends_follow(state, rows, before);
    return true;
}

void state_settle(struct state *state)
{
    bucket_fold(state);
    if (state->current.count > state->longest.count)
        state->longest = state->current;
    if (state->longest.count == 0 && state_bad(state) < state->points)
        state->longest = (struct constant){.value = state->last_finite.value,
                                           .count = 1,
                                           .first = state->last_finite,
                                           .last = state->last_finite};
    if (state->tail_count < state->tail_capacity) /* not yet round */
        return;
    struct point ordered[TAIL_MAX];
    const size_t n = state->tail_count;
    for (size_t i = 0; i < n; i++)
        ordered[i] = state->tail[(state->tail_next + i) % n];
    memcpy(state->tail, ordered, n * sizeof(*ordered));
    state->tail_next = 0;
}
