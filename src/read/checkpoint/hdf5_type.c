/* Numbers by their size and exponent; h5py's complex numbers (r, i) and truth values. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/hdf5_type.h"

#include <stdio.h>
#include <string.h>

static enum dtype float_of(const struct hdf5 *hdf5, hid_t type)
{
    static const struct {
        size_t size, exponent;
        enum dtype dtype;
    } rows[] = {
        {8, 11, DTYPE_FLOAT64}, {4, 8, DTYPE_FLOAT32},       {2, 5, DTYPE_FLOAT16},
        {2, 8, DTYPE_BFLOAT16}, {1, 4, DTYPE_FLOAT8_E4M3FN}, {1, 5, DTYPE_FLOAT8_E5M2},
    };
    size_t sign, at, bits, mantissa_at, mantissa;
    if (hdf5->type_fields(type, &sign, &at, &bits, &mantissa_at, &mantissa) < 0)
        return DTYPE_OPAQUE;
    const size_t size = hdf5->type_size(type);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].size == size && rows[i].exponent == bits && sign == 8 * size - 1 &&
            mantissa_at == 0 && at == mantissa && mantissa + bits + 1 == 8 * size)
            return rows[i].dtype;
    return DTYPE_OPAQUE;
}

static enum dtype integer_of(const struct hdf5 *hdf5, hid_t type)
{
    static const enum dtype types[2][4] = {
        {DTYPE_UINT8, DTYPE_UINT16, DTYPE_UINT32, DTYPE_UINT64},
        {DTYPE_INT8, DTYPE_INT16, DTYPE_INT32, DTYPE_INT64},
    };
    const bool has_sign = hdf5->type_sign(type) == H5T_SGN_2;
    const size_t size = hdf5->type_size(type);
    return size == 1   ? types[has_sign][0]
           : size == 2 ? types[has_sign][1]
           : size == 4 ? types[has_sign][2]
           : size == 8 ? types[has_sign][3]
                       : DTYPE_OPAQUE;
}

static bool member_is(const struct hdf5 *hdf5, hid_t type, unsigned nth, const char *wanted)
{
    char *name = hdf5->type_member_name(type, nth);
    const bool same = name && strcmp(name, wanted) == 0;
    if (name)
        hdf5->free_memory(name);
    return same;
}

/* Two equal floats, r and i, one behind the other. */
static enum dtype complex_of(const struct hdf5 *hdf5, hid_t type, bool *swapped)
{
    struct hdf5_type parts[2] = {{.dtype = DTYPE_OPAQUE}, {.dtype = DTYPE_OPAQUE}};
    if (hdf5->type_members(type) != 2 || !member_is(hdf5, type, 0, "r") ||
        !member_is(hdf5, type, 1, "i"))
        return DTYPE_OPAQUE;
    for (unsigned i = 0; i < 2; i++) {
        const hid_t part = hdf5->type_member_type(type, i);
        if (part < 0)
            return DTYPE_OPAQUE;
        if (hdf5->type_class(part) == H5T_FLOAT)
            hdf5_type_of(hdf5, part, &parts[i]);
        hdf5->type_close(part);
    }
    const size_t width = dtype_size(parts[0].dtype);
    if (parts[0].dtype != parts[1].dtype || parts[0].swapped != parts[1].swapped || width < 4 ||
        hdf5->type_member_offset(type, 1) != width || hdf5->type_size(type) != 2 * width)
        return DTYPE_OPAQUE;
    *swapped = parts[0].swapped;
    return width == 4 ? DTYPE_COMPLEX64 : DTYPE_COMPLEX128;
}

/* Truth values are an enumeration of bytes; others are their numbers. */
static void enumeration_of(const struct hdf5 *hdf5, hid_t type, struct hdf5_type *out)
{
    const hid_t base = hdf5->type_super(type);
    if (base < 0)
        return;
    if (hdf5->type_class(base) == H5T_INTEGER)
        hdf5_type_of(hdf5, base, out);
    hdf5->type_close(base);
    if (dtype_size(out->dtype) == 1 && hdf5->type_members(type) == 2 &&
        member_is(hdf5, type, 0, "FALSE") && member_is(hdf5, type, 1, "TRUE"))
        out->dtype = DTYPE_BOOL;
}

/* NOLINTNEXTLINE(misc-no-recursion): members and bases are numbers, or not looked into */
void hdf5_type_of(const struct hdf5 *hdf5, hid_t type, struct hdf5_type *out)
{
    const H5T_class_t class = hdf5->type_class(type);
    *out = (struct hdf5_type){.dtype = DTYPE_OPAQUE};
    const char *word = "object";
    switch (class) {
    case H5T_FLOAT:
        out->dtype = float_of(hdf5, type);
        word = "float";
        break;
    case H5T_INTEGER:
        out->dtype = integer_of(hdf5, type);
        word = "integer";
        break;
    case H5T_ENUM:
        enumeration_of(hdf5, type, out);
        word = "enumeration";
        break;
    case H5T_COMPOUND:
        out->dtype = complex_of(hdf5, type, &out->swapped);
        word = "structured";
        break;
    case H5T_STRING:
        if (hdf5->type_is_variable(type) <= 0) {
            snprintf(out->word, sizeof(out->word), "|S%zu", hdf5->type_size(type));
            return;
        }
        break;
    case H5T_OPAQUE:
        snprintf(out->word, sizeof(out->word), "|V%zu", hdf5->type_size(type));
        return;
    default:
        break;
    }
    if (class == H5T_FLOAT || class == H5T_INTEGER)
        out->swapped = hdf5->type_order(type) == H5T_ORDER_BE;
    if (out->dtype == DTYPE_OPAQUE)
        snprintf(out->word, sizeof(out->word), "%s", word);
}
