/* What is kept while inputs are read: streams, their turns, names and what is printed of them. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_COLLECTOR_H
#define COLLECT_COLLECTOR_H

#include "stalldoc/run.h"
#include "stalldoc/track.h"
#include "standing.h"

enum {
    ROWS_AT_ONCE = 2048,
    TURNS_MAX = 256,       /* places where a stream goes back; more are not told apart */
    JUMPS_MAX = 16,        /* resumes without a word; more are two writers in one file */
    TEMPLATES_KEPT = 4,    /* of a name */
    LIVES_MAX = 256,       /* of a stream */
    FACTS_MAX = 2048,      /* of an input */
    STREAM_MESSAGES = 512, /* rows of messages.json met in one stream */
    TEMPLATES_SHOWN = 256,
    GAP_BINS = 96,
    OWN_FIELDS = 8,      /* sets of GRAIN_STEP, GRAIN_BATCH and GRAIN_EPOCH */
    BINDINGS_BLOCK = 32, /* there may be one or many thousands: none is moved or given up */
};
/* An arena over this gives no more full tracks: what is born later stays brief. */
#define FULL_MEMORY ((size_t)24 << 20)

struct turn {              /* a stream from one restart to the next */
    uint64_t line, offset; /* of its first row */
    uint64_t line_before;  /* of the last row before it */
    bool resumed, started; /* a line said so in between */
    bool restarted;        /* the launcher said so: what had begun begins anew */
    uint64_t started_line;
};

struct stretch { /* the points of a name in one turn */
    uint32_t turn;
    struct track_builder *track;
    int64_t last_step; /* of the last value */
    uint64_t last_mark;
    int64_t total; /* printed as the end of these steps */
};

struct name {          /* one key path in one stream, one phase and one grain */
    struct name *next; /* in its slot */
    struct stream *stream;
    struct text key, unit;
    uint64_t hash;
    enum phase phase;
    enum origin origin; /* of the first rows */
    uint8_t grain;
    bool redraw, strong, settings, placed, epochs; /* epochs: its first place was an epoch alone */
    bool fractional;                               /* 'epoch': 0.51 stood beside it */
    bool guessed; /* a phase and nothing else: a loss where it turns out to fall */
    bool change;  /* as in struct shape, of all that name it */
    struct naming naming;
    struct stretch *stretches;
    size_t stretch_count, stretch_capacity;
    uint32_t templates[TEMPLATES_KEPT];
    size_t template_count;
    struct place first;
    uint64_t order; /* of appearance */
    int64_t epoch_total, steps_per_epoch;
};

enum counting { /* what a counter beside an epoch turned out to be */
                COUNTING_UNKNOWN,
                COUNTING_WITHIN, /* within the epoch */
                COUNTING_FULL,   /* always at its end: the line of an epoch */
                COUNTING_WHOLE,  /* it goes on over the epochs */
                COUNTING_EPOCHS, /* it is the epoch once more */
};

struct placer { /* positions of one shape to steps */
    uint32_t turn;
    enum counting counting;
    int64_t first_epoch, last_epoch, last, last_total, stride, offset;
    bool lapped;  /* the first epoch was named behind its rows, so the passes are counted */
    bool within;  /* a named step fell when the epoch rose */
    bool moved;   /* it rose inside an epoch */
    bool swapped; /* `k/N` is epoch and step */
};

struct still { /* a place that may count an evaluation's batches: then it never moves */
    int64_t place, trained; /* trained: where training stood at the last row */
    bool begun, moved, stands;
};

struct laps {                   /* where rows that count steps go to the next epoch */
    int64_t epoch, first, last; /* steps of the first border and of the last */
    int64_t borders;
    bool begun;
};

struct binding { /* a shape of rows */
    struct stream *stream;
    struct name **names; /* [column]; NULL: lost */
    size_t count;
    enum origin origin;
    uint8_t grain;
    bool own, validation, settings; /* settings: they look like a print of settings */
    int leads;                      /* the best of its columns */
    struct placer placer;
    struct laps laps;
    struct still still;
    /* Rows at the mark of the one before, where a mark alone proves nothing. */
    uint64_t agreed, moved;
    uint64_t last_line;
};

