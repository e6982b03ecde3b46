/* Two tensors of one shape: their difference, their angle, their equality. */
/* SPDX-License-Identifier: MIT */
#include "measure/elements.h"

#include <math.h>
#include <string.h>

enum { SPARE = 64 };
enum { PIECE = 64 << 10 }; /* bytes of each at a time */

enum { BLOCK = 256, LANES = 8 };

struct sums {
    double diff, a, b, dot; /* squares and products over positions finite in both */
    uint64_t changed;
};

/* Elements whose bits differ. */
static uint64_t changed_count(const uint8_t *a, const uint8_t *b, size_t count, size_t size)
{
    uint64_t changed = 0;
    if (memcmp(a, b, count * size) == 0)
        return 0;
    if (size == 4) { /* the usual one, several at a time */
        uint32_t x[BLOCK], y[BLOCK], differ = 0;
        memcpy(x, a, count * 4);
        memcpy(y, b, count * 4);
        for (size_t i = 0; i < count; i++)
            differ += x[i] != y[i];
        return differ;
    }
    for (size_t i = 0; i < count; i++)
        changed += memcmp(a + i * size, b + i * size, size) != 0;
    return changed;
}

/* In lanes, so that several are added at a time; the order is the same everywhere. */
static struct sums block_sums(const double *x, const double *y, size_t count)
{
    double diff[LANES] = {0}, a[LANES] = {0}, b[LANES] = {0}, dot[LANES] = {0};
    struct sums sums = {0};
    for (size_t i = 0; i < count; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            const double d = y[i + k] - x[i + k];
            diff[k] += d * d;
            a[k] += x[i + k] * x[i + k];
            b[k] += y[i + k] * y[i + k];
            dot[k] += x[i + k] * y[i + k];
        }
    for (size_t k = 0; k < LANES; k++) {
        sums.diff += diff[k];
        sums.a += a[k];
        sums.b += b[k];
        sums.dot += dot[k];
    }
    return sums;
}

static void piece_add(struct sums *sums, enum dtype dtype, const uint8_t *a, const uint8_t *b,
                      size_t count)
{
    size_t size = dtype_size(dtype);
    double x[BLOCK], y[BLOCK];
    for (size_t done = 0; done < count;) {
        size_t here = count - done < BLOCK ? count - done : BLOCK;
        elements_numbers(dtype, a + done * size, here, x);
        elements_numbers(dtype, b + done * size, here, y);
        for (size_t i = here; i % LANES; i++)
            x[i] = y[i] = 0;
        struct sums block = block_sums(x, y, here);
        if (!isfinite(block.a + block.b + block.diff)) {
            for (size_t i = 0; i < here; i++)
                if (!isfinite(x[i]) || !isfinite(y[i]))
                    x[i] = y[i] = 0;
            block = block_sums(x, y, here);
        }
        sums->diff += block.diff;
        sums->a += block.a;
        sums->b += block.b;
        sums->dot += block.dot;
        sums->changed += changed_count(a + done * size, b + done * size, here, size);
        done += here;
    }
}

static bool same_form(const struct tensor_view *a, const struct tensor_view *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->shape, b->shape, a->rank * sizeof(a->shape[0])) == 0;
}

/* `windows` holds two pieces of `piece` bytes. */
static bool pair_read(const struct tensor_view *a, const struct tensor_view *b, uint8_t *windows,
                      size_t piece, struct sums *sums, struct error *error)
{
    uint64_t all = tensor_count(a), most = piece / dtype_size(a->dtype);
    for (uint64_t first = 0; first < all; first += most) {
        size_t here = (size_t)(all - first < most ? all - first : most);
        if (!elements_read(a, first, here, windows, error) ||
            !elements_read(b, first, here, windows + piece, error))
            return false;
        piece_add(sums, a->dtype, windows, windows + piece, here);
    }
    return true;
}

bool tensor_pair_measure(const struct tensor_view *a, const struct tensor_view *b,
                         struct tensor_pair *pair, struct error *error)
{
    struct sums sums = {0};
    if (!same_form(a, b) || dtype_size(a->dtype) == 0 || tensor_count(a) == UINT64_MAX)
        return error_set(error, ERROR_UNSUPPORTED, input_place(b->input, b->offset),
                         "tensor %.*s has another type or shape", (int)b->name.size, b->name.data);
    const uint64_t bytes = tensor_count(a) * dtype_size(a->dtype);
    const size_t piece = bytes < PIECE ? (size_t)bytes + SPARE : PIECE; /* most are small */
    uint8_t *windows = block_take(2 * piece);
    if (!windows)
        return error_set(error, ERROR_MEMORY, input_place(b->input, b->offset),
                         "no memory to compare tensors");
    bool sound = pair_read(a, b, windows, piece, &sums, error);
    block_free(windows);
    if (!sound)
        return false;
    *pair = (struct tensor_pair){
        .diff_l2 = sqrt(sums.diff),
        .relative = sums.a > 0      ? sqrt(sums.diff / sums.a)
                    : sums.diff > 0 ? (double)INFINITY
                                    : 0,
        .cosine = sums.a > 0 && sums.b > 0 ? sums.dot / sqrt(sums.a) / sqrt(sums.b) : (double)NAN,
        .changed = sums.changed,
        .identical = sums.changed == 0,
    };
    return true;
}
