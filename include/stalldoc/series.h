/* A series: one name in one stream, kept in bounded memory (detectors.md 2.4 gives the parts). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_SERIES_H
#define STALLDOC_SERIES_H

#include "stalldoc/record.h"

enum scope { SCOPE_TOTAL, SCOPE_PART };
enum basis {
    BASIS_STEP,
    BASIS_EPOCH_MEAN,
    BASIS_RUNNING_MEAN,
    BASIS_EVALUATION,
    BASIS_ESTIMATED,
};
const char *scope_name(enum scope scope);
const char *basis_name(enum basis basis); /* "epoch-mean" */

/* Points are kept by the million: line and input share a word. */
enum { LINE_BITS = 40, INPUT_BITS = 24 };

struct point {
    int64_t step; /* STEP_NONE where the source has none */
    double value; /* may be non-finite */
    uint64_t offset;
    uint64_t line : LINE_BITS, input : INPUT_BITS; /* input: from 1 */
};

static inline struct point point_make(int64_t step, double value, struct place place)
{
    return (struct point){.step = step,
                          .value = value,
                          .offset = place.offset,
                          .line = place.line & ((UINT64_C(1) << LINE_BITS) - 1),
                          .input = place.input & ((1U << INPUT_BITS) - 1)};
}

struct bucket {         /* one reading until neighbours merge */
    uint64_t count;     /* finite readings; 0: non-finite ones only, low and high are NAN */
    double sum, square; /* of the finite values */
    int64_t first_step, last_step;
    uint64_t first_offset;
    uint64_t first_line : LINE_BITS, input : INPUT_BITS;
    struct point low, high; /* exact, finite */
    uint64_t index;         /* of the first reading, from 0, non-finite ones counted too */
};

enum { BUCKETS_MAX = 256, HEAD_MAX = 16, TAIL_MAX = 64, FROZEN_MAX = 8, FROZEN_POINTS = 128 };

struct frozen { /* raw points around a spike or the first non-finite value */
    struct point points[FROZEN_POINTS];
    size_t count;
    size_t at;        /* index of the point that caused it */
    struct text line; /* the raw line of that point, bounded; "" where it was not kept */
};

struct nonfinite {            /* exact */
    uint64_t nan, inf;        /* inf counts both signs */
    struct point first, last; /* of any non-finite kind */
    struct point first_nan, first_inf;
    uint64_t longest_run, last_run; /* consecutive; last_run: at the end of the track */
};

struct signs { /* of values that are not above 0 */
    uint64_t zeros, negatives;
    struct point first_zero, first_negative;
};

struct constant { /* a run of identical printed values */
    double value;
    uint64_t count;
    struct point first, last;
    int digits; /* significant digits as printed */
};

struct track {              /* the points of one segment, or of the joined segments */
    struct bucket *buckets; /* in order of step; at most BUCKETS_MAX, equal widths but the last */
    size_t bucket_count;
    const struct point *head, *tail; /* first HEAD_MAX and last TAIL_MAX raw points, in order */
    size_t head_count, tail_count;
    const struct frozen *const *frozen;
    size_t frozen_count;
    uint64_t points; /* logged values, non-finite ones included */
    struct point first, last;
    struct point low, high; /* finite extremes */
    struct point last_finite;
    const struct nonfinite *nonfinite; /* NULL: all were finite; see track_nonfinite */
    const struct signs *signs;         /* NULL: all were above 0; see track_signs */
    struct constant longest, current;  /* runs of identical values: the longest, and at the end */
    int places;                        /* most decimals seen; precision q = 10^-places */
    double first_time, last_time;      /* NAN unknown */
    struct episode *episodes;          /* upward excursions found while streaming (detectors 3.3) */
    size_t episode_count;
};

/* Most tracks hold nothing of the kind: these stand for it. */
extern const struct nonfinite nonfinite_none;
extern const struct signs signs_none;

static inline const struct nonfinite *track_nonfinite(const struct track *track)
{
    return track->nonfinite ? track->nonfinite : &nonfinite_none;
}

/* Readings that are not finite. */
static inline uint64_t track_bad(const struct track *track)
{
    return track_nonfinite(track)->nan + track_nonfinite(track)->inf;
}

static inline const struct signs *track_signs(const struct track *track)
{
    return track->signs ? track->signs : &signs_none;
}

struct episode { /* u leaves the running baseline upwards; u = ln for positive kinds */
    struct point start, peak, end; /* end.step STEP_NONE and value NAN while open */
    double median, deviation;      /* baseline as value, deviation in u */
    double height;                 /* of the peak over the baseline, in u */
    double score;                  /* sum over readings of max(0, z - 3) */
    uint64_t readings;             /* within */
    bool open;                     /* not closed when the track ended */
    bool level;                    /* stayed too long: a change of level, no spike */
    bool cut;                      /* ended in a non-finite value */
};

struct series {
    struct text tag;  /* key path; slot words that separate series are part of it */
    struct text part; /* of scope part: what it is a part of or for; "" */
    struct text unit;
    uint32_t run;   /* index in the collection */
    uint32_t input; /* from 1: the file (of the first point) */
    int32_t rank;   /* -1 none */
    enum kind kind;
    enum scope scope;
    enum basis basis;
    enum direction direction;
    enum phase phase;
    uint8_t grain;
    bool main;   /* the one of its kind that stands for the run */
    bool speaks; /* belongs to the stream that speaks for the run; other ranks do not */
    bool settings;
    enum origin origin;
    double class;                 /* of a loss name (kind.h) */
    struct track whole;           /* joined segments: a step printed again counts once */
    const struct track *segments; /* each with a state of its own; of a single one: &whole */
    size_t segment_count; /* as many as the run has; an empty track where nothing fell into it */
};

#endif
