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

enum { KEYWORD_BITS = 15, KEYWORDS_MAX = 4096, KEYWORD_BYTES = 8 };

struct keyword {
    uint64_t key;
    uint8_t use; /* bits; 0: empty */
};

struct keywords {
    uint64_t bits[(1u << KEYWORD_BITS) / 64];
    struct keyword table[KEYWORDS_MAX]; /* open addressing */
    size_t count;
};

/* All names, places, phases and settings of the vocabulary. NULL: no memory. */
struct keywords *keywords_make(const struct vocabulary *vocabulary, struct arena *arena);
/* Of words joined with '_' or blanks one stands for all; what does not fit is left out. */
void keywords_add(struct keywords *keywords, struct text word, enum keyword_use use);

/* The first eight bytes of a word in lower case; eight have to be readable. */
static inline uint64_t keyword_key(const char *at, size_t size)
{
    uint64_t key;
    memcpy(&key, at, sizeof key);
    key |= UINT64_C(0x2020202020202020);
    if (size >= KEYWORD_BYTES)
        return key;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return key & ((UINT64_C(1) << 8 * size) - 1);
#else
    return key & ~(UINT64_MAX >> 8 * size);
#endif
}

static inline uint32_t keyword_hash(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - KEYWORD_BITS));
}

static inline unsigned keyword_use(const struct keywords *keywords, uint64_t key)
{
    uint32_t hash = keyword_hash(key);
    if (!(keywords->bits[hash / 64] >> hash % 64 & 1))
        return 0;
    for (size_t i = hash % KEYWORDS_MAX; keywords->table[i].use; i = (i + 1) % KEYWORDS_MAX)
        if (keywords->table[i].key == key)
            return keywords->table[i].use;
    return 0;
}

#endif
