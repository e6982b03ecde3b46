/* Indexes of checkpoints in several files, as Hugging Face writes them:
   model.safetensors.index.json, pytorch_model.bin.index.json.

   {"metadata": {"total_size": N}, "weight_map": {tensor: file, ...}}

   Files are bare names in the same folder. The tensors of all of them are put as those of one
   checkpoint, and what is listed has to be there. */
/* SPDX-License-Identifier: MIT */
#include "read/document/tokenizer.h"
#include "stalldoc/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

extern const struct format format_safetensors, format_torch, format_torch_legacy;

enum { TENSORS_MAX = 1000000, NAME_MOST = 4096 };

static int probe(struct span head, struct text file_name)
{
    const struct text text = {(const char *)head.data, head.size};
    const struct text start = text_trim(text_cut(text, 0, 64));
    if (start.size == 0 || start.data[0] != '{')
        return 0;
    if (text_find(text, TEXT("\"weight_map\"")) < text.size)
        return 97;
    return text_ends(file_name, ".safetensors.index.json") ||
                   text_ends(file_name, ".bin.index.json")
               ? 90
               : 0;
}

struct listed { /* a tensor of the map */
    struct text name;
    struct text file;
    bool met;
};

struct index {
    struct arena *arena;
    struct input *input;
    struct tokenizer *tokenizer;
    struct listed *tensors;
    size_t count, capacity;
};

static bool no_memory(const struct index *index, struct error *error)
{
    return error_set(error, ERROR_MEMORY, input_place(index->input, 0), "no memory for the index");
}

static bool sound_name(struct text name)
{
    return name.size && name.size < 256 && !memchr(name.data, '/', name.size) &&
           !memchr(name.data, '\\', name.size) && !memchr(name.data, '\0', name.size) &&
           !text_is(name, ".") && !text_is(name, "..");
}

static bool pair_take(struct index *index, struct text key, const struct json_token *value,
                      struct error *error)
{
    if (index->count == TENSORS_MAX)
        return error_set(error, ERROR_LIMIT, value->place, "more than 1,000,000 tensors");
    if (!sound_name(value->text) || !value->last)
        return error_set(error, ERROR_MALFORMED, value->place,
                         "the index names a file that is none of this folder");
    struct listed *grown = arena_grow(index->arena, index->tensors, index->count, &index->capacity,
                                      index->count + 1, sizeof(*grown));
    const struct listed listed = {.name = key, .file = arena_text(index->arena, value->text)};
    if (!grown || !listed.file.data)
        return no_memory(index, error);
    index->tensors = grown;
    grown[index->count++] = listed;
    return true;
}

