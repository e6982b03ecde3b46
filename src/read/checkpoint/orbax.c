/* What Orbax writes about a checkpoint beside its arrays, all of it JSON:

   _CHECKPOINT_METADATA   {"commit_timestamp_nsecs": 1795866010311927482, ...}; null: not finished
   _METADATA              {"use_ocdbt": true, "tree_metadata": {"('params', 'w')":
                           {"key_metadata": [{"key": "params"}, ...],
                            "value_metadata": {"write_shape": [4, 5], ...}}}}

   _sharding and array_metadatas/process_0 say how arrays are cut: nothing to judge. Arrays in an
   OCDBT store are named from here, others by their own descriptions. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/description.h"

#include <string.h>

enum { NAME_MOST = 4096 };

static int probe(struct span head, struct text file_name)
{
    static const char *const words[] = {"\"commit_timestamp_nsecs\"", "\"tree_metadata\"",
                                        "\"array_metadatas\""};
    const struct text text = {(const char *)head.data, head.size};
    const struct text start = text_trim(text_cut(text, 0, 64));
    if (start.size == 0 || start.data[0] != '{')
        return 0;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_find(text, text_of(words[i])) < text.size)
            return 97;
    return text_ends(file_name, "_sharding") ? 96 : 0;
}

/* The keys that lead to an array, joined with '.'. */
static struct text path_of(const struct reading *reading, const cJSON *keys)
{
    static const struct text none = {"", 0};
    char *name = arena_take(reading->scratch, NAME_MOST, 1);
    struct text text = {name, 0};
    const cJSON *item;
    cJSON_ArrayForEach(item, keys)
    {
        const cJSON *key = json_member(item, "key");
        const struct text word = cJSON_IsString(key) ? text_of(key->valuestring) : none;
        if (!name || text.size + word.size + 1 > NAME_MOST)
            break;
        if (text.size > 0)
            name[text.size++] = '.';
        memcpy(name + text.size, word.data, word.size);
        text.size += word.size;
    }
    return text;
}

static bool array_put(const struct reading *reading, const cJSON *array, struct error *error)
{
    struct tensor_view view = {.dtype = DTYPE_OPAQUE, .absent = true, .input = reading->input};
    const cJSON *shape = json_member(json_member(array, "value_metadata"), "write_shape");
    view.name = path_of(reading, json_member(array, "key_metadata"));
    view.type = TEXT("");
    if (!view.name.data)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                         "no memory for a name");
    if (shape && !lengths_take(shape, 0, view.shape, &view.rank))
        return error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                         "the shape of an array is damaged");
    return view.name.size == 0 || reading->sink->tensor(reading->sink, &view, error);
}

static bool read_orbax(const struct reading *reading, struct error *error)
{
    struct json json = {0};
    const struct place place = input_place(reading->input, 0);
    if (!description_read(reading, &json, error))
        return false;
    const cJSON *begun = json_member(json.root, "init_timestamp_nsecs");
    if (begun && cJSON_IsNull(json_member(json.root, "commit_timestamp_nsecs")))
        return error_set(error, ERROR_MALFORMED, place,
                         "the save is not complete: it was begun and never committed");
    if (!cJSON_IsTrue(json_member(json.root, "use_ocdbt")))
        return true;
    const cJSON *array;
    cJSON_ArrayForEach(array, json_member(json.root, "tree_metadata"))
    {
        if (!array_put(reading, array, error))
            return false;
    }
    return true;
}

const struct format format_orbax = {
    .name = "orbax",
    .about = "what Orbax says of a checkpoint: its arrays, whether it was finished",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_orbax,
};
