/* The words of kinds.json by their hash: what a single word says. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_LEXICON_H
#define READ_LEXICON_H

#include "stalldoc/kind.h"

struct vocabulary;
struct translation;

struct word {
    struct text text; /* as in kinds.json; pieces joined with '_' where it has several */
    uint64_t hash;
    enum phase phase;
    uint8_t place; /* number of its row in `places`, from 1; 0: no place */
    bool weak, strip;
    double class;                          /* what it adds to the class of a loss */
    const struct translation *translation; /* NULL: none */
};

struct lexicon {
    const struct word *words; /* open addressing; those without text are empty */
    size_t size;              /* their number, a power of two */
    bool opens[256];          /* bytes that a translated word begins with */
};

/* False: no memory. */
bool lexicon_make(struct vocabulary *vocabulary, struct arena *arena);
/* NULL: kinds.json does not know it as a single word. */
const struct word *lexicon_find(const struct lexicon *lexicon, struct text word);

#endif
