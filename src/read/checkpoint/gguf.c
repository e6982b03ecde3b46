/* GGUF files (llama.cpp), versions 2 and 3.

   0   4  "GGUF"            8   8  i64 tensors
   4   4  u32 version      16   8  i64 pairs; then the pairs, then the tensors' descriptions

   pair:   text key, u32 type, value      text: u64 length and bytes
   tensor: text name, u32 dimensions, u64 each (the fastest first), u32 type, u64 offset

   Values begin at the next multiple of general.alignment (32). Of the quantised types the simple
   ones are decoded, others named; big-endian files show as a version that is a multiple of
   65,536. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/coding.h"
#include "stalldoc/limits.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER = 24,
    TENSORS_MAX = 1000000,
    HEAD_MAX = 256 << 20, /* of all before the values: vocabularies are a few MiB */
    VALUE_PRINTED = 256,
    DIMS = 4,
};

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    return head.size >= 8 && memcmp(head.data, "GGUF", 4) == 0 ? 99 : 0;
}

struct type {
    uint32_t number;
    const char *name; /* of what is no dtype */
    enum dtype dtype;
    uint32_t bytes, elements; /* of a block */
    const struct coded_type *coded;
};

#define NAMED(number, name, bytes, elements)                                                       \
    {                                                                                              \
        number, name, DTYPE_OPAQUE, bytes, elements, NULL                                          \
    }
#define CODED(number, name, type, bytes, elements)                                                 \
    {                                                                                              \
        number, name, DTYPE_OPAQUE, bytes, elements, &(type)                                       \
    }
#define PLAIN(number, dtype, bytes)                                                                \
    {                                                                                              \
        number, "", dtype, bytes, 1, NULL                                                          \
    }

static const struct type types[] = {
    PLAIN(0, DTYPE_FLOAT32, 4),
    PLAIN(1, DTYPE_FLOAT16, 2),
    PLAIN(30, DTYPE_BFLOAT16, 2),
    PLAIN(28, DTYPE_FLOAT64, 8),
    PLAIN(24, DTYPE_INT8, 1),
    PLAIN(25, DTYPE_INT16, 2),
    PLAIN(26, DTYPE_INT32, 4),
    PLAIN(27, DTYPE_INT64, 8),
    CODED(2, "Q4_0", coded_q4_0, 18, 32),
    CODED(3, "Q4_1", coded_q4_1, 20, 32),
    CODED(6, "Q5_0", coded_q5_0, 22, 32),
    CODED(7, "Q5_1", coded_q5_1, 24, 32),
    CODED(8, "Q8_0", coded_q8_0, 34, 32),
    NAMED(9, "Q8_1", 36, 32),
    CODED(10, "Q2_K", coded_q2_k, 84, 256),
    CODED(11, "Q3_K", coded_q3_k, 110, 256),
    CODED(12, "Q4_K", coded_q4_k, 144, 256),
    CODED(13, "Q5_K", coded_q5_k, 176, 256),
    CODED(14, "Q6_K", coded_q6_k, 210, 256),
    NAMED(15, "Q8_K", 292, 256),
    NAMED(16, "IQ2_XXS", 66, 256),
    NAMED(17, "IQ2_XS", 74, 256),
    NAMED(18, "IQ3_XXS", 98, 256),
    NAMED(19, "IQ1_S", 50, 256),
    CODED(20, "IQ4_NL", coded_iq4_nl, 18, 32),
    NAMED(21, "IQ3_S", 110, 256),
    NAMED(22, "IQ2_S", 82, 256),
    CODED(23, "IQ4_XS", coded_iq4_xs, 136, 256),
    NAMED(29, "IQ1_M", 56, 256),
    NAMED(34, "TQ1_0", 54, 256),
    NAMED(35, "TQ2_0", 66, 256),
    NAMED(39, "MXFP4", 17, 32),
    NAMED(40, "NVFP4", 36, 64),
    NAMED(41, "Q1_0", 18, 128),
    NAMED(42, "Q2_0", 18, 64),
};

static const struct type *type_of(uint32_t number)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (types[i].number == number)
            return &types[i];
    return NULL;
}

struct walk {
    const struct reading *reading;
    struct cursor cursor; /* over all of the head that was read */
    uint64_t alignment;
    size_t coded; /* tensors of such a type, met so far */
    bool silent;  /* only looks whether the head is complete */
    struct error *error;
};

static bool broken(struct walk *walk, const char *what)
{
    return error_set(walk->error, ERROR_MALFORMED, walk->cursor.place, "GGUF: %s", what);
}

