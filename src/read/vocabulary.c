/* Loading rules/kinds.json. */
/* SPDX-License-Identifier: MIT */
#include "read/vocabulary.h"

#include <math.h>
#include <string.h>

static const char *const kind_names[KIND_COUNT] = {
    [KIND_LOSS] = "loss",
    [KIND_VAL_LOSS] = "val-loss",
    [KIND_METRIC] = "metric",
    [KIND_VAL_METRIC] = "val-metric",
    [KIND_GRAD_NORM] = "grad-norm",
    [KIND_LEARNING_RATE] = "learning-rate",
    [KIND_LOSS_SCALE] = "loss-scale",
    [KIND_STEP_TIME] = "step-time",
    [KIND_DATA_TIME] = "data-time",
    [KIND_THROUGHPUT] = "throughput",
    [KIND_MEMORY] = "memory",
    [KIND_UTILISATION] = "utilisation",
    [KIND_REWARD] = "reward",
    [KIND_ADVERSARIAL] = "adversarial",
    [KIND_COUNTER] = "counter",
    [KIND_OTHER] = "other",
};

const char *kind_name(enum kind kind)
{
    return kind_names[kind];
}

bool kind_of_name(struct text name, enum kind *kind)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (text_is(name, kind_names[i])) {
            *kind = (enum kind)i;
            return true;
        }
    return false;
}

struct loading {
    struct arena *arena;
    struct json json;
    struct vocabulary *vocabulary;
    struct error *error;
};

static bool no_memory(struct loading *loading)
{
    return error_set(loading->error, ERROR_MEMORY, (struct place){0}, "%s: out of memory",
                     loading->json.path);
}

/* Room for the items of a list; false where `list` is no list. */
static bool list_take(struct loading *loading, const cJSON *list, size_t size, void **items,
                      size_t *count)
{
    if (!cJSON_IsArray(list))
        return json_error(&loading->json, list, loading->error, "a list belongs here");
    *count = (size_t)cJSON_GetArraySize(list);
    *items = arena_take(loading->arena, *count + 1, size);
    return *items ? true : no_memory(loading);
}

static bool text_take(struct loading *loading, const cJSON *node, struct text *text)
{
    if (!cJSON_IsString(node))
        return json_error(&loading->json, node, loading->error, "a string belongs here");
    *text = arena_text(loading->arena, text_of(node->valuestring));
    return text->data ? true : no_memory(loading);
}

static bool words_take(struct loading *loading, const cJSON *list, struct words *words)
{
    if (!list)
        return true;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct text), &items, &words->count))
        return false;
    struct text *word = items;
    words->list = items;
    for (const cJSON *node = list->child; node; node = node->next)
        if (!text_take(loading, node, word++))
            return false;
    return true;
}

static bool pattern_take(struct loading *loading, const cJSON *node, struct pattern *pattern)
{
    struct token tokens[TOKENS_MAX];
    struct text text;
    if (!text_take(loading, node, &text))
        return false;
    if (!pattern_compile(text, tokens, pattern))
        return json_error(&loading->json, node, loading->error, "a name of more than %d words",
                          TOKENS_MAX);
    struct token *kept = arena_take(loading->arena, pattern->count, sizeof(*kept));
    if (!kept)
        return no_memory(loading);
    memcpy(kept, tokens, pattern->count * sizeof(*kept));
    pattern->tokens = kept;
    return true;
}

static bool patterns_take(struct loading *loading, const cJSON *list, struct patterns *patterns)
{
    if (!list)
        return true;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct pattern), &items, &patterns->count))
        return false;
    struct pattern *pattern = items;
    patterns->list = items;
    for (const cJSON *node = list->child; node; node = node->next)
        if (!pattern_take(loading, node, pattern++))
            return false;
    return true;
}

/* The index of a member's word in `words`; `fallback` where the member is missing. */
static bool choice_take(struct loading *loading, const cJSON *row, const char *member,
                        const char *const *words, int fallback, int *choice)
{
    const cJSON *node = json_member(row, member);
    *choice = fallback;
    if (!node && fallback >= 0)
        return true;
    if (!node)
        return json_error(&loading->json, row, loading->error, "\"%s\" is missing", member);
    if (!cJSON_IsString(node))
        return json_error(&loading->json, node, loading->error, "a string belongs here");
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], node->valuestring) == 0) {
            *choice = i;
            return true;
        }
    const char *near = json_nearest(node->valuestring, words);
    return json_error(&loading->json, node, loading->error, "unknown %s \"%.60s\"%s%s%s", member,
                      node->valuestring, near ? "; did you mean \"" : "", near ? near : "",
                      near ? "\"?" : "");
}

