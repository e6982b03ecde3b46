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

enum {
    KEYWORD_BITS = 15,
    KEYWORDS_MAX = 4096,
    KEYWORD_BYTES = 8,
    KEYWORD_START_BITS = 15,
    KEYWORD_STARTS = 1 << KEYWORD_START_BITS,
    KEYWORD_TWO = 0x1f1f, /* masks of what stands in front of a word */
    KEYWORD_THREE = 0x1f1f1f,
    KEYWORD_FOUR = 0x1f1f1f1f,
};

struct keyword {
    uint64_t key;
    uint8_t use; /* bits; 0: empty */
};

struct keywords {
    /* By keyword_start: of the first three letters; of whole words of two and of three; of the
       first four of longer ones. */
    uint64_t starts[KEYWORD_STARTS / 64], twos[KEYWORD_STARTS / 64], threes[KEYWORD_STARTS / 64],
        fours[KEYWORD_STARTS / 64];
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

/* Four bytes at `at`, the first of them the lowest, without the bits that case changes. */
static inline uint32_t keyword_fold(const char *at)
{
    uint32_t bytes;
    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap32(bytes);
#endif
    return bytes & 0x1f1f1f1f;
}

/* A bit for the folded bytes that the mask leaves. */
static inline uint32_t keyword_start(uint32_t folded, uint32_t mask)
{
    return (folded & mask) * 0x9E3779B1u >> (32 - KEYWORD_START_BITS);
}

static inline bool keyword_bit(const uint64_t *bits, uint32_t bit)
{
    return bits[bit / 64] >> bit % 64 & 1;
}

/* False: no keyword begins at the word's start; four bytes have to be readable. */
static inline bool keyword_may_start(const struct keywords *keywords, const char *at)
{
    return keyword_bit(keywords->starts, keyword_start(keyword_fold(at), KEYWORD_THREE));
}

static inline bool keyword_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

/* False: it is none that goes on as the text does; asked of those that may start. */
static inline bool keyword_may_go_on(const struct keywords *keywords, const char *at)
{
    const uint32_t folded = keyword_fold(at);
    const uint32_t two = keyword_start(folded, KEYWORD_TWO);
    const uint32_t three = keyword_start(folded, KEYWORD_THREE);
    const uint32_t four = keyword_start(folded, KEYWORD_FOUR);
    return (keyword_bit(keywords->twos, two) & !keyword_lower(at[2])) |
           (keyword_bit(keywords->threes, three) & !keyword_lower(at[3])) |
           keyword_bit(keywords->fours, four);
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
