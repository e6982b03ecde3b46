/* What the files of a track share: its state, the running baseline, the windows. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_TRACK_H
#define COLLECT_TRACK_H

#include "stalldoc/arena.h"
#include "stalldoc/record.h"
#include "stalldoc/track.h"

enum {
    LANES = 4, /* sums of an open bucket, lane = reading mod 4: no cut of batches shows */
    BASELINE_VALUES = 32, /* accepted values behind a baseline */
    BASELINE_LEAST = 12,  /* before, nothing opens an episode */
    EPISODES_MAX = 64,
    LINE_KEPT = 240, /* bytes of a line kept with a window */
    BUCKETS_LEAST = 16,
    BUCKETS_BRIEF = 32, /* of a track that is not full */
    TAIL_BRIEF = 16,
    BUCKETS_LEAN = 4,         /* of what outgrows its raw points where memory is short */
    BUCKETS_RAW = 8,          /* of raw points where it becomes short */
    BUCKETS_CLOSED = 128,     /* of a loss, metric or norm that gets no more points */
    BUCKETS_CLOSED_LEAN = 32, /* of another kind that gets none */
};
/* An arena over this holds more than the series of ordinary logs: no track takes more than the
   least from here on. Counts, ends and extremes stay exact. */
#define TRACKS_MEMORY ((size_t)24 << 20)

/* An arena over this has room for ordinary logs still, but not for one full track after another:
   the closed ones give back what they can spare. */
#define CLOSED_MEMORY ((size_t)4 << 20)

struct baseline { /* median and spread of the last accepted values (detectors.md 3.3) */
    double *ring; /* BASELINE_VALUES; NULL: none is kept, and no episode opens */
    unsigned next, count;
    uint64_t accepted; /* since the last restart */
    uint64_t due;      /* values until the next refresh */
    double bound;      /* a value over it may open an episode; INFINITY: none can */
    double median, deviation, unit, quantum;
    bool logarithmic;
};

struct odd { /* what most tracks never meet */
    struct nonfinite nonfinite;
    struct frozen *frozen[FROZEN_MAX];
    size_t frozen_count, filling; /* filling: windows that still take points, from the end */
    struct episode *episodes;
    size_t episode_count, episode_capacity;
    struct episode open; /* while open.open */
};

struct state { /* of a track that left the raw points behind */
    struct arena *arena;
    enum kind kind;
    bool full, positive; /* positive: a kind whose u is logarithmic */
    int places;
    struct bucket *buckets;
    size_t bucket_count, bucket_capacity, bucket_most;
    uint64_t width, room; /* readings a bucket takes, and that the last one still takes */
    double sum[LANES], square[LANES];
    struct point *head, *tail; /* tail: a ring; `tail_next` is written next */
    size_t head_count, tail_next, tail_count, tail_capacity;
    uint64_t points;
    struct point first, last, last_finite;
    struct odd *odd;                  /* NULL: nothing of the kind so far */
    struct signs *signs;              /* NULL: all values were above 0 */
    struct constant longest, current; /* current.count 0: no run is open */
    struct baseline baseline;
};

struct lent { /* what a new state need not take from its arena; NULL: that it must */
    double *ring;
    struct bucket *buckets;
    size_t bucket_count;
};

struct track_builder {
    struct arena *arena;
    enum kind kind;
    bool full;
    bool pending; /* `last` is not yet in the state */
    int places;
    double first_time, last_time;
    uint64_t readings;    /* all */
    struct point *points; /* the first HEAD_MAX, raw */
    size_t count, capacity;
    struct point last; /* the pending point */
    char *text;        /* its line, or that of the first non-finite point among `points` */
    size_t text_size, text_at;
    struct state *state; /* NULL: all points are in `points` */
    struct lent lent;    /* of a closed track, for a state of this one */
};

/* ln(value) for a positive finite value, the same bits on every machine. */
double natural_log(double value);

static inline struct point point_at(const struct track_rows *rows, size_t i)
{
    const struct place place = {.input = rows->input,
                                .line = rows->lines ? rows->lines[i] : 0,
                                .offset = rows->offsets ? rows->offsets[i] : 0};
    return point_make(rows->steps ? rows->steps[i] : STEP_NONE, rows->values[i], place);
}

/* An episode is open. */
static inline bool episode_runs(const struct state *state)
{
    return state->odd && state->odd->open.open;
}

/* Readings that are not finite. */
static inline uint64_t state_bad(const struct state *state)
{
    return state->odd ? state->odd->nonfinite.nan + state->odd->nonfinite.inf : 0;
}

/* track_state.c */
struct odd *state_odd(struct state *state); /* NULL: no memory */
/* Without head and ring, which are the caller's; `room` buckets, or of 0 as many as it begins with.
   What is lent has the room of its kind; `lent` may be NULL. */
bool state_init(struct state *state, struct arena *arena, enum kind kind, bool full, size_t room,
                const struct lent *lent);
bool state_add(struct state *state, const struct track_rows *rows);
void state_settle(struct state *state); /* folds the open bucket, orders the ring */
void bucket_join(struct bucket *a, const struct bucket *b); /* b follows a */
/* Neighbours become one; an odd last bucket stays as it is. How many are left. */
size_t buckets_halve(struct bucket *buckets, size_t count);
/* Ends the open bucket and leaves at most `most`, in memory of their own where it can: the array
   that is free then, or NULL. */
struct bucket *state_squeeze(struct state *state, size_t most, size_t *room);

/* track.c */
uint64_t track_readings_of(const struct track_builder *builder); /* points so far */
bool state_view(struct state *state, struct track *track);       /* but for places and times */

/* track_cut.c */
void state_drop(struct state *state, int64_t step);

/* baseline.c */
void baseline_restart(struct baseline *baseline);
void baseline_accept(struct state *state, const double *values, size_t count);
void baseline_refresh(struct state *state);
double baseline_up(const struct state *state, double value);     /* u */
double baseline_height(const struct state *state, double value); /* u over the median's */
double baseline_opens(const struct state *state);                /* height that opens */
double baseline_closes(const struct state *state);               /* height that closes */

/* episode.c */
struct scene { /* where a value stands: its rows and what of them is in the ring already */
    const struct track_rows *rows;
    size_t at, synced;
};
void ring_put(struct state *state, const struct point *point);
void ring_follow(struct state *state, struct scene *scene); /* points before `at` enter the ring */
void window_freeze(struct state *state, struct scene *scene);
/* A finite value over the bound, or any value while an episode is open; false: nothing opens or it
   closed, and the value counts as accepted. */
bool episode_take(struct state *state, struct scene *scene, double value);
void episode_break(struct state *state, const struct point *point); /* a non-finite value */

#endif
