/* A chunk of lines read by one pattern into columns: pure, so that any thread may do it. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_CHUNK_H
#define STALLDOC_READ_LOG_CHUNK_H

#include "read/log/image.h"

enum {
    CHUNK_ROWS = 1528, /* columns begin in different sets of the cache */
    CHUNK_CELLS = 18432,
    CHUNK_STRETCHES = 64,
};

struct stretch_of {      /* lines one behind the other that the pattern read */
    size_t start, end;   /* bytes of the chunk */
    size_t first, count; /* rows */
};

struct chunk {
    /* What is to be read. */
    struct pattern pattern; /* a copy */
    const struct wording *wording;
    const struct message_table *messages;
    struct text text; /* whole lines; with spare bytes on both sides */
    uint64_t offset;  /* of the text in the input */
    uint32_t generation;
    /* What was read. */
    size_t stop; /* bytes that were looked at: all, but where there was no more room */
    size_t count, room, stretch_count;
    struct stretch_of stretches[CHUNK_STRETCHES];
    int16_t places[CHUNK_STRETCHES][SLOTS]; /* most of each number */
    double cells[CHUNK_CELLS];              /* [number][room] */
    double times[CHUNK_ROWS];
    struct position positions[CHUNK_ROWS];
    size_t laid; /* of them; they stay from one reading to the next of the same pattern */
    uint64_t laid_serial;
    uint32_t laid_generation;
    uint64_t offsets[CHUNK_ROWS];
    struct text texts[CHUNK_ROWS];
    uint64_t lines[CHUNK_ROWS]; /* the reader fills them in */
    struct image image;         /* at hand */
};

/* Rows that a chunk of this pattern can hold. */
size_t chunk_room(const struct pattern *pattern);
void chunk_read(struct chunk *chunk);

#endif
