/* {name}, {name*0.3}, {name/3} and {name|default} in the texts of rule files. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"
#include "detect/rule/loading.h"

#include "stalldoc/measure.h"
#include "stalldoc/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct placeholder { /* one, as written */
    struct text name, fallback;
    bool has_fallback;
    char sign; /* * or /; 0: none */
    double factor;
    struct text inside; /* the braces */
    size_t size;        /* bytes of the text, braces included */
};

/* Names beside facts and values. */
static const char *const names[] = {
    "onset", "last_good_step", "last_good_checkpoint", "grad_norm", "series", "part",
    "text",  "count",
};

static bool word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' ||
           byte == '-';
}

/* A placeholder at text[0] == '{'; false: the brace is itself. */
static bool placeholder_take(struct text text, struct placeholder *result)
{
    size_t at = 1;
    while (at < text.size && word_byte(text.data[at]))
        at++;
    if (at == 1 || at == text.size)
        return false;
    *result = (struct placeholder){.name = text_cut(text, 1, at - 1)};
    if (text.data[at] == '*' || text.data[at] == '/') {
        struct number number;
        result->sign = text.data[at++];
        if (!number_take(text_cut(text, at, text.size), COMMA_GROUPS, &number) || !number.finite ||
            number.value == 0)
            return false;
        result->factor = number.value;
        at += number.size;
    }
    if (at < text.size && text.data[at] == '|') {
        size_t start = ++at;
        while (at < text.size && text.data[at] != '}' && text.data[at] != '{')
            at++;
        result->fallback = text_cut(text, start, at - start);
        result->has_fallback = true;
    }
    if (at >= text.size || text.data[at] != '}')
        return false;
    result->size = at + 1;
    result->inside = text_cut(text, 1, at - 1);
    return true;
}

static bool fact_named(struct text name)
{
    for (size_t i = 0; fact_keys[i]; i++)
        if (text_is(name, fact_keys[i]))
            return true;
    return false;
}

static bool name_known(struct text name, struct words values)
{
    for (size_t i = 0; i < values.count; i++)
        if (text_is(name, values.items[i]))
            return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (text_is(name, names[i]))
            return true;
    return fact_named(name);
}

static bool unknown_name(const struct loading *loading, const cJSON *at, struct text name,
                         struct words values)
{
    size_t facts = 0;
    while (fact_keys[facts])
        facts++;
    size_t own = sizeof(names) / sizeof(names[0]);
    const char **known = arena_take(loading->arena, values.count + own + facts, sizeof(*known));
    const char *word = arena_string(loading->arena, name);
    if (!known || !word)
        return load_memory(loading);
    size_t count = 0;
    for (size_t i = 0; i < values.count; i++)
        known[count++] = values.items[i];
    for (size_t i = 0; i < own; i++)
        known[count++] = names[i];
    for (size_t i = 0; i < facts; i++)
        known[count++] = fact_keys[i];
    return load_unknown(loading, at, "placeholder", word, (struct words){known, count});
}

bool placeholder_check(const struct loading *loading, const cJSON *at, struct words values,
                       bool code)
{
    struct text text = text_of(at->valuestring);
    for (size_t i = 0; i < text.size; i++) {
        struct placeholder placeholder;
        if (text.data[i] != '{')
            continue;
        if (i + 1 < text.size && text.data[i + 1] == '{') {
            i++;
            continue;
        }
        if (!placeholder_take(text_cut(text, i, text.size), &placeholder)) {
            if (code)
                continue; /* a brace of the language */
            return load_error(loading, at, "a brace that begins no placeholder is written {{");
        }
        bool known = name_known(placeholder.name, values);
        if (!known && !code)
            return unknown_name(loading, at, placeholder.name, values);
        if (known && code && fact_named(placeholder.name) && !placeholder.has_fallback)
            return load_error(loading, at, "{%.*s} needs a default in code: {%.*s|...}",
                              (int)placeholder.name.size, placeholder.name.data,
                              (int)placeholder.name.size, placeholder.name.data);
        if (known)
            i += placeholder.size - 1;
    }
    return true;
}

/* A value of single precision as it was meant: 2e-05, where a double says 1.9999999494757503e-05.
   False: it is none. */
static bool print_single(double number, char *out, size_t room)
{
    struct number read;
    if ((double)(float)number != number)
        return false;
    for (int digits = 1; digits <= 9; digits++) {
        int size = snprintf(out, room, "%.*g", digits, number);
        if (size <= 0 || !number_parse((struct text){out, (size_t)size}, &read) ||
            (float)read.value != (float)number)
            continue;
        number_print(read.value, out);
        return true;
    }
    return false;
}

static struct text number_text(struct arena *arena, double number, bool exact)
{
    char out[64];
    /* Whole numbers say what they are; four digits of 65536 would not. */
    bool whole = number == rint(number) && fabs(number) < 1e15;
    if (exact && !whole && print_single(number, out, sizeof(out)))
        return arena_text(arena, text_of(out));
    size_t size = exact || whole ? number_print(number, out) : number_print_short(number, out);
    return arena_text(arena, (struct text){out, size});
}

