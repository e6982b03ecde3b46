/* Arrays of Zarr, as Orbax and xarray keep them: a folder an array, with a description and a file a
   chunk.

   .zarray      {"shape": [10, 7], "chunks": [4, 4], "dtype": "<f4", "order": "C", "fill_value": 0,
                 "compressor": null or {"id": "gzip"}, "filters": null, "zarr_format": 2}
   0.0, 0.1     chunks of the second form, each whole also where it reaches over the edge
   zarr.json    the third form, whose chunks lie in folders below: named, not read

   A chunk that is not there holds the fill value. One chunk that is the array stays in its file;
   others are put together in memory, so they are bounded. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/description.h"
#include "read/checkpoint/pieces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
    ARRAY_MAX = 64 << 20, /* put together in memory */
    CHUNK_MAX = 32 << 20,
    CHUNKS_MAX = 4096,
    KEY_MAX = 24 * TENSOR_RANK_MAX,
};

enum packing { PACKED_NOT, PACKED_LAYER /* gzip, zstd: what opening unpacks */, PACKED_ZLIB };

struct array {
    const struct reading *reading;
    struct tensor_view view;
    int64_t chunk[TENSOR_RANK_MAX], chunks[TENSOR_RANK_MAX]; /* their shape, and how many */
    uint64_t bytes, chunk_bytes, count;
    enum packing packing;
    const char *unread; /* why only the name is known; NULL */
};

static int probe(struct span head, struct text file_name)
{
    const struct text text = {(const char *)head.data, head.size};
    const struct text start = text_trim(text_cut(text, 0, 64));
    if (start.size == 0 || start.data[0] != '{' ||
        text_find(text, TEXT("\"zarr_format\"")) == text.size)
        return 0;
    return text_ends(file_name, ".zarray") || text_ends(file_name, "zarr.json") ? 98 : 80;
}

/* "<f4", or a name of ml_dtypes; the third form has names only. */
static enum dtype dtype_take(struct text word, bool *swapped)
{
    *swapped = text_starts(word, ">");
    const enum dtype dtype = dtype_of_code(text_cut(word, 1, word.size));
    return dtype == DTYPE_OPAQUE ? dtype_named(word) : dtype;
}

static struct text string_of(const cJSON *node)
{
    return cJSON_IsString(node) ? text_of(node->valuestring) : TEXT("");
}

/* The folder that holds the description is the array. */
static struct text array_name(const char *path)
{
    struct text name = text_of(path);
    while (name.size > 0 && name.data[name.size - 1] != '/')
        name.size--;
    name.size -= name.size > 0;
    size_t begin = name.size;
    while (begin > 0 && name.data[begin - 1] != '/')
        begin--;
    name = text_cut(name, begin, name.size);
    return name.size > 0 && !text_is(name, ".") && !text_is(name, "..") ? name : TEXT("(array)");
}

static void packing_take(struct array *array, const cJSON *compressor)
{
    const struct text id = string_of(json_member(compressor, "id"));
    if (!compressor || cJSON_IsNull(compressor))
        array->packing = PACKED_NOT;
    else if (text_is(id, "gzip") || text_is(id, "zstd"))
        array->packing = PACKED_LAYER;
    else if (text_is(id, "zlib"))
        array->packing = PACKED_ZLIB;
    else
        array->unread = "its chunks are packed by a method that is not read";
}

/* What of the second form can be put together. */
static void second_take(struct array *array, const cJSON *root)
{
    const cJSON *filters = json_member(root, "filters"), *fill = json_member(root, "fill_value");
    const struct text separator = string_of(json_member(root, "dimension_separator"));
    packing_take(array, json_member(root, "compressor"));
    if (cJSON_GetArraySize(filters) > 0)
        array->unread = "its values went through filters";
    else if (text_is(string_of(json_member(root, "order")), "F"))
        array->unread = "its chunks are in the order of columns";
    else if (text_is(separator, "/"))
        array->unread = "its chunks lie in folders below it";
    else if (fill && !cJSON_IsNull(fill) && !cJSON_IsFalse(fill) &&
             !(cJSON_IsNumber(fill) && fill->valuedouble == 0))
        array->unread = "its chunks may be left out for another value than 0";
}

