/* Loading rules/messages.json: rows, their spellings, and the filter of the search. */
/* SPDX-License-Identifier: MIT */
#include "message.h"
#include "stalldoc/json.h"
#include <string.h>

static const char *const members[] = {"id",       "match",    "or",     "at",    "fold",
                                      "strength", "symptoms", "causes", "facts", "times",
                                      "suggest",  "change",   NULL};
static const char *const strengths[] = {"decides",     "supports", "sign",
                                        "consequence", "harmless", NULL};
static const char *const places[] = {"start", "line", "traceback", NULL};

struct loaded { /* one spelling */
    struct message_row row;
    bool folded;
    uint32_t identity;
    uint64_t hash; /* of the id */
};

struct loading {
    struct arena *arena;
    struct json json;
    struct error *error;
    struct loaded *rows;
    size_t row_count, row_capacity;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for the fixed texts");
}

static bool word_index(struct loading *l, const cJSON *node, const char *const *words,
                       const char *what, int *index)
{
    if (cJSON_IsString(node))
        for (*index = 0; words[*index]; ++*index)
            if (strcmp(node->valuestring, words[*index]) == 0)
                return true;
    if (!cJSON_IsString(node))
        return json_error(&l->json, node, l->error, "\"%s\" is no text", what);
    const char *near = json_nearest(node->valuestring, words);
    return json_error(&l->json, node, l->error, "unknown %s \"%s\"%s%s%s", what, node->valuestring,
                      near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static bool string_take(struct loading *l, const cJSON *node, const char *what, const char **string)
{
    if (!cJSON_IsString(node) || !node->valuestring[0])
        return json_error(&l->json, node, l->error, "%s has to be a text that is not empty", what);
    *string = arena_string(l->arena, text_of(node->valuestring));
    return *string || no_memory(l->error);
}

static bool strings_take(struct loading *l, const cJSON *node, const char *what,
                         const char *const **strings)
{
    if (!node)
        return true;
    if (!cJSON_IsArray(node))
        return json_error(&l->json, node, l->error, "\"%s\" is no list", what);
    const char **list = arena_take(l->arena, (size_t)cJSON_GetArraySize(node) + 1, sizeof *list);
    if (!list)
        return no_memory(l->error);
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, node)
    {
        if (!string_take(l, item, what, &list[count++]))
            return false;
    }
    *strings = list;
    return true;
}

static bool parts_take(struct loading *l, const cJSON *node, struct message_row *row)
{
    if (!cJSON_IsArray(node))
        return json_error(&l->json, node, l->error, "\"match\" and each entry of \"or\" is a list");
    struct text *parts = arena_take(l->arena, (size_t)cJSON_GetArraySize(node) + 1, sizeof *parts);
    if (!parts)
        return no_memory(l->error);
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, node)
    {
        const char *part = NULL;
        if (!string_take(l, item, "a part", &part))
            return false;
        parts[count++] = text_of(part);
    }
    row->parts = parts;
    row->part_count = count;
    return true;
}

/* {"crash": "device"}: symptoms and the forms beside them. */
static bool symptoms_take(struct loading *l, const cJSON *node, struct message_row *row)
{
    const size_t size = node ? (size_t)cJSON_GetArraySize(node) : 0;
    if (node && !cJSON_IsObject(node))
        return json_error(&l->json, node, l->error, "\"symptoms\" is no object of symptom: form");
    const char **symptoms = arena_take(l->arena, size + 1, sizeof *symptoms);
    const char **forms = arena_take(l->arena, size + 1, sizeof *forms);
    if (!symptoms || !forms)
        return no_memory(l->error);
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, node)
    {
        symptoms[count] = arena_string(l->arena, text_of(item->string));
        if (!symptoms[count])
            return no_memory(l->error);
        if (!string_take(l, item, "a form", &forms[count]))
            return false;
        if (strcmp(forms[count], "message") == 0)
            forms[count] = NULL;
        count++;
    }
    row->symptoms = symptoms;
    row->forms = forms;
    return true;
}

