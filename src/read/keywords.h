/* The words without which no line of a log can tell anything: a sieve in front of the reader. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_KEYWORDS_H
#define READ_KEYWORDS_H

#include "stalldoc/kind.h"

#include <string.h>

enum keyword_use {
    KEYWORD_VALUE = 1, /* names a number: says nothing in a line without one */
    KEYWORD_ALONE = 2, /* says something by itself: a place, a phase */
    KEYWORD_KEY = 4,   /* names a setting: says something in front of a sign */
};

enum { KEYWORD_BITS = 15, KEYWORDS_MAX = 4096, KEYWORD_BYTES = 8, KEYWORD_STARTS = 1 << 15 };

struct keyword {
    uint64_t key;
    uint8_t use; /* bits; 0: empty */
};

struct keywords {
    uint64_t starts[KEYWORD_STARTS / 64]; /* of the first three letters, by keyword_start */
    uint64_t bits[(1u << KEYWORD_BITS) / 64];
    struct keyword table[KEYWORDS_MAX]; /* open addressing */
    size_t count;
};

/* All names, places, phases and settings of the vocabulary. NULL: no memory. */
struct keywords *keywords_make(const struct vocabulary *vocabulary, struct arena *arena);
/* Of words joined with '_' or blanks one stands for all; what does not fit is left out. */
void keywords_add(struct keywords *keywords, struct text word, enum keyword_use use);

/* Eight bytes at `at` as a number, the first of them the lowest. */
static inline uint64_t keyword_load(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* The first eight bytes of a word in lower case; eight have to be readable. */
static inline uint64_t keyword_key(const char *at, size_t size)
{
    const uint64_t key = keyword_load(at) | UINT64_C(0x2020202020202020);
    return size >= KEYWORD_BYTES ? key : key & ((UINT64_C(1) << 8 * size) - 1);
}

/* Five bits of each of the first three bytes, those that no case changes. */
static inline uint32_t keyword_start(const char *at)
{
    const uint32_t first = (unsigned char)at[0] & 31, second = (unsigned char)at[1] & 31,
                   third = (unsigned char)at[2] & 31;
    return first | second << 5 | third << 10;
}

/* False: no keyword begins at the word's start. */
static inline bool keyword_may_start(const struct keywords *keywords, const char *at)
{
    const uint32_t start = keyword_start(at);
    return keywords->starts[start / 64] >> start % 64 & 1;
}

static inline uint32_t keyword_hash(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - KEYWORD_BITS));
}

static inline bool keyword_may_be(const struct keywords *keywords, uint64_t key)
{
    const uint32_t hash = keyword_hash(key);
    return keywords->bits[hash / 64] >> hash % 64 & 1;
}

static inline unsigned keyword_use(const struct keywords *keywords, uint64_t key)
{
    uint32_t hash = keyword_hash(key);
    if (!keyword_may_be(keywords, key))
        return 0;
    for (size_t i = hash % KEYWORDS_MAX; keywords->table[i].use; i = (i + 1) % KEYWORDS_MAX)
        if (keywords->table[i].key == key)
            return keywords->table[i].use;
    return 0;
}

#endif