struct progress {
    int64_t last;
    uint64_t line;
    bool parted;            /* rows without a step said what part of an epoch they stand at */
    double begun, fraction; /* the first of these, the last */
};

struct told { /* a fact and where it was told */
    struct fact fact;
    bool command;
    bool device, either; /* a batch size: of one device by its name, of one or of all */
    bool megatron;       /* a name that only Megatron's arguments have */
    bool change;         /* a sentence tells that it was changed to this */
};

struct stream { /* a rank of an input, -1 for what has none */
    struct tape *tape;
    int32_t rank;
    struct turn *turns;
    uint32_t turn_count;
    size_t turn_capacity;
    struct progress progress[2][OWN_FIELDS]; /* [validation][fields of its own] */
    int leads;                               /* the best of its bindings so far */
    uint64_t last_line;
    int64_t last_step, trained; /* trained: of rows of training */
    int64_t saved;              /* the number in the name of the last state saved; 0: none */
    /* The sums of its bindings'; where the last row stood that may agree or move. */
    uint64_t agreed, moved, told_line;
    int64_t told_step;
    bool resumed, started; /* since the last row */
    uint64_t started_line;
    struct message *messages;
    size_t message_count, message_capacity;
    struct life_seen *lives;
    size_t life_count, life_capacity;
    /* Silences between time stamps. */
    double time_first, time_last;
    struct place time_place;
    uint64_t stamps;
    struct place quiet; /* the last line that explains a silence */
    struct gap gaps[GAPS_MAX];
    size_t gap_count;
    uint64_t gap_bins[GAP_BINS];
};

#define SEAL_BARE SIZE_MAX

struct seal_laid { /* a seal and the view that takes its checksum; SEAL_BARE: none yet */
    struct seal seal;
    size_t view;
};

struct tape {         /* an input while it is read, and what it leaves */
    struct sink sink; /* first: the sink is the tape */
    struct collector *collector;
    struct arena arena; /* of what ends with the input */
    uint32_t input;
    const struct format *format;
    struct text path, folder;
    struct stream **streams;
    size_t stream_count, stream_capacity;
    struct binding **bindings; /* in blocks of BINDINGS_BLOCK; see tape_binding */
    size_t binding_count, block_capacity;
    struct name **slots; /* hash table */
    size_t slot_count, name_count;
    uint64_t names_lost, orders;
    uint64_t full;
    bool stays; /* its memory becomes the collector's: nothing has to be copied */
    struct told *told;
    size_t told_count, told_capacity;
    struct tensor_view *views;
    size_t view_count, view_capacity;
    struct seal_laid *seals;
    size_t seal_count, seal_capacity;
    struct standing standing;
    enum tensor_role role; /* that the input was offered as; ROLE_WEIGHTS: it was not */
    struct text role_name;
    struct line_counts counts;
    uint64_t readings[ORIGIN_EVENT + 1];
    struct place end;
    /* Scratch of rows. */
    int64_t steps[ROWS_AT_ONCE];
    uint64_t marks[ROWS_AT_ONCE];
};

static inline struct binding *tape_binding(const struct tape *tape, size_t id)
{
    return &tape->bindings[id / BINDINGS_BLOCK][id % BINDINGS_BLOCK];
}

struct details { /* of a series, beside it: what chooses the main ones */
    uint32_t templates[TEMPLATES_KEPT];
    size_t template_count;
    bool own, placed, epochs;
    int64_t total, epoch_total, steps_per_epoch;
    bool fractional, reinforcement, beside_reward;
};

