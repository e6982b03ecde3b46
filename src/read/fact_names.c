/* Which fact a settings key names, and what its printed value says. */
/* SPDX-License-Identifier: MIT */
#include "read/vocabulary.h"
#include "stalldoc/number.h"

#include <math.h>
#include <string.h>

const char *const fact_keys[] = {
    "lr",
    "lr_peak",
    "optimizer",
    "momentum",
    "beta1",
    "beta2",
    "epsilon",
    "weight_decay",
    "clip",
    "warmup_steps",
    "schedule",
    "batch_size",
    "global_batch_size",
    "accumulation",
    "precision",
    "initial_loss_scale",
    "planned_steps",
    "planned_epochs",
    "steps_per_epoch",
    "resumed",
    "stage",
    "parameters",
    "trainable_parameters",
    "pretrained",
    "adapter",
    "dropout",
    "label_smoothing",
    "activation",
    "normalisation",
    "recurrent",
    "layers",
    "init_deviation",
    "initialiser",
    "classes",
    "vocabulary",
    "samples",
    "sequence_length",
    "shuffle",
    "dataset",
    "objective",
    "augmentation",
    "framework",
    "framework_version",
    "accelerator",
    "world_size",
    "workers",
    "cpus",
    "data_wait",
    NULL,
};

/* Blanks, a comma behind, quotes around, the brackets of a list of one. */
static struct text value_clean(struct text value)
{
    value = text_trim(value);
    while (value.size > 0 &&
           (value.data[value.size - 1] == ',' || value.data[value.size - 1] == ';'))
        value = text_trim(text_cut(value, 0, value.size - 1));
    while (value.size >= 2 && (value.data[0] == '"' || value.data[0] == '\'') &&
           value.data[value.size - 1] == value.data[0])
        value = text_trim(text_cut(value, 1, value.size - 2));
    if (value.size > 2 && value.data[0] == '[' && value.data[value.size - 1] == ']' &&
        !memchr(value.data, ',', value.size))
        return value_clean(text_cut(value, 1, value.size - 2));
    return value;
}

/* The nth element, from 1, of "(0.9, 0.95)", "[0.9, 0.95]" or "0.9,0.95"; empty: none. */
static struct text value_element(struct text value, size_t nth)
{
    if (value.size >= 2 && (value.data[0] == '(' || value.data[0] == '['))
        value = text_cut(value, 1, value.size - 2);
    size_t start = 0;
    for (size_t i = 0; i <= value.size; i++) {
        if (i < value.size && value.data[i] != ',')
            continue;
        if (--nth == 0)
            return value_clean(text_cut(value, start, i - start));
        start = i + 1;
    }
    return TEXT("");
}

static bool any_word(struct text value, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (text_glob(text_of(words[i]), value, true))
            return true;
    return false;
}

static bool says_off(struct text value)
{
    static const char *const words[] = {"",     "none", "null", "nil", "false",    "-1",
                                        "-1.0", "off",  "n/a",  "no",  "disabled", "~",
                                        "{}",   "[]",   "()",   NULL};
    return any_word(value, words);
}

static bool says_true(struct text value)
{
    static const char *const words[] = {"true", "yes", "on", "1", NULL};
    return any_word(value, words);
}

/* A number, in full or with a suffix: "110M", "7B", "1e-3". */
static bool value_number(struct text value, bool suffixes, double *number)
{
    struct number read;
    if (!number_take(value, COMMA_GROUPS, &read) || !read.finite)
        return false;
    struct text rest = text_trim(text_cut(value, read.size, value.size));
    *number = read.value;
    if (rest.size == 0)
        return true;
    if (!suffixes || rest.size != 1)
        return false;
    double factor =
        rest.data[0] == 'k' || rest.data[0] == 'K'   ? 1e3
        : rest.data[0] == 'm' || rest.data[0] == 'M' ? 1e6
        : rest.data[0] == 'b' || rest.data[0] == 'B' || rest.data[0] == 'g' || rest.data[0] == 'G'
            ? 1e9
            : 0;
    *number *= factor;
    return factor > 0;
}

static const struct fact_value *value_listed(const struct fact_row *row, struct text value)
{
    for (size_t i = 0; i < row->value_count; i++)
        for (size_t g = 0; g < row->values[i].globs.count; g++)
            if (text_glob(row->values[i].globs.list[g], value, true))
                return &row->values[i];
    return NULL;
}

static void fact_number(const struct fact_row *row, struct text value, struct fact_naming *fact)
{
    if (!value_number(value, row->type == FACT_COUNT, &fact->number))
        fact->refused = true;
    else if (row->zero && fact->number == 0)
        fact->none = true;
    else if (fact->number < row->low || fact->number > row->high)
        fact->refused = true;
    else if (row->type == FACT_COUNT && fact->number != floor(fact->number))
        fact->refused = true;
}

static void fact_word(const struct fact_row *row, struct text value, struct fact_naming *fact)
{
    struct number number;
    const struct fact_value *listed = value_listed(row, value);
    if (listed)
        fact->value = listed->value;
    else if (row->type == FACT_CHOICE || number_parse(value, &number) || says_true(value))
        fact->refused = true;
    if (text_is(fact->value, "none"))
        fact->none = true;
}

