/* Which of the files at hand are parts of others. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"

struct listed { /* a file to be read */
    const char *path;
    enum path_kind kind;
    const char *whole; /* the file that it is read with; NULL: it is an input of its own */
};

struct listing {
    struct listed *files;
    size_t count, capacity;
};

bool listing_add(struct listing *listing, struct arena *arena, const char *path,
                 enum path_kind kind, struct error *error);
/* Fills in `whole`. What a file says of its parts is looked up in it; one that cannot be read has
   none. */
void listing_part(struct listing *listing);

#endif
