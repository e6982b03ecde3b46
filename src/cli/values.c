/* What may stand behind an option, and what is said where something else does. */
/* SPDX-License-Identifier: MIT */
#include "cli/values.h"

#include "stalldoc/number.h"
#include <string.h>

#define NOWHERE ((struct place){0})

static bool refuse(struct error *error, const char *what, const char *value, const char *nearest_,
                   const char *choices)
{
    if (nearest_)
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE, "%s \"%.80s\"; did you mean \"%s\"?",
                         what, value, nearest_);
    return error_set(error, ERROR_UNSUPPORTED, NOWHERE, "%s \"%.80s\"; %s", what, value, choices);
}

static size_t count_names(const char *const *names)
{
    size_t count = 0;
    while (names[count])
        count++;
    return count;
}

bool value_choice(const char *value, const char *option, const char *const *names, size_t *at,
                  struct error *error)
{
    char choices[160] = "it is one of", what[64];
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(value, names[i]) == 0) {
            *at = i;
            return true;
        }
        size_t used = strlen(choices);
        snprintf(choices + used, sizeof(choices) - used, "%s %s", i ? "," : "", names[i]);
    }
    snprintf(what, sizeof(what), "%s does not take", option);
    return refuse(error, what, value, nearest(text_of(value), names, count_names(names)), choices);
}

bool value_when(const char *value, const char *option, enum when *when, struct error *error)
{
    static const char *const names[] = {"auto", "always", "never", NULL};
    static const enum when values[] = {WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER};
    size_t at;
    if (!value_choice(value, option, names, &at, error))
        return false;
    *when = values[at];
    return true;
}

/* Digits only; false where it is something else or too large. */
static bool take_count(struct text *text, uint64_t *count)
{
    uint64_t value = 0;
    size_t size = 0;
    while (size < text->size && text->data[size] >= '0' && text->data[size] <= '9') {
        if (!size_product(value, 10, &value) ||
            !size_sum(value, (uint64_t)(text->data[size] - '0'), &value))
            return false;
        size++;
    }
    *text = text_cut(*text, size, text->size);
    *count = value;
    return size > 0;
}

bool value_size(const char *value, const char *option, size_t least, size_t most, size_t *size,
                struct error *error)
{
    struct text text = text_of(value);
    uint64_t count;
    if (take_count(&text, &count) && text.size == 0 && count >= least && count <= most) {
        *size = (size_t)count;
        return true;
    }
    if (most == SIZE_MAX)
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                         "%s takes a number from %zu on, not \"%.80s\"", option, least, value);
    return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                     "%s takes a number from %zu to %zu, not \"%.80s\"", option, least, most,
                     value);
}

bool value_bytes(const char *value, const char *option, uint64_t least, uint64_t *bytes,
                 struct error *error)
{
    static const char units[] = "KMGT";
    struct text text = text_of(value);
    uint64_t count = 0;
    bool good = take_count(&text, &count);
    const char *unit = text.size ? strchr(units, text.data[0] & ~0x20) : NULL;
    if (good && unit && text.size) {
        good = size_product(count, UINT64_C(1) << (10 * (unit - units + 1)), &count);
        text = text_cut(text, 1, text.size);
        if (text_is(text, "B") || text_is(text, "iB"))
            text.size = 0;
    }
    if (good && text.size == 0 && count >= least) {
        *bytes = count;
        return true;
    }
    return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                     "%s takes a size such as 64M, %llu bytes or more, not \"%.80s\"", option,
                     (unsigned long long)least, value);
}

bool value_step(const char *value, const char *option, int64_t *step, struct error *error)
{
    struct text text = text_of(value);
    uint64_t count;
    if (!take_count(&text, &count) || text.size || count > INT64_MAX)
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE, "%s takes a step, not \"%.80s\"",
                         option, value);
    *step = (int64_t)count;
    return true;
}

bool value_share(const char *value, const char *option, double *share, struct error *error)
{
    struct number number;
    if (!number_parse(text_of(value), &number) || !(number.value >= 0 && number.value <= 1))
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                         "%s takes a number from 0 to 1, not \"%.80s\"", option, value);
    *share = number.value;
    return true;
}

bool value_list(struct options *options, const char *value, struct words *words,
                struct error *error)
{
    struct text rest = text_of(value);
    while (rest.size) {
        size_t end = text_find(rest, TEXT(","));
        struct text word = text_trim(text_cut(rest, 0, end));
        if (text_starts(word, "symptom:"))
            word = text_cut(word, 8, word.size);
        if (word.size) {
            char *copy = arena_string(options->arena, word);
            if (!copy || !words_add(options, words, copy, error))
                return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the options");
        }
        rest = text_cut(rest, end + 1, rest.size);
    }
    return true;
}