static void fact_flag(const struct fact_row *row, struct text value, struct fact_naming *fact)
{
    struct number number;
    bool known = number_parse(value, &number);
    if (known && number.value != 0 && number.value != 1)
        fact->refused = true; /* a timer, a count */
    else if (says_off(value) || (known && number.value == 0))
        fact->value = TEXT("false");
    else if (says_true(value) || row->type == FACT_PRESENCE)
        fact->value = TEXT("true");
    else
        fact->refused = true;
}

static struct fact_naming fact_read(const struct fact_row *row, struct text value)
{
    struct fact_naming fact = {.key = row->fact, .value = value, .number = NAN};
    bool flag = row->type == FACT_FLAG || row->type == FACT_PRESENCE;
    if (row->element > 0)
        value = fact.value = value_element(value, row->element);
    bool refused = false;
    for (size_t i = 0; i < row->refuse.count; i++)
        refused = refused || text_glob(row->refuse.list[i], value, true);
    if (refused) {
        fact.refused = true;
    } else if (value_listed(row, value)) {
        fact_word(row, value, &fact);
        struct number number;
        if (!fact.none && number_parse(fact.value, &number))
            fact.number = number.value;
    } else if (flag) {
        fact_flag(row, value, &fact);
    } else if (says_off(value)) {
        fact.none = row->off;
        fact.refused = !row->off;
    } else if (row->type == FACT_NUMBER || row->type == FACT_COUNT) {
        fact_number(row, value, &fact);
    } else {
        fact_word(row, value, &fact);
    }
    if (fact.none) {
        fact.value = TEXT("none");
        fact.number = NAN;
    }
    return fact;
}

static bool fact_matches(const struct patterns *patterns, const struct pieces *pieces,
                         const uint64_t bits[2], const struct piece *last, size_t last_count)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->list[i];
        if (!pattern_possible(pattern, bits[0], bits[1]))
            continue;
        if (pattern->whole ? pattern_matches(pattern, pieces->piece, pieces->count)
                           : pattern_matches(pattern, last, last_count))
            return true;
    }
    return false;
}

/* A dot joins the parts of a settings key as '/' does; digits between are indices. */
static void key_cut(const struct vocabulary *vocabulary, struct text key, struct pieces *pieces)
{
    char bytes[256];
    size_t size = 0;
    while (key.size > 0 && (key.data[0] == '-' || key.data[0] == '+'))
        key = text_cut(key, 1, key.size);
    for (size_t i = 0; i < key.size && i < sizeof(bytes); i++)
        bytes[size++] = key.data[i] == '.' ? '/' : key.data[i];
    struct text path = {bytes, size};
    if (text_ends(path, "/value")) /* records of MLPerf: {"value": 0.1, ...} */
        path.size -= sizeof("/value") - 1;
    pieces_cut(vocabulary, path, true, pieces);
}

size_t vocabulary_facts(const struct vocabulary *vocabulary, struct text key, struct text value,
                        struct fact_naming *facts, size_t most)
{
    struct pieces pieces;
    size_t count = 0;
    if (key.size == 0)
        return 0;
    key_cut(vocabulary, key, &pieces);
    size_t start = pieces.count;
    while (start > 0 && !pieces.piece[--start].head)
        ;
    const uint64_t bits[2] = {pieces_bits(&pieces), pieces_ends(&pieces)};
    value = value_clean(value);
    const struct piece *last = pieces.piece + start;
    for (size_t i = 0; i < vocabulary->fact_count; i++) {
        const struct fact_row *row = &vocabulary->facts[i];
        size_t at = 0; /* where the fact stands; a later row may read what an earlier one refused */
        while (at < count && !text_equal(facts[at].key, row->fact))
            at++;
        if (at == most || (at < count && !facts[at].refused) ||
            !fact_matches(&row->names, &pieces, bits, last, pieces.count - start) ||
            fact_matches(&row->except, &pieces, bits, last, pieces.count - start))
            continue;
        struct fact_naming fact = fact_read(row, value);
        if (at == count || !fact.refused)
            facts[at] = fact;
        count += at == count;
    }
    return count;
}

struct fact_naming vocabulary_fact(const struct vocabulary *vocabulary, struct text key,
                                   struct text value)
{
    struct fact_naming fact = {.key = TEXT(""), .value = value, .number = NAN};
    vocabulary_facts(vocabulary, key, value, &fact, 1);
    return fact;
}

bool vocabulary_assumed(const struct vocabulary *vocabulary, struct text framework, size_t nth,
                        struct fact_naming *fact)
{
    for (size_t i = 0; i < vocabulary->assumed_count; i++) {
        const struct assumed_row *row = &vocabulary->assumed[i];
        if (!text_equal(row->framework, framework) || nth-- > 0)
            continue;
        *fact = (struct fact_naming){.key = row->fact, .value = row->value, .number = NAN};
        struct number number;
        if (number_parse(row->value, &number))
            fact->number = number.value;
        fact->none = text_is(row->value, "none");
        return true;
    }
    return false;
}