static struct text text_take(struct walk *walk)
{
    struct span bytes = take_bytes(&walk->cursor, take_u64le(&walk->cursor));
    return (struct text){(const char *)bytes.data, bytes.size};
}

/* Bytes of a value of one of the plain types; 0: text, list or unknown. */
static size_t plain_size(uint32_t type)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < sizeof(sizes) ? sizes[type] : 0;
}

static size_t plain_print(uint32_t type, struct span bytes, char *out)
{
    struct cursor cursor = {.rest = bytes};
    uint64_t value = bytes.size == 1   ? take_u8(&cursor)
                     : bytes.size == 2 ? take_u16le(&cursor)
                     : bytes.size == 4 ? take_u32le(&cursor)
                                       : take_u64le(&cursor);
    float narrow;
    double wide;
    uint32_t low = (uint32_t)value;
    switch (type) {
    case 6:
        memcpy(&narrow, &low, 4);
        return number_print((double)narrow, out);
    case 12:
        memcpy(&wide, &value, 8);
        return number_print(wide, out);
    case 7:
        return (size_t)snprintf(out, 32, value ? "true" : "false");
    default:
        return (size_t)snprintf(out, 32, "%" PRIu64, value);
    }
}

static bool list_pass(struct walk *walk)
{
    uint32_t type = take_u32le(&walk->cursor);
    uint64_t count = take_u64le(&walk->cursor), bytes;
    if (type == 8) {
        for (uint64_t i = 0; i < count && !walk->cursor.overrun; i++)
            text_take(walk);
        return true;
    }
    if (plain_size(type) == 0)
        return broken(walk, "a list of an unknown type");
    if (!size_product(count, plain_size(type), &bytes))
        return broken(walk, "a list that overflows");
    take_bytes(&walk->cursor, bytes);
    return true;
}

static bool pair_take(struct walk *walk)
{
    char printed[32];
    struct text key = text_take(walk), value = {0};
    uint32_t type = take_u32le(&walk->cursor);
    if (walk->cursor.overrun)
        return true;
    if (type == 9)
        return list_pass(walk);
    if (type == 8) {
        value = text_take(walk);
    } else if (plain_size(type)) {
        struct span bytes = take_bytes(&walk->cursor, plain_size(type));
        value =
            (struct text){printed, walk->cursor.overrun ? 0 : plain_print(type, bytes, printed)};
        if (text_is(key, "general.alignment") && bytes.size == 4) {
            struct cursor number = {.rest = bytes};
            walk->alignment = take_u32le(&number);
        }
    } else {
        return broken(walk, "a value of an unknown type");
    }
    const struct setting setting = {
        .key = key,
        .value = value,
        .source = SETTING_CONFIG,
        .place = input_place(walk->reading->input, 0),
        .rank = -1,
    };
    if (walk->silent || walk->cursor.overrun || key.size == 0 || value.size > VALUE_PRINTED)
        return true;
    return walk->reading->sink->setting(walk->reading->sink, &setting, walk->error);
}

/* Reads the description at the cursor; view->offset counts from where the values begin. */
static bool tensor_take(struct walk *walk, struct tensor_view *view,
                        const struct coded_type **coded)
{
    *view = (struct tensor_view){.name = text_take(walk), .input = walk->reading->input};
    uint32_t rank = take_u32le(&walk->cursor);
    uint64_t elements = 1;
    if (rank > DIMS)
        return broken(walk, "a tensor of more than 4 dimensions");
    view->rank = (uint8_t)rank;
    for (uint32_t i = 0; i < rank; i++) {
        uint64_t dim = take_u64le(&walk->cursor);
        view->shape[rank - 1 - i] = (int64_t)dim;
        view->stride[rank - 1 - i] = (int64_t)elements;
        if (dim > INT64_MAX || !size_product(elements, dim, &elements) || elements > INT64_MAX)
            return broken(walk, "a tensor whose size overflows");
    }
    const struct type *type = type_of(take_u32le(&walk->cursor));
    view->offset = take_u64le(&walk->cursor);
    if (walk->cursor.overrun)
        return true;
    if (!type)
        return broken(walk, "a tensor of an unknown type");
    view->dtype = type->dtype;
    view->type = text_of(type->name);
    *coded = type->coded;
    if (elements % type->elements > 0)
        return broken(walk, "a tensor that is no whole number of blocks");
    if (!size_product(elements / type->elements, type->bytes, &view->size))
        return broken(walk, "a tensor whose size overflows");
    return true;
}