struct filled { /* what a name stands for */
    bool known;
    double number; /* NAN: text */
    struct text text;
    bool exact; /* a fact that stands alone is printed as it is */
};

static struct filled of_step(int64_t step)
{
    return (struct filled){step != STEP_NONE, (double)step, {0}, true};
}

static struct filled of_text(struct text text)
{
    return (struct filled){text.size > 0, NAN, text, true};
}

static struct filled of_candidate(struct text name, const struct finding *at)
{
    const struct candidate *candidate = &at->candidate;
    for (size_t i = 0; i < candidate->value_count; i++) {
        const struct value *value = &candidate->values[i];
        if (text_is(name, value->name))
            return isnan(value->number)
                       ? of_text(text_is(value->text, "nan") ? TEXT("NaN") : value->text)
                       : (struct filled){true, value->number, {0}, false};
    }
    if (text_is(name, "onset"))
        return of_step(candidate->onset.step);
    if (text_is(name, "series"))
        return of_text(candidate->subject.size ? candidate->subject
                       : candidate->series     ? candidate->series->tag
                                               : (struct text){0});
    if (text_is(name, "part"))
        return of_text(candidate->series && candidate->series->part.size ? candidate->series->part
                                                                         : candidate->subject);
    if (text_is(name, "text") && candidate->message)
        return of_text(text_trim(candidate->message->line));
    if (text_is(name, "count") && candidate->message)
        return (struct filled){true, (double)candidate->message->count, {0}, false};
    return (struct filled){0};
}

/* The usual gradient norm: the median of what was read while the run was sound. */
static struct filled of_norm(const struct context *context)
{
    enum { LEAST = 8 };
    const double tiny = 1e-4; /* a norm that vanished bounds nothing */
    const struct series *series = run_main(context->run, KIND_GRAD_NORM);
    int64_t until = context->good ? context->good->step : STEP_NONE;
    if (until == STEP_NONE && context->at)
        until = context->at->candidate.onset.step;
    struct point points[BUCKETS_MAX];
    double norms[BUCKETS_MAX];
    bool exact;
    size_t count = 0;
    const size_t read = series ? track_points(&series->whole, points, &exact) : 0;
    for (size_t i = 0; i < read; i++)
        if (until == STEP_NONE || points[i].step == STEP_NONE || points[i].step <= until)
            norms[count++] = points[i].value;
    const double median = count >= LEAST ? median_of(norms, count) : 0;
    return (struct filled){median > tiny, median, {0}, false};
}

static struct filled of_name(struct text name, const struct context *context)
{
    struct filled filled = {0};
    if (context->at)
        filled = of_candidate(name, context->at);
    if (filled.known)
        return filled;
    if (context->good && text_is(name, "last_good_step"))
        return of_step(context->good->step);
    if (context->good && text_is(name, "last_good_checkpoint"))
        return of_text(context->good->checkpoint);
    if (text_is(name, "grad_norm"))
        return of_norm(context);
    for (size_t i = 0; fact_keys[i]; i++) {
        if (!text_is(name, fact_keys[i]))
            continue;
        int64_t step = context->at ? context->at->candidate.onset.step : STEP_NONE;
        const struct fact_seen fact = fact_seen_at(context->run, fact_keys[i], step);
        if (fact.known && !fact.none)
            return (struct filled){true, fact.number, fact.value, true};
    }
    return (struct filled){0};
}

/* What is counted stays whole, and is one at least. */
static bool counted(struct text name)
{
    static const char *const counts[] = {
        "planned_steps",  "planned_epochs",    "steps_per_epoch", "warmup_steps",
        "batch_size",     "global_batch_size", "accumulation",    "workers",
        "cpus",           "world_size",        "classes",         "vocabulary",
        "samples",        "sequence_length",   "layers",          "onset",
        "last_good_step",
    };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        if (text_is(name, counts[i]))
            return true;
    return false;
}

/* A rate that is printed as 0 is too small for its digits, and nothing is a part of it. */
static bool says_nothing(const struct placeholder *placeholder, const struct filled *filled)
{
    return !filled->known ||
           (filled->number == 0 && (placeholder->sign || placeholder->has_fallback) &&
            (text_is(placeholder->name, "lr") || text_is(placeholder->name, "lr_peak")));
}

static struct text filled_text(struct arena *arena, const struct placeholder *placeholder,
                               const struct filled *filled)
{
    bool number = !isnan(filled->number);
    if (placeholder->sign && !number)
        return (struct text){0};
    if (placeholder->sign) {
        const double result = placeholder->sign == '*' ? filled->number * placeholder->factor
                                                       : filled->number / placeholder->factor;
        return number_text(arena, counted(placeholder->name) ? fmax(rint(result), 1) : result,
                           false);
    }
    return number ? number_text(arena, filled->number, filled->exact) : filled->text;
}

struct building { /* the text that grows */
    struct arena *arena;
    char *data;
    size_t size, capacity;
    bool failed;
};

