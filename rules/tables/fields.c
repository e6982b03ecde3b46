/* The members of everything that rules_read makes. */
/* SPDX-License-Identifier: MIT */
#include "fields.h"

#include "detect/rule/condition.h"
#include "read/message.h"
#include "read/vocabulary.h"

#include <string.h>

#define FIELD(of, member, type, list, beside)                                                      \
    {                                                                                              \
#member, offsetof(struct of, member), sizeof(((struct of *)0)->member), type, list, beside \
    }
#define HELD(of, member, type) FIELD(of, member, type, LIST_HELD, 0)
#define COUNTED(of, member, type, count)                                                           \
    FIELD(of, member, type, LIST_COUNTED, offsetof(struct of, count))
#define ENDED(of, member, type) FIELD(of, member, type, LIST_ENDED, 0)
#define PAIRED(of, member, type, other)                                                            \
    FIELD(of, member, type, LIST_PAIRED, offsetof(struct of, other))
#define END                                                                                        \
    {                                                                                              \
        0                                                                                          \
    }

#define PLAIN(tag, c, its_form)                                                                    \
    static const struct type tag[] = {{.name = #c,                                                 \
                                       .rows = #tag "_rows",                                       \
                                       .form = its_form,                                           \
                                       .size = sizeof(c),                                          \
                                       .alignment = _Alignof(c)}}
#define STRUCT(tag)                                                                                \
    static const struct type tag##_type[] = {{.name = "struct " #tag,                              \
                                              .rows = #tag "_rows",                                \
                                              .form = FORM_STRUCT,                                 \
                                              .size = sizeof(struct tag),                          \
                                              .alignment = _Alignof(struct tag),                   \
                                              .fields = tag##_fields}}
#define POINTER(tag)                                                                               \
    static const struct type tag##_pointer[] = {{.name = "const struct " #tag " *",                \
                                                 .rows = #tag "_pointer_rows",                     \
                                                 .form = FORM_POINTER,                             \
                                                 .size = sizeof(struct tag *),                     \
                                                 .alignment = _Alignof(struct tag *),              \
                                                 .to = tag##_type}}

PLAIN(flag, bool, FORM_WHOLE);
PLAIN(byte, uint8_t, FORM_WHOLE);
PLAIN(word32, uint32_t, FORM_WHOLE);
PLAIN(word64, uint64_t, FORM_WHOLE);
PLAIN(size, size_t, FORM_WHOLE);
PLAIN(choice, enum kind, FORM_WHOLE); /* all enums are of one size */
PLAIN(real, double, FORM_REAL);
PLAIN(string, const char *, FORM_STRING);
PLAIN(text, struct text, FORM_TEXT);
PLAIN(detector, const struct detector *, FORM_DETECTOR);

/* ---- Symptoms and causes ---- */

static const struct type condition_type[1], condition_pointer[1];

static const struct field comparison_fields[] = {
    COUNTED(comparison, words, string, count),
    COUNTED(comparison, numbers, real, count),
    HELD(comparison, count, size),
    HELD(comparison, above, real),
    HELD(comparison, below, real),
    HELD(comparison, at_least, real),
    HELD(comparison, at_most, real),
    HELD(comparison, ask, choice),
    END,
};
STRUCT(comparison);

static const struct field condition_fields[] = {
    HELD(condition, subject, choice),
    HELD(condition, name, string),
    ENDED(condition, forms, string),
    HELD(condition, gate, choice),
    HELD(condition, kind, choice),
    HELD(condition, points, word64),
    HELD(condition, when, choice),
    HELD(condition, within, real),
    HELD(condition, comparison, comparison_type),
    COUNTED(condition, parts, condition_pointer, part_count),
    HELD(condition, part_count, size),
    END,
};
STRUCT(condition);
POINTER(condition);

static const struct field parameter_step_fields[] = {
    HELD(parameter_step, points, word64),
    HELD(parameter_step, number, real),
    END,
};
STRUCT(parameter_step);

static const struct field parameter_value_fields[] = {
    HELD(parameter_value, number, real),
    COUNTED(parameter_value, steps, parameter_step_type, step_count),
    HELD(parameter_value, step_count, size),
    END,
};
STRUCT(parameter_value);

static const struct field rule_use_fields[] = {
    HELD(rule_use, detector, detector),
    HELD(rule_use, form, string),
    HELD(rule_use, kinds, choice),
    HELD(rule_use, kind_count, size),
    HELD(rule_use, tag, string),
    HELD(rule_use, any_scope, flag),
    HELD(rule_use, any_basis, flag),
    HELD(rule_use, scope, choice),
    HELD(rule_use, basis, choice),
    HELD(rule_use, points, word64),
    HELD(rule_use, when, condition_pointer),
    HELD(rule_use, parameters, parameter_value_type),
    END,
};
STRUCT(rule_use);

