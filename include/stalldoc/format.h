/* The reader interface: one file and one row a format. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_FORMAT_H
#define STALLDOC_FORMAT_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"
#include "stalldoc/record.h"

struct message_table;
struct vocabulary;

struct reading { /* what a reader is given */
    struct input *input;
    struct arena *scratch; /* of this reader; ends with it */
    struct sink *sink;
    const struct vocabulary *vocabulary;
    const struct message_table *messages; /* NULL: none are looked for */
    size_t max_line;                      /* --max-line */
    bool stats;                           /* false: tensors are named, not measured */
    bool threads;                         /* reading and parsing may overlap */
};

/* False, with *error, for a stream: checkpoints are read from files. */
bool reading_seekable(const struct reading *reading, struct error *error);

enum format_group {
    FORMAT_LOG,
    FORMAT_DOCUMENT,
    FORMAT_EVENTS,
    FORMAT_CHECKPOINT,
    FORMAT_SIDE,  /* what other tools wrote beside a run */
    FORMAT_NAMED, /* recognised, not read */
};

struct format_parts { /* of a checkpoint in several files: others of the same folder */
    const struct text *names; /* sorted, each once */
    size_t count;
    const char *const *globs; /* NULL behind the last; NULL: none */
};

struct format {
    const char *name, *about; /* "safetensors"; a line for `inspect --types` and the manual */
    enum format_group group;
    int (*probe)(struct span head, struct text file_name); /* 0 no .. 100 certain */
    /* Delivers what is sound before it fails. NULL for FORMAT_NAMED. */
    bool (*read)(const struct reading *reading, struct error *error);
    /* Files whose names match this glob stand for others, too: those that `parts` names are read
       with it, or hold the same once more, and are no inputs of their own. NULL: there are none. */
    const char *whole;
    bool (*parts)(struct input *input, struct arena *arena, struct format_parts *parts,
                  struct error *error);
};

extern const struct format *const formats[]; /* NULL behind the last */
const struct format *format_named(struct text name);
/* The best probe; NULL where none is over 0. Ties: the earlier row. */
const struct format *format_of(struct span head, struct text file_name);

#endif
