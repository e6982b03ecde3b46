/* TensorFlow checkpoints of the first form (saved_tensor_slice.proto): one table, or one a shard.

   key ""     SavedTensorSlices: meta 1 {tensor 1 {name 1, shape 2, type 3, slice 4}}
   other keys SavedTensorSlices: data 2 {name 1, slice 2, data 3: a TensorProto without its type}

   TensorProto: content 4, and lists by type: float 5, double 6, int 7, scomplex 9, int64 10, bool
   11, dcomplex 12, half 13, uint32 16, uint64 17. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pieces.h"
#include "read/checkpoint/table.h"
#include "read/checkpoint/tf_type.h"
#include "read/wire.h"

#include <stdlib.h>
#include <string.h>

enum { TENSORS_MAX = 1000000 };

/* The first entry of the first block: nothing shared, no key, and a meta with tensors. */
static bool is_meta(struct span head)
{
    uint64_t size, meta, tensor;
    if (head.size < 12 || head.data[0] != 0 || head.data[1] != 0)
        return false;
    struct span rest = {head.data + 2, head.size - 2};
    uint64_t tags[3] = {0};
    return wire_varint(&rest, &size) && wire_varint(&rest, &tags[0]) && wire_varint(&rest, &meta) &&
           wire_varint(&rest, &tags[1]) && wire_varint(&rest, &tensor) &&
           wire_varint(&rest, &tags[2]) && tags[0] == 10 && tags[1] == 10 && tags[2] == 10 &&
           meta < size && tensor < meta;
}

static int probe(struct span head, struct text file_name)
{
    struct span rest = head;
    uint64_t size;
    (void)file_name;
    if (is_meta(head))
        return 93;
    /* The same behind Snappy's length and the tag of a literal. */
    if (!wire_varint(&rest, &size) || rest.size < 2 || (rest.data[0] & 3) != 0)
        return 0;
    const size_t tag = rest.data[0] >> 2 < 60 ? 1 : (size_t)(rest.data[0] >> 2) - 58;
    return rest.size > tag && is_meta((struct span){rest.data + tag, rest.size - tag}) ? 92 : 0;
}

struct variable { /* as the meta describes it */
    struct text name;
    uint64_t type;
    uint8_t rank;
    bool sound, met; /* met: values of it were there */
    const int64_t *shape;
};

struct slices {
    const struct reading *reading;
    struct variable *variables; /* by name */
    size_t count, capacity;
    struct variable *current; /* whose pieces are being met */
    struct piece *pieces;
    bool whole; /* all of them were sound */
    struct error damage;
};

static bool no_memory(const struct slices *slices, struct error *error)
{
    return error_set(error, ERROR_MEMORY, input_place(slices->reading->input, 0),
                     "no memory for the tensors");
}

static void damage(struct slices *slices, enum error_kind kind, const char *what, struct text name)
{
    if (slices->damage.kind == ERROR_NONE)
        error_set(&slices->damage, kind, input_place(slices->reading->input, 0), "%s: %.*s", what,
                  (int)(name.size < 100 ? name.size : 100), name.size ? name.data : "");
}

static int by_name(const void *a, const void *b)
{
    return text_compare(((const struct variable *)a)->name, ((const struct variable *)b)->name);
}

static bool variable_take(struct slices *slices, struct span proto, struct error *error)
{
    struct field field;
    struct variable variable = {.sound = true};
    int64_t shape[TENSOR_RANK_MAX];
    while (wire_next(&proto, &field)) {
        if (field.number == 1 && field.wire == WIRE_BYTES)
            variable.name = wire_text(field.bytes);
        else if (field.number == 2 && field.wire == WIRE_BYTES)
            variable.sound = tf_shape(field.bytes, shape, &variable.rank);
        else if (field.number == 3 && field.wire == WIRE_VARINT)
            variable.type = field.integer;
    }
    if (slices->count == TENSORS_MAX)
        return error_set(error, ERROR_LIMIT, input_place(slices->reading->input, 0),
                         "more than 1,000,000 tensors");
    struct variable *grown = arena_grow(slices->reading->scratch, slices->variables, slices->count,
                                        &slices->capacity, slices->count + 1, sizeof(*grown));
    int64_t *kept = arena_take(slices->reading->scratch, (size_t)variable.rank + 1, sizeof(*kept));
    if (!grown || !kept)
        return no_memory(slices, error);
    memcpy(kept, shape, variable.rank * sizeof(*kept));
    variable.shape = kept;
    slices->variables = grown;
    grown[slices->count++] = variable;
    return true;
}

