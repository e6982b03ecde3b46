/* kinds.json as loaded: patterns over the pieces of names. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_VOCABULARY_H
#define READ_VOCABULARY_H

#include "read/lexicon.h"
#include "stalldoc/json.h"
#include "stalldoc/kind.h"

enum { PIECES_MAX = 48, PIECES_BYTES = 512, TOKENS_MAX = 12 };

struct piece {
    struct text text;
    bool head; /* the first one of a part of the path, those between '/' */
};

struct pieces { /* a name in lower case, cut at non-letters and where its case changes */
    struct piece piece[PIECES_MAX];
    size_t count;
    char bytes[PIECES_BYTES];
    size_t used;
};

struct token {
    struct text text; /* may hold # (digits) and % (any bytes); "*": any pieces */
    bool head, either, any, plain;
};

struct pattern {
    uint64_t needs; /* a bit for each plain word: a name without one of them does not match */
    uint64_t ends;  /* likewise first and last bytes, for each word with # or % */
    const struct token *tokens;
    size_t count;
    bool whole;     /* it holds a '/': sees the whole path */
    bool unordered; /* "loss+disc": all of these, anywhere */
};

struct patterns {
    const struct pattern *list;
    size_t count;
};

struct words {
    const struct text *list;
    size_t count;
};

struct series_row {
    bool refused, setting;
    enum kind kind;
    enum direction direction;
    double class;
    bool extra; /* every word beside the second adds 0.1 to the class, at most 0.4 */
    struct patterns names, except;
    struct text glob; /* of --map: on the path as written; "" in rows of the file */
};

struct unit_row {
    enum kind kind;
    struct words units;
};

struct class_row { /* words that make a loss less of a total */
    double add;
    struct words words;
};

struct place_row {
    enum place_word place;
    struct words words;
};

struct phase_row {
    enum phase phase;
    struct words words;
};

struct translation {
    struct text from, to;
};

enum fact_type { FACT_WORD, FACT_NUMBER, FACT_COUNT, FACT_CHOICE, FACT_FLAG, FACT_PRESENCE };

struct fact_value {
    struct text value; /* canonical */
    struct words globs;
};

struct fact_row {
    struct text fact;
    enum fact_type type;
    struct patterns names, except;
    const struct fact_value *values;
    size_t value_count;
    struct words refuse; /* globs of values that are something else's */
    double low, high;
    bool off;       /* none, null, false, -1 say that it is switched off; else they say nothing */
    bool zero;      /* 0 says so too */
    size_t element; /* from 1: of a value that is a tuple; 0: the whole value */
};

struct assumed_row {
    struct text framework, fact, value;
};

struct vocabulary {
    const struct series_row *series;
    size_t series_count;
    struct series_row *maps; /* --map; the last one first */
    size_t map_count, map_capacity;
    const struct unit_row *units;
    size_t unit_count;
    struct words weak, strip;
    const struct class_row *classes;
    size_t class_count;
    const struct place_row *places;
    size_t place_count;
    const struct phase_row *phases;
    size_t phase_count;
    const struct translation *translations;
    size_t translation_count;
    struct patterns reinforcement, reinforcement_beside, reinforcement_except;
    const struct fact_row *facts;
    size_t fact_count;
    const struct assumed_row *assumed;
    size_t assumed_count;
    struct lexicon lexicon; /* of the words in these lists */
    /* Of words of places and phases, a bit each, by first_letters. */
    uint64_t lengths[FIRST_LETTERS];
};

/* Upper case of ASCII, and of Latin-1 and Cyrillic in UTF-8, made lower in place. */
void bytes_fold(char *bytes, size_t size);
/* `camel` also cuts where the case changes. What does not fit is left out. */
void pieces_cut(const struct vocabulary *vocabulary, struct text path, bool camel,
                struct pieces *pieces);
/* False: too many tokens. They are put into `tokens`, with room for TOKENS_MAX; their text is that
   of `text`, which must be lower case. */
bool pattern_compile(struct text text, struct token *tokens, struct pattern *pattern);
bool pattern_matches(const struct pattern *pattern, const struct piece *pieces, size_t count);
/* The bits of the pieces, for pattern.needs. */
uint64_t pieces_bits(const struct pieces *pieces);
/* Their first and last bytes, for pattern.ends. */
uint64_t pieces_ends(const struct pieces *pieces);
/* False where a name of these bits cannot match. */
static inline bool pattern_possible(const struct pattern *pattern, uint64_t bits, uint64_t ends)
{
    return !(pattern->needs & ~bits) && !(pattern->ends & ~ends);
}
bool words_have(const struct words *words, struct text word);

#endif
