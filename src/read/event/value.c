/* Summary.Value: simple values, tensors of every numeric type, both forms of histogram, texts.

   Value: tag 1, simple_value 2 (f32), histo 5, node_name 7, tensor 8, metadata 9. TensorProto:
   dtype 1, shape 2, content 4, and a list of values a type. Presence counts: proto3 writes the
   fields of a oneof even when they are zero, so a value without any is metadata, not 0. */
/* SPDX-License-Identifier: MIT */
#include "read/event/value.h"

#include "read/wire.h"

#include <math.h>
#include <string.h>

enum { /* TensorFlow's DataType */
       DT_FLOAT = 1,
       DT_DOUBLE = 2,
       DT_INT32 = 3,
       DT_UINT8 = 4,
       DT_INT16 = 5,
       DT_INT8 = 6,
       DT_STRING = 7,
       DT_INT64 = 9,
       DT_BOOL = 10,
       DT_BFLOAT16 = 14,
       DT_UINT16 = 17,
       DT_HALF = 19,
       DT_UINT32 = 22,
       DT_UINT64 = 23,
};

struct tensor_proto {
    uint64_t dtype;
    uint64_t count; /* elements by its shape */
    uint64_t rank;
    struct span content;
    struct span values; /* the packed list, or the last single one re-spelt in `single` */
    enum wire wire;     /* of one element of `values` */
    uint64_t single;
    bool has_values, has_single;
    struct text string;
    bool has_string;
};

