/* safetensors files.

   offset  size
   0       8     u64  N, length of the header, little-endian
   8       N     JSON object: name -> {"dtype", "shape", "data_offsets": [begin, end]}, and
                 optionally __metadata__: name -> text
   8+N     ..    values, row-major, little-endian; offsets count from here

   By the format's rules tensors follow one another without holes and end with the file; names are
   met once. What breaks a rule is damage, and the sound tensors are put all the same. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/coding.h"
#include "read/document/tokenizer.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_MAX = 100000000,
    TENSORS_MAX = 1000000,
    NAME_MAX_BYTES = 64 << 10,
    TYPE_MAX_BYTES = 32
};

static uint64_t header_size(const uint8_t *data)
{
    uint64_t size = 0;
    for (int i = 7; i >= 0; i--)
        size = size << 8 | data[i];
    return size;
}

static int probe(struct span head, struct text file_name)
{
    if (head.size < 9)
        return 0;
    uint64_t size = header_size(head.data);
    if (head.data[8] == '{' && size >= 2 && size <= HEADER_MAX)
        return 97;
    return text_ends(file_name, ".safetensors") ? 60 : 0;
}

struct dtype_name {
    const char *name;
    enum dtype dtype;
    const struct coded_type *coded; /* NULL: measured as it stands, or named */
};

static const struct dtype_name dtype_names[] = {
    {"F64", DTYPE_FLOAT64, NULL},
    {"F32", DTYPE_FLOAT32, NULL},
    {"F16", DTYPE_FLOAT16, NULL},
    {"BF16", DTYPE_BFLOAT16, NULL},
    {"F8_E4M3", DTYPE_FLOAT8_E4M3FN, NULL},
    {"F8_E5M2", DTYPE_FLOAT8_E5M2, NULL},
    {"F8_E4M3FNUZ", DTYPE_FLOAT8_E4M3FNUZ, NULL},
    {"F8_E5M2FNUZ", DTYPE_FLOAT8_E5M2FNUZ, NULL},
    {"I64", DTYPE_INT64, NULL},
    {"I32", DTYPE_INT32, NULL},
    {"I16", DTYPE_INT16, NULL},
    {"I8", DTYPE_INT8, NULL},
    {"U64", DTYPE_UINT64, NULL},
    {"U32", DTYPE_UINT32, NULL},
    {"U16", DTYPE_UINT16, NULL},
    {"U8", DTYPE_UINT8, NULL},
    {"BOOL", DTYPE_BOOL, NULL},
    {"C64", DTYPE_COMPLEX64, NULL},
    {"F8_E8M0", DTYPE_OPAQUE, &coded_e8m0},
    {"F4", DTYPE_OPAQUE, &coded_e2m1},
    {"F6_E2M3", DTYPE_OPAQUE, NULL},
    {"F6_E3M2", DTYPE_OPAQUE, NULL},
};

struct entry { /* of the header */
    struct text name;
    enum dtype dtype;
    struct text type;                   /* where the dtype is none, as written */
    const struct coded_type *coded;     /* that it is then; NULL: unknown */
    size_t nth;                         /* in the header */
    bool has_dtype, known_dtype, sound; /* sound: shape and offsets are numbers */
    uint8_t rank;
    int64_t *shape;
    uint64_t begin, end;
    int offsets; /* of data_offsets, met so far */
};

struct header {
    const struct reading *reading;
    struct tokenizer tokenizer;
    struct entry *entries;
    size_t count, capacity;
    uint64_t data, size; /* where values begin, and how many bytes of them there are */
    struct error damage; /* the first rule that is broken */
};

static void damage(struct header *header, const struct entry *entry, const char *what)
{
    if (header->damage.kind != ERROR_NONE)
        return;
    error_set(&header->damage, ERROR_MALFORMED, input_place(header->reading->input, 8),
              "tensor %.*s %s", (int)(entry->name.size < 100 ? entry->name.size : 100),
              entry->name.data, what);
}

