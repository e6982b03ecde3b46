/* All that is known of the runs in the inputs. Built by collect/, const ever after. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_RUN_H
#define STALLDOC_RUN_H

#include "stalldoc/format.h"
#include "stalldoc/limits.h"
#include "stalldoc/message.h"
#include "stalldoc/series.h"
#include "stalldoc/statistics.h"

enum input_status {
    STATUS_OK,
    STATUS_PARTIAL, /* a cut tail: all before it is sound */
    STATUS_DAMAGED,
    STATUS_UNSUPPORTED,
    STATUS_UNREADABLE,
    STATUS_UNRECOGNISED,
    STATUS_SKIPPED,
};
const char *input_status_name(enum input_status status);

struct source { /* an input, as the reports name it */
    struct text path;
    struct text type;    /* format name */
    struct text dialect; /* the line shape that most readings came from; "" none */
    enum input_status status;
    struct error error; /* kind ERROR_NONE unless something was wrong */
    uint64_t bytes;
    struct line_counts counts;
    bool binary;
    bool unread;         /* missing, unsupported, unrecognised: nothing of it was counted */
    bool named;          /* by the user, not found in a folder */
    uint32_t run;        /* index of its first run; RUN_NONE */
    int64_t step, epoch; /* at which a checkpoint was saved; STEP_NONE unknown */
};
#define RUN_NONE UINT32_MAX

enum fact_state { FACT_KNOWN, FACT_NONE };
enum fact_source {
    FACT_OPTION,
    FACT_MARK,
    FACT_CONFIG,
    FACT_LOG,
    FACT_MESSAGE,
    FACT_CHECKPOINT,
    FACT_ASSUMED,
};
const char *fact_source_name(enum fact_source source);

struct fact {
    struct text key; /* one of fact_keys */
    enum fact_state state;
    struct text value; /* canonical */
    double number;     /* of the value; NAN where it is a word */
    enum fact_source source;
    struct place place;
    int64_t step;  /* in force from here on; STEP_NONE: from the start */
    bool in_force; /* false: lost against another source; kept for the report */
};

struct segment {                   /* between restarts */
    int64_t first_step, last_step; /* STEP_NONE where there are no steps */
    struct place place;            /* where it begins */
    bool resumed;                  /* a message said so */
};

struct message { /* one row of messages.json in one stream */
    const struct message_row *row;
    uint64_t count;
    struct place place; /* of the first */
    struct text line;   /* its text, bounded */
    size_t column;
    int64_t step, last_step;
    double time;
    int32_t rank;
    struct place last_place;
    struct text kept[LIMIT_MESSAGES]; /* first lines */
    size_t kept_count;
};

struct gap {                    /* the longest silences between time stamps of one stream */
    double seconds, usual;      /* usual: 99th percentile of the gaps, approximate */
    struct place before, after; /* after.line 0: at the end of the input */
    int64_t step;
    bool explained; /* an evaluation, saving or start line stands just before */
};
enum { GAPS_MAX = 8 };

enum tensor_role { ROLE_WEIGHTS, ROLE_INPUTS, ROLE_TARGETS };

struct samples {
    struct text name; /* of the array, or of its file where it has none */
    struct tensor_features features;
    struct tensor_labels labels; /* of targets; all zero for inputs */
};

struct tensor {
    struct text name;
    enum tensor_role role; /* samples of inputs or targets are no part of a checkpoint */
    enum dtype dtype;
    struct text type; /* of DTYPE_OPAQUE, as in its view */
    uint8_t rank;
    int64_t shape[TENSOR_RANK_MAX];
    uint64_t offset; /* in its input */
    uint32_t input;
    bool measured;
    struct tensor_stats stats;
    struct tensor_rows rows;       /* of kernels; 0 rows where they were not looked at */
    const struct samples *samples; /* of inputs and targets; NULL: of weights, or not measured */
    int64_t step;
};

struct checkpoint { /* an input that holds tensors, as a run sees it */
    uint32_t input;
    int64_t step, epoch;
    size_t first, count; /* its tensors in the run */
};

struct compared { /* a tensor that two checkpoints hold in one type and shape */
    const struct tensor *a, *b;
    struct tensor_pair pair;
};

struct movement {  /* two consecutive checkpoints of one line: `b` comes later, where known */
    uint32_t a, b; /* inputs */
    int64_t a_step, b_step; /* STEP_NONE unknown; epochs likewise */
    int64_t a_epoch, b_epoch;
    bool ordered; /* b is known to be later */
    bool sure;    /* their steps are steps, and no epochs that a name counts */
    const struct compared *tensors;
    size_t tensor_count;
    uint64_t identical;
    uint64_t others; /* in both under one name, but of another type or shape, or not readable */
    bool whole;      /* neither holds a tensor that the other has not */
};

