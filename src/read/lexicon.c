/* The words of kinds.json by their hash. */
/* SPDX-License-Identifier: MIT */
#include "read/lexicon.h"
#include "read/vocabulary.h"

const struct word *lexicon_find(const struct lexicon *lexicon, struct text word)
{
    uint64_t hash = text_hash(word);
    const size_t mask = lexicon->size - 1;
    for (size_t i = (size_t)hash & mask; lexicon->words[i].text.size > 0; i = (i + 1) & mask)
        if (lexicon->words[i].hash == hash && text_equal(lexicon->words[i].text, word))
            return &lexicon->words[i];
    return NULL;
}

struct slots { /* of the lexicon, while it is made */
    struct word *words;
    size_t mask;
};

static struct word *word_add(const struct slots *slots, struct text text)
{
    uint64_t hash = text_hash(text);
    size_t i = (size_t)hash & slots->mask;
    while (slots->words[i].text.size > 0 &&
           (slots->words[i].hash != hash || !text_equal(slots->words[i].text, text)))
        i = (i + 1) & slots->mask;
    slots->words[i].text = text;
    slots->words[i].hash = hash;
    return &slots->words[i];
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
static void rows_add(const struct slots *slots, const struct vocabulary *vocabulary)
{
    for (size_t i = 0; i < vocabulary->place_count; i++)
        for (size_t w = 0; w < vocabulary->places[i].words.count; w++) {
            struct word *word = word_add(slots, vocabulary->places[i].words.list[w]);
            word->place = word->place ? word->place : (uint8_t)(i + 1);
        }
    for (size_t i = 0; i < vocabulary->phase_count; i++)
        for (size_t w = 0; w < vocabulary->phases[i].words.count; w++) {
            struct word *word = word_add(slots, vocabulary->phases[i].words.list[w]);
            word->phase = word->phase != PHASE_NONE ? word->phase : vocabulary->phases[i].phase;
        }
    for (size_t i = 0; i < vocabulary->class_count; i++)
        for (size_t w = 0; w < vocabulary->classes[i].words.count; w++)
            word_add(slots, vocabulary->classes[i].words.list[w])->class +=
                vocabulary->classes[i].add;
}

bool lexicon_make(struct vocabulary *vocabulary, struct arena *arena)
{
    struct lexicon *lexicon = &vocabulary->lexicon;
    size_t size = 64;
    while (size < 2 * words_count(vocabulary))
        size *= 2;
    const struct slots own = {arena_take(arena, size, sizeof(*own.words)), size - 1};
    const struct slots *slots = &own;
    if (!own.words)
        return false;
    lexicon->words = own.words;
    lexicon->size = size;
    rows_add(slots, vocabulary);
    for (size_t w = 0; w < vocabulary->weak.count; w++)
        word_add(slots, vocabulary->weak.list[w])->weak = true;
    for (size_t w = 0; w < vocabulary->strip.count; w++)
        word_add(slots, vocabulary->strip.list[w])->strip = true;
    for (size_t i = 0; i < vocabulary->translation_count; i++) {
        const struct translation *row = &vocabulary->translations[i];
        struct word *word = word_add(slots, row->from);
        word->translation = word->translation ? word->translation : row;
        lexicon->opens[(uint8_t)row->from.data[0]] = true;
    }
    return true;
}
