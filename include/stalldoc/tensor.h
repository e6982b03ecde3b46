/* Tensors: where their bytes are, and what was measured over them. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_TENSOR_H
#define STALLDOC_TENSOR_H

#include "stalldoc/span.h"

enum { TENSOR_RANK_MAX = 32 };

enum dtype {
    DTYPE_FLOAT64,
    DTYPE_FLOAT32,
    DTYPE_FLOAT16,
    DTYPE_BFLOAT16,
    DTYPE_FLOAT8_E4M3FN,
    DTYPE_FLOAT8_E5M2,
    DTYPE_FLOAT8_E4M3FNUZ,
    DTYPE_FLOAT8_E5M2FNUZ,
    DTYPE_INT64,
    DTYPE_INT32,
    DTYPE_INT16,
    DTYPE_INT8,
    DTYPE_UINT64,
    DTYPE_UINT32,
    DTYPE_UINT16,
    DTYPE_UINT8,
    DTYPE_BOOL,
    DTYPE_COMPLEX64,
    DTYPE_COMPLEX128,
    DTYPE_OPAQUE, /* named, its values are not read */
    DTYPE_COUNT
};

const char *dtype_name(enum dtype dtype); /* "bfloat16" */
size_t dtype_size(enum dtype dtype);      /* bytes of an element; 0 for DTYPE_OPAQUE */
enum dtype dtype_named(struct text name); /* DTYPE_OPAQUE where it is none of them */
/* NumPy's code behind the byte order, "f4"; DTYPE_OPAQUE where it is none of them. */
enum dtype dtype_of_code(struct text code);
/* `type` where there is one, else the dtype's name. */
struct text dtype_word(enum dtype dtype, struct text type);

struct input;

enum sealed {
    SEALED_NOT,
    SEALED_BESIDE, /* the CRC-32 of its bytes is wanted beside the figures */
    SEALED_ONLY,   /* and nothing else is */
};

struct tensor_view { /* says where a tensor's bytes are; owns nothing */
    struct text name;
    enum dtype dtype;
    struct text type; /* the word for its elements where the dtype is none ("string"), or where they
                         are decoded to it ("Q8_0"); "" else */
    uint8_t rank;
    bool swapped; /* big-endian in the file */
    bool absent;  /* its bytes are not there: named, not measured */
    bool head;    /* absent, but for its first `size` bytes: too large to be unpacked */
    int64_t shape[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX]; /* stride in elements */
    struct input *input;
    uint64_t offset, size; /* of the storage that the strides walk over, in the input */
    int64_t first;         /* element of the storage at which the view begins */
    enum sealed sealed;    /* not SEALED_NOT: contiguous, not swapped, the whole of its storage */
};

struct seal { /* bytes whose CRC-32 the file tells; owns nothing */
    struct text name;
    struct input *input;
    uint64_t offset, size;
    uint32_t crc;
};

struct tensor_stats { /* over the finite values; mean, deviation, norm and absmax follow */
    uint64_t count, zero, nan, subnormal;
    uint64_t inf, negative_inf; /* of both signs, and those below 0 */
    double sum, square, low, high;
    double norm;               /* l2; finite even where the sum of squares overflowed */
    const uint64_t *exponents; /* histogram of binary exponents, from first_exponent on */
    int first_exponent, exponent_count;
    uint32_t crc;         /* CRC-32 of the bytes of a sealed view, else 0 */
    uint64_t checksum[2]; /* beside equal figures a reason to compare the bytes, no proof */
};

#endif
