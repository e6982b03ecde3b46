/* The words of kinds.json by their hash. */
/* SPDX-License-Identifier: MIT */
#include "read/lexicon.h"
#include "read/vocabulary.h"

const struct word *lexicon_find(const struct lexicon *lexicon, struct text word)
{
    uint64_t hash = text_hash(word);
    for (size_t i = (size_t)hash & lexicon->mask; lexicon->words[i].text.size > 0;
         i = (i + 1) & lexicon->mask)
        if (lexicon->words[i].hash == hash && text_equal(lexicon->words[i].text, word))
            return &lexicon->words[i];
    return NULL;
}

static struct word *word_add(struct lexicon *lexicon, struct text text)
{
    uint64_t hash = text_hash(text);
    size_t i = (size_t)hash & lexicon->mask;
    while (lexicon->words[i].text.size > 0 &&
           (lexicon->words[i].hash != hash || !text_equal(lexicon->words[i].text, text)))
        i = (i + 1) & lexicon->mask;
    lexicon->words[i].text = text;
    lexicon->words[i].hash = hash;
    return &lexicon->words[i];
}

static size_t words_count(const struct vocabulary *vocabulary)
{
    size_t count = vocabulary->weak.count + vocabulary->strip.count + vocabulary->translation_count;
    for (size_t i = 0; i < vocabulary->class_count; i++)
        count += vocabulary->classes[i].words.count;
    for (size_t i = 0; i < vocabulary->place_count; i++)
        count += vocabulary->places[i].words.count;
    for (size_t i = 0; i < vocabulary->phase_count; i++)
        count += vocabulary->phases[i].words.count;
    return count;
}

/* Of a word that stands in several rows the first one counts. */
static void rows_add(struct lexicon *lexicon, const struct vocabulary *vocabulary)
{
    for (size_t i = 0; i < vocabulary->place_count; i++)
        for (size_t w = 0; w < vocabulary->places[i].words.count; w++) {
            struct word *word = word_add(lexicon, vocabulary->places[i].words.list[w]);
            word->place = word->place ? word->place : (uint8_t)(i + 1);
        }
    for (size_t i = 0; i < vocabulary->phase_count; i++)
        for (size_t w = 0; w < vocabulary->phases[i].words.count; w++) {
            struct word *word = word_add(lexicon, vocabulary->phases[i].words.list[w]);
            word->phase = word->phase != PHASE_NONE ? word->phase : vocabulary->phases[i].phase;
        }
    for (size_t i = 0; i < vocabulary->class_count; i++)
        for (size_t w = 0; w < vocabulary->classes[i].words.count; w++)
            word_add(lexicon, vocabulary->classes[i].words.list[w])->class +=
                vocabulary->classes[i].add;
}

bool lexicon_make(struct vocabulary *vocabulary, struct arena *arena)
{
    struct lexicon *lexicon = &vocabulary->lexicon;
    size_t size = 64;
    while (size < 2 * words_count(vocabulary))
        size *= 2;
    lexicon->mask = size - 1;
    lexicon->words = arena_take(arena, size, sizeof *lexicon->words);
    if (!lexicon->words)
        return false;
    rows_add(lexicon, vocabulary);
    for (size_t w = 0; w < vocabulary->weak.count; w++)
        word_add(lexicon, vocabulary->weak.list[w])->weak = true;
    for (size_t w = 0; w < vocabulary->strip.count; w++)
        word_add(lexicon, vocabulary->strip.list[w])->strip = true;
    for (size_t i = 0; i < vocabulary->translation_count; i++) {
        const struct translation *row = &vocabulary->translations[i];
        struct word *word = word_add(lexicon, row->from);
        word->translation = word->translation ? word->translation : row;
        lexicon->opens[(uint8_t)row->from.data[0]] = true;
    }
    return true;
}