static bool description_take(struct array *array, const cJSON *root)
{
    struct tensor_view *view = &array->view;
    const bool third = json_member(root, "chunk_grid") != NULL;
    const struct text word = string_of(json_member(root, third ? "data_type" : "dtype"));
    uint8_t rank = 0;
    view->dtype = dtype_take(word, &view->swapped);
    view->type = view->dtype == DTYPE_OPAQUE ? word : TEXT("");
    if (!lengths_take(json_member(root, "shape"), 0, view->shape, &view->rank))
        return false;
    if (third)
        array->unread = "its chunks lie in folders below it";
    else if (!lengths_take(json_member(root, "chunks"), 1, array->chunk, &rank) ||
             rank != view->rank)
        return false;
    else
        second_take(array, root);
    if (!array->unread && view->dtype == DTYPE_OPAQUE)
        array->unread = "its values are of a type that is not read";
    return true;
}

/* Sizes, checked; what is too large to be put together is left unread. */
static bool sizes_take(struct array *array)
{
    struct tensor_view *view = &array->view;
    if (!view_pack(view, &array->bytes))
        return false;
    array->count = 1;
    array->chunk_bytes = dtype_size(view->dtype);
    for (int i = 0; i < view->rank && !array->unread; i++) {
        array->chunks[i] =
            view->shape[i] / array->chunk[i] + (view->shape[i] % array->chunk[i] > 0);
        if (!size_product(array->count, (uint64_t)array->chunks[i], &array->count) ||
            !size_product(array->chunk_bytes, (uint64_t)array->chunk[i], &array->chunk_bytes))
            array->unread = "its chunks are too large";
    }
    return true;
}

/* "3.0.12"; an array without dimensions has one chunk, "0". */
static struct text key_of(const struct array *array, const int64_t *index, char *key)
{
    size_t size = 0;
    for (int i = 0; i < array->view.rank; i++)
        size +=
            (size_t)snprintf(key + size, KEY_MAX - size, i ? ".%" PRId64 : "%" PRId64, index[i]);
    return size > 0 ? (struct text){key, size} : TEXT("0");
}

static bool broken(struct input *input, const char *what, struct error *error)
{
    return error_set(error, ERROR_MALFORMED, input_place(input, 0), "%s: a chunk %s",
                     input_path(input), what);
}

static bool zlib_read(const struct array *array, struct input *chunk, uint8_t *out,
                      struct error *error)
{
    const uint64_t size = input_size(chunk);
    uLongf got = (uLongf)array->chunk_bytes;
    if (size > CHUNK_MAX)
        return broken(chunk, "is larger than what it unpacks to", error);
    uint8_t *packed = arena_take(array->reading->scratch, (size_t)size + 1, 1);
    if (!packed)
        return error_set(error, ERROR_MEMORY, input_place(chunk, 0), "no memory for a chunk");
    if (!input_pread(chunk, 0, (size_t)size, packed, error))
        return false;
    if (uncompress(out, &got, packed, (uLong)size) != Z_OK || got != array->chunk_bytes)
        return broken(chunk, "does not unpack to its size", error);
    return true;
}

/* Exactly the bytes of a chunk, unpacked. */
static bool chunk_read(const struct array *array, struct input *chunk, uint8_t *out,
                       struct error *error)
{
    uint64_t done = 0;
    size_t got = 1;
    uint8_t more;
    if (array->packing == PACKED_ZLIB)
        return zlib_read(array, chunk, out, error);
    if ((array->packing == PACKED_NOT) != (input_layer(chunk) == INPUT_PLAIN))
        return broken(chunk, "is not packed as the description says", error);
    while (got > 0 && done < array->chunk_bytes) {
        if (!input_read(chunk, out + done, (size_t)(array->chunk_bytes - done), &got, error))
            return false;
        done += got;
    }
    if (done < array->chunk_bytes)
        return error_set(error, ERROR_TRUNCATED, input_place(chunk, done),
                         "%s: a chunk of %" PRIu64 " bytes, not %" PRIu64, input_path(chunk), done,
                         array->chunk_bytes);
    if (!input_read(chunk, &more, 1, &got, error))
        return false;
    return got == 0 || broken(chunk, "is longer than its shape", error);
}

/* Moves the runs of a chunk to their places in the whole; what lies over the edge stays behind. */
static void chunk_place(const struct array *array, const int64_t *index, const uint8_t *chunk,
                        uint8_t *whole)
{
    const struct tensor_view *view = &array->view;
    const size_t width = dtype_size(view->dtype);
    const int last = view->rank - 1;
    int64_t row[TENSOR_RANK_MAX] = {0}, length[TENSOR_RANK_MAX];
    for (int i = 0; i <= last; i++) {
        const int64_t rest = view->shape[i] - index[i] * array->chunk[i];
        length[i] = rest < array->chunk[i] ? rest : array->chunk[i];
    }
    for (;;) {
        uint64_t from = 0, to = 0;
        for (int i = 0; i <= last; i++) {
            from = from * (uint64_t)array->chunk[i] + (uint64_t)row[i];
            to += (uint64_t)((index[i] * array->chunk[i] + row[i]) * view->stride[i]);
        }
        memcpy(whole + to * width, chunk + from * width,
               (last < 0 ? 1 : (size_t)length[last]) * width);
        int i = last - 1;
        while (i >= 0 && ++row[i] == length[i])
            row[i--] = 0;
        if (i < 0)
            return;
    }
}

