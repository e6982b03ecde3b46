/* Conditions out of rule files. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"
#include "detect/rule/loading.h"

#include <math.h>
#include <string.h>

static const char *const subjects[] = {
    [SUBJECT_VALUE] = "value",     [SUBJECT_FORM] = "form",     [SUBJECT_FACT] = "fact",
    [SUBJECT_GATE] = "gate",       [SUBJECT_SERIES] = "series", [SUBJECT_SYMPTOM] = "symptom",
    [SUBJECT_MESSAGE] = "message", [SUBJECT_ALL] = "all",       [SUBJECT_ANY] = "any",
    [SUBJECT_NOT] = "not",
};
static const char *const members[] = {
    "value", "form", "fact",  "gate",  "series",   "symptom", "message", "points", "when", "within",
    "known", "is",   "above", "below", "at-least", "at-most", "all",     "any",    "not",
};
static const char *const moments[] = {"any", "before", "after"};

/* Which members go with a subject; the others are a mistake that would be silently without effect.
 */
static bool fits(enum subject subject, const char *member)
{
    static const char *const compare[] = {"is", "above", "below", "at-least", "at-most"};
    static const char *const onset[] = {"when", "within"};
    if (strcmp(member, subjects[subject]) == 0)
        return true;
    switch (subject) {
    case SUBJECT_VALUE:
        return words_hold(WORDS(compare), member);
    case SUBJECT_FACT:
        return words_hold(WORDS(compare), member) || strcmp(member, "known") == 0;
    case SUBJECT_SERIES:
        return strcmp(member, "points") == 0;
    case SUBJECT_SYMPTOM:
        return words_hold(WORDS(onset), member) || strcmp(member, "form") == 0;
    case SUBJECT_MESSAGE:
        return words_hold(WORDS(onset), member);
    default:
        return false;
    }
}

static bool take_subject(const struct loading *loading, const cJSON *at, enum subject *subject)
{
    if (!load_members(loading, at, WORDS(members)))
        return false;
    const char *found = NULL;
    for (const cJSON *item = at->child; item; item = item->next)
        for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
            if (strcmp(item->string, subjects[i]) != 0 ||
                (i == SUBJECT_FORM && load_member(at, "symptom"))) /* it belongs to that */
                continue;
            if (found)
                return load_error(loading, at,
                                  "a condition has one subject, here are \"%s\" and \"%s\"", found,
                                  subjects[i]);
            found = subjects[i];
            *subject = (enum subject)i;
        }
    if (!found)
        return load_error(loading, at, "a condition without a subject");
    for (const cJSON *item = at->child; item; item = item->next)
        if (!fits(*subject, item->string))
            return load_error(loading, item, "\"%s\" does not go with \"%s\"", item->string, found);
    return true;
}

/* One accepted word of `is`: numbers are compared as numbers. */
static bool take_word(const struct loading *loading, const cJSON *item, const char **word,
                      double *number)
{
    *number = NAN;
    if (cJSON_IsBool(item)) {
        *word = cJSON_IsTrue(item) ? "true" : "false";
        return true;
    }
    if (cJSON_IsNumber(item)) {
        *number = item->valuedouble;
        *word = "";
        return true;
    }
    if (!cJSON_IsString(item))
        return load_error(loading, item, "\"is\" takes a word, a number, true or false");
    *word = item->valuestring;
    return true;
}

static bool take_is(const struct loading *loading, const cJSON *at, struct comparison *comparison)
{
    const cJSON *item = load_member(at, "is");
    if (!item)
        return true;
    bool list = cJSON_IsArray(item);
    size_t count = list ? (size_t)cJSON_GetArraySize(item) : 1;
    const char **words = arena_take(loading->arena, count + 1, sizeof(*words));
    double *numbers = arena_take(loading->arena, count + 1, sizeof(*numbers));
    if (!words || !numbers)
        return load_memory(loading);
    const cJSON *one = list ? item->child : item;
    for (size_t i = 0; i < count; i++, one = one->next)
        if (!take_word(loading, one, &words[i], &numbers[i]))
            return false;
    comparison->words = words;
    comparison->numbers = numbers;
    comparison->count = count;
    return true;
}

