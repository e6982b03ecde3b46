/* The walk over a JSON document; nothing of it is kept but the record at hand. */
/* SPDX-License-Identifier: MIT */
#include "read/document/walk.h"

#include <inttypes.h>
#include <stdio.h>

enum { FEW = 4, FEW_NAME = 32, FEW_LISTS = 4 };

/* What the values of a list in the records to come are, as CatBoost tells it: `"learn_metrics":
   [{"name": "Logloss"}, ..]` of the lists `"learn": [0.5, ..]`. */
struct few_names {
    char list[FEW_NAME];
    char names[FEW][FEW_NAME];
    size_t count;
};

struct walk {
    const struct walk_options *options;
    struct tokenizer tokenizer;
    struct writer *root, *item;
    struct path path, item_path;
    struct text file_series;
    struct few_names told[FEW_LISTS];
    size_t told_count;
};

static bool next(struct walk *walk, struct json_token *token, struct error *error)
{
    return tokenizer_next(&walk->tokenizer, token, error);
}

static struct text literal_text(const struct json_token *token)
{
    switch (token->kind) {
    case JSON_TRUE:
        return TEXT("true");
    case JSON_FALSE:
        return TEXT("false");
    case JSON_NULL:
        return TEXT("none");
    default:
        return token->text;
    }
}

static bool is_scalar(const struct json_token *token)
{
    return token->kind == JSON_STRING || token->kind == JSON_NUMBER || token->kind == JSON_TRUE ||
           token->kind == JSON_FALSE || token->kind == JSON_NULL;
}

/* Every scalar below a member of settings goes to the sink as it stands. */
static bool settings_take(struct walk *walk, struct json_token *token, struct error *error)
{
    if (is_scalar(token))
        return writer_setting(walk->root, path_text(&walk->path), literal_text(token), token->place,
                              error) &&
               tokenizer_skip(&walk->tokenizer, token, error);
    if (token->kind != JSON_OBJECT)
        return tokenizer_skip(&walk->tokenizer, token, error);
    while (next(walk, token, error)) {
        if (token->kind != JSON_KEY)
            return true;
        path_push(&walk->path, token->text);
        if (!next(walk, token, error) || !settings_take(walk, token, error))
            return false;
        path_pop(&walk->path);
    }
    return false;
}

static bool few_copy(char *out, struct text text)
{
    if (text.size == 0 || text.size >= FEW_NAME)
        return false;
    memcpy(out, text.data, text.size);
    out[text.size] = '\0';
    return true;
}

/* The name of one more value of the list that the path tells of, `meta/learn_metrics`. */
static void few_tell(struct walk *walk, struct text name)
{
    static const char ending[] = "_metrics";
    const struct text path = path_text(&walk->path);
    const size_t start = text_behind(path, '/');
    char list[FEW_NAME];
    if (!text_ends(path, ending) || path.size < start + sizeof(ending) ||
        !few_copy(list, text_cut(path, start, path.size - start - (sizeof(ending) - 1))))
        return;
    size_t at = 0;
    while (at < walk->told_count && strcmp(walk->told[at].list, list) != 0)
        at++;
    if (at == FEW_LISTS)
        return;
    struct few_names *told = &walk->told[at];
    if (at == walk->told_count) {
        *told = (struct few_names){.count = 0};
        memcpy(told->list, list, sizeof(list));
        walk->told_count++;
    }
    if (told->count < FEW && few_copy(told->names[told->count], name))
        told->count++;
}

/* The names of `count` values of the list at hand; NULL: not told. */
static const struct few_names *few_told(const struct walk *walk, size_t count)
{
    const struct text list = path_text(&walk->item_path);
    for (size_t i = 0; i < walk->told_count; i++)
        if (text_is(list, walk->told[i].list) && walk->told[i].count == count)
            return &walk->told[i];
    return NULL;
}

/* A list inside a record: of a few numbers, else it is passed over. */
static bool few_take(struct walk *walk, struct json_token *token, struct error *error)
{
    char texts[FEW][32];
    struct text numbers[FEW];
    size_t count = 0;
    bool only = true;
    while (next(walk, token, error) && token->kind != JSON_LIST_END && token->kind != JSON_END) {
        if (token->kind == JSON_NUMBER && count < FEW && token->text.size < sizeof(texts[0])) {
            memcpy(texts[count], token->text.data, token->text.size);
            numbers[count] = (struct text){texts[count], token->text.size};
            count++;
            continue;
        }
        only = false;
        if (!tokenizer_skip(&walk->tokenizer, token, error))
            return false;
    }
    if (token->kind != JSON_LIST_END)
        return token->kind == JSON_END;
    const struct few_names *told = few_told(walk, count);
    for (size_t i = 0; only && i < count; i++) { /* values of one name, the first its own */
        const char index[2] = {(char)('0' + i), 0};
        const bool named = told || i > 0;
        if (named)
            path_push(&walk->item_path, text_of(told ? told->names[i] : index));
        row_add(walk->item, path_text(&walk->item_path), numbers[i], false);
        if (named)
            path_pop(&walk->item_path);
    }
    return true;
}