bool value_format(struct options *options, const char *value, const char **format,
                  struct error *error)
{
    const char *known_formats = options->command->formats;
    const char *names[16];
    size_t count = 0;
    if (options->command->bit == ON_ANALYZE) {
        for (; reports[count] && count < 16; count++)
            names[count] = reports[count]->name;
    } else {
        struct text rest = text_of(known_formats);
        while (rest.size && count < 16) {
            size_t end = text_find(rest, TEXT(" "));
            names[count] = arena_string(options->arena, text_cut(rest, 0, end));
            if (!names[count++])
                return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the options");
            rest = text_cut(rest, end + 1, rest.size);
        }
    }
    char known[160] = "known are";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], value) == 0) {
            *format = names[i];
            return true;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof(known) - used, "%s %s", i ? "," : "", names[i]);
    }
    return refuse(error, "unknown format", value, nearest(text_of(value), names, count), known);
}

bool value_report(struct options *options, const char *value, struct error *error)
{
    const char *colon = strchr(value, ':');
    if (!colon || !colon[1])
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                         "--report takes FORMAT:FILE, not \"%.80s\"", value);
    if (options->extra_count == EXTRA_REPORTS_MAX)
        return error_set(error, ERROR_LIMIT, NOWHERE, "--report is taken at most %d times",
                         EXTRA_REPORTS_MAX);
    const char *name = arena_string(options->arena, (struct text){value, (size_t)(colon - value)});
    if (!name)
        return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the options");
    if (!value_format(options, name, &name, error))
        return false;
    options->extra[options->extra_count++] =
        (struct extra_report){report_named(text_of(name)), colon + 1};
    return true;
}

bool value_type(const char *value, const char **type, struct error *error)
{
    const struct format *format = format_named(text_of(value));
    if (format && format->read) {
        *type = format->name;
        return true;
    }
    const char *names[128];
    size_t count = 0;
    for (size_t i = 0; formats[i] && count < 128; i++)
        if (formats[i]->read)
            names[count++] = formats[i]->name;
    return refuse(error, format ? "type that is recognised, but not read:" : "unknown type", value,
                  nearest(text_of(value), names, count), "\"stalldoc inspect --types\" lists them");
}

bool value_map(const char *value, struct error *error)
{
    const char *equals = strchr(value, '=');
    if (!equals || !equals[1])
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE, "--map takes NAME=GLOB, not \"%.80s\"",
                         value);
    struct text name = {value, (size_t)(equals - value)};
    enum kind kind;
    if (kind_of_name(name, &kind))
        return true;
    const char *names[KIND_COUNT];
    for (int i = 0; i < KIND_COUNT; i++)
        names[i] = kind_name((enum kind)i);
    return refuse(error, "unknown kind of series in --map", value, nearest(name, names, KIND_COUNT),
                  "kinds are loss, val-loss, metric, ...");
}

/* Facts whose value is a word; all others are numbers, or none. */
static bool is_word_fact(struct text key)
{
    static const char *const words[] = {
        "optimizer", "schedule",          "precision",   "initial_loss_scale", "resumed",
        "stage",     "pretrained",        "adapter",     "activation",         "normalisation",
        "recurrent", "shuffle",           "dataset",     "objective",          "augmentation",
        "framework", "framework_version", "accelerator",
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_is(key, words[i]))
            return true;
    return false;
}

static bool check_fact_value(struct text key, const char *value, struct error *error)
{
    struct number number;
    if (is_word_fact(key) || strcmp(value, "none") == 0 ||
        number_take(text_of(value), COMMA_GROUPS, &number))
        return true;
    return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                     "--fact %.*s takes a number or none, not \"%.80s\"", (int)key.size, key.data,
                     value);
}

bool value_fact(const char *value, struct error *error)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE, "--fact takes KEY=VALUE, not \"%.80s\"",
                         value);
    struct text key = {value, (size_t)(equals - value)};
    for (size_t i = 0; fact_keys[i]; i++)
        if (text_is(key, fact_keys[i]))
            return check_fact_value(key, equals + 1, error);
    return refuse(error, "unknown fact", value, nearest(key, fact_keys, count_names(fact_keys)),
                  "keys are those of stalldoc(1), FACTS");
}

bool value_severity(struct options *options, const char *value, struct error *error)
{
    const char *equals = strchr(value, '=');
    enum severity severity = SEVERITY_NONE;
    struct detect_options *detect = &options->detect;
    if (!equals || equals == value ||
        (strcmp(equals + 1, "off") != 0 && !severity_of_name(text_of(equals + 1), &severity)))
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                         "--severity takes ID=error, warning, info or off, not \"%.80s\"", value);
    if (detect->severity_count == sizeof(detect->severities) / sizeof(detect->severities[0]))
        return error_set(error, ERROR_LIMIT, NOWHERE, "--severity is given too often");
    struct text id = {value, (size_t)(equals - value)};
    if (text_starts(id, "symptom:"))
        id = text_cut(id, 8, id.size);
    char *copy = arena_string(options->arena, id);
    if (!copy)
        return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the options");
    detect->severities[detect->severity_count].id = copy;
    detect->severities[detect->severity_count++].severity = severity;
    return true;
}
