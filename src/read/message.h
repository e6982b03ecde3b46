/* What the loader of fixed texts prepares for the search. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_MESSAGE_H
#define READ_MESSAGE_H

#include "stalldoc/message.h"

/* Any window of 11 bytes covers a whole piece of 4 at a multiple of 8, one of 7 at a multiple of 4.
 */
enum {
    PIECE = 4,
    WINDOW_WIDE = 11,
    WINDOW_NARROW = 7,
    BITMAP_BITS = 17,
    PAIR_BITS = 17,
    GRAM_HEADS = 16384,
    WHOLE_BITS = 10,
    WHOLE_HEADS = 1 << WHOLE_BITS
};

struct gram {                  /* a piece of a row's window */
    uint32_t piece, row, next; /* next: index of the next gram of this head; 0 none */
    uint32_t window;           /* where the window begins in its part */
    uint8_t part, into, length;
};

struct message_filter {
    uint64_t every8[(1u << BITMAP_BITS) / 64]; /* pieces of all windows */
    uint64_t every4[(1u << BITMAP_BITS) / 64]; /* of narrow ones */
    bool narrow;                               /* there are some */
    uint64_t ahead[(1u << PAIR_BITS) / 64];    /* pairs of a wide window's piece and the next */
    uint64_t behind[(1u << PAIR_BITS) / 64];   /* and of one and the one before */
    uint32_t heads[GRAM_HEADS];                /* index of the first gram; 0 none */
    const struct gram *grams;                  /* from 1 */
    size_t gram_count;                         /* with the unused one */
    /* Rows without a window are whole lines: [whole_hash] the first that ends so, then [row] the
       next; both from 1, 0 none. */
    uint32_t whole_heads[WHOLE_HEADS];
    const uint32_t *whole_next;
    const bool *folded;       /* [row] case does not matter */
    const uint32_t *identity; /* [row] the first row of the same id */
    size_t row_count;
};

static inline uint32_t piece_fold(uint32_t piece)
{
    return piece | 0x20202020u;
}

static inline uint32_t piece_hash(uint32_t piece)
{
    return piece * 0x9E3779B1u >> (32 - BITMAP_BITS);
}

/* Of a piece and the folded piece that follows it. */
static inline uint32_t pair_hash(uint32_t piece, uint32_t next)
{
    return (piece * 0x9E3779B1u ^ next * 0x85EBCA77u) >> (32 - PAIR_BITS);
}

/* Of the last two bytes of `size`; at least one. */
static inline uint32_t whole_hash(const char *data, size_t size)
{
    const uint32_t last = (unsigned char)data[size - 1];
    const uint32_t before = size > 1 ? (unsigned char)data[size - 2] : 0;
    return (last | before << 8) * 0x9E3779B1u >> (32 - WHOLE_BITS);
}

static inline bool bit_get(const uint64_t *bits, uint32_t bit)
{
    return bits[bit / 64] >> (bit % 64) & 1;
}

static inline void bit_set(uint64_t *bits, uint32_t bit)
{
    bits[bit / 64] |= (uint64_t)1 << (bit % 64);
}

#endif