static bool map_take(struct index *index, struct error *error)
{
    struct json_token token;
    if (!tokenizer_next(index->tokenizer, &token, error))
        return false;
    if (token.kind != JSON_OBJECT)
        return error_set(error, ERROR_MALFORMED, token.place, "the weight_map is no object");
    for (;;) {
        if (!tokenizer_next(index->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        struct text key = arena_text(index->arena, text_cut(token.text, 0, NAME_MOST));
        if (!key.data)
            return no_memory(index, error);
        if (token.kind != JSON_KEY)
            return error_set(error, ERROR_TRUNCATED, token.place, "the index is cut");
        if (!tokenizer_next(index->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_STRING) {
            if (!pair_take(index, key, &token, error))
                return false;
        } else if (!tokenizer_skip(index->tokenizer, &token, error)) {
            return false;
        }
    }
}

static int by_name(const void *a, const void *b)
{
    return text_compare(((const struct listed *)a)->name, ((const struct listed *)b)->name);
}

static int by_text(const void *a, const void *b)
{
    return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static bool index_read(struct index *index, struct error *error)
{
    struct json_token token;
    bool map = false;
    index->tokenizer = arena_take(index->arena, 1, sizeof(*index->tokenizer));
    if (!index->tokenizer)
        return no_memory(index, error);
    if (!tokenizer_open(index->tokenizer, index->input, index->arena, false, error) ||
        !tokenizer_next(index->tokenizer, &token, error))
        return false;
    if (token.kind != JSON_OBJECT)
        return error_set(error, ERROR_MALFORMED, token.place, "the index is no JSON object");
    for (;;) {
        if (!tokenizer_next(index->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_OBJECT_END)
            break;
        if (token.kind != JSON_KEY)
            return error_set(error, ERROR_TRUNCATED, token.place, "the index is cut");
        if (text_is(token.text, "weight_map")) {
            map = true;
            if (!map_take(index, error))
                return false;
            continue;
        }
        if (!tokenizer_next(index->tokenizer, &token, error) ||
            !tokenizer_skip(index->tokenizer, &token, error))
            return false;
    }
    if (index->count)
        qsort(index->tensors, index->count, sizeof(*index->tensors), by_name);
    return map || error_set(error, ERROR_MALFORMED, input_place(index->input, 0),
                            "the index has no weight_map");
}

static bool files_of(const struct index *index, struct format_parts *parts, struct error *error)
{
    struct text *files = arena_take(index->arena, index->count + 1, sizeof(*files));
    size_t count = 0;
    if (!files)
        return no_memory(index, error);
    for (size_t i = 0; i < index->count; i++)
        files[i] = index->tensors[i].file;
    if (index->count)
        qsort(files, index->count, sizeof(*files), by_text);
    for (size_t i = 0; i < index->count; i++)
        if (count == 0 || !text_equal(files[count - 1], files[i]))
            files[count++] = files[i];
    *parts = (struct format_parts){.names = files, .count = count};
    return true;
}

/* Beside weights in safetensors the same weights in PyTorch's form are a second copy. */
static bool parts_find(struct input *input, struct arena *arena, struct format_parts *parts,
                       struct error *error)
{
    static const char *const copies[] = {"pytorch_model*.bin", "pytorch_model.bin.index.json",
                                         "tf_model.h5", "flax_model.msgpack", NULL};
    struct index index = {.arena = arena, .input = input};
    if (!index_read(&index, error) || !files_of(&index, parts, error))
        return false;
    if (text_ends(text_of(input_path(input)), "model.safetensors.index.json"))
        parts->globs = copies;
    return true;
}

struct joining { /* a sink in front of the reader's own */
    struct sink sink;
    struct sink *to;
    struct index *index;
    uint64_t unlisted;
};

static bool join_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    struct joining *joining = (struct joining *)sink;
    const struct listed wanted = {.name = tensor->name};
    struct listed *found = joining->index->count
                               ? bsearch(&wanted, joining->index->tensors, joining->index->count,
                                         sizeof(wanted), by_name)
                               : NULL;
    if (found)
        found->met = true;
    joining->unlisted += !found;
    return joining->to->tensor(joining->to, tensor, error);
}

static bool join_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    struct joining *joining = (struct joining *)sink;
    return joining->to->setting(joining->to, setting, error);
}

static bool join_seal(struct sink *sink, const struct seal *seal, struct error *error)
{
    struct joining *joining = (struct joining *)sink;
    return joining->to->seal(joining->to, seal, error);
}

static const struct format *shard_format(struct span head, struct text name)
{
    static const struct format *const known[] = {&format_safetensors, &format_torch,
                                                 &format_torch_legacy};
    const struct format *best = NULL;
    int most = 0;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const int score = known[i]->probe(head, name);
        if (score > most) {
            most = score;
            best = known[i];
        }
    }
    return best;
}

static bool shard_read(const struct reading *reading, struct joining *joining, struct text name,
                       struct error *error)
{
    struct error here = {0};
    struct span head;
    struct input *shard = input_sibling(reading->input, name, &here);
    if (!shard && here.kind == ERROR_IO)
        return error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                         "the save is not complete: shard %.*s is missing or cannot be opened",
                         (int)name.size, name.data);
    if (!shard) {
        *error = here;
        return false;
    }
    if (!input_head(shard, &head, error))
        return false;
    const struct format *format = shard_format(head, name);
    if (!format)
        return error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                         "shard %.*s is no checkpoint that is known", (int)name.size, name.data);
    struct reading inner = *reading;
    inner.input = shard;
    inner.sink = &joining->sink;
    return format->read(&inner, error);
}

static const struct listed *first_missing(const struct index *index, uint64_t *missing)
{
    const struct listed *first = NULL;
    *missing = 0;
    for (size_t i = 0; i < index->count; i++) {
        if (index->tensors[i].met)
            continue;
        first = first ? first : &index->tensors[i];
        ++*missing;
    }
    return first;
}

static bool read_index(const struct reading *reading, struct error *error)
{
    struct index index = {.arena = reading->scratch, .input = reading->input};
    struct format_parts names;
    struct error first = {0};
    uint64_t missing;
    if (!index_read(&index, error) || !files_of(&index, &names, error))
        return false;
    struct joining joining = {.sink = *reading->sink, .to = reading->sink, .index = &index};
    joining.sink.tensor = join_tensor;
    joining.sink.setting = join_setting;
    joining.sink.seal = reading->sink->seal ? join_seal : NULL;
    for (size_t i = 0; i < names.count; i++) {
        struct error here = {0};
        if (shard_read(reading, &joining, names.names[i], &here))
            continue;
        if (here.kind == ERROR_MEMORY) {
            *error = here;
            return false;
        }
        first = first.kind == ERROR_NONE ? here : first;
    }
    if (first.kind != ERROR_NONE) {
        *error = first;
        return false;
    }
    const struct listed *lost = first_missing(&index, &missing);
    return !lost ||
           error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                     "%" PRIu64 " tensors are listed and in no shard: %.*s", missing,
                     (int)(lost->name.size < 100 ? lost->name.size : 100), lost->name.data);
}

const struct format format_shard_index = {
    .name = "shards",
    .about = "checkpoint in several files (*.index.json with its shards)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_index,
    .whole = "*.index.json",
    .parts = parts_find,
};
