/* The batch of rows that is being filled. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_EMIT_H
#define STALLDOC_READ_LOG_EMIT_H

#include "read/log/reader.h"

struct known_shape;

struct batch {
    struct known_shape *shape;
    const struct sheet *sheet;
    size_t count, room;        /* rows */
    double cells[BATCH_CELLS]; /* [column][room] */
    int16_t places[COLUMNS_MAX];
    struct position positions[BATCH_ROWS];
    uint64_t lines[BATCH_ROWS], offsets[BATCH_ROWS];
    double times[BATCH_ROWS];
    struct text texts[BATCH_ROWS];
};

/* The batch that takes rows of the row's shape, with room for one more; NULL where the shapes are
   full and the row is left out. */
bool batch_room(struct reader *reader, const struct row *row, struct batch **room,
                struct error *error);

#endif
