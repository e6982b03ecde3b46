/* What heads and rows of tables share. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_TABLE_H
#define STALLDOC_READ_LOG_TABLE_H

#include "read/log/cells.h"

enum { ROLE_NONE = -1, ROLE_PLACE = -2 /* ROLE_PLACE - field */ };

/* Opens the table of the stream where the cells are a head. */
bool head_accept(struct reader *reader, const struct cells *cells, enum table_kind kind,
                 char delimiter);
/* Plainly a head, wherever it stands: a place, a loss, and few names that are not known. */
bool head_says_all(struct reader *reader, const struct cells *cells);
bool head_is_name(struct text cell);
bool head_is_phases(const struct reader *reader, const struct cells *cells);
/* Rows of numbers without a head (bare.c). */
bool bare_row(struct reader *reader, const struct line *line, const struct cells *cells,
              bool *taken, struct error *error);
/* A file of one column: `training loss` in its first line, numbers alone from there on. */
bool file_headed(struct reader *reader, struct error *error);
/* `[2.5, 0.3, 1200, 0.0002]` behind a training heading (list.c). */
bool list_row(struct reader *reader, const struct line *line, bool *taken, struct error *error);
struct aligned { /* a line whose cells are blanks apart */
    struct text text;
    size_t indent; /* bytes that are blank before it */
};

/* under.c: blanks before the content of a line. */
size_t under_indent(const struct line *line);
/* Keeps where the names of the aligned head that was just opened stand in its line; of a head with
   tabs nothing is kept. `names` are parts of the head, `cells` of the row. */
void under_note(struct table *table, const struct aligned *head, const struct cells *names);
/* The cells of a row that leaves some blank, each under its name; false where one stands under
   none, or most a little beside it. */
bool under_spread(const struct table *table, const struct aligned *row, const struct cells *cells,
                  struct cells *spread);
/* Whether the names would be the head of such a row. */
bool under_fits(const struct aligned *head, const struct cells *names, const struct aligned *row,
                const struct cells *cells);
struct row table_row(struct reader *reader, const struct line *line, enum origin origin);

#endif