/* The members of an object in a list, down to its end. */
static bool members_take(struct walk *walk, struct json_token *token, struct error *error)
{
    while (next(walk, token, error)) {
        if (token->kind != JSON_KEY)
            return true;
        path_push(&walk->item_path, token->text);
        const bool name = walk->item_path.depth == 1 && text_is(token->text, "name");
        if (!next(walk, token, error))
            return false;
        if (name && token->kind == JSON_STRING)
            few_tell(walk, token->text);
        if (token->kind == JSON_STRING || token->kind == JSON_NUMBER)
            row_add(walk->item, path_text(&walk->item_path), token->text,
                    token->kind == JSON_STRING);
        bool sound = token->kind == JSON_OBJECT ? members_take(walk, token, error)
                     : token->kind == JSON_LIST ? few_take(walk, token, error)
                                                : tokenizer_skip(&walk->tokenizer, token, error);
        if (!sound)
            return false;
        path_pop(&walk->item_path);
    }
    return false;
}

static bool record_take(struct walk *walk, struct json_token *token, struct error *error)
{
    row_begin(walk->item, token->place);
    walk->item->phase = vocabulary_naming(walk->item->reading->vocabulary, path_text(&walk->path),
                                          TEXT(""), PHASE_NONE)
                            .phase;
    walk->item_path.size = 0;
    walk->item_path.depth = 0;
    if (!members_take(walk, token, error))
        return false;
    return row_end(walk->item, error);
}

/* The nth number of a list under a name: its value in the nth epoch. */
static bool column_take(struct walk *walk, const struct json_token *token, uint64_t nth,
                        struct error *error)
{
    char epoch[24];
    int size = snprintf(epoch, sizeof(epoch), "%" PRIu64, nth);
    row_begin(walk->item, token->place);
    row_add(walk->item, TEXT("epoch"), (struct text){epoch, (size_t)size}, false);
    row_add(walk->item, path_text(&walk->path), token->text, false);
    return row_end(walk->item, error);
}

/* [wall time, step, value] as TensorBoard exports it; other lists in lists are passed over. */
static bool triple_take(struct walk *walk, struct json_token *token, struct error *error)
{
    struct json_token list = *token;
    struct number numbers[3];
    struct text texts[3] = {TEXT(""), TEXT(""), TEXT("")};
    size_t count = 0;
    while (next(walk, token, error) && token->kind != JSON_LIST_END && token->kind != JSON_END) {
        bool number =
            token->kind == JSON_NUMBER && count < 3 && number_parse(token->text, &numbers[count]);
        count = number ? count + 1 : 4;
        if (!number && !tokenizer_skip(&walk->tokenizer, token, error))
            return false;
    }
    if (token->kind != JSON_LIST_END)
        return token->kind == JSON_END;
    if (count != 3 || !(numbers[0].value > 1e9) || !numbers[1].integer)
        return true;
    struct text path = path_text(&walk->path);
    row_begin(walk->item, list.place);
    row_add_number(walk->item, TEXT("wall_time"), texts[0], &numbers[0]);
    row_add_number(walk->item, TEXT("step"), texts[1], &numbers[1]);
    row_add_number(walk->item, path.size > 0 ? path : walk->file_series, texts[2], &numbers[2]);
    return row_end(walk->item, error);
}

/* A list that stands in the document itself. The first number waits: alone it is a mere value. */
static bool list_take(struct walk *walk, struct json_token *token, struct error *error)
{
    struct json_token held = {0};
    char text[64];
    uint64_t count = 0;
    bool known = vocabulary_naming(walk->item->reading->vocabulary, path_text(&walk->path),
                                   TEXT(""), PHASE_NONE)
                     .known;
    while (next(walk, token, error)) {
        if (token->kind == JSON_LIST_END || token->kind == JSON_END)
            break;
        bool number = token->kind == JSON_NUMBER && known && token->text.size < sizeof(text);
        if (number && ++count == 1) {
            held = *token;
            memcpy(text, token->text.data, token->text.size);
            held.text.data = text;
            continue;
        }
        if (number && count == 2 && !column_take(walk, &held, 1, error))
            return false;
        bool sound = number                       ? column_take(walk, token, count, error)
                     : token->kind == JSON_OBJECT ? record_take(walk, token, error)
                     : token->kind == JSON_LIST   ? triple_take(walk, token, error)
                                                  : tokenizer_skip(&walk->tokenizer, token, error);
        if (!sound)
            return false;
    }
    if (token->kind != JSON_LIST_END)
        return token->kind == JSON_END;
    row_at(walk->root, held.place);
    if (count == 1)
        row_add(walk->root, path_text(&walk->path), held.text, false);
    return true;
}