struct portion { /* one run as one input shows it */
    uint32_t input;
    struct text path, folder; /* folder: named by the user, "" */
    enum format_group group;
    size_t number, of; /* which run of its input, from 0 */
    struct series *series;
    struct details *details; /* beside the series */
    size_t series_count;
    struct segment *segments;
    size_t segment_count;
    struct tensor *tensors;
    size_t tensor_count;
    /* Of a checkpoint: where it stands, and what tells its line. */
    int64_t step, epoch, bare;
    bool last, sure;
    struct group_told optimizer;
    uint64_t *forms; /* of its tensors, sorted; NULL: not compared */
    struct text line, home;
    struct text save; /* the folder of an Orbax save that it is of, with '/'; "": none */
    struct message *messages;
    size_t message_count;
    struct told *told;
    size_t told_count;
    struct life_seen *lives;
    size_t life_count;
    struct run_time time;
    struct place end;
    uint64_t names_lost;
    int32_t rank; /* of the file's name, -1 */
    bool taken;
    bool beside;  /* of the folder "validation" beside "train": goes on at its own pace */
    bool offered; /* arrays for every run */
    bool samples; /* no tensor of it is a weight */
    bool aside;   /* settings and results at most: of the run beside it, and none itself */
};

struct again { /* how an input is read once more; path NULL: it cannot be */
    const char *path;
    const struct format *format;
};

struct collector {
    struct arena *arena;
    struct collector_options options;
    struct tape *tape; /* open */
    struct source *sources;
    size_t source_count, source_capacity;
    struct again *again; /* beside the sources */
    size_t again_capacity;
    struct portion *portions;
    size_t portion_count, portion_capacity;
    struct template_seen *templates;
    size_t template_count;
    struct error unoffered; /* what the last offered input lacked */
    size_t sampled;         /* arrays of samples that were measured */
};

/* A growing array: `array` has room for one more behind its `count` items. */
#define ROOM(arena, array, count, capacity)                                                        \
    ((count) < (capacity) ||                                                                       \
     room_make((arena), (void **)&(array), (count), &(capacity), (count) + 1, sizeof(*(array))))
bool room_make(struct arena *arena, void **array, size_t count, size_t *capacity, size_t wanted,
               size_t size);
bool memory_ended(struct error *error);

/* binding.c */
bool tape_bind(struct sink *sink, const struct shape *shape, uint32_t *id, struct error *error);
struct stream *tape_stream(struct tape *tape, int32_t rank);

/* placer.c */
/* The step of a row, STEP_NONE; *within: a batch of an epoch of so many. */
int64_t placer_step(struct placer *placer, const struct position *at, uint8_t grain);
/* A row begins anew under the heading that ends the first pass; if it does, it goes on where that
   pass ended. */
bool placer_laps(const struct placer *placer, const struct position *at);
void placer_lap(struct placer *placer, const struct position *at);
/* Goes back to `epoch`, of those whose steps were counted; false: it is none of them. */
bool placer_back(struct placer *placer, int64_t epoch);
/* The step of an evaluation: its own place, or where training stands, `trained`, once training has
   moved and the place has not. */
int64_t still_step(struct still *still, int64_t step, int64_t trained);
/* Training's rows stand at `step`: *trained is where those stand that move. */
void still_train(struct still *still, int64_t step, int64_t *trained);
int64_t placer_total(const struct placer *placer, const struct position *at, uint8_t grain);

/* rows.c */
enum { LEADS_MOST = 3 };
int leads(enum kind kind); /* how well series of a kind tell restarts; 0: not at all */
bool tape_rows(struct sink *sink, const struct rows *rows, struct error *error);
bool turn_open(struct stream *stream, uint64_t line, uint64_t offset);

/* life.c */
bool tape_message(struct sink *sink, const struct message_seen *message, struct error *error);
bool tape_life(struct sink *sink, const struct life *life, struct error *error);
bool tape_time(struct sink *sink, double time, const struct place *place, int32_t rank,
               struct error *error);
bool tape_times(struct sink *sink, const struct rows *rows, uint32_t input, int32_t rank,
                struct error *error);
void gaps_merge(struct run_time *time, const struct run_time *other);
void stream_time(const struct stream *stream, struct run_time *time);