static void building_add(struct building *building, struct text text)
{
    if (building->failed || text.size == 0)
        return;
    char *grown = arena_grow(building->arena, building->data, building->size, &building->capacity,
                             building->size + text.size, 1);
    if (!grown) {
        building->failed = true;
        return;
    }
    building->data = grown;
    memcpy(building->data + building->size, text.data, text.size);
    building->size += text.size;
}

/* Where no step is known the line stands for it: "at step {onset}" becomes "in line 7". */
static bool line_fill(struct building *building, const struct placeholder *placeholder,
                      const struct context *context)
{
    static const char *const leads[] = {"at step ", "from step ", "since step ", "step "};
    static const char *const words[] = {"in line ", "from line ", "since line ", "line "};
    const struct candidate *candidate = context->at ? &context->at->candidate : NULL;
    if (!text_is(placeholder->name, "onset") || placeholder->sign || !candidate ||
        candidate->onset.line == 0)
        return false;
    for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
        if (text_ends((struct text){building->data, building->size}, leads[i])) {
            building->size -= strlen(leads[i]);
            building_add(building, text_of(words[i]));
            building_add(building,
                         number_text(building->arena, (double)candidate->onset.line, true));
            return true;
        }
    return false;
}

/* Where nothing is known: the default, else the name in angle brackets. */
static bool building_name(struct building *building, const struct placeholder *placeholder,
                          bool code)
{
    if (placeholder->has_fallback) {
        building_add(building, placeholder->fallback);
        return true;
    }
    if (code && !name_known(placeholder->name, (struct words){0}))
        return false;
    building_add(building, TEXT("<"));
    /* Per cent of a share are that share. */
    bool percent = placeholder->sign == '*' && placeholder->factor == 100;
    building_add(building, percent ? placeholder->name : placeholder->inside);
    building_add(building, TEXT(">"));
    return true;
}

/* False: the name says nothing here, the brace is itself. */
static bool building_fill(struct building *building, const struct placeholder *placeholder,
                          const struct context *context, bool code, bool *complete)
{
    if (!context)
        return building_name(building, placeholder, code);
    const struct filled filled = of_name(placeholder->name, context);
    struct text text = {0};
    if (!says_nothing(placeholder, &filled))
        text = filled_text(building->arena, placeholder, &filled);
    if (text.size == 0 && placeholder->has_fallback)
        text = placeholder->fallback;
    else if (text.size == 0 && code && !name_known(placeholder->name, (struct words){0}))
        return false;
    else if (text.size == 0 && line_fill(building, placeholder, context))
        return true;
    else if (text.size == 0) {
        *complete = false;
        text = TEXT("?");
    }
    building_add(building, text);
    return true;
}

/* "1 of 1 readings" loses its last letter: bytes of `text` that stand for the plural of what was
   counted once, behind a value; 0: none do. */
static size_t plural_size(const struct building *building, struct text text)
{
    static const char *const nouns[] = {" reading", " step", " epoch",  " rank",
                                        " digit",   " time", " worker", " sample"};
    const size_t size = building->size;
    if (size == 0 || building->data[size - 1] != '1' ||
        (size > 1 && !strchr(" (", building->data[size - 2])))
        return 0;
    for (size_t i = 0; i < sizeof(nouns) / sizeof(nouns[0]); i++) {
        const size_t noun = strlen(nouns[i]);
        if (text_starts(text, nouns[i]) && text.size > noun && text.data[noun] == 's' &&
            (text.size == noun + 1 || strchr(" ,;)", text.data[noun + 1])))
            return noun + 1;
    }
    return 0;
}

struct text placeholder_fill(struct arena *arena, const char *string, const struct context *context,
                             bool code, bool *complete)
{
    const struct text text = text_of(string);
    struct building building = {.arena = arena};
    bool all = true;
    size_t plain = 0; /* start of what stands as it is */
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        if (byte != '{' && byte != '}')
            continue;
        bool doubled = i + 1 < text.size && text.data[i + 1] == byte;
        if (doubled && (byte == '{' || !code)) {
            building_add(&building, text_cut(text, plain, i + 1 - plain));
            plain = ++i + 1;
            continue;
        }
        struct placeholder placeholder;
        if (byte == '}' || !placeholder_take(text_cut(text, i, text.size), &placeholder))
            continue;
        building_add(&building, text_cut(text, plain, i - plain));
        plain = i;
        if (building_fill(&building, &placeholder, context, code, &all)) {
            i += placeholder.size - 1;
            plain = i + 1;
            const size_t plural =
                code ? 0 : plural_size(&building, text_cut(text, plain, text.size));
            if (plural) {
                building_add(&building, text_cut(text, plain, plural - 1));
                plain += plural;
            }
        }
    }
    building_add(&building, text_cut(text, plain, text.size));
    if (complete)
        *complete = all;
    if (building.failed)
        return (struct text){0};
    return building.data ? (struct text){building.data, building.size} : TEXT("");
}

struct text placeholder_plain(struct arena *arena, const char *string, bool code)
{
    return placeholder_fill(arena, string, NULL, code, NULL);
}