static bool number_take_member(struct loading *loading, const cJSON *row, const char *member,
                               double fallback, double *number)
{
    const cJSON *node = json_member(row, member);
    *number = node ? node->valuedouble : fallback;
    if (node && !cJSON_IsNumber(node))
        return json_error(&loading->json, node, loading->error, "a number belongs here");
    return true;
}

static bool flag_take(struct loading *loading, const cJSON *row, const char *member, bool *flag)
{
    const cJSON *node = json_member(row, member);
    *flag = cJSON_IsTrue(node);
    if (node && !cJSON_IsBool(node))
        return json_error(&loading->json, node, loading->error, "true or false belongs here");
    return true;
}

static bool members_known(struct loading *loading, const cJSON *row, const char *const *known)
{
    return json_members(&loading->json, row, known, loading->error);
}

static bool series_take(struct loading *loading, const cJSON *list)
{
    static const char *const members[] = {"kind",  "names", "not", "direction",
                                          "class", "extra", "setting", NULL};
    static const char *const directions[] = {"none", "down", "up", NULL};
    const char *kinds[KIND_COUNT + 2] = {"none"};
    memcpy(kinds + 1, kind_names, sizeof(kind_names));
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct series_row), &items, &vocabulary->series_count))
        return false;
    struct series_row *row = items;
    vocabulary->series = items;
    for (const cJSON *node = list->child; node; node = node->next, row++) {
        int kind, direction;
        if (!members_known(loading, node, members) ||
            !choice_take(loading, node, "kind", kinds, -1, &kind) ||
            !choice_take(loading, node, "direction", directions, 0, &direction) ||
            !number_take_member(loading, node, "class", 0, &row->class) ||
            !flag_take(loading, node, "extra", &row->extra) ||
            !flag_take(loading, node, "setting", &row->setting) ||
            !patterns_take(loading, json_member(node, "names"), &row->names) ||
            !patterns_take(loading, json_member(node, "not"), &row->except))
            return false;
        row->refused = kind == 0;
        row->kind = kind == 0 ? KIND_OTHER : (enum kind)(kind - 1);
        row->direction = (enum direction)direction;
    }
    return true;
}

static bool units_take(struct loading *loading, const cJSON *list)
{
    static const char *const members[] = {"kind", "units", NULL};
    const char *kinds[KIND_COUNT + 1] = {0};
    memcpy(kinds, kind_names, sizeof(kind_names));
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct unit_row), &items, &vocabulary->unit_count))
        return false;
    struct unit_row *row = items;
    vocabulary->units = items;
    for (const cJSON *node = list->child; node; node = node->next, row++) {
        int kind;
        if (!members_known(loading, node, members) ||
            !choice_take(loading, node, "kind", kinds, -1, &kind) ||
            !words_take(loading, json_member(node, "units"), &row->units))
            return false;
        row->kind = (enum kind)kind;
    }
    return true;
}

static bool classes_take(struct loading *loading, const cJSON *list)
{
    static const char *const members[] = {"add", "words", NULL};
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct class_row), &items, &vocabulary->class_count))
        return false;
    struct class_row *row = items;
    vocabulary->classes = items;
    for (const cJSON *node = list->child; node; node = node->next, row++)
        if (!members_known(loading, node, members) ||
            !number_take_member(loading, node, "add", 0, &row->add) ||
            !words_take(loading, json_member(node, "words"), &row->words))
            return false;
    return true;
}

static bool places_take(struct loading *loading, const cJSON *list)
{
    static const char *const members[] = {"place", "words", NULL};
    static const char *const places[] = {"none", "step", "batch", "epoch", NULL};
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct place_row), &items, &vocabulary->place_count))
        return false;
    struct place_row *row = items;
    vocabulary->places = items;
    for (const cJSON *node = list->child; node; node = node->next, row++) {
        int place;
        if (!members_known(loading, node, members) ||
            !choice_take(loading, node, "place", places, -1, &place) ||
            !words_take(loading, json_member(node, "words"), &row->words))
            return false;
        row->place = (enum place_word)place;
    }
    return true;
}

static bool phases_take(struct loading *loading, const cJSON *list)
{
    static const char *const members[] = {"phase", "words", NULL};
    static const char *const phases[] = {"none", "train", "validation", NULL};
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct phase_row), &items, &vocabulary->phase_count))
        return false;
    struct phase_row *row = items;
    vocabulary->phases = items;
    for (const cJSON *node = list->child; node; node = node->next, row++) {
        int phase;
        if (!members_known(loading, node, members) ||
            !choice_take(loading, node, "phase", phases, -1, &phase) ||
            !words_take(loading, json_member(node, "words"), &row->words))
            return false;
        row->phase = (enum phase)phase;
    }
    return true;
}

