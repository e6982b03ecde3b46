/* Elements of a view in row-major order, whatever its strides. */
/* SPDX-License-Identifier: MIT */
#include "measure/elements.h"

#include "measure/kernel/kernel.h"

#include <math.h>
#include <string.h>

uint64_t tensor_count(const struct tensor_view *view)
{
    uint64_t count = 1;
    for (int i = 0; i < view->rank; i++)
        if (view->shape[i] < 0 || !size_product(count, (uint64_t)view->shape[i], &count))
            return UINT64_MAX;
    return count;
}

bool tensor_contiguous(const struct tensor_view *view)
{
    int64_t expected = 1;
    for (int i = view->rank - 1; i >= 0; i--) {
        if (view->shape[i] != 1 && view->stride[i] != expected)
            return false;
        expected *= view->shape[i] > 0 ? view->shape[i] : 1;
    }
    return true;
}

bool elements_dense(const struct tensor_view *view)
{
    bool used[TENSOR_RANK_MAX] = {0};
    int64_t expected = 1;
    for (int n = 0; n < view->rank; n++) {
        int next = -1;
        for (int i = 0; i < view->rank && next < 0; i++)
            if (!used[i] && (view->shape[i] == 1 || view->stride[i] == expected))
                next = i;
        if (next < 0)
            return false;
        used[next] = true;
        expected *= view->shape[next] > 0 ? view->shape[next] : 1;
    }
    return true;
}

void elements_swap(uint8_t *data, size_t count, enum dtype dtype)
{
    size_t size = dtype_size(dtype);
    if (dtype == DTYPE_COMPLEX64 || dtype == DTYPE_COMPLEX128) {
        size /= 2;
        count *= 2;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0, b = size - 1; a < b; a++, b--) {
            uint8_t held = data[i * size + a];
            data[i * size + a] = data[i * size + b];
            data[i * size + b] = held;
        }
}

static bool read_at(const struct tensor_view *view, int64_t element, size_t count, uint8_t *out,
                    struct error *error)
{
    uint64_t size = dtype_size(view->dtype), start, bytes;
    if (element < 0 || !size_product((uint64_t)element, size, &start) ||
        !size_product(count, size, &bytes) || start > view->size || bytes > view->size - start)
        return error_set(error, ERROR_TRUNCATED, input_place(view->input, view->offset),
                         "tensor %.*s reaches beyond its storage", (int)view->name.size,
                         view->name.data);
    return input_pread(view->input, view->offset + start, (size_t)bytes, out, error);
}

/* The storage element of the row-major index, and how many more follow it without a gap. */
static int64_t locate(const struct tensor_view *view, uint64_t index, uint64_t *run)
{
    int64_t element = view->first;
    uint64_t inner = 1;
    int64_t expected = 1;
    bool whole = true;
    *run = 1;
    for (int i = view->rank - 1; i >= 0; i--) {
        uint64_t shape = (uint64_t)view->shape[i];
        uint64_t at = index / inner % shape;
        element += (int64_t)at * view->stride[i];
        if (whole && (shape == 1 || view->stride[i] == expected)) {
            *run = inner * shape - index % (inner * shape);
            expected *= view->shape[i];
        } else {
            whole = false;
        }
        inner *= shape;
    }
    return element;
}

bool elements_read(const struct tensor_view *view, uint64_t first, size_t count, uint8_t *out,
                   struct error *error)
{
    size_t size = dtype_size(view->dtype);
    for (size_t done = 0; done < count;) {
        uint64_t run;
        int64_t element = locate(view, first + done, &run);
        size_t part = run < count - done ? (size_t)run : count - done;
        if (!read_at(view, element, part, out + done * size, error))
            return false;
        done += part;
    }
    if (view->swapped)
        elements_swap(out, count, view->dtype);
    return true;
}

static double number_of(enum dtype dtype, const uint8_t *data)
{
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    double f64[2];
    float f32[2];
    switch (dtype) {
    case DTYPE_FLOAT64:
        memcpy(f64, data, 8);
        return f64[0];
    case DTYPE_COMPLEX128:
        memcpy(f64, data, 16);
        return hypot(f64[0], f64[1]);
    case DTYPE_FLOAT32:
        memcpy(f32, data, 4);
        return (double)f32[0];
    case DTYPE_COMPLEX64:
        memcpy(f32, data, 8);
        return hypot((double)f32[0], (double)f32[1]);
    case DTYPE_FLOAT16:
        memcpy(&u16, data, 2);
        return value_half(u16);
    case DTYPE_BFLOAT16:
        memcpy(&u16, data, 2);
        u32 = (uint32_t)u16 << 16;
        memcpy(f32, &u32, 4);
        return (double)f32[0];
    case DTYPE_FLOAT8_E4M3FN:
    case DTYPE_FLOAT8_E4M3FNUZ:
        return value_e4m3(*data, dtype == DTYPE_FLOAT8_E4M3FNUZ);
    case DTYPE_FLOAT8_E5M2:
    case DTYPE_FLOAT8_E5M2FNUZ:
        return value_e5m2(*data, dtype == DTYPE_FLOAT8_E5M2FNUZ);
    case DTYPE_INT64:
        memcpy(&u64, data, 8);
        return (double)(int64_t)u64;
    case DTYPE_UINT64:
        memcpy(&u64, data, 8);
        return (double)u64;
    case DTYPE_INT32:
        memcpy(&u32, data, 4);
        return (double)(int32_t)u32;
    case DTYPE_UINT32:
        memcpy(&u32, data, 4);
        return (double)u32;
    case DTYPE_INT16:
        memcpy(&u16, data, 2);
        return (double)(int16_t)u16;
    case DTYPE_UINT16:
        memcpy(&u16, data, 2);
        return (double)u16;
    case DTYPE_INT8:
        return (double)(int8_t)*data;
    case DTYPE_BOOL:
        return *data ? 1 : 0;
    default:
        return (double)*data;
    }
}

void elements_numbers(enum dtype dtype, const uint8_t *data, size_t count, double *out)
{
    size_t size = dtype_size(dtype);
    for (size_t i = 0; i < count; i++)
        out[i] = number_of(dtype, data + i * size);
}

bool tensor_values(const struct tensor_view *view, uint64_t first, size_t count, double *values,
                   struct error *error)
{
    uint8_t part[4096];
    size_t size = dtype_size(view->dtype), most = sizeof(part) / (size ? size : 1);
    if (size == 0)
        return error_set(error, ERROR_UNSUPPORTED, input_place(view->input, view->offset),
                         "values of tensor %.*s are not read", (int)view->name.size,
                         view->name.data);
    for (size_t done = 0; done < count;) {
        size_t here = count - done < most ? count - done : most;
        if (!elements_read(view, first + done, here, part, error))
            return false;
        elements_numbers(view->dtype, part, here, values + done);
        done += here;
    }
    return true;
}
