/* Two tensors of one shape: their difference, their angle, their equality. */
/* SPDX-License-Identifier: MIT */
#include "measure/elements.h"

#include <math.h>
#include <string.h>

enum { PIECE = 64 << 10 }; /* bytes of each at a time */

struct sums {
    double diff, a, b, dot; /* squares and products over positions finite in both */
    uint64_t changed;
};

static void piece_add(struct sums *sums, enum dtype dtype, const uint8_t *a, const uint8_t *b,
                      size_t count)
{
    size_t size = dtype_size(dtype);
    double x[256], y[256];
    for (size_t done = 0; done < count;) {
        size_t here = count - done < 256 ? count - done : 256;
        elements_numbers(dtype, a + done * size, here, x);
        elements_numbers(dtype, b + done * size, here, y);
        for (size_t i = 0; i < here; i++) {
            sums->changed += memcmp(a + (done + i) * size, b + (done + i) * size, size) != 0;
            if (!isfinite(x[i]) || !isfinite(y[i]))
                continue;
            double d = y[i] - x[i];
            sums->diff += d * d;
            sums->a += x[i] * x[i];
            sums->b += y[i] * y[i];
            sums->dot += x[i] * y[i];
        }
        done += here;
    }
}

static bool same_form(const struct tensor_view *a, const struct tensor_view *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->shape, b->shape, a->rank * sizeof(a->shape[0])) == 0;
}

static bool pair_read(const struct tensor_view *a, const struct tensor_view *b, uint8_t *windows,
                      struct sums *sums, struct error *error)
{
    uint64_t all = tensor_count(a), most = PIECE / dtype_size(a->dtype);
    for (uint64_t first = 0; first < all; first += most) {
        size_t here = (size_t)(all - first < most ? all - first : most);
        if (!elements_read(a, first, here, windows, error) ||
            !elements_read(b, first, here, windows + PIECE, error))
            return false;
        piece_add(sums, a->dtype, windows, windows + PIECE, here);
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
    uint8_t *windows = block_take(2 * (size_t)PIECE);
    if (!windows)
        return error_set(error, ERROR_MEMORY, input_place(b->input, b->offset),
                         "no memory to compare tensors");
    bool sound = pair_read(a, b, windows, &sums, error);
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