static bool meta_take(struct slices *slices, struct span proto, struct error *error)
{
    struct field field;
    while (wire_next(&proto, &field))
        if (field.number == 1 && field.wire == WIRE_BYTES &&
            !variable_take(slices, field.bytes, error))
            return false;
    if (slices->count)
        qsort(slices->variables, slices->count, sizeof(*slices->variables), by_name);
    return true;
}

/* The field that holds the values of a type where they are no content, and their wire. */
static uint32_t list_of(enum dtype dtype, enum wire *wire)
{
    *wire = WIRE_VARINT;
    switch (dtype) {
    case DTYPE_FLOAT32:
        *wire = WIRE_FIXED32;
        return 5;
    case DTYPE_COMPLEX64:
        *wire = WIRE_FIXED32;
        return 9;
    case DTYPE_FLOAT64:
        *wire = WIRE_FIXED64;
        return 6;
    case DTYPE_COMPLEX128:
        *wire = WIRE_FIXED64;
        return 12;
    case DTYPE_FLOAT16:
    case DTYPE_BFLOAT16:
        return 13;
    case DTYPE_INT64:
        return 10;
    case DTYPE_BOOL:
        return 11;
    case DTYPE_UINT32:
        return 16;
    case DTYPE_UINT64:
        return 17;
    default:
        return 7;
    }
}

/* Numbers as they would stand in memory; at most as many bytes as are wanted. */
static bool numbers_take(struct slices *slices, struct span list, size_t width, uint64_t wanted,
                         struct span *bytes, struct error *error)
{
    const uint64_t most = list.size < wanted / width ? list.size : wanted / width;
    uint8_t *out = arena_take(slices->reading->scratch, (size_t)most + 1, width);
    size_t count = 0;
    uint64_t value;
    if (!out)
        return no_memory(slices, error);
    for (; count < most && wire_varint(&list, &value); count++)
        for (size_t i = 0; i < width; i++)
            out[count * width + i] = (uint8_t)(value >> (8 * i));
    *bytes = (struct span){out, count * width};
    return true;
}

/* The values of a TensorProto; fewer than wanted where they are not there. */
static bool values_take(struct slices *slices, struct span proto, enum dtype dtype, uint64_t wanted,
                        struct span *bytes, struct error *error)
{
    struct field field;
    enum wire wire;
    const uint32_t list = list_of(dtype, &wire);
    *bytes = (struct span){0};
    while (wire_next(&proto, &field)) {
        if (field.wire != WIRE_BYTES || (field.number != 4 && field.number != list))
            continue;
        if (field.number == 4 || wire != WIRE_VARINT)
            *bytes = field.bytes;
        else if (!numbers_take(slices, field.bytes, dtype_size(dtype), wanted, bytes, error))
            return false;
    }
    return true;
}

/* Puts the variable whose pieces were met. */
static bool variable_put(struct slices *slices, struct error *error)
{
    const struct variable *variable = slices->current;
    const struct reading *reading = slices->reading;
    struct error here = {0};
    if (!variable)
        return true;
    struct tensor_view view = {
        .name = variable->name,
        .dtype = tf_dtype(variable->type),
        .type = tf_type(variable->type),
        .rank = variable->rank,
        .input = reading->input,
    };
    memcpy(view.shape, variable->shape, variable->rank * sizeof(view.shape[0]));
    if (!variable->sound || !slices->whole) {
        view.absent = true;
        damage(slices, ERROR_MALFORMED, "a tensor is damaged", variable->name);
    } else if (view.dtype != DTYPE_OPAQUE && !pieces_join(reading, slices->pieces, &view, &here)) {
        if (here.kind == ERROR_MEMORY) {
            *error = here;
            return false;
        }
        if (slices->damage.kind == ERROR_NONE)
            slices->damage = here;
    }
    slices->current = NULL;
    slices->pieces = NULL;
    return reading->sink->tensor(reading->sink, &view, error);
}