static bool translations_take(struct loading *loading, const cJSON *object)
{
    struct vocabulary *vocabulary = loading->vocabulary;
    size_t count = (size_t)cJSON_GetArraySize(object);
    struct translation *row = arena_take(loading->arena, count + 1, sizeof(*row));
    if (!row)
        return no_memory(loading);
    vocabulary->translations = row;
    vocabulary->translation_count = count;
    for (const cJSON *node = object->child; node; node = node->next, row++) {
        row->from = arena_text(loading->arena, text_of(node->string));
        if (!row->from.data)
            return no_memory(loading);
        if (!text_take(loading, node, &row->to))
            return false;
    }
    return true;
}

static bool values_take(struct loading *loading, const cJSON *object, struct fact_row *row)
{
    if (!object)
        return true;
    size_t count = (size_t)cJSON_GetArraySize(object);
    struct fact_value *value = arena_take(loading->arena, count + 1, sizeof(*value));
    if (!value)
        return no_memory(loading);
    row->values = value;
    row->value_count = count;
    for (const cJSON *node = object->child; node; node = node->next, value++) {
        value->value = arena_text(loading->arena, text_of(node->string));
        if (!value->value.data)
            return no_memory(loading);
        if (!words_take(loading, node, &value->globs))
            return false;
    }
    return true;
}

static bool fact_take(struct loading *loading, const cJSON *node, struct fact_row *row)
{
    static const char *const members[] = {"fact", "type",   "names", "not",  "values",
                                          "low",  "high",   "off",   "zero", "element",
                                          "unit", "refuse", NULL};
    static const char *const types[] = {"word", "number",   "count", "choice",
                                        "flag", "presence", NULL};
    int fact, type;
    double element;
    if (!members_known(loading, node, members) ||
        !choice_take(loading, node, "fact", fact_keys, -1, &fact) ||
        !choice_take(loading, node, "type", types, 0, &type) ||
        !patterns_take(loading, json_member(node, "names"), &row->names) ||
        !patterns_take(loading, json_member(node, "not"), &row->except) ||
        !values_take(loading, json_member(node, "values"), row) ||
        !words_take(loading, json_member(node, "refuse"), &row->refuse) ||
        !number_take_member(loading, node, "low", -HUGE_VAL, &row->low) ||
        !number_take_member(loading, node, "high", HUGE_VAL, &row->high) ||
        !number_take_member(loading, node, "element", 0, &element) ||
        !flag_take(loading, node, "off", &row->off) ||
        !flag_take(loading, node, "zero", &row->zero))
        return false;
    row->fact = text_of(fact_keys[fact]);
    row->type = (enum fact_type)type;
    row->element = element > 0 && element < 100 ? (size_t)element : 0;
    return true;
}

static bool facts_take(struct loading *loading, const cJSON *list)
{
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct fact_row), &items, &vocabulary->fact_count))
        return false;
    struct fact_row *row = items;
    vocabulary->facts = items;
    for (const cJSON *node = list->child; node; node = node->next)
        if (!fact_take(loading, node, row++))
            return false;
    return true;
}

static bool assumed_take(struct loading *loading, const cJSON *list)
{
    static const char *const members[] = {"framework", "fact", "value", NULL};
    struct vocabulary *vocabulary = loading->vocabulary;
    void *items = NULL;
    if (!list_take(loading, list, sizeof(struct assumed_row), &items, &vocabulary->assumed_count))
        return false;
    struct assumed_row *row = items;
    vocabulary->assumed = items;
    for (const cJSON *node = list->child; node; node = node->next, row++) {
        int fact;
        if (!members_known(loading, node, members) ||
            !choice_take(loading, node, "fact", fact_keys, -1, &fact) ||
            !text_take(loading, json_member(node, "framework"), &row->framework) ||
            !text_take(loading, json_member(node, "value"), &row->value))
            return false;
        row->fact = text_of(fact_keys[fact]);
    }
    return true;
}

static bool reinforcement_take(struct loading *loading, const cJSON *object)
{
    static const char *const members[] = {"names", "beside-reward", "not", NULL};
    struct vocabulary *vocabulary = loading->vocabulary;
    return members_known(loading, object, members) &&
           patterns_take(loading, json_member(object, "names"), &vocabulary->reinforcement) &&
           patterns_take(loading, json_member(object, "beside-reward"),
                         &vocabulary->reinforcement_beside) &&
           patterns_take(loading, json_member(object, "not"), &vocabulary->reinforcement_except);
}