/* The next chunk in row-major order; false behind the last. */
static bool index_next(const struct array *array, int64_t *index)
{
    int i = array->view.rank - 1;
    while (i >= 0 && ++index[i] == array->chunks[i])
        index[i--] = 0;
    return i >= 0;
}

static bool no_memory(const struct array *array, struct error *error)
{
    return error_set(error, ERROR_MEMORY, input_place(array->reading->input, 0),
                     "no memory for the chunks");
}

static bool chunks_join(struct array *array, struct error *error)
{
    struct arena *arena = array->reading->scratch;
    int64_t index[TENSOR_RANK_MAX] = {0};
    char key[KEY_MAX];
    uint8_t *whole = arena_take(arena, (size_t)array->bytes + 1, 1);
    uint8_t *part = arena_take(arena, (size_t)array->chunk_bytes, 1);
    if (!whole || !part)
        return no_memory(array, error);
    do {
        struct error here = {0};
        struct input *chunk =
            input_sibling(array->reading->input, key_of(array, index, key), &here);
        if (!chunk && here.kind == ERROR_IO)
            continue;
        if (!chunk || !chunk_read(array, chunk, part, &here)) {
            *error = here;
            return false;
        }
        chunk_place(array, index, part, whole);
    } while (index_next(array, index));
    array->view.input =
        input_inside(array->reading->input, (struct span){whole, (size_t)array->bytes}, error);
    array->view.size = array->bytes;
    return array->view.input != NULL;
}

/* The one chunk of an array that is not packed, where it lies. */
static bool chunk_view(struct array *array, bool *done, struct error *error)
{
    const int64_t first[TENSOR_RANK_MAX] = {0};
    char key[KEY_MAX];
    struct error here = {0};
    *done = false;
    if (array->packing != PACKED_NOT || array->count != 1 || array->chunk_bytes != array->bytes)
        return true;
    struct input *chunk = input_sibling(array->reading->input, key_of(array, first, key), &here);
    if (!chunk || input_layer(chunk) != INPUT_PLAIN)
        return true;
    if (input_size(chunk) != array->bytes)
        return error_set(
            error, input_size(chunk) < array->bytes ? ERROR_TRUNCATED : ERROR_MALFORMED,
            input_place(chunk, input_size(chunk)), "%s: a chunk of %" PRIu64 " bytes, not %" PRIu64,
            input_path(chunk), input_size(chunk), array->bytes);
    array->view.input = chunk;
    array->view.size = array->bytes;
    *done = true;
    return true;
}

static bool values_find(struct array *array, struct error *error)
{
    bool done;
    if (array->unread || array->bytes == 0)
        return true;
    if (!chunk_view(array, &done, error))
        return false;
    if (done)
        return true;
    if (array->bytes > ARRAY_MAX || array->chunk_bytes > CHUNK_MAX || array->count > CHUNKS_MAX) {
        array->unread = "its chunks are too many or too large to be put together";
        return true;
    }
    return chunks_join(array, error);
}

static bool read_zarr(const struct reading *reading, struct error *error)
{
    struct input *input = reading->input;
    struct array array = {.reading = reading, .view = {.input = input}};
    struct json json = {0};
    struct error here = {0};
    if (!description_read(reading, &json, error))
        return false;
    if (text_is(string_of(json_member(json.root, "node_type")), "group"))
        return true;
    if (!description_take(&array, json.root) || !sizes_take(&array))
        return error_set(error, ERROR_MALFORMED, input_place(input, 0),
                         "the description of the array is damaged");
    array.view.name = array_name(input_path(input));
    const bool sound = values_find(&array, &here);
    if (!sound && here.kind == ERROR_MEMORY) {
        *error = here;
        return false;
    }
    array.view.absent = array.unread != NULL || !sound;
    if (!reading->sink->tensor(reading->sink, &array.view, error))
        return false;
    if (!sound)
        *error = here;
    return sound && (!array.unread || error_set(error, ERROR_UNSUPPORTED, input_place(input, 0),
                                                "an array of Zarr: %s", array.unread));
}

const struct format format_zarr = {
    .name = "zarr",
    .about = "array of Zarr (.zarray with chunks beside it; zarr.json is named)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_zarr,
};
