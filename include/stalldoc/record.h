/* What readers say, and to whom: rows of values with their places, messages, settings, tensors. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_RECORD_H
#define STALLDOC_RECORD_H

#include "stalldoc/kind.h"
#include "stalldoc/tensor.h"
#include <math.h>
#include <string.h>

#define STEP_NONE INT64_MIN

/* Which place fields a line carried itself; series of different grain never mix (reader.md 1). */
enum grain {
    GRAIN_STEP = 1,  /* a named step */
    GRAIN_BATCH = 2, /* a batch or counter within the epoch */
    GRAIN_EPOCH = 4,
    GRAIN_CARRIED = 8, /* nothing of its own: the place is inherited */
};

/* Where rows come from: evidence that they are series at all (reader.md 9). */
enum origin {
    ORIGIN_LINE,     /* pairs, meters and the like */
    ORIGIN_TABLE,    /* under a header */
    ORIGIN_BOX,      /* | key | value | */
    ORIGIN_BAR,      /* the end of a progress bar */
    ORIGIN_REDRAW,   /* a redraw before its end: for non-finite values and time only, unless the
                        file has but one bar (reader.md 8, Bars) */
    ORIGIN_BARE,     /* columns of numbers without names */
    ORIGIN_DOCUMENT, /* JSON, CSV, trainer_state.json, notebooks' data, trackers' files */
    ORIGIN_EVENT,    /* binary event files: exact, every record is a point */
};

struct column {       /* one value of a row */
    struct text name; /* key path as written, joined with '/'; "" where nothing names it */
    struct text unit; /* glued to the number: "ms", "it/s", "%"; "" */
    enum phase phase; /* of the key itself, the words before it, or the heading */
};

/* What all rows of one kind share. A reader binds a shape once and then sends rows of it. */
struct shape {
    const struct column *columns;
    size_t column_count;
    uint8_t grain; /* bits of enum grain */
    enum origin origin;
    int32_t rank;      /* -1: none */
    uint32_t template; /* number of the line template, for "printed by the same lines" */
    bool settings;     /* looks like a print of settings (reader.md 9) */
    bool change;       /* a sentence that tells of a change: "reducing learning rate to .." */
};

struct position { /* of a row, as printed; what is missing is STEP_NONE */
    int64_t step, step_total;
    int64_t batch, batch_total; /* k of N inside an epoch, or of the whole */
    int64_t epoch, epoch_total;
    double epoch_fraction; /* 'epoch': 0.51; NAN where there is none. Identifies nothing */
    uint32_t generation;   /* counts place headings, cells and the like: carried values of one
                              generation belong together */
    bool strong;           /* inherited from a strong heading */
};

static inline struct position position_nowhere(void)
{
    return (struct position){
        .step = STEP_NONE,
        .step_total = STEP_NONE,
        .batch = STEP_NONE,
        .batch_total = STEP_NONE,
        .epoch = STEP_NONE,
        .epoch_total = STEP_NONE,
        .epoch_fraction = (double)NAN,
    };
}

/* Rows of one shape in file order. All pointers are borrowed until the call returns.
   Shapes may be sent one after the other, each with many rows: their lines then come out of order.
   But before a row whose own place goes back (its epoch, or with the same or no epoch its step or
   batch, is below that of an earlier row of the same rank), and before a life record, all rows of
   earlier lines have been sent: restarts are told from the order. */
struct rows {
    uint32_t shape; /* from bind */
    size_t count;
    const double *const *values;      /* [column][row]; a value that is absent is MISSING */
    const int16_t *places;            /* [column]: most decimals seen in these rows (number.h) */
    const struct position *positions; /* [row] */
    const uint64_t *lines, *offsets;  /* [row]; offset of the line's first byte */
    const double *times;              /* [row], seconds; NAN unknown; NULL: all unknown */
    const struct text *texts;         /* [row], the raw lines; NULL: not at hand */
};

/* An absent value: a NaN that no text yields (payload 0x51A1). Test with value_missing. */
static inline double value_missing_make(void)
{
    const uint64_t bits = UINT64_C(0x7ff80000000051a1);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}
static inline bool value_missing(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits == UINT64_C(0x7ff80000000051a1);
}

enum message_strength {
    STRENGTH_DECIDES,
    STRENGTH_SUPPORTS,
    STRENGTH_SIGN,
    STRENGTH_CONSEQUENCE,
    STRENGTH_HARMLESS,
};

struct message_seen { /* a fixed text of messages.json was met */
    uint32_t message; /* index of its row */
    struct place place;
    struct text line; /* the raw line, bounded */
    size_t column;    /* of the match, from 0, in bytes */
    int32_t rank;
    int64_t step; /* the state's step, STEP_NONE */
    double time;  /* NAN unknown */
    double said;  /* the date that the text tells of itself; 0: none, or the line carries a time */
};

enum setting_source {
    SETTING_DUMP,
    SETTING_COMMAND,
    SETTING_CONFIG,
    SETTING_MARK,
    SETTING_MESSAGE
};

struct setting { /* name = value as printed, not (yet) a fact */
    struct text key, value;
    enum setting_source source;
    struct place place;
    int32_t rank;
};

/* What a line says about the life of the run. */
enum event {
    EVENT_RESUME,     /* "Resuming from", "Loading checkpoint" while training goes on */
    EVENT_START,      /* a start banner, an argument dump, a new notebook cell */
    EVENT_SAVE,       /* "Saving checkpoint" */
    EVENT_EVALUATION, /* "Evaluating", "Validation" */
    EVENT_END,        /* "Training completed", "Optimization Done." */
    EVENT_RESTART,    /* "Restarting job": what had begun begins anew */
    EVENT_LOAD,       /* "loading step_100": a resume where the run stands there */
};

struct life {
    enum event event;
    struct place place;
    int32_t rank;
    int64_t step;
    double time;
    /* Of EVENT_LOAD and EVENT_SAVE: the number in the name of the state, a step or an epoch. */
    int64_t state;
};

struct line_counts { /* what became of the lines of one input; for inspect and the verdict */
    uint64_t lines, with_number, understood, dead, cut;
    uint64_t templates, evicted;
};

/* The receiving end. Every function returns false to stop the reader, *error says why. */
struct sink {
    bool (*bind)(struct sink *sink, const struct shape *shape, uint32_t *id, struct error *error);
    bool (*rows)(struct sink *sink, const struct rows *rows, struct error *error);
    bool (*message)(struct sink *sink, const struct message_seen *message, struct error *error);
    bool (*setting)(struct sink *sink, const struct setting *setting, struct error *error);
    bool (*life)(struct sink *sink, const struct life *life, struct error *error);
    bool (*tensor)(struct sink *sink, const struct tensor_view *tensor, struct error *error);
    /* A line or record carried this time of day or elapsed time; for gaps between lines. */
    bool (*time)(struct sink *sink, double time, const struct place *place, int32_t rank,
                 struct error *error);
    /* One template (text with `#` for slots) and how often it was met; sent at the end. */
    bool (*template)(struct sink *sink, struct text text, uint64_t count, bool understood,
                     const struct place *first, struct error *error);
    bool (*counts)(struct sink *sink, const struct line_counts *counts, struct error *error);
    /* A storage and its checksum, once; NULL where they are not held against each other. */
    bool (*seal)(struct sink *sink, const struct seal *seal, struct error *error);
    /* As `time`, for many lines of one rank in file order; NULL: each is told by itself. */
    bool (*times)(struct sink *sink, const struct rows *rows, uint32_t input, int32_t rank,
                  struct error *error);
};

#endif