/* {"loss": {"0": 2.5, "1": 1.5}}, as pandas writes columns: the name of a member is its epoch. */
static bool indexed_take(struct walk *walk, const struct json_token *token, bool *taken,
                         struct error *error)
{
    struct text path = path_text(&walk->path);
    const size_t slash = text_behind(path, '/');
    struct text key = text_cut(path, slash, path.size), name = text_cut(path, 0, slash);
    struct number index;
    *taken = false;
    if (token->kind != JSON_NUMBER || name.size < 2 || !number_parse(key, &index) || !index.integer)
        return true;
    name.size--;
    *taken = vocabulary_naming(walk->item->reading->vocabulary, name, TEXT(""), PHASE_NONE).known;
    if (!*taken)
        return true;
    row_begin(walk->item, token->place);
    row_add(walk->item, TEXT("epoch"), key, false);
    row_add(walk->item, name, token->text, false);
    return row_end(walk->item, error);
}

static bool document_take(struct walk *walk, struct json_token *token, struct error *error)
{
    bool taken;
    if (token->kind == JSON_LIST)
        return list_take(walk, token, error);
    if (!indexed_take(walk, token, &taken, error) || taken)
        return taken;
    if (is_scalar(token)) {
        row_at(walk->root, token->place);
        row_add(walk->root, path_text(&walk->path), literal_text(token),
                token->kind == JSON_STRING);
        return tokenizer_skip(&walk->tokenizer, token, error);
    }
    while (next(walk, token, error)) {
        if (token->kind != JSON_KEY)
            return true;
        bool settings = settings_name(token->text);
        path_push(&walk->path, token->text);
        if (!next(walk, token, error))
            return false;
        if (!(settings ? settings_take(walk, token, error) : document_take(walk, token, error)))
            return false;
        path_pop(&walk->path);
    }
    return false;
}

bool walk_document(const struct reading *reading, const struct walk_options *options,
                   struct error *error)
{
    struct walk *walk = arena_take(reading->scratch, 1, sizeof(struct walk));
    if (!walk)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    walk->options = options;
    walk->file_series = file_series(input_path(reading->input));
    walk->root = writer_open(reading, error);
    walk->item = walk->root ? writer_open(reading, error) : NULL;
    if (!walk->item ||
        !tokenizer_open(&walk->tokenizer, reading->input, reading->scratch, false, error))
        return false;
    walk->root->source = walk->item->source = SETTING_CONFIG;
    walk->root->only_settings = options->root_settings;
    walk->item->mute = true;
    walk->item->drop_summaries = options->drop_summaries;
    struct json_token token = {0};
    bool sound = next(walk, &token, error);
    row_begin(walk->root, token.place);
    while (sound && token.kind != JSON_END)
        sound = document_take(walk, &token, error) && next(walk, &token, error);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    sound = writer_flush(walk->item, late) && sound;
    late = sound ? error : NULL;
    sound = row_end(walk->root, late) && sound;
    late = sound ? error : NULL;
    walk->root->row_number += walk->item->row_number;
    return writer_close(walk->root, tokenizer_lines(&walk->tokenizer), late) && sound;
}

static bool one_of(struct text key, const char *const *keys)
{
    for (size_t i = 0; keys && keys[i]; i++)
        if (text_is(key, keys[i]))
            return true;
    return false;
}

size_t walk_probe(struct span head, const char *const *keys, bool *found, bool *cut)
{
    struct tokenizer tokenizer;
    struct json_token token;
    size_t count = 0, documents = 0;
    tokenizer_over(&tokenizer, head, false);
    *found = false;
    while (tokenizer_next(&tokenizer, &token, NULL)) {
        if (token.kind == JSON_END) {
            *cut = tokenizer.cut;
            return count;
        }
        bool opens = token.kind == JSON_OBJECT || token.kind == JSON_LIST;
        if (tokenizer.depth == (opens ? 1 : 0) && token.kind != JSON_OBJECT_END &&
            token.kind != JSON_LIST_END && (!opens || ++documents > 1))
            return 0;
        if (token.kind == JSON_KEY && tokenizer.depth == 1 && one_of(token.text, keys))
            *found = true;
        count++;
    }
    return 0;
}