/* facts.c */
bool tape_setting(struct sink *sink, const struct setting *setting, struct error *error);
bool fact_tell(struct tape *tape, struct text key, struct text value, enum fact_source source,
               bool command, const struct place *place, struct error *error);
/* In force from that step on. */
bool fact_tell_at(struct tape *tape, struct text key, struct text value, enum fact_source source,
                  bool command, const struct place *place, int64_t step, struct error *error);

/* The value is where the name's last points began, and not where they stand. */
bool back_at_start(const struct name *name, double value);

/* turns.c */
struct turning {      /* what a turn of a stream is */
    uint32_t run;     /* in its input */
    uint32_t segment; /* in its run */
    bool drops;       /* printed again: what stands before loses the points from here on */
    bool retold;      /* one record that stood before: the best, named at the end */
    int64_t shift;    /* of its steps, where it is an epoch of a run whose steps begin anew */
};
struct route { /* of one stream */
    const struct stream *stream;
    struct turning *turnings; /* [turn] */
    uint32_t run_count;
    uint64_t lead_points;
};
bool route_find(struct tape *tape, const struct stream *stream, struct route *route);
/* All that `later` holds is one reading that stands in `earlier` at its step, as far as that is
   kept. */
bool track_retold(const struct track *earlier, const struct track *later);

/* laps.c */
/* Makes turns one run that are its epochs, by the name that leads their stream; NULL: nothing. */
void laps_join(struct tape *tape, struct route *route, const struct name *lead);
/* Gives the track of a name in that turn its steps in the run; in memory of the tape. */
bool laps_shift(struct tape *tape, const struct name *name, const struct turning *turning,
                struct track *track);

/* samples.c: arrays of inputs and targets. */
enum tensor_role role_of_name(struct text name); /* ROLE_WEIGHTS: it says nothing */
/* The role of views[i] in its input; an offered input has no other views afterwards. */
bool samples_find(struct tape *tape, enum tensor_role **roles, struct error *error);
bool samples_measure(struct tape *tape, const struct tensor_view *view, struct tensor *tensor,
                     struct error *error);

/* seals.c: checksums of storages. */
bool tape_seal(struct sink *sink, const struct seal *seal, struct error *error);
/* Finds a view for each seal of the tape, adding views behind *count where there is none. */
bool seals_lay(struct tape *tape, size_t *count, struct error *error);
/* False where a storage is not what it was sealed as. `stats` beside the views, all measured. */
bool seals_hold(const struct tape *tape, const struct tensor_stats *stats, struct error *error);

/* portion.c: what an input leaves. */
bool tape_settle(struct tape *tape, struct error *error);

/* draft.c: names to series. */
struct draft { /* a name in one run of its input */
    struct name *name;
    struct track *whole;    /* where the series will have it */
    struct track *segments; /* [segment of the run]; empty ones have no points */
    int64_t total;
    double evidence;
    bool accepted, part;
};
bool draft_make(struct tape *tape, const struct route *route, struct name *name, uint32_t run,
                uint32_t segment_count, struct track *whole, struct draft *draft);
double draft_evidence(const struct draft *draft);
/* guess.c: which names of a phase alone are losses; the others are of no kind. False: no memory. */
bool guesses_decide(struct name *const *names, size_t count);
void draft_series(const struct draft *draft, struct series *series, struct details *details);

/* join.c */
struct join_part {
    const struct track *track;
    int64_t drop; /* what stands before loses its points from this step on; STEP_NONE: none */
};
bool track_join(struct arena *arena, enum kind kind, const struct join_part *parts, size_t count,
                struct track *track);

/* mains.c: the series that stand for a run. */
void mains_choose(struct run *run, struct series *series, const struct details *details);

/* summed.c: the series of the kind whose readings are the sums of the others of their lines; the
   count of series where there is none. */
size_t summed_total(const struct run *run, const struct series *series, enum kind kind);

#endif