static double half_number(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

static double number_of(uint64_t dtype, uint64_t bits)
{
    switch (dtype) {
    case DT_FLOAT:
        return wire_float(bits);
    case DT_DOUBLE:
        return wire_double(bits);
    case DT_HALF:
        return half_number((uint16_t)bits);
    case DT_BFLOAT16:
        return wire_float((bits & 0xffff) << 16);
    case DT_UINT8:
    case DT_UINT16:
    case DT_UINT32:
    case DT_UINT64:
    case DT_BOOL:
        return (double)bits;
    case DT_INT8:
        return (double)(int8_t)bits;
    case DT_INT16:
        return (double)(int16_t)bits;
    case DT_INT32:
        return (double)(int32_t)bits;
    default:
        return (double)(int64_t)bits;
    }
}

static size_t size_of(uint64_t dtype)
{
    switch (dtype) {
    case DT_DOUBLE:
    case DT_INT64:
    case DT_UINT64:
        return 8;
    case DT_FLOAT:
    case DT_INT32:
    case DT_UINT32:
        return 4;
    case DT_HALF:
    case DT_BFLOAT16:
    case DT_INT16:
    case DT_UINT16:
        return 2;
    case DT_INT8:
    case DT_UINT8:
    case DT_BOOL:
        return 1;
    default:
        return 0;
    }
}

static void shape_parse(struct span shape, struct tensor_proto *tensor)
{
    struct field field, inner;
    while (wire_next(&shape, &field)) {
        if (field.number != 2 || field.wire != WIRE_BYTES)
            continue;
        uint64_t size = 0;
        while (wire_next(&field.bytes, &inner))
            if (inner.number == 1 && inner.wire == WIRE_VARINT)
                size = inner.integer;
        tensor->rank++;
        if (!size_product(tensor->count, size, &tensor->count))
            tensor->count = UINT64_MAX;
    }
}

/* The wire of one element of a value list, by field number; 0 where the field is none. */
static bool list_wire(uint32_t number, enum wire *wire)
{
    switch (number) {
    case 5:
        *wire = WIRE_FIXED32;
        return true;
    case 6:
        *wire = WIRE_FIXED64;
        return true;
    case 7:
    case 10:
    case 11:
    case 13:
    case 16:
    case 17:
        *wire = WIRE_VARINT;
        return true;
    default:
        return false;
    }
}

static bool tensor_parse(struct span data, struct tensor_proto *tensor)
{
    struct field field;
    *tensor = (struct tensor_proto){.count = 1};
    while (wire_next(&data, &field)) {
        enum wire element;
        if (field.number == 1 && field.wire == WIRE_VARINT) {
            tensor->dtype = field.integer > 100 ? field.integer - 100 : field.integer;
        } else if (field.number == 2 && field.wire == WIRE_BYTES) {
            shape_parse(field.bytes, tensor);
        } else if (field.number == 4 && field.wire == WIRE_BYTES) {
            tensor->content = field.bytes;
        } else if (field.number == 8 && field.wire == WIRE_BYTES) {
            if (!tensor->has_string)
                tensor->string = wire_text(field.bytes);
            tensor->has_string = true;
        } else if (list_wire(field.number, &element)) {
            tensor->wire = element;
            if (field.wire == WIRE_BYTES) {
                tensor->values = field.bytes;
                tensor->has_values = true;
            } else {
                tensor->single = field.integer;
                tensor->has_single = true;
            }
        }
    }
    return data.size == 0;
}

/* Element `index` of a numeric tensor; a list shorter than the shape repeats its last value, and an
   empty one means zeros. */
static bool element(const struct tensor_proto *tensor, uint64_t index, double *value)
{
    size_t size = size_of(tensor->dtype);
    uint64_t bits = 0, end;
    if (size == 0)
        return false;
    if (tensor->content.size) {
        if (!size_product(index + 1, size, &end) || end > tensor->content.size)
            return false;
        memcpy(&bits, tensor->content.data + index * size, size);
    } else if (tensor->has_values) {
        struct span rest = tensor->values;
        for (uint64_t i = 0; i <= index && wire_repeated(&rest, tensor->wire, &bits); i++)
            continue;
    } else if (tensor->has_single) {
        bits = tensor->single;
    }
    *value = number_of(tensor->dtype, bits);
    return true;
}

/* Rows of left edge, right edge, count: the norm from the middles of the buckets. */
static double histogram_tensor(const struct tensor_proto *tensor)
{
    double square = 0, row[3];
    for (uint64_t i = 0; i + 2 < tensor->count && i < 3 * 4096; i += 3) {
        for (uint64_t k = 0; k < 3; k++)
            if (!element(tensor, i + k, &row[k]))
                return (double)NAN;
        double middle = (row[0] + row[1]) / 2;
        square += row[2] * middle * middle;
    }
    return sqrt(square);
}

static double histogram_proto(struct span data)
{
    struct field field;
    double square = 0;
    while (wire_next(&data, &field))
        if (field.number == 5 && field.wire == WIRE_FIXED64)
            square = wire_double(field.integer);
    return sqrt(square);
}

struct metadata {
    struct text plugin;
    struct span content;
};

static struct metadata metadata_parse(struct span data)
{
    struct metadata metadata = {0};
    struct field field, inner;
    while (wire_next(&data, &field)) {
        if (field.number != 1 || field.wire != WIRE_BYTES)
            continue;
        while (wire_next(&field.bytes, &inner)) {
            if (inner.number == 1 && inner.wire == WIRE_BYTES)
                metadata.plugin = wire_text(inner.bytes);
            else if (inner.number == 2 && inner.wire == WIRE_BYTES)
                metadata.content = inner.bytes;
        }
    }
    return metadata;
}

static void tensor_value(const struct tensor_proto *tensor, struct event_value *value)
{
    if (tensor->dtype == DT_STRING) {
        value->content = tensor->has_string ? EVENT_TEXT : EVENT_NOTHING;
        value->text = tensor->string;
    } else if (tensor->count == 1 && element(tensor, 0, &value->number)) {
        value->content = EVENT_SCALAR;
    } else if (tensor->rank == 2 && tensor->count % 3 == 0 && size_of(tensor->dtype) >= 4) {
        value->content = EVENT_HISTOGRAM;
        value->number = histogram_tensor(tensor);
    }
}

bool event_value_parse(struct span data, struct event_value *value)
{
    struct field field;
    struct text node = {0};
    struct metadata metadata = {0};
    struct tensor_proto tensor;
    *value = (struct event_value){0};
    while (wire_next(&data, &field)) {
        if (field.number == 1 && field.wire == WIRE_BYTES) {
            value->tag = wire_text(field.bytes);
        } else if (field.number == 2 && field.wire == WIRE_FIXED32) {
            value->content = EVENT_SCALAR;
            value->number = wire_float(field.integer);
        } else if (field.number == 5 && field.wire == WIRE_BYTES) {
            value->content = EVENT_HISTOGRAM;
            value->number = histogram_proto(field.bytes);
        } else if (field.number == 7 && field.wire == WIRE_BYTES) {
            node = wire_text(field.bytes);
        } else if (field.number == 8 && field.wire == WIRE_BYTES) {
            if (tensor_parse(field.bytes, &tensor))
                tensor_value(&tensor, value);
        } else if (field.number == 9 && field.wire == WIRE_BYTES) {
            metadata = metadata_parse(field.bytes);
        }
    }
    if (value->tag.size == 0)
        value->tag = node;
    if (text_is(metadata.plugin, "hparams")) {
        value->content = EVENT_HPARAMS;
        value->text = wire_text(metadata.content);
    }
    return data.size == 0;
}
