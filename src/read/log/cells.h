/* A line taken apart into the cells of a table. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_CELLS_H
#define STALLDOC_READ_LOG_CELLS_H

#include "read/log/reader.h"

struct cells {
    struct text cell[COLUMNS_MAX];
    size_t count;
};

void cells_at(struct text text, char delimiter, struct cells *cells); /* exact, trimmed */
void cells_between_pipes(struct text text, struct cells *cells);
void cells_at_gaps(struct text text, struct cells *cells); /* two blanks or more, or a tab */
void cells_at_blanks(struct text text, struct cells *cells);

enum cell_kind { CELL_NAME, CELL_NUMBER, CELL_PAIR, CELL_EMPTY };
struct cell_value {
    enum cell_kind kind;
    struct number number;
    struct text unit;
    int64_t k, total; /* of CELL_PAIR */
    bool rounded;     /* printed with an exponent, not down to the unit */
    bool summed;      /* of several numbers in brackets */
};
/* Empty cells are those of no value: "", "-", "n/a", "#na#", times. */
void cell_read(struct text cell, enum comma comma, struct cell_value *value);

#endif
