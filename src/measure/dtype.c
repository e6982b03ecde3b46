/* Names and sizes of element types. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/tensor.h"

struct row {
    const char *name;
    size_t size;
    const char *code; /* of NumPy; NULL: it has none */
};

static const struct row rows[DTYPE_COUNT] = {
    [DTYPE_FLOAT64] = {"float64", 8, "f8"},
    [DTYPE_FLOAT32] = {"float32", 4, "f4"},
    [DTYPE_FLOAT16] = {"float16", 2, "f2"},
    [DTYPE_BFLOAT16] = {"bfloat16", 2, NULL},
    [DTYPE_FLOAT8_E4M3FN] = {"float8_e4m3fn", 1, NULL},
    [DTYPE_FLOAT8_E5M2] = {"float8_e5m2", 1, NULL},
    [DTYPE_FLOAT8_E4M3FNUZ] = {"float8_e4m3fnuz", 1, NULL},
    [DTYPE_FLOAT8_E5M2FNUZ] = {"float8_e5m2fnuz", 1, NULL},
    [DTYPE_INT64] = {"int64", 8, "i8"},
    [DTYPE_INT32] = {"int32", 4, "i4"},
    [DTYPE_INT16] = {"int16", 2, "i2"},
    [DTYPE_INT8] = {"int8", 1, "i1"},
    [DTYPE_UINT64] = {"uint64", 8, "u8"},
    [DTYPE_UINT32] = {"uint32", 4, "u4"},
    [DTYPE_UINT16] = {"uint16", 2, "u2"},
    [DTYPE_UINT8] = {"uint8", 1, "u1"},
    [DTYPE_BOOL] = {"bool", 1, "b1"},
    [DTYPE_COMPLEX64] = {"complex64", 8, "c8"},
    [DTYPE_COMPLEX128] = {"complex128", 16, "c16"},
    [DTYPE_OPAQUE] = {"opaque", 0, NULL},
};

const char *dtype_name(enum dtype dtype)
{
    return rows[dtype].name;
}

enum dtype dtype_named(struct text name)
{
    for (int i = 0; i < DTYPE_OPAQUE; i++)
        if (text_is(name, rows[i].name))
            return (enum dtype)i;
    return DTYPE_OPAQUE;
}

enum dtype dtype_of_code(struct text code)
{
    for (int i = 0; i < DTYPE_OPAQUE; i++)
        if (rows[i].code && text_is(code, rows[i].code))
            return (enum dtype)i;
    return DTYPE_OPAQUE;
}

struct text dtype_word(enum dtype dtype, struct text type)
{
    return type.size ? type : text_of(dtype_name(dtype));
}

size_t dtype_size(enum dtype dtype)
{
    return rows[dtype].size;
}