static bool facts_take(struct loading *l, const cJSON *node, struct message_row *row)
{
    const size_t size = node ? (size_t)cJSON_GetArraySize(node) : 0;
    struct message_fact *facts = arena_take(l->arena, size + 1, sizeof *facts);
    if (!facts)
        return no_memory(l->error);
    const cJSON *item;
    cJSON_ArrayForEach(item, node)
    {
        const char *value = cJSON_IsTrue(item) ? "true" : "false";
        if (cJSON_IsNumber(item))
            value = arena_print(l->arena, "%g", item->valuedouble).data;
        else if (!cJSON_IsBool(item) && !string_take(l, item, "a fact's value", &value))
            return false;
        struct message_fact *fact = &facts[row->fact_count++];
        fact->key = arena_text(l->arena, text_of(item->string));
        fact->value = text_of(value);
        if (!fact->key.data || !value)
            return no_memory(l->error);
    }
    row->facts = facts;
    return true;
}

static bool row_add(struct loading *l, const struct message_row *row, bool fold, size_t identity)
{
    struct loaded *rows = arena_grow(l->arena, l->rows, l->row_count, &l->row_capacity,
                                     l->row_count + 1, sizeof *rows);
    if (!rows)
        return no_memory(l->error);
    rows[l->row_count++] =
        (struct loaded){*row, fold, (uint32_t)identity, text_hash(text_of(row->id))};
    l->rows = rows;
    return true;
}

/* Some literal of WINDOW_NARROW bytes without numbers, or the whole of the line: a short text that
   may stand anywhere would have to be looked for at every byte. */
static bool row_check(struct loading *l, const cJSON *node, const struct message_row *row)
{
    if (row->whole_line)
        return row->part_count == 1 ||
               json_error(&l->json, node, l->error, "a text that is a whole line has one part");
    for (size_t i = 0; i < row->part_count; i++) {
        size_t run = 0;
        for (size_t k = 0; k < row->parts[i].size; k++) {
            const char c = row->parts[i].data[k];
            const bool literal =
                c != '#' && (c < '0' || c > '9') &&
                !(c == ' ' && k + 1 < row->parts[i].size && row->parts[i].data[k + 1] == ' ');
            run = literal ? run + 1 : 0;
            if (run >= WINDOW_NARROW)
                return true;
        }
    }
    return json_error(&l->json, node, l->error,
                      "no part has %d bytes without a number: add what stands beside it, or "
                      "\"at\": \"line\"",
                      WINDOW_NARROW);
}

static bool spellings_take(struct loading *l, const cJSON *node, struct message_row *row, bool fold,
                           bool traceback)
{
    const cJSON *match = json_member(node, "match");
    if (traceback) {
        if (match)
            return json_error(&l->json, match, l->error,
                              "what tracebacks tell has no \"match\" of its own");
        row->parts = NULL;
        return row_add(l, row, fold, l->row_count);
    }
    if (!match)
        return json_error(&l->json, node, l->error, "no \"match\"");
    const size_t identity = l->row_count;
    if (!parts_take(l, match, row) || !row_check(l, match, row) || !row_add(l, row, fold, identity))
        return false;
    const cJSON *other;
    cJSON_ArrayForEach(other, json_member(node, "or"))
    {
        if (!parts_take(l, other, row) || !row_check(l, other, row) ||
            !row_add(l, row, fold, identity))
            return false;
    }
    return true;
}

