/* Which words of kinds.json a line has to hold to be worth reading. */
/* SPDX-License-Identifier: MIT */
#include "read/keywords.h"
#include "read/vocabulary.h"

enum { KEYWORD_LEAST = 2 }; /* letters: single ones stand in every line */

/* Words that many names hold beside one that says more. */
static bool generic(struct text word)
{
    static const char *const words[] = {
        "size", "type", "name",  "path",  "num",   "number", "max",  "min", "model",   "data",
        "use",  "file", "value", "rate",  "mode",  "param",  "dir",  "per", "total",   "time",
        "mean", "avg",  "sec",   "count", "ratio", "batch",  "init", "val", "enabled", NULL};
    for (size_t i = 0; words[i]; i++)
        if (text_is(word, words[i]))
            return true;
    return false;
}

static void start_set(uint64_t *bits, uint32_t folded, uint32_t mask)
{
    const uint32_t bit = keyword_start(folded, mask);
    bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Behind a word of two letters anything may stand. */
static void start_add(struct keywords *keywords, struct text word)
{
    char bytes[4] = {0};
    memcpy(bytes, word.data, word.size < sizeof bytes ? word.size : sizeof bytes);
    const uint32_t folded = keyword_fold(bytes);
    if (word.size == 2) {
        start_set(keywords->twos, folded, KEYWORD_TWO);
        for (uint32_t third = 0; third < 32; third++)
            start_set(keywords->starts, folded | third << 16, KEYWORD_THREE);
        return;
    }
    start_set(keywords->starts, folded, KEYWORD_THREE);
    if (word.size == 3)
        start_set(keywords->threes, folded, KEYWORD_THREE);
    else
        start_set(keywords->fours, folded, KEYWORD_FOUR);
}

static void key_add(struct keywords *keywords, struct text word, enum keyword_use use)
{
    char bytes[KEYWORD_BYTES] = {0};
    if (word.size < KEYWORD_LEAST || (unsigned char)word.data[0] >= 0x80 ||
        keywords->count >= KEYWORDS_MAX / 2)
        return;
    memcpy(bytes, word.data, word.size < KEYWORD_BYTES ? word.size : KEYWORD_BYTES);
    uint64_t key = keyword_key(bytes, word.size);
    uint32_t hash = keyword_hash(key);
    size_t i = hash % KEYWORDS_MAX;
    while (keywords->table[i].use && keywords->table[i].key != key)
        i = (i + 1) % KEYWORDS_MAX;
    keywords->count += !keywords->table[i].use;
    keywords->table[i].key = key;
    keywords->table[i].use |= (uint8_t)use;
    keywords->bits[hash / 64] |= UINT64_C(1) << hash % 64;
    start_add(keywords, word);
}

/* As far as the keys tell them apart: of two that are as long, the first. */
static bool longer(struct text a, struct text b)
{
    return a.size > b.size && b.size < KEYWORD_BYTES;
}

void keywords_add(struct keywords *keywords, struct text word, enum keyword_use use)
{
    struct text best = {0};
    for (size_t start = 0, i = 0; i <= word.size; i++)
        if (i == word.size || strchr("_ *", word.data[i])) {
            struct text piece = text_cut(word, start, i - start);
            if (longer(piece, best))
                best = piece;
            start = i + 1;
        }
    key_add(keywords, best, use);
}

/* One of its words will do: the longest that says something. */
static void pattern_add(struct keywords *keywords, const struct pattern *pattern,
                        enum keyword_use use)
{
    struct text best = {0};
    for (size_t i = 0; i < pattern->count; i++) {
        const struct token *token = &pattern->tokens[i];
        struct text word = token->text;
        const char *digits = memchr(word.data, '#', word.size);
        if (digits) /* a word ends at its digits */
            word.size = (size_t)(digits - word.data);
        if (token->any || memchr(word.data, '%', word.size))
            continue;
        bool better = longer(word, best);
        if (best.size > 0 && generic(best) != generic(word))
            better = generic(best);
        if (better)
            best = word;
    }
    key_add(keywords, best, use);
}

static void patterns_add(struct keywords *keywords, const struct patterns *patterns,
                         enum keyword_use use)
{
    for (size_t i = 0; i < patterns->count; i++)
        pattern_add(keywords, &patterns->list[i], use);
}

static void words_add(struct keywords *keywords, const struct words *words, enum keyword_use use)
{
    for (size_t i = 0; i < words->count; i++)
        keywords_add(keywords, words->list[i], use);
}

struct keywords *keywords_make(const struct vocabulary *vocabulary, struct arena *arena)
{
    struct keywords *keywords = arena_take(arena, 1, sizeof *keywords);
    if (!keywords)
        return NULL;
    for (size_t i = 0; i < vocabulary->series_count; i++)
        if (!vocabulary->series[i].refused)
            patterns_add(keywords, &vocabulary->series[i].names, KEYWORD_VALUE);
    for (size_t i = 0; i < vocabulary->translation_count; i++)
        keywords_add(keywords, vocabulary->translations[i].from, KEYWORD_ALONE);
    for (size_t i = 0; i < vocabulary->place_count; i++)
        if (vocabulary->places[i].place != PLACE_NONE)
            words_add(keywords, &vocabulary->places[i].words, KEYWORD_ALONE);
    for (size_t i = 0; i < vocabulary->phase_count; i++)
        words_add(keywords, &vocabulary->phases[i].words, KEYWORD_ALONE);
    for (size_t i = 0; i < vocabulary->fact_count; i++)
        patterns_add(keywords, &vocabulary->facts[i].names, KEYWORD_KEY);
    return keywords;
}
