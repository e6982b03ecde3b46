/* Memory of one lifetime: taken piecewise, given back at once. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_ARENA_H
#define STALLDOC_ARENA_H

#include "stalldoc/span.h"
#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *blocks;
    size_t used;  /* bytes handed out, in steps of 16, and the heads of blocks */
    size_t limit; /* of them, hard; 0: no bound */
};

/* Zeroed memory for count * size bytes, aligned to 16; NULL past the limit or on overflow. */
void *arena_take(struct arena *arena, size_t count, size_t size);
/* A copy with a NUL behind it (not counted); data is NULL where memory ended. */
struct text arena_text(struct arena *arena, struct text text);
char *arena_string(struct arena *arena, struct text text); /* NULL where memory ended */
/* printf into the arena; data NULL where memory ended. */
struct text arena_print(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena); /* all of it; the arena can be used again */
/* What was taken from `from` lives as long as `into` from now on; `from` is empty. */
void arena_adopt(struct arena *into, struct arena *from);

/* A growing array in an arena: returns an array of at least `wanted` items that begins with the
   `count` items of `items`; *capacity follows. NULL past the limit, `items` stays valid. */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t wanted,
                 size_t size);

/* One large block apart from arenas, 64-byte aligned, for windows and tables that live as long as
   their owner. NULL where memory ended. */
void *block_take(size_t size);
void block_free(void *block);

#endif