static bool row_take(struct loading *l, const cJSON *node)
{
    struct message_row row = {.suggest = "", .change = "", .times = 1};
    int strength, place = -1;
    if (!json_members(&l->json, node, members, l->error))
        return false;
    const cJSON *id = json_member(node, "id"), *at = json_member(node, "at");
    const cJSON *suggest = json_member(node, "suggest"), *times = json_member(node, "times");
    const cJSON *change = json_member(node, "change");
    if (!id)
        return json_error(&l->json, node, l->error, "no \"id\"");
    if (!string_take(l, id, "an id", &row.id))
        return false;
    const uint64_t hash = text_hash(text_of(row.id));
    for (size_t i = 0; i < l->row_count; i++)
        if (l->rows[i].hash == hash && strcmp(l->rows[i].row.id, row.id) == 0)
            return json_error(&l->json, id, l->error, "there is an id \"%s\" already", row.id);
    if (!json_member(node, "strength"))
        return json_error(&l->json, node, l->error, "no \"strength\"");
    if (!word_index(l, json_member(node, "strength"), strengths, "strength", &strength) ||
        (at && !word_index(l, at, places, "at", &place)) ||
        (suggest && !string_take(l, suggest, "suggest", &row.suggest)) ||
        (change && !string_take(l, change, "change", &row.change)) ||
        !symptoms_take(l, json_member(node, "symptoms"), &row) ||
        !strings_take(l, json_member(node, "causes"), "causes", &row.causes) ||
        !facts_take(l, json_member(node, "facts"), &row))
        return false;
    if (!row.causes)
        row.causes = arena_take(l->arena, 1, sizeof *row.causes);
    if (!row.causes)
        return no_memory(l->error);
    if (times && (!cJSON_IsNumber(times) || times->valueint < 1))
        return json_error(&l->json, times, l->error, "\"times\" is a number from 1 on");
    if (times)
        row.times = (uint32_t)times->valueint;
    row.strength = (enum message_strength)strength;
    row.line_start = place == 0 || place == 1;
    row.whole_line = place == 1;
    return spellings_take(l, node, &row, cJSON_IsTrue(json_member(node, "fold")), place == 2);
}

static uint32_t piece_at(const char *data)
{
    uint32_t piece;
    memcpy(&piece, data, PIECE);
    return piece_fold(piece);
}

/* How common a byte is in logs; windows of rare ones are looked for. */
static unsigned commonness(char c)
{
    if (c == ' ')
        return 12;
    if (c >= 'A' && c <= 'Z')
        c = (char)(c + 32);
    if (c && strchr("etaoinsr", c))
        return 10;
    if (strchr("lcdmpuhgf", c))
        return 7;
    if (c >= 'a' && c <= 'z')
        return 4;
    return c && strchr("._:-/=,", c) ? 6 : 2;
}

/* Pieces that many lines of ordinary logs hold; measured over the logs of some 80 trainers. */
static const char common_pieces[][PIECE + 1] = {
    "loss", " los", "epoc", "poch", " inf", "step", "atio", "s = ", "time", " tim", "grad",
    "ion ", "rate", "data", " dat", "emor", "mory", "inin", " tra", "arni", "rnin", "ion:",
    "norm", "odel", "size", "load", "comp", "inde", "back", "forw", "tion", "ing ", " the",
};

/* How much rather something else is looked for, for each piece and each byte. */
struct costs {
    uint8_t bytes[256];
    uint8_t pieces[GRAM_HEADS];
};

static void costs_fill(struct costs *costs)
{
    memset(costs->pieces, 0, sizeof(costs->pieces));
    for (size_t i = 0; i < sizeof(common_pieces) / sizeof(common_pieces[0]); i++)
        costs->pieces[piece_hash(piece_at(common_pieces[i])) % GRAM_HEADS] = 20;
    for (int c = 0; c < 256; c++)
        costs->bytes[c] = (uint8_t)commonness((char)c);
}

/* The rarest window of `length` bytes in the row; false: none. */
static bool window_choose(const struct costs *costs, const struct message_row *row, size_t length,
                          size_t *part, size_t *start)
{
    unsigned best = 0;
    bool found = false;
    for (size_t i = 0; i < row->part_count; i++) {
        size_t run = 0;
        for (size_t k = 0; k < row->parts[i].size; k++) {
            const char *data = row->parts[i].data;
            const bool literal =
                data[k] != '#' && (data[k] < '0' || data[k] > '9') &&
                !(data[k] == ' ' && ((k + 1 < row->parts[i].size && data[k + 1] == ' ') ||
                                     (k > 0 && data[k - 1] == ' ')));
            run = literal ? run + 1 : 0;
            if (run < length)
                continue;
            unsigned sum = 0;
            for (size_t j = 0; j < length; j++)
                sum += costs->bytes[(uint8_t)data[k - j]];
            for (size_t j = 0; j + PIECE <= length; j++)
                sum += costs->pieces[piece_hash(piece_at(data + k + 1 - length + j)) % GRAM_HEADS];
            if (!found || sum < best) {
                found = true;
                best = sum;
                *part = i;
                *start = k + 1 - length;
            }
        }
    }
    return found;
}

