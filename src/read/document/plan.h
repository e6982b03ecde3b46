/* What the names of a record mean; made once for records of the same names. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_DOCUMENT_PLAN_H
#define READ_DOCUMENT_PLAN_H

#include "read/document/rows.h"

enum role {
    ROLE_VALUE,
    ROLE_STEP,
    ROLE_BATCH,
    ROLE_EPOCH,
    ROLE_TIME,
    ROLE_STEP_TOTAL,
    ROLE_EPOCH_TOTAL,
    ROLE_NONE,
};

struct plan { /* what the names of a record mean */
    uint64_t hash;
    struct plan *next;
    size_t cell_count;
    uint8_t *roles;    /* [cell] */
    uint32_t *columns; /* [cell] of ROLE_VALUE */
    size_t column_count;
    uint32_t shape;
    size_t epoch;       /* cell of ROLE_EPOCH; cell_count: none */
    bool epoch_integer; /* how it was printed in the first record */
    bool summary;       /* of a whole run: told by its run time */
    bool settings;      /* no place and no series: a print of settings */
    bool epochs;        /* the epoch is a whole number */
    bool counted;       /* the number of the row is its step */
};

/* For the record at hand; binds its shape. */
bool plan_make(struct writer *writer, struct plan *plan, struct error *error);
/* Seconds since 1970 of a cell, from a date, seconds, milliseconds or more; NAN: it is no stamp. */
double cell_stamp(const struct cell *cell);
/* Is the word one of the list (NULL behind the last), whatever its case? */
bool word_in(struct text word, const char *const *list);
/* The ith value of the record at hand as a setting. */
bool row_setting(struct writer *writer, size_t i, struct error *error);
bool writer_no_memory(const struct writer *writer, struct error *error);

#endif