static bool piece_take(struct slices *slices, struct span slice, struct span data,
                       struct error *error)
{
    const struct variable *variable = slices->current;
    const enum dtype dtype = tf_dtype(variable->type);
    struct arena *arena = slices->reading->scratch;
    struct piece *piece = arena_take(arena, 1, sizeof(*piece));
    int64_t *box = arena_take(arena, 2 * (size_t)variable->rank + 1, sizeof(*box));
    uint64_t wanted = dtype_size(dtype);
    struct span bytes;
    if (!piece || !box)
        return no_memory(slices, error);
    int64_t *start = box, *length = box + variable->rank;
    bool sound = tf_slice(slice, variable->shape, variable->rank, start, length);
    for (int i = 0; sound && i < variable->rank; i++)
        sound = size_product(wanted, (uint64_t)length[i], &wanted);
    slices->whole = slices->whole && sound;
    if (!sound || wanted == 0)
        return true;
    if (!values_take(slices, data, dtype, wanted, &bytes, error))
        return false;
    if (bytes.size != wanted) {
        slices->whole = false;
        return true;
    }
    struct input *input = input_inside(slices->reading->input, bytes, error);
    *piece = (struct piece){input, 0, start, length, slices->pieces};
    slices->pieces = piece;
    return input != NULL;
}

static bool data_take(struct slices *slices, struct span proto, struct error *error)
{
    struct field field;
    struct variable key = {0};
    struct span slice = {0}, data = {0};
    while (wire_next(&proto, &field)) {
        if (field.wire != WIRE_BYTES)
            continue;
        if (field.number == 1)
            key.name = wire_text(field.bytes);
        else if (field.number == 2)
            slice = field.bytes;
        else if (field.number == 3)
            data = field.bytes;
    }
    if (!slices->current || !text_equal(slices->current->name, key.name)) {
        if (!variable_put(slices, error))
            return false;
        slices->current = slices->count ? bsearch(&key, slices->variables, slices->count,
                                                  sizeof(*slices->variables), by_name)
                                        : NULL;
        slices->whole = true;
        if (slices->current)
            slices->current->met = true;
    }
    if (!slices->current) {
        damage(slices, ERROR_MALFORMED, "values of a tensor that is not described", key.name);
        return true;
    }
    return !slices->current->sound || piece_take(slices, slice, data, error);
}

/* Described, and no values came: in another file, or lost. */
static bool absent_put(struct slices *slices, struct error *error)
{
    for (size_t i = 0; i < slices->count; i++) {
        if (slices->variables[i].met)
            continue;
        damage(slices, ERROR_MALFORMED, "the values of a tensor are not there",
               slices->variables[i].name);
        slices->current = &slices->variables[i];
        slices->whole = false;
        if (!variable_put(slices, error))
            return false;
    }
    return true;
}

static bool entry_met(void *context, struct text key, struct span value, struct error *error)
{
    struct slices *slices = context;
    struct field field;
    while (wire_next(&value, &field)) {
        if (field.wire != WIRE_BYTES)
            continue;
        if (key.size == 0 && field.number == 1 && !meta_take(slices, field.bytes, error))
            return false;
        if (key.size && field.number == 2 && !data_take(slices, field.bytes, error))
            return false;
    }
    if (value.size)
        damage(slices, ERROR_MALFORMED, "an entry is damaged", TEXT(""));
    return true;
}

static bool read_slices(const struct reading *reading, struct error *error)
{
    struct slices slices = {.reading = reading};
    if (!reading_seekable(reading, error))
        return false;
    if (!table_read(reading->input, reading->scratch, entry_met, &slices, error) ||
        !variable_put(&slices, error) || !absent_put(&slices, error))
        return false;
    if (slices.damage.kind == ERROR_NONE)
        return true;
    *error = slices.damage;
    return false;
}

const struct format format_tf_v1 = {
    .name = "tf-v1-checkpoint",
    .about = "TensorFlow checkpoint of the first form, one file",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_slices,
};