static void grams_add(struct message_filter *filter, struct gram *grams, const struct costs *costs,
                      const struct message_row *row, uint32_t number)
{
    size_t part, start, length = WINDOW_WIDE;
    if (!window_choose(costs, row, length, &part, &start)) {
        length = WINDOW_NARROW;
        if (!window_choose(costs, row, length, &part, &start))
            return;
        filter->narrow = true;
    }
    const char *window = row->parts[part].data + start;
    for (size_t into = 0; into + PIECE <= length; into++) {
        const uint32_t piece = piece_at(window + into);
        const uint32_t bit = piece_hash(piece);
        bit_set(filter->every8, bit);
        if (length == WINDOW_NARROW)
            bit_set(filter->every4, bit);
        else if (into + 2 * PIECE <= length)
            bit_set(filter->ahead, pair_hash(piece, piece_at(window + into + PIECE)));
        else
            bit_set(filter->behind, pair_hash(piece_at(window + into - PIECE), piece));
        uint32_t *head = &filter->heads[bit % GRAM_HEADS];
        const size_t at = filter->gram_count++;
        grams[at] = (struct gram){
            .piece = piece,
            .row = number,
            .next = *head,
            .window = (uint32_t)start,
            .part = (uint8_t)part,
            .into = (uint8_t)into,
            .length = (uint8_t)length,
        };
        *head = (uint32_t)at;
    }
}

static bool filter_make(struct loading *l, struct message_table *table)
{
    const size_t rows = l->row_count;
    struct message_filter *filter = arena_take(l->arena, 1, sizeof *filter);
    uint32_t *whole_next = arena_take(l->arena, rows + 1, sizeof *whole_next);
    uint32_t *identity = arena_take(l->arena, rows + 1, sizeof *identity);
    bool *folded = arena_take(l->arena, rows + 1, sizeof *folded);
    struct gram *grams = arena_take(l->arena, rows * (WINDOW_WIDE - PIECE + 1) + 1, sizeof *grams);
    struct message_row *list = arena_take(l->arena, rows + 1, sizeof *list);
    if (!filter || !whole_next || !identity || !folded || !grams || !list)
        return no_memory(l->error);
    filter->grams = grams;
    filter->gram_count = 1; /* 0 is none */
    struct costs costs;
    costs_fill(&costs);
    for (size_t i = 0; i < rows; i++) {
        const struct message_row *row = &l->rows[i].row;
        list[i] = *row;
        identity[i] = l->rows[i].identity;
        folded[i] = l->rows[i].folded;
        if (row->whole_line) {
            const struct text part = row->parts[0];
            uint32_t *head = &filter->whole_heads[whole_hash(part.data, part.size)];
            whole_next[i] = *head;
            *head = (uint32_t)i + 1;
        } else if (row->part_count > 0) {
            grams_add(filter, grams, &costs, row, (uint32_t)i);
        }
    }
    filter->whole_next = whole_next;
    filter->folded = folded;
    filter->identity = identity;
    filter->row_count = rows;
    *table = (struct message_table){list, rows, filter};
    return true;
}

static struct message_table *table_make(struct loading *l)
{
    static const char *const top[] = {"messages", NULL};
    const cJSON *list = json_member(l->json.root, "messages");
    if (!json_members(&l->json, l->json.root, top, l->error))
        return NULL;
    if (!cJSON_IsArray(list)) {
        json_error(&l->json, l->json.root, l->error, "no list \"messages\"");
        return NULL;
    }
    const cJSON *node;
    cJSON_ArrayForEach(node, list)
    {
        if (!row_take(l, node))
            return NULL;
    }
    struct message_table *table = arena_take(l->arena, 1, sizeof *table);
    if (!table) {
        no_memory(l->error);
        return NULL;
    }
    return filter_make(l, table) ? table : NULL;
}

struct message_table *message_table_load(struct arena *arena, struct text text, const char *path,
                                         struct error *error)
{
    struct loading l = {.arena = arena, .error = error};
    if (!json_parse(arena, text, path, &l.json, error))
        return NULL;
    struct message_table *table = table_make(&l);
    json_free(&l.json);
    return table;
}