static bool dtype_take(struct header *header, struct text text, struct entry *entry)
{
    entry->has_dtype = true;
    entry->dtype = DTYPE_OPAQUE;
    for (size_t i = 0; i < sizeof(dtype_names) / sizeof(dtype_names[0]); i++)
        if (text_is(text, dtype_names[i].name)) {
            entry->dtype = dtype_names[i].dtype;
            entry->coded = dtype_names[i].coded;
            entry->known_dtype = true;
        }
    if (entry->dtype == DTYPE_OPAQUE)
        entry->type = arena_text(header->reading->scratch, text_cut(text, 0, TYPE_MAX_BYTES));
    return entry->dtype != DTYPE_OPAQUE || entry->type.data;
}

static bool list_take(struct header *header, struct entry *entry, bool shape, struct error *error)
{
    struct json_token token;
    int64_t dims[TENSOR_RANK_MAX];
    uint64_t value;
    if (!tokenizer_next(&header->tokenizer, &token, error))
        return false;
    if (token.kind != JSON_LIST) {
        entry->sound = false;
        return tokenizer_skip(&header->tokenizer, &token, error);
    }
    for (;;) {
        if (!tokenizer_next(&header->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_LIST_END || token.kind == JSON_END)
            break;
        if (token.kind != JSON_NUMBER || !number_whole(token.text, &value) ||
            (shape ? entry->rank == TENSOR_RANK_MAX : entry->offsets == 2)) {
            entry->sound = false;
            if (!tokenizer_skip(&header->tokenizer, &token, error))
                return false;
        } else if (shape) {
            dims[entry->rank++] = (int64_t)value;
        } else if (entry->offsets++ == 0) {
            entry->begin = value;
        } else {
            entry->end = value;
        }
    }
    if (!shape)
        return true;
    entry->shape = arena_take(header->reading->scratch, (size_t)entry->rank + 1, sizeof(int64_t));
    if (!entry->shape)
        return error_set(error, ERROR_MEMORY, token.place, "no memory for the header");
    memcpy(entry->shape, dims, entry->rank * sizeof(dims[0]));
    return true;
}

static bool entry_take(struct header *header, struct entry *entry, struct error *error)
{
    struct json_token token;
    if (!tokenizer_next(&header->tokenizer, &token, error))
        return false;
    if (token.kind != JSON_OBJECT) {
        entry->sound = false;
        return tokenizer_skip(&header->tokenizer, &token, error);
    }
    for (;;) {
        if (!tokenizer_next(&header->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_OBJECT_END || token.kind == JSON_END)
            return true;
        bool shape = text_is(token.text, "shape");
        if (shape || text_is(token.text, "data_offsets")) {
            if (!list_take(header, entry, shape, error))
                return false;
            continue;
        }
        bool dtype = text_is(token.text, "dtype");
        if (!tokenizer_next(&header->tokenizer, &token, error))
            return false;
        if (dtype && token.kind == JSON_STRING) {
            if (!dtype_take(header, token.text, entry))
                return error_set(error, ERROR_MEMORY, token.place, "no memory for the header");
        } else if (!tokenizer_skip(&header->tokenizer, &token, error)) {
            return false;
        }
    }
}

/* __metadata__: names and texts, as settings. */
static bool metadata_take(struct header *header, struct error *error)
{
    const struct reading *reading = header->reading;
    struct json_token token;
    if (!tokenizer_next(&header->tokenizer, &token, error))
        return false;
    if (token.kind != JSON_OBJECT)
        return tokenizer_skip(&header->tokenizer, &token, error);
    for (;;) {
        if (!tokenizer_next(&header->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_OBJECT_END || token.kind == JSON_END)
            return true;
        struct text key = arena_text(reading->scratch, token.text);
        if (!key.data)
            return error_set(error, ERROR_MEMORY, token.place, "no memory for the header");
        if (!tokenizer_next(&header->tokenizer, &token, error))
            return false;
        const struct setting setting = {
            .key = key,
            .value = token.text,
            .source = SETTING_CONFIG,
            .place = input_place(reading->input, 8),
            .rank = -1,
        };
        if (token.kind == JSON_STRING && token.text.size <= 256 && token.last &&
            !reading->sink->setting(reading->sink, &setting, error))
            return false;
        if (!tokenizer_skip(&header->tokenizer, &token, error))
            return false;
    }
}

static bool header_take(struct header *header, struct error *error)
{
    struct arena *arena = header->reading->scratch;
    struct json_token token;
    if (!tokenizer_next(&header->tokenizer, &token, error))
        return false;
    if (token.kind != JSON_OBJECT)
        return error_set(error, ERROR_MALFORMED, token.place, "the header is no JSON object");
    for (;;) {
        if (!tokenizer_next(&header->tokenizer, &token, error))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (token.kind != JSON_KEY)
            return error_set(error, ERROR_TRUNCATED, token.place, "the header is cut");
        if (text_is(token.text, "__metadata__")) {
            if (!metadata_take(header, error))
                return false;
            continue;
        }
        if (header->count >= TENSORS_MAX)
            return error_set(error, ERROR_LIMIT, token.place, "more than 1,000,000 tensors");
        struct entry *entries = arena_grow(arena, header->entries, header->count, &header->capacity,
                                           header->count + 1, sizeof(*entries));
        struct text name = arena_text(arena, text_cut(token.text, 0, NAME_MAX_BYTES));
        if (!entries || !name.data)
            return error_set(error, ERROR_MEMORY, token.place, "no memory for the header");
        header->entries = entries;
        entries[header->count] = (struct entry){.name = name, .nth = header->count, .sound = true};
        if (!entry_take(header, &entries[header->count], error))
            return false;
        header->count++;
    }
}

/* Elements times width; false on overflow, and where the last byte would be shared with nothing.
   Of what is named only four values of 6 bits are three bytes. */
static bool bytes_of(const struct entry *entry, uint64_t *bytes)
{
    const size_t width = dtype_size(entry->dtype);
    const uint64_t group = entry->coded ? entry->coded->elements : width ? 1 : 4;
    uint64_t elements = 1;
    for (int i = 0; i < entry->rank; i++)
        if (!size_product(elements, (uint64_t)entry->shape[i], &elements))
            return false;
    return elements % group == 0 && size_product(elements / group,
                                                 entry->coded ? entry->coded->coding.stored
                                                 : width      ? width
                                                              : 3,
                                                 bytes);
}

static void entry_check(struct header *header, struct entry *entry)
{
    uint64_t bytes;
    if (!entry->sound || entry->offsets != 2 || !entry->has_dtype || !entry->shape) {
        damage(header, entry, "is not described as it should be");
        entry->sound = false;
    } else if (entry->end < entry->begin) {
        damage(header, entry, "ends before it begins");
        entry->sound = false;
    } else if (!entry->known_dtype) {
        damage(header, entry, "has an unknown type");
    } else if (!bytes_of(entry, &bytes) || bytes != entry->end - entry->begin) {
        damage(header, entry, "has another size than its shape says");
        entry->sound = false;
    }
    if (entry->sound && entry->end > header->size) {
        if (header->damage.kind == ERROR_NONE)
            error_set(&header->damage, ERROR_TRUNCATED,
                      input_place(header->reading->input, header->data + header->size),
                      "the file ends before the values of tensor %.*s",
                      (int)(entry->name.size < 100 ? entry->name.size : 100), entry->name.data);
        entry->sound = false;
    }
}

static int by_begin(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static int by_name(const void *a, const void *b)
{
    return text_compare((*(const struct entry *const *)a)->name,
                        (*(const struct entry *const *)b)->name);
}

/* Some writers fill up to a multiple of 8 with zeros. */
static bool is_padding(const struct header *header, uint64_t at)
{
    struct span window;
    uint64_t size = header->size - at;
    if (size >= 8 ||
        !input_window(header->reading->input, header->data + at, (size_t)size, &window, NULL))
        return false;
    for (size_t i = 0; i < window.size; i++)
        if (window.data[i] != 0)
            return false;
    return true;
}

/* Sorted by place: without holes and overlaps, to the last byte. */
static void order_check(struct header *header)
{
    uint64_t at = 0;
    if (header->count > 0) /* there may be no list at all */
        qsort(header->entries, header->count, sizeof(*header->entries), by_begin);
    for (size_t i = 0; i < header->count; i++) {
        const struct entry *entry = &header->entries[i];
        if (!entry->sound)
            continue;
        if (entry->begin > at)
            damage(header, entry, "begins behind bytes that belong to nothing");
        else if (entry->begin < at)
            damage(header, entry, "shares bytes with another");
        at = entry->end > at ? entry->end : at;
    }
    if (at < header->size && header->damage.kind == ERROR_NONE && !is_padding(header, at))
        error_set(&header->damage, ERROR_MALFORMED,
                  input_place(header->reading->input, header->data + at),
                  "%" PRIu64 " bytes behind the last tensor belong to nothing", header->size - at);
}

/* Of a name met twice the later entry stands, as in every JSON reader that keeps one. */
static bool names_check(struct header *header, struct error *error)
{
    const struct reading *reading = header->reading;
    struct entry **order = arena_take(reading->scratch, header->count + 1, sizeof(struct entry *));
    if (!order)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 8),
                         "no memory for the header");
    for (size_t i = 0; i < header->count; i++)
        order[i] = &header->entries[i];
    qsort(order, header->count, sizeof(*order), by_name);
    for (size_t i = 1; i < header->count; i++)
        if (text_equal(order[i - 1]->name, order[i]->name)) {
            damage(header, order[i], "stands twice in the header");
            order[order[i - 1]->nth < order[i]->nth ? i - 1 : i]->sound = false;
        }
    return true;
}

static bool entries_put(struct header *header, struct error *error)
{
    const struct reading *reading = header->reading;
    size_t coded = 0;
    for (size_t i = 0; i < header->count; i++) {
        const struct entry *entry = &header->entries[i];
        if (!entry->sound)
            continue;
        struct tensor_view view = {
            .name = entry->name,
            .dtype = entry->dtype,
            .type = entry->type,
            .rank = entry->rank,
            .input = reading->input,
            .offset = header->data + entry->begin,
            .size = entry->end - entry->begin,
        };
        int64_t stride = 1;
        for (int d = entry->rank - 1; d >= 0; d--) {
            view.shape[d] = entry->shape[d];
            view.stride[d] = stride;
            stride *= entry->shape[d] > 0 ? entry->shape[d] : 1;
        }
        if (entry->coded && view.size > 0 && !view_decode(entry->coded, &coded, &view, error))
            return false;
        if (!reading->sink->tensor(reading->sink, &view, error))
            return false;
    }
    return true;
}

static bool read_safetensors(const struct reading *reading, struct error *error)
{
    struct input *input = reading->input;
    struct span window;
    uint64_t size = input_size(input);
    if (!reading_seekable(reading, error))
        return false;
    if (size < 8)
        return error_set(error, ERROR_TRUNCATED, input_place(input, 0),
                         "the file ends inside its header");
    if (!input_window(input, 0, 8, &window, error))
        return false;
    uint64_t length = header_size(window.data);
    if (length > size - 8)
        return error_set(error, ERROR_TRUNCATED, input_place(input, 0),
                         "a header of %" PRIu64 " bytes in a file of %" PRIu64, length, size);
    if (length > HEADER_MAX)
        return error_set(error, ERROR_LIMIT, input_place(input, 0),
                         "a header of %" PRIu64 " bytes, at most %d are read", length, HEADER_MAX);
    struct header *header = arena_take(reading->scratch, 1, sizeof(*header));
    uint8_t *bytes = arena_take(reading->scratch, (size_t)length + 1, 1);
    if (!header || !bytes)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the header");
    if (!input_pread(input, 8, (size_t)length, bytes, error))
        return false;
    header->reading = reading;
    header->data = 8 + length;
    header->size = size - header->data;
    tokenizer_over(&header->tokenizer, (struct span){bytes, (size_t)length}, false);
    if (!header_take(header, error))
        return false;
    for (size_t i = 0; i < header->count; i++)
        entry_check(header, &header->entries[i]);
    order_check(header);
    if (!names_check(header, error) || !entries_put(header, error))
        return false;
    if (header->damage.kind == ERROR_NONE)
        return true;
    *error = header->damage;
    return false;
}

/* Hugging Face saves the same weights in more forms than one. */
static bool parts_find(struct input *input, struct arena *arena, struct format_parts *parts,
                       struct error *error)
{
    static const char *const copies[] = {"pytorch_model.bin", "tf_model.h5", "flax_model.msgpack",
                                         NULL};
    (void)input;
    (void)arena;
    (void)error;
    parts->globs = copies;
    return true;
}

const struct format format_safetensors = {
    .name = "safetensors",
    .about = "safetensors file",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_safetensors,
    .whole = "model.safetensors",
    .parts = parts_find,
};