static bool take_comparison(const struct loading *loading, const cJSON *at,
                            struct comparison *comparison)
{
    *comparison = (struct comparison){.above = NAN, .below = NAN, .at_least = NAN, .at_most = NAN};
    const cJSON *known = load_member(at, "known");
    if (known && !cJSON_IsBool(known))
        return load_error(loading, known, "\"known\" is true or false");
    if (known)
        comparison->ask = cJSON_IsTrue(known) ? ASK_KNOWN : ASK_UNKNOWN;
    if (!take_is(loading, at, comparison) ||
        !load_number(loading, at, "above", -INFINITY, INFINITY, &comparison->above) ||
        !load_number(loading, at, "below", -INFINITY, INFINITY, &comparison->below) ||
        !load_number(loading, at, "at-least", -INFINITY, INFINITY, &comparison->at_least) ||
        !load_number(loading, at, "at-most", -INFINITY, INFINITY, &comparison->at_most))
        return false;
    bool compares = comparison->words || !isnan(comparison->above) || !isnan(comparison->below) ||
                    !isnan(comparison->at_least) || !isnan(comparison->at_most);
    if (!compares && !known)
        return load_error(loading, at,
                          "nothing is compared: is, above, below, at-least or at-most");
    return true;
}

static bool take_moment(const struct loading *loading, const struct asker *asker, const cJSON *at,
                        struct condition *condition)
{
    const char *when = NULL;
    condition->within = NAN;
    if (!load_string(loading, at, "when", false, &when) ||
        !load_number(loading, at, "within", 0, 1, &condition->within))
        return false;
    if (!asker->candidate && (when || !isnan(condition->within)))
        return load_error(loading, load_member(at, when ? "when" : "within"),
                          "\"%s\" needs an onset, and here is none", when ? "when" : "within");
    if (!when)
        return true;
    for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++)
        if (strcmp(when, moments[i]) == 0) {
            condition->when = i == 1 ? WHEN_BEFORE : i == 2 ? WHEN_AFTER : WHEN_ANY;
            return true;
        }
    return load_unknown(loading, load_member(at, "when"), "value", when, WORDS(moments));
}

static bool take_symptom(const struct loading *loading, const struct asker *asker, const cJSON *at,
                         struct condition *condition)
{
    if (!load_string(loading, at, "symptom", true, &condition->name))
        return false;
    if (!words_hold(loading->symptoms, condition->name))
        return load_unknown(loading, load_member(at, "symptom"), "symptom", condition->name,
                            loading->symptoms);
    /* The forms of a file that is not there yet cannot be held against anything. */
    const struct declared *declared = load_declared(loading, condition->name);
    bool read = declared
                    ? load_names(loading, at, "form", "form", declared->forms, &condition->forms)
                    : load_strings(loading, at, "form", &condition->forms);
    return read && take_moment(loading, asker, at, condition);
}

static bool take_message(const struct loading *loading, const struct asker *asker, const cJSON *at,
                         struct condition *condition)
{
    if (!load_string(loading, at, "message", true, &condition->name))
        return false;
    if (loading->messages && !words_hold(loading->message_ids, condition->name))
        return load_unknown(loading, load_member(at, "message"), "message", condition->name,
                            loading->message_ids);
    return take_moment(loading, asker, at, condition);
}

static bool take_gate(const struct loading *loading, const struct asker *asker, const cJSON *at,
                      struct condition *condition)
{
    const cJSON *item = load_member(at, "gate");
    if (!load_string(loading, at, "gate", true, &condition->name))
        return false;
    for (size_t i = 0; i < GATE_COUNT; i++) {
        if (strcmp(gate_names[i], condition->name) != 0)
            continue;
        condition->gate = (enum gate)i;
        if (gate_needs_onset(condition->gate) && !asker->candidate)
            return load_error(loading, item, "gate \"%s\" needs an onset, and here is none",
                              condition->name);
        return true;
    }
    return load_unknown(loading, item, "gate", condition->name,
                        (struct words){gate_names, GATE_COUNT});
}

static bool take_kind(const struct loading *loading, const cJSON *at, struct condition *condition)
{
    const char *kinds[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++)
        kinds[i] = kind_name((enum kind)i);
    double points = 1;
    if (!load_string(loading, at, "series", true, &condition->name) ||
        !load_number(loading, at, "points", 1, 1e15, &points))
        return false;
    condition->points = (uint64_t)points;
    if (!kind_of_name(text_of(condition->name), &condition->kind))
        return load_unknown(loading, load_member(at, "series"), "kind", condition->name,
                            WORDS(kinds));
    return true;
}

