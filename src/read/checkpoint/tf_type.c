/* TensorFlow's DataType, TensorShapeProto (dim 2: size 1) and TensorSliceProto (extent 1: start 1,
   length 2; without a length all of the dimension). */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tf_type.h"

#include "read/wire.h"

struct row {
    enum dtype dtype;
    const char *type; /* of DTYPE_OPAQUE */
};

static const struct row rows[] = {
    [0] = {DTYPE_OPAQUE, NULL},
    [1] = {DTYPE_FLOAT32, NULL},
    [2] = {DTYPE_FLOAT64, NULL},
    [3] = {DTYPE_INT32, NULL},
    [4] = {DTYPE_UINT8, NULL},
    [5] = {DTYPE_INT16, NULL},
    [6] = {DTYPE_INT8, NULL},
    [7] = {DTYPE_OPAQUE, "string"},
    [8] = {DTYPE_COMPLEX64, NULL},
    [9] = {DTYPE_INT64, NULL},
    [10] = {DTYPE_BOOL, NULL},
    [11] = {DTYPE_INT8, NULL},
    [12] = {DTYPE_UINT8, NULL},
    [13] = {DTYPE_INT32, NULL},
    [14] = {DTYPE_BFLOAT16, NULL},
    [15] = {DTYPE_INT16, NULL},
    [16] = {DTYPE_UINT16, NULL},
    [17] = {DTYPE_UINT16, NULL},
    [18] = {DTYPE_COMPLEX128, NULL},
    [19] = {DTYPE_FLOAT16, NULL},
    [20] = {DTYPE_OPAQUE, "resource"},
    [21] = {DTYPE_OPAQUE, "variant"},
    [22] = {DTYPE_UINT32, NULL},
    [23] = {DTYPE_UINT64, NULL},
    [24] = {DTYPE_FLOAT8_E5M2, NULL},
    [25] = {DTYPE_FLOAT8_E4M3FN, NULL},
    [26] = {DTYPE_FLOAT8_E4M3FNUZ, NULL},
    [27] = {DTYPE_OPAQUE, "float8_e4m3b11fnuz"},
    [28] = {DTYPE_FLOAT8_E5M2FNUZ, NULL},
    [29] = {DTYPE_OPAQUE, "int4"},
    [30] = {DTYPE_OPAQUE, "uint4"},
    [31] = {DTYPE_OPAQUE, "int2"},
    [32] = {DTYPE_OPAQUE, "uint2"},
    [33] = {DTYPE_OPAQUE, "float4_e2m1fn"},
};

static const struct row *row_of(uint64_t number)
{
    number = number > 100 ? number - 100 : number; /* references of TF 1 */
    return &rows[number < sizeof(rows) / sizeof(rows[0]) ? number : 0];
}

enum dtype tf_dtype(uint64_t number)
{
    return row_of(number)->dtype;
}

struct text tf_type(uint64_t number)
{
    return text_of(row_of(number)->type);
}

bool tf_shape(struct span proto, int64_t *shape, uint8_t *rank)
{
    struct field field, inner;
    bool sound = true;
    *rank = 0;
    while (wire_next(&proto, &field)) {
        if (field.number != 2 || field.wire != WIRE_BYTES)
            continue;
        uint64_t size = 0;
        while (wire_next(&field.bytes, &inner))
            if (inner.number == 1 && inner.wire == WIRE_VARINT)
                size = inner.integer;
        if (*rank == TENSOR_RANK_MAX || size > INT64_MAX)
            sound = false;
        else
            shape[(*rank)++] = (int64_t)size;
    }
    return sound;
}

bool tf_slice(struct span proto, const int64_t *shape, uint8_t rank, int64_t *start,
              int64_t *length)
{
    struct field field, inner;
    uint8_t nth = 0;
    while (wire_next(&proto, &field)) {
        if (field.number != 1 || field.wire != WIRE_BYTES)
            continue;
        if (nth == rank)
            return false;
        start[nth] = 0;
        length[nth] = shape[nth];
        while (wire_next(&field.bytes, &inner))
            if (inner.number == 1 && inner.wire == WIRE_VARINT)
                start[nth] = (int64_t)inner.integer;
            else if (inner.number == 2 && inner.wire == WIRE_VARINT && (int64_t)inner.integer >= 0)
                length[nth] = (int64_t)inner.integer;
        if (start[nth] < 0 || start[nth] > shape[nth] || length[nth] > shape[nth] - start[nth])
            return false;
        nth++;
    }
    for (; nth < rank; nth++) {
        start[nth] = 0;
        length[nth] = shape[nth];
    }
    return true;
}
