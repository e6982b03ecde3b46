/* Named values of one record, with the place they belong to, as rows for the sink. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_DOCUMENT_ROWS_H
#define READ_DOCUMENT_ROWS_H

#include "stalldoc/format.h"
#include "stalldoc/limits.h"
#include "stalldoc/number.h"

enum {
    CELLS_MAX = 512,       /* values of one record; more are passed over */
    ROW_BYTES = 64 << 10,  /* their names and texts */
    BATCH_ROWS = 64,       /* rows handed over at once */
    PATH_MAX_BYTES = 1024, /* a key path */
};

struct cell {
    struct text path, text; /* text as printed */
    struct number number;
    uint64_t line, offset;
    bool is_number, has_total; /* "96/294" */
    double total;
};

struct plan;

struct writer {
    const struct reading *reading;
    struct cell cells[CELLS_MAX];
    size_t count;
    char *bytes;
    size_t used;
    uint64_t line, offset;           /* of the record */
    uint64_t cell_line, cell_offset; /* of the values to come */
    enum phase phase;                /* that the record or what is around it says */
    bool row_steps;                  /* a record without any place takes its number for the step */
    bool mute;                       /* records that are no readings are no settings either */
    bool always;                     /* records are readings whatever they hold */
    bool drop_summaries;             /* the Hugging Face Trainer's last record: means of the run */
    bool texts;                      /* the record has values that are no numbers */
    bool only_settings;              /* records are settings whatever they hold */
    enum setting_source source;
    uint64_t row_number; /* records so far */
    bool from_zero;      /* records count themselves from 0, not from 1 */
    struct plan *plans[1024];
    size_t plan_count;
    uint32_t generation;
    /* The batch at hand: rows of one plan. */
    struct plan *plan;
    size_t batch;
    double *values; /* [column * BATCH_ROWS + row] */
    int16_t places[CELLS_MAX];
    struct position positions[BATCH_ROWS];
    uint64_t lines[BATCH_ROWS], offsets[BATCH_ROWS];
    double times[BATCH_ROWS];
};

/* In the reading's scratch; NULL with *error. */
struct writer *writer_open(const struct reading *reading, struct error *error);
/* A record begins; `line` and `offset` are of its first byte. */
void row_begin(struct writer *writer, struct place place);
/* Where the values to come stand, if not at the record's first byte. */
void row_at(struct writer *writer, struct place place);
/* A value as printed; strings that are numbers are numbers, others tell phase or are settings. */
void row_add(struct writer *writer, struct text path, struct text text, bool quoted);
void row_add_number(struct writer *writer, struct text path, struct text text,
                    const struct number *number);
bool row_end(struct writer *writer, struct error *error);
bool writer_flush(struct writer *writer, struct error *error);
/* Flushes, and tells how many lines the input has. */
bool writer_close(struct writer *writer, uint64_t lines, struct error *error);
/* name = value, to the sink at once. */
bool writer_setting(struct writer *writer, struct text path, struct text text, struct place place,
                    struct error *error);

/* Of a record that tells one value: the members that hold its name, and the value. */
bool tells_name(struct text path);
bool tells_value(struct text path);

/* Members that hold what was configured, in documents and records alike. */
bool settings_name(struct text name);

/* The series that a file is named for: TensorBoard exports "run-NAME-tag-loss.csv". */
struct text file_series(const char *path);

/* A path of keys that grows and shrinks with the nesting of a document. */
struct path {
    char bytes[PATH_MAX_BYTES];
    size_t size;
    size_t starts[LIMIT_DEPTH + 2];
    int depth;
};
void path_push(struct path *path, struct text key);
void path_pop(struct path *path);
struct text path_text(const struct path *path);

#endif