static bool tensors_put(struct walk *walk, struct tensor_view *view, uint64_t count,
                        uint64_t descriptions)
{
    struct input *input = walk->reading->input;
    uint64_t align = walk->alignment, size = input_size(input);
    struct error late = {0};
    if (align == 0 || align & (align - 1))
        return broken(walk, "an alignment that is no power of two");
    uint64_t start = (walk->cursor.place.offset + align - 1) / align * align;
    walk->cursor.rest.data -= walk->cursor.place.offset - descriptions;
    walk->cursor.rest.size += walk->cursor.place.offset - descriptions;
    walk->cursor.place.offset = descriptions;
    for (uint64_t i = 0; i < count; i++) {
        const struct coded_type *coded = NULL;
        if (!tensor_take(walk, view, &coded))
            return false;
        bool there = size_sum(view->offset, start, &view->offset) && view->offset <= size &&
                     view->size <= size - view->offset;
        if (!there) {
            view->absent = true;
            if (late.kind == ERROR_NONE)
                error_set(&late, ERROR_TRUNCATED, input_place(input, size),
                          "the file ends before the values of tensor %.*s",
                          (int)(view->name.size < 100 ? view->name.size : 100), view->name.data);
        }
        if (there && coded && view->size > 0 &&
            !view_decode(coded, &walk->coded, view, walk->error))
            return false;
        if (!walk->reading->sink->tensor(walk->reading->sink, view, walk->error))
            return false;
    }
    if (late.kind == ERROR_NONE)
        return true;
    *walk->error = late;
    return false;
}

static bool head_walk(struct walk *walk, uint64_t tensors, uint64_t pairs)
{
    struct tensor_view view;
    for (uint64_t i = 0; i < pairs && !walk->cursor.overrun; i++)
        if (!pair_take(walk))
            return false;
    uint64_t descriptions = walk->cursor.place.offset;
    const struct coded_type *coded;
    for (uint64_t i = 0; i < tensors && !walk->cursor.overrun; i++)
        if (!tensor_take(walk, &view, &coded))
            return false;
    if (walk->cursor.overrun)
        return error_set(walk->error, ERROR_TRUNCATED, walk->cursor.place,
                         "the file ends inside its header");
    return walk->silent || tensors_put(walk, &view, tensors, descriptions);
}

/* The head's size is not written anywhere: more is read until it is complete. */
static bool head_read(const struct reading *reading, uint64_t tensors, uint64_t pairs,
                      struct error *error)
{
    struct input *input = reading->input;
    uint64_t size = input_size(input), most = size < HEAD_MAX ? size : HEAD_MAX;
    for (uint64_t part = LIMIT_WINDOW;; part *= 8) {
        part = part < most ? part : most;
        uint8_t *bytes = block_take((size_t)part);
        if (!bytes)
            return error_set(error, ERROR_MEMORY, input_place(input, 0),
                             "no memory for the header");
        const struct walk first = {
            .reading = reading,
            .cursor = {.rest = {bytes + HEADER, (size_t)part - HEADER},
                       .place = input_place(input, HEADER)},
            .alignment = 32,
            .silent = part < most,
            .error = error,
        };
        struct walk walk = first;
        bool sound =
            input_pread(input, 0, (size_t)part, bytes, error) && head_walk(&walk, tensors, pairs);
        if (sound && walk.silent) {
            walk = first;
            walk.silent = false;
            sound = head_walk(&walk, tensors, pairs);
        }
        block_free(bytes);
        if (sound || part == most || error->kind != ERROR_TRUNCATED)
            return sound;
    }
}

static bool read_gguf(const struct reading *reading, struct error *error)
{
    struct input *input = reading->input;
    struct span window;
    uint64_t size = input_size(input);
    if (!reading_seekable(reading, error))
        return false;
    if (size < HEADER)
        return error_set(error, ERROR_TRUNCATED, input_place(input, 0),
                         "the file ends inside its header");
    if (!input_window(input, 0, HEADER, &window, error))
        return false;
    struct cursor cursor = {.rest = window};
    take_u32le(&cursor);
    uint32_t version = take_u32le(&cursor);
    uint64_t tensors = take_u64le(&cursor), pairs = take_u64le(&cursor);
    if (version < 2 || version > 3)
        return error_set(
            error, ERROR_UNSUPPORTED, input_place(input, 4),
            version % 65536 == 0 ? "a big-endian GGUF file" : "GGUF of version %" PRIu32, version);
    if (tensors > TENSORS_MAX || pairs > size || tensors > size)
        return error_set(error, ERROR_LIMIT, input_place(input, 8),
                         "GGUF: says it has %" PRIu64 " tensors and %" PRIu64 " pairs", tensors,
                         pairs);
    return head_read(reading, tensors, pairs, error);
}

const struct format format_gguf = {
    .name = "gguf",
    .about = "GGUF model file (llama.cpp)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_gguf,
};