static const struct field parameter_set_fields[] = {
    HELD(parameter_set, use, word32),
    HELD(parameter_set, parameter, word32),
    HELD(parameter_set, number, real),
    END,
};
STRUCT(parameter_set);

static const struct field gate_entry_fields[] = {
    HELD(gate_entry, when, condition_pointer),
    HELD(gate_entry, effect, choice),
    HELD(gate_entry, cap, real),
    COUNTED(gate_entry, sets, parameter_set_type, set_count),
    HELD(gate_entry, set_count, size),
    HELD(gate_entry, why, string),
    END,
};
STRUCT(gate_entry);

static const struct field severity_step_fields[] = {
    HELD(severity_step, is, choice),
    HELD(severity_step, when, condition_pointer),
    END,
};
STRUCT(severity_step);

static const struct field confidence_step_fields[] = {
    HELD(confidence_step, is, real),
    HELD(confidence_step, when, condition_pointer),
    END,
};
STRUCT(confidence_step);

static const struct field absorb_fields[] = {
    HELD(absorb, symptom, string),
    ENDED(absorb, forms, string),
    HELD(absorb, within, real),
    END,
};
STRUCT(absorb);

static const struct field form_message_fields[] = {
    HELD(form_message, form, string),
    HELD(form_message, text, string),
    END,
};
STRUCT(form_message);

static const struct field symptom_fields[] = {
    HELD(symptom, id, string),
    HELD(symptom, group, string),
    HELD(symptom, title, string),
    COUNTED(symptom, uses, rule_use_type, use_count),
    HELD(symptom, use_count, size),
    COUNTED(symptom, gates, gate_entry_type, gate_count),
    HELD(symptom, gate_count, size),
    COUNTED(symptom, severity, severity_step_type, severity_count),
    HELD(symptom, severity_count, size),
    COUNTED(symptom, confidence, confidence_step_type, confidence_count),
    HELD(symptom, confidence_count, size),
    COUNTED(symptom, absorbs, absorb_type, absorb_count),
    HELD(symptom, absorb_count, size),
    ENDED(symptom, consequences, string),
    COUNTED(symptom, messages, form_message_type, message_count),
    HELD(symptom, message_count, size),
    HELD(symptom, meaning, string),
    HELD(symptom, evidence, string),
    HELD(symptom, looks_like, string),
    HELD(symptom, act, string),
    HELD(symptom, reasons, string),
    HELD(symptom, path, string),
    HELD(symptom, order, size),
    END,
};
STRUCT(symptom);

static const struct field evidence_item_fields[] = {
    HELD(evidence_item, symptom, string),
    ENDED(evidence_item, forms, string),
    HELD(evidence_item, severity, choice),
    HELD(evidence_item, where, condition_pointer),
    HELD(evidence_item, when, condition_pointer),
    HELD(evidence_item, group, string),
    HELD(evidence_item, weight, real),
    HELD(evidence_item, text, string),
    END,
};
STRUCT(evidence_item);

static const struct field snippet_fields[] = {
    HELD(snippet, framework, string),
    HELD(snippet, language, string),
    HELD(snippet, code, string),
    END,
};
STRUCT(snippet);

static const struct field fix_fields[] = {
    HELD(fix, title, string),           HELD(fix, numbers, string),
    HELD(fix, effort, string),          HELD(fix, expect, string),
    HELD(fix, when, condition_pointer), COUNTED(fix, snippets, snippet_type, snippet_count),
    HELD(fix, snippet_count, size),     END,
};
STRUCT(fix);

static const struct field cause_fields[] = {
    HELD(cause, id, string),
    HELD(cause, title, string),
    HELD(cause, meaning, string),
    HELD(cause, path, string),
    HELD(cause, prior, real),
    HELD(cause, unless, condition_pointer),
    COUNTED(cause, items, evidence_item_type, item_count),
    HELD(cause, item_count, size),
    ENDED(cause, order, string),
    COUNTED(cause, fixes, fix_type, fix_count),
    HELD(cause, fix_count, size),
    HELD(cause, rank, size),
    END,
};
STRUCT(cause);

/* ---- Fixed texts ---- */

static const struct field message_fact_fields[] = {
    HELD(message_fact, key, text),
    HELD(message_fact, value, text),
    END,
};
STRUCT(message_fact);