struct run_time { /* what time stamps tell of the whole run */
    double first, last;
    uint64_t stamps;
    struct gap gaps[GAPS_MAX]; /* longest first */
    size_t gap_count;
};

enum run_end { END_UNKNOWN, END_FINISHED, END_CRASHED, END_KILLED, END_HUNG, END_RUNNING };
const char *run_end_name(enum run_end end);

struct life_seen { /* bounded: the first of each kind and segment, and the last */
    enum event event;
    struct place place;
    int64_t step;
    double time;
};

struct collection;
struct run {
    const struct collection *collection; /* that it is part of; NULL in tests */
    struct text id;                      /* "runs/42", "run.log", "run.log#2" */
    const uint32_t *inputs;              /* numbers from 1 */
    size_t input_count;
    const struct series *series;
    size_t series_count;
    const struct segment *segments; /* at least one */
    size_t segment_count;
    const struct tensor *tensors; /* of checkpoints in order of their steps */
    size_t tensor_count;
    const struct checkpoint *checkpoints; /* in the same order */
    size_t checkpoint_count;
    const struct movement *movements; /* in order of `a` */
    size_t movement_count;
    const struct message *messages; /* in order of place */
    size_t message_count;
    const struct fact *facts; /* of one key: the one in force first */
    size_t fact_count;
    const struct life_seen *lives;
    size_t life_count;
    struct run_time time;
    int64_t first_step, last_step; /* STEP_NONE */
    uint64_t step_count;           /* distinct steps of the main loss, else of the fullest series */
    int64_t planned_steps;         /* in units of the main series' steps; STEP_NONE unknown */
    struct place end;              /* the last line of its last input */
    uint64_t names_lost;           /* series beyond LIMIT_NAMES */
    bool reinforcement;            /* names say so (kind.h) */
    int32_t speaking_rank;         /* whose series are main; -1 */
};

struct template_seen {
    struct text text;
    uint64_t count;
    bool understood;
    struct place first;
};

struct collection {
    const struct source *sources; /* [number - 1] */
    size_t source_count;
    const struct run *runs;
    size_t run_count;
    const struct template_seen *templates; /* for inspect only: most frequent first, bounded */
    size_t template_count;
};

/* The nth series of a kind in the stream that speaks: the main one first. NULL beyond. */
const struct series *run_series(const struct run *run, enum kind kind, size_t nth);
const struct series *run_main(const struct run *run, enum kind kind); /* NULL: none */
/* What its points are counted in: "step", "epoch", or "reading" where none has a place. */
const char *series_unit(const struct series *series);
/* The fact in force at `step` (STEP_NONE: at the end). NULL: unknown. */
const struct fact *run_fact(const struct run *run, const char *key, int64_t step);

/* Building. */
struct collector;
struct collector_options {
    const struct vocabulary *vocabulary;
    const struct message_table *messages;
    const struct fact *facts; /* of --fact */
    size_t fact_count;
    int64_t from, to; /* --from, --to; STEP_NONE */
    enum run_mode { RUN_AUTO, RUN_DIR, RUN_FILE, RUN_ALL } mode;
    bool keep_templates;
    bool unmeasured; /* tensors are named, not measured */
    bool unjudged;   /* what only a judgement needs (rows of weights) is not measured */
    bool together;   /* checkpoints that were named are compared whatever they are called */
    size_t threads;  /* for measuring; 0 or 1: none beside the caller */
};
/* Everything lives in `arena`, the collection too. */
struct collector *collector_open(struct arena *arena, const struct collector_options *options,
                                 struct error *error);
/* An input begins; `folder` is the named folder it was found in ("" if named itself). */
bool collector_begin(struct collector *collector, const char *path, struct text folder,
                     const struct format *format, uint32_t number, struct sink **sink,
                     struct error *error);
/* The open input may be opened once more under this path, to be compared with others. */
bool collector_again(struct collector *collector, const char *path, struct error *error);
/* The input that has begun was given as a sample of what goes in or is to come out: its array
   `name` ("": the only one, or the one whose name says so) belongs to every run. */
void collector_offer(struct collector *collector, enum tensor_role role, struct text name);
/* Whether the offered input that ended last holds such an array; else *why names those it has. */
bool collector_offered(const struct collector *collector, struct error *why);
/* It ends, which is owed to each input that began, also where reading or memory failed: what it
   held is given back. `damage` is what its reader gave up on (kind ERROR_NONE: nothing). */
bool collector_end(struct collector *collector, enum input_status status, uint64_t bytes,
                   const struct error *damage, struct error *error);
/* An input that was not read at all (missing, unsupported, unrecognised). */
bool collector_note(struct collector *collector, const char *path, struct text type, bool named,
                    enum input_status status, const struct error *damage, struct error *error);
bool collector_finish(struct collector *collector, struct collection *collection,
                      struct error *error);

#endif
