/* What the files of this folder share: the bytes behind an input and how they are unpacked. */
/* SPDX-License-Identifier: MIT */
#ifndef OPEN_PRIVATE_H
#define OPEN_PRIVATE_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"
#include "stalldoc/limits.h"

enum { HEAD_MOST = 64 << 10, MAGIC_MOST = 4 };

struct unpacker; /* the state of one compressed stream */

struct source_part {
    const struct source *source;
    uint64_t offset; /* in it */
    uint64_t start;  /* in the whole */
};

struct source_coded { /* what is decoded where it is read */
    const struct source *source;
    uint64_t offset; /* in it */
    const struct coding *coding;
};

struct source { /* the bytes as they are stored */
    int file;   /* -1: `memory`, `parts` or `coded` */
    struct span memory;
    const struct source_part *parts; /* in order; one more behind them starts at the end; or NULL */
    size_t part_count;
    struct source_coded coded; /* its source NULL: nothing is */
    const char *path;
    uint64_t offset; /* of the next byte in order */
    bool regular, ended;
    uint8_t magic[MAGIC_MOST]; /* of a stream: read to know it, not yet delivered */
    size_t magic_size, magic_used;
};

/* The next bytes in order; *got 0 at the end only. */
bool source_read(struct source *source, void *buffer, size_t size, size_t *got,
                 struct error *error);
/* Exactly `size` bytes from a regular file or memory. */
bool source_pread(const struct source *source, uint64_t offset, size_t size, void *buffer,
                  size_t *got, struct error *error);
/* One sentence for a refused path: what happened, in the user's words. */
bool path_error(struct error *error, const char *path, int reason);

/* A window shorter than `size` bytes was needed, or an unknown layer: NULL with *error. */
struct unpacker *unpacker_open(enum input_layer layer, struct source *source, struct error *error);
/* The next unpacked bytes; *got 0 at the end. False after all sound bytes were delivered. */
bool unpacker_read(struct unpacker *unpacker, void *buffer, size_t size, size_t *got,
                   struct error *error);
void unpacker_close(struct unpacker *unpacker); /* NULL is fine */

#endif