static const struct field message_row_fields[] = {
    HELD(message_row, id, string),
    COUNTED(message_row, parts, text, part_count),
    HELD(message_row, part_count, size),
    HELD(message_row, line_start, flag),
    HELD(message_row, whole_line, flag),
    HELD(message_row, strength, choice),
    ENDED(message_row, symptoms, string),
    PAIRED(message_row, forms, string, symptoms),
    ENDED(message_row, causes, string),
    COUNTED(message_row, facts, message_fact_type, fact_count),
    HELD(message_row, fact_count, size),
    HELD(message_row, suggest, string),
    HELD(message_row, change, string),
    HELD(message_row, times, word32),
    END,
};
STRUCT(message_row);

static const struct field gram_fields[] = {
    HELD(gram, piece, word32), HELD(gram, row, word32),
    HELD(gram, next, word32),  HELD(gram, window, word32),
    HELD(gram, part, byte),    HELD(gram, into, byte),
    HELD(gram, length, byte),  END,
};
STRUCT(gram);

static const struct field message_filter_fields[] = {
    HELD(message_filter, every8, word64),
    HELD(message_filter, every4, word64),
    HELD(message_filter, narrow, flag),
    HELD(message_filter, ahead, word64),
    HELD(message_filter, behind, word64),
    HELD(message_filter, heads, word32),
    COUNTED(message_filter, grams, gram_type, gram_count),
    HELD(message_filter, gram_count, size),
    HELD(message_filter, whole_heads, word32),
    COUNTED(message_filter, whole_next, word32, row_count),
    COUNTED(message_filter, folded, flag, row_count),
    COUNTED(message_filter, identity, word32, row_count),
    HELD(message_filter, row_count, size),
    END,
};
STRUCT(message_filter);
POINTER(message_filter);

static const struct field message_table_fields[] = {
    COUNTED(message_table, rows, message_row_type, row_count),
    HELD(message_table, row_count, size),
    HELD(message_table, filter, message_filter_pointer),
    END,
};
STRUCT(message_table);
POINTER(message_table);

/* ---- Names ---- */

static const struct field token_fields[] = {
    HELD(token, text, text), HELD(token, head, flag),  HELD(token, either, flag),
    HELD(token, any, flag),  HELD(token, plain, flag), END,
};
STRUCT(token);

static const struct field pattern_fields[] = {
    HELD(pattern, needs, word64),
    HELD(pattern, ends, word64),
    COUNTED(pattern, tokens, token_type, count),
    HELD(pattern, count, size),
    HELD(pattern, whole, flag),
    HELD(pattern, unordered, flag),
    END,
};
STRUCT(pattern);

static const struct field patterns_fields[] = {
    COUNTED(patterns, list, pattern_type, count),
    HELD(patterns, count, size),
    END,
};
STRUCT(patterns);

static const struct field words_fields[] = {
    COUNTED(words, list, text, count),
    HELD(words, count, size),
    END,
};
STRUCT(words);

static const struct field series_row_fields[] = {
    HELD(series_row, refused, flag),        HELD(series_row, setting, flag),
    HELD(series_row, kind, choice),         HELD(series_row, direction, choice),
    HELD(series_row, class, real),          HELD(series_row, extra, flag),
    HELD(series_row, names, patterns_type), HELD(series_row, except, patterns_type),
    HELD(series_row, glob, text),           END,
};
STRUCT(series_row);

static const struct field unit_row_fields[] = {
    HELD(unit_row, kind, choice),
    HELD(unit_row, units, words_type),
    END,
};
STRUCT(unit_row);

static const struct field class_row_fields[] = {
    HELD(class_row, add, real),
    HELD(class_row, words, words_type),
    END,
};
STRUCT(class_row);

static const struct field place_row_fields[] = {
    HELD(place_row, place, choice),
    HELD(place_row, words, words_type),
    END,
};
STRUCT(place_row);

static const struct field phase_row_fields[] = {
    HELD(phase_row, phase, choice),
    HELD(phase_row, words, words_type),
    END,
};
STRUCT(phase_row);

static const struct field translation_fields[] = {
    HELD(translation, from, text),
    HELD(translation, to, text),
    END,
};
STRUCT(translation);
POINTER(translation);

static const struct field fact_value_fields[] = {
    HELD(fact_value, value, text),
    HELD(fact_value, globs, words_type),
    END,
};
STRUCT(fact_value);

static const struct field fact_row_fields[] = {
    HELD(fact_row, fact, text),
    HELD(fact_row, type, choice),
    HELD(fact_row, names, patterns_type),
    HELD(fact_row, except, patterns_type),
    COUNTED(fact_row, values, fact_value_type, value_count),
    HELD(fact_row, value_count, size),
    HELD(fact_row, refuse, words_type),
    HELD(fact_row, low, real),
    HELD(fact_row, high, real),
    HELD(fact_row, off, flag),
    HELD(fact_row, zero, flag),
    HELD(fact_row, element, size),
    END,
};
STRUCT(fact_row);