static bool take_fact(const struct loading *loading, const cJSON *at, struct condition *condition)
{
    struct words keys = {fact_keys, 0};
    while (fact_keys[keys.count])
        keys.count++;
    if (!load_string(loading, at, "fact", true, &condition->name))
        return false;
    if (!words_hold(keys, condition->name))
        return load_unknown(loading, load_member(at, "fact"), "fact", condition->name, keys);
    return take_comparison(loading, at, &condition->comparison);
}

static bool take_value(const struct loading *loading, const struct asker *asker, const cJSON *at,
                       struct condition *condition)
{
    if (!load_string(loading, at, "value", true, &condition->name))
        return false;
    if (!words_hold(asker->values, condition->name))
        return load_unknown(loading, load_member(at, "value"), "value", condition->name,
                            asker->values);
    return take_comparison(loading, at, &condition->comparison);
}

static bool take_parts(const struct loading *loading, const struct asker *asker, const cJSON *item,
                       struct condition *condition)
{
    bool list = condition->subject != SUBJECT_NOT;
    if (list && (!cJSON_IsArray(item) || !item->child))
        return load_error(loading, item, "a list of conditions is wanted here");
    size_t count = list ? (size_t)cJSON_GetArraySize(item) : 1;
    const struct condition **parts = arena_take(loading->arena, count, sizeof(struct condition *));
    if (!parts)
        return load_memory(loading);
    const cJSON *one = list ? item->child : item;
    for (size_t i = 0; i < count; i++, one = one->next)
        if (!condition_load(loading, asker, one, &parts[i]))
            return false;
    condition->parts = parts;
    condition->part_count = count;
    return true;
}

static bool allowed(const struct loading *loading, const struct asker *asker, const cJSON *at,
                    enum subject subject)
{
    bool of_candidate = subject == SUBJECT_VALUE || subject == SUBJECT_FORM;
    if (of_candidate && !asker->candidate)
        return load_error(loading, at, "\"%s\" needs a candidate, and here is none",
                          subjects[subject]);
    if (asker->early && (subject == SUBJECT_SYMPTOM || subject == SUBJECT_MESSAGE))
        return load_error(loading, at, "\"%s\" is not known before detection", subjects[subject]);
    return true;
}

bool condition_load(const struct loading *loading, const struct asker *asker, const cJSON *at,
                    const struct condition **result)
{
    struct condition *condition = arena_take(loading->arena, 1, sizeof(*condition));
    if (!condition)
        return load_memory(loading);
    condition->within = NAN;
    if (!take_subject(loading, at, &condition->subject) ||
        !allowed(loading, asker, at, condition->subject))
        return false;
    *result = condition;
    switch (condition->subject) {
    case SUBJECT_VALUE:
        return take_value(loading, asker, at, condition);
    case SUBJECT_FORM:
        return load_names(loading, at, "form", "form", asker->forms, &condition->forms);
    case SUBJECT_FACT:
        return take_fact(loading, at, condition);
    case SUBJECT_GATE:
        return take_gate(loading, asker, at, condition);
    case SUBJECT_SERIES:
        return take_kind(loading, at, condition);
    case SUBJECT_SYMPTOM:
        return take_symptom(loading, asker, at, condition);
    case SUBJECT_MESSAGE:
        return take_message(loading, asker, at, condition);
    case SUBJECT_ALL:
    case SUBJECT_ANY:
    case SUBJECT_NOT:
        return take_parts(loading, asker, load_member(at, subjects[condition->subject]), condition);
    }
    return true;
}

bool condition_member(const struct loading *loading, const struct asker *asker, const cJSON *object,
                      const char *name, const struct condition **result)
{
    const cJSON *item = load_member(object, name);
    return !item || condition_load(loading, asker, item, result);
}

const char *condition_gate_name(const struct condition *condition)
{
    if (condition->name)
        return condition->name;
    if (condition->forms)
        return condition->forms[0];
    for (size_t i = 0; i < condition->part_count; i++)
        return condition_gate_name(condition->parts[i]);
    return subjects[condition->subject];
}
