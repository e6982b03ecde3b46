/* Facts as they are told: settings, marks and fixed texts. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

enum { FACTS_OF_SETTING = 8, SAME_KEY = 16, VALUE_BYTES = 200 };

/* Of one key and source the same value again says nothing new. */
static bool told_before(const struct tape *tape, const struct told *told)
{
    size_t of_key = 0;
    for (size_t i = tape->told_count; i > 0; i--) {
        const struct told *before = &tape->told[i - 1];
        if (!text_equal(before->fact.key, told->fact.key))
            continue;
        of_key++;
        if (before->fact.source != told->fact.source || before->command != told->command)
            continue;
        return of_key >= SAME_KEY || (before->fact.state == told->fact.state &&
                                      text_equal(before->fact.value, told->fact.value));
    }
    return of_key >= SAME_KEY;
}

static bool told_add(struct tape *tape, const struct fact_naming *naming, struct told told,
                     struct error *error)
{
    told.fact.key = naming->key;
    told.fact.value = text_cut(naming->value, 0, VALUE_BYTES);
    told.fact.number = naming->number;
    told.fact.state = naming->none ? FACT_NONE : FACT_KNOWN;
    if (naming->refused || naming->key.size == 0 || tape->told_count >= FACTS_MAX ||
        told_before(tape, &told))
        return true;
    told.fact.key = arena_text(&tape->arena, told.fact.key);
    told.fact.value = arena_text(&tape->arena, told.fact.value);
    if (!told.fact.key.data || !told.fact.value.data ||
        !ROOM(&tape->arena, tape->told, tape->told_count, tape->told_capacity))
        return memory_ended(error);
    tape->told[tape->told_count++] = told;
    return true;
}

static bool key_has(struct text key, const char *part)
{
    return text_find(key, text_of(part)) < key.size;
}

static int64_t step_reached(const struct tape *tape)
{
    int64_t step = STEP_NONE;
    for (size_t i = 0; i < tape->stream_count; i++)
        if (tape->streams[i]->last_step > step)
            step = tape->streams[i]->last_step;
    return step;
}

bool fact_tell(struct tape *tape, struct text key, struct text value, enum fact_source source,
               bool command, const struct place *place, struct error *error)
{
    return fact_tell_at(tape, key, value, source, command, place, step_reached(tape), error);
}

bool fact_tell_at(struct tape *tape, struct text key, struct text value, enum fact_source source,
                  bool command, const struct place *place, int64_t step, struct error *error)
{
    struct fact_naming facts[FACTS_OF_SETTING];
    const size_t count =
        vocabulary_facts(tape->collector->options.vocabulary, key, value, facts, FACTS_OF_SETTING);
    const struct told told = {
        .fact = {.source = source, .place = *place, .step = step, .in_force = true},
        .command = command,
        .device =
            key_has(key, "micro_batch") || key_has(key, "per_device") || key_has(key, "per_gpu"),
        .either = text_ends(key, "train_batch_size") && !key_has(key, "per_"),
        .megatron = text_is(key, "params_dtype") || text_is(key, "lr_decay_style")};
    for (size_t i = 0; i < count; i++)
        if (!told_add(tape, &facts[i], told, error))
            return false;
    return true;
}

bool tape_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    static const enum fact_source sources[] = {[SETTING_DUMP] = FACT_LOG,
                                               [SETTING_COMMAND] = FACT_LOG,
                                               [SETTING_CONFIG] = FACT_CONFIG,
                                               [SETTING_MARK] = FACT_MARK,
                                               [SETTING_MESSAGE] = FACT_MESSAGE};
    if (tape->format->group == FORMAT_CHECKPOINT)
        standing_setting(&tape->standing, setting->key, setting->value);
    return fact_tell(tape, setting->key, setting->value, sources[setting->source],
                     setting->source == SETTING_COMMAND, &setting->place, error);
}