static const struct field assumed_row_fields[] = {
    HELD(assumed_row, framework, text),
    HELD(assumed_row, fact, text),
    HELD(assumed_row, value, text),
    END,
};
STRUCT(assumed_row);

static const struct field word_fields[] = {
    HELD(word, text, text),
    HELD(word, hash, word64),
    HELD(word, phase, choice),
    HELD(word, place, byte),
    HELD(word, weak, flag),
    HELD(word, strip, flag),
    HELD(word, class, real),
    HELD(word, translation, translation_pointer),
    END,
};
STRUCT(word);

static const struct field lexicon_fields[] = {
    COUNTED(lexicon, words, word_type, size),
    HELD(lexicon, size, size),
    HELD(lexicon, opens, flag),
    END,
};
STRUCT(lexicon);

static const struct field vocabulary_fields[] = {
    COUNTED(vocabulary, series, series_row_type, series_count),
    HELD(vocabulary, series_count, size),
    COUNTED(vocabulary, maps, series_row_type, map_count),
    HELD(vocabulary, map_count, size),
    HELD(vocabulary, map_capacity, size),
    COUNTED(vocabulary, units, unit_row_type, unit_count),
    HELD(vocabulary, unit_count, size),
    HELD(vocabulary, weak, words_type),
    HELD(vocabulary, strip, words_type),
    COUNTED(vocabulary, classes, class_row_type, class_count),
    HELD(vocabulary, class_count, size),
    COUNTED(vocabulary, places, place_row_type, place_count),
    HELD(vocabulary, place_count, size),
    COUNTED(vocabulary, phases, phase_row_type, phase_count),
    HELD(vocabulary, phase_count, size),
    COUNTED(vocabulary, translations, translation_type, translation_count),
    HELD(vocabulary, translation_count, size),
    HELD(vocabulary, reinforcement, patterns_type),
    HELD(vocabulary, reinforcement_beside, patterns_type),
    HELD(vocabulary, reinforcement_except, patterns_type),
    COUNTED(vocabulary, facts, fact_row_type, fact_count),
    HELD(vocabulary, fact_count, size),
    COUNTED(vocabulary, assumed, assumed_row_type, assumed_count),
    HELD(vocabulary, assumed_count, size),
    HELD(vocabulary, lexicon, lexicon_type), /* behind the translations that it points to */
    HELD(vocabulary, lengths, word64),
    END,
};
STRUCT(vocabulary);
POINTER(vocabulary);

static const struct field rules_fields[] = {
    COUNTED(rules, symptoms, symptom_type, symptom_count),
    HELD(rules, symptom_count, size),
    COUNTED(rules, causes, cause_type, cause_count),
    HELD(rules, cause_count, size),
    HELD(rules, messages, message_table_pointer),
    HELD(rules, vocabulary, vocabulary_pointer),
    END,
};
STRUCT(rules);

const struct type *const type_of_rules = rules_type;

/* ---- The walk ---- */

static size_t strings_count(const char *const *strings)
{
    size_t count = 0;
    while (strings && strings[count])
        count++;
    return strings ? count + 1 : 0;
}

static const void *pointer_at(const void *item, size_t offset)
{
    const void *pointer;
    memcpy(&pointer, (const char *)item + offset, sizeof(pointer));
    return pointer;
}

const void *field_items(const struct field *field, const void *item)
{
    return field->list == LIST_HELD ? (const char *)item + field->offset
                                    : pointer_at(item, field->offset);
}

size_t field_count(const struct field *field, const void *item)
{
    size_t count = 0;
    switch (field->list) {
    case LIST_HELD:
        return field->size / field->type->size;
    case LIST_COUNTED:
        memcpy(&count, (const char *)item + field->beside, sizeof(count));
        return count;
    case LIST_ENDED:
        return strings_count(field_items(field, item));
    case LIST_PAIRED:
        return strings_count(pointer_at(item, field->beside));
    }
    return count;
}

static size_t aligned(size_t offset, size_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

const struct field *type_gap(const struct type *type)
{
    size_t end = 0;
    const struct field *field = type->fields;
    for (; field && field->name; field++) {
        const size_t alignment =
            field->list == LIST_HELD ? field->type->alignment : _Alignof(void *);
        if (aligned(end, alignment) != field->offset)
            return field;
        end = field->offset + field->size;
    }
    return field && aligned(end, type->alignment) != type->size ? field : NULL;
}