static bool root_take(struct loading *loading)
{
    static const char *const members[] = {"series",        "units",  "weak",   "strip",
                                          "class-words",   "places", "phases", "translations",
                                          "reinforcement", "facts",  "assume", NULL};
    const cJSON *root = loading->json.root;
    struct vocabulary *vocabulary = loading->vocabulary;
    if (!members_known(loading, root, members))
        return false;
    for (size_t i = 0; members[i]; i++)
        if (!json_member(root, members[i]))
            return json_error(&loading->json, root, loading->error, "\"%s\" is missing",
                              members[i]);
    return series_take(loading, json_member(root, "series")) &&
           units_take(loading, json_member(root, "units")) &&
           words_take(loading, json_member(root, "weak"), &vocabulary->weak) &&
           words_take(loading, json_member(root, "strip"), &vocabulary->strip) &&
           classes_take(loading, json_member(root, "class-words")) &&
           places_take(loading, json_member(root, "places")) &&
           phases_take(loading, json_member(root, "phases")) &&
           translations_take(loading, json_member(root, "translations")) &&
           reinforcement_take(loading, json_member(root, "reinforcement")) &&
           facts_take(loading, json_member(root, "facts")) &&
           assumed_take(loading, json_member(root, "assume"));
}

static void lengths_add(struct vocabulary *vocabulary, const struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        struct text word = words->list[i];
        if (word.size > 0 && word.size < 64 && word.data[0] >= 'a' && word.data[0] <= 'z')
            vocabulary->lengths[first_letters(word)] |= UINT64_C(1) << word.size;
    }
}

static void lengths_make(struct vocabulary *vocabulary)
{
    for (size_t i = 0; i < vocabulary->place_count; i++)
        lengths_add(vocabulary, &vocabulary->places[i].words);
    for (size_t i = 0; i < vocabulary->phase_count; i++)
        lengths_add(vocabulary, &vocabulary->phases[i].words);
}

struct vocabulary *vocabulary_load(struct arena *arena, struct text text, const char *path,
                                   struct error *error)
{
    struct loading loading = {.arena = arena, .error = error};
    if (!json_parse(arena, text, path, &loading.json, error))
        return NULL;
    loading.vocabulary = arena_take(arena, 1, sizeof(struct vocabulary));
    bool sound = loading.vocabulary ? root_take(&loading) : no_memory(&loading);
    sound = sound && (lexicon_make(loading.vocabulary, arena) || no_memory(&loading));
    json_free(&loading.json);
    if (sound)
        lengths_make(loading.vocabulary);
    return sound ? loading.vocabulary : NULL;
}

struct vocabulary *vocabulary_copy(struct arena *arena, const struct vocabulary *vocabulary)
{
    struct vocabulary *copy = arena_take(arena, 1, sizeof(*copy));
    if (copy)
        *copy = *vocabulary;
    return copy;
}

bool vocabulary_has_maps(const struct vocabulary *vocabulary)
{
    return vocabulary->map_count > 0;
}

bool vocabulary_map(struct vocabulary *vocabulary, struct arena *arena, enum kind kind,
                    struct text glob, struct error *error)
{
    struct series_row row = {.kind = kind, .glob = arena_text(arena, glob)};
    struct series_row *maps =
        row.glob.data
            ? arena_grow(arena, vocabulary->maps, vocabulary->map_count, &vocabulary->map_capacity,
                         vocabulary->map_count + 1, sizeof(struct series_row))
            : NULL;
    struct pattern *pattern = maps ? arena_take(arena, 1, sizeof(struct pattern)) : NULL;
    struct token *tokens = pattern ? arena_take(arena, TOKENS_MAX, sizeof(*tokens)) : NULL;
    if (!tokens)
        return error_set(error, ERROR_MEMORY, (struct place){0}, "out of memory");
    if (pattern_compile(row.glob, tokens, pattern))
        row.names = (struct patterns){pattern, 1};
    static const enum direction directions[KIND_COUNT] = {
        [KIND_LOSS] = DIRECTION_DOWN, [KIND_VAL_LOSS] = DIRECTION_DOWN,
        [KIND_METRIC] = DIRECTION_UP, [KIND_VAL_METRIC] = DIRECTION_UP,
        [KIND_REWARD] = DIRECTION_UP,
    };
    row.direction = directions[kind];
    maps[vocabulary->map_count++] = row;
    vocabulary->maps = maps;
    return true;
}
