/* Memory of one lifetime: blocks that are given back together. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 16,
    BLOCK_SMALL = 4 << 10, /* the first block */
    /* The second: so large that the system maps it, all zero, and only what is used of it is ever
       touched. Blocks double from here on. */
    BLOCK_MIDDLE = 160 << 10,
    BLOCK_LARGE = 1 << 20,
    LARGE_ITEM = 512, /* of a growing array: of these it begins with few */
};

struct arena_block {
    struct arena_block *next;
    size_t size; /* of the whole block */
    size_t used; /* this header included */
    size_t unused;
};
_Static_assert(sizeof(struct arena_block) % ALIGNMENT == 0, "data behind the header is aligned");

/* Under AddressSanitizer each take is a block of its own, so that it sees every overrun. */
#if defined(__SANITIZE_ADDRESS__)
#define SEPARATE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SEPARATE 1
#endif
#endif
#ifndef SEPARATE
#define SEPARATE 0
#endif

static size_t block_size(const struct arena *arena, size_t need)
{
    size_t size = arena->blocks ? 2 * arena->blocks->size : BLOCK_SMALL;
    if (arena->blocks && size < BLOCK_MIDDLE)
        size = BLOCK_MIDDLE;
    if (size > BLOCK_LARGE)
        size = BLOCK_LARGE;
    return SEPARATE || size < need ? need : size;
}

static struct arena_block *block_add(struct arena *arena, size_t wanted)
{
    size_t size = block_size(arena, wanted + sizeof(struct arena_block));
    struct arena_block *block = calloc(1, size);
    if (!block)
        return NULL;
    block->size = size;
    block->used = sizeof(*block);
    arena->used += sizeof(*block);
    struct arena_block *top = arena->blocks;
    if (top && !SEPARATE && size - block->used - wanted < top->size - top->used) {
        block->next = top->next; /* the old block has more room left: it stays in front */
        top->next = block;
    } else {
        block->next = top;
        arena->blocks = block;
    }
    return block;
}

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    uint64_t total;
    if (!size_product(count, size, &total) || total > SIZE_MAX / 2)
        return NULL;
    size_t wanted = ((size_t)total + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!wanted)
        wanted = ALIGNMENT; /* distinct from no memory */
    struct arena_block *block = arena->blocks;
    const bool new = SEPARATE || !block || block->size - block->used < wanted;
    const size_t more = new ? wanted + sizeof(*block) : wanted;
    if (arena->limit && (more > arena->limit || arena->used > arena->limit - more))
        return NULL;
    if (new) {
        /* Exact under the sanitizer: the padding would hide overruns. */
        block = block_add(arena, SEPARATE && total ? (size_t)total : wanted);
        if (!block)
            return NULL;
    }
    void *taken = (char *)block + block->used;
    block->used += wanted;
    arena->used += wanted;
    return taken;
}

char *arena_string(struct arena *arena, struct text text)
{
    char *copy = text.size < SIZE_MAX ? arena_take(arena, text.size + 1, 1) : NULL;
    if (copy && text.size)
        memcpy(copy, text.data, text.size);
    return copy;
}

struct text arena_text(struct arena *arena, struct text text)
{
    char *copy = arena_string(arena, text);
    return (struct text){copy, copy ? text.size : 0};
}

struct text arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    char *text = size < 0 ? NULL : arena_take(arena, (size_t)size + 1, 1);
    if (text)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    va_end(arguments);
    return (struct text){text, text ? (size_t)size : 0};
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
    arena->used = 0;
}

void arena_adopt(struct arena *into, struct arena *from)
{
    struct arena_block **end = &into->blocks; /* its first block goes on being filled */
    while (*end)
        end = &(*end)->next;
    *end = from->blocks;
    into->used += from->used;
    from->blocks = NULL;
    from->used = 0;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t wanted,
                 size_t size)
{
    if (items && wanted <= *capacity)
        return items;
    size_t room = *capacity < SIZE_MAX / 2 ? 2 * *capacity : SIZE_MAX;
    if (room < wanted)
        room = wanted;
    const size_t least = size < LARGE_ITEM ? 8 : 2;
    if (room < least)
        room = least;
    void *grown = arena_take(arena, room, size);
    if (!grown && room > wanted) {
        room = wanted; /* little memory is left: no reserve */
        grown = arena_take(arena, room, size);
    }
    if (!grown)
        return NULL;
    if (count)
        memcpy(grown, items, count * size);
    *capacity = room;
    return grown;
}
