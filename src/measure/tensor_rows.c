/* Rows of a tensor: output units and channels that are zero, tiny or equal. */
/* SPDX-License-Identifier: MIT */
#include "measure/elements.h"
#include "measure/kernel/kernel.h"
#include "stalldoc/limits.h"
#include "stalldoc/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
    double square; /* over finite values */
    uint64_t hash; /* of its bytes */
    bool zero;
};

/* Lanes apart from each other; equal bytes give equal hashes, whatever the tier. Products carry
   upwards only, and of rows with few values other than 0 all that differs stands in the uppermost
   bits: each time they are folded down. */
static uint64_t hash_of(const struct partial *partial)
{
    uint64_t hash = partial->stripes;
    for (size_t i = 0; i < CHECK_LANES; i++) {
        hash = (hash ^ partial->a[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
        hash = (hash ^ partial->b[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

static void row_end(struct row *row, const struct partial *partial)
{
    row->square = partial->square;
    row->hash = hash_of(partial);
    row->zero = partial->zero == partial->count;
}

/* A row that does not fit into the window: piece by piece. */
static bool row_read(const struct tensor_view *view, const struct kernel *kernel, uint64_t first,
                     uint64_t length, uint8_t *window, struct partial *partial, struct error *error)
{
    size_t most = LIMIT_WINDOW / dtype_size(view->dtype);
    partial_clear(partial);
    for (uint64_t done = 0; done < length;) {
        size_t here = (size_t)(length - done < most ? length - done : most);
        struct partial piece = {.exponents = NULL};
        if (!elements_read(view, first + done, here, window, error))
            return false;
        kernel->measure(view->dtype, window, here, &piece);
        partial_fold(partial, &piece);
        done += here;
    }
    return true;
}

/* As many whole rows at a time as the window holds. */
static bool rows_read(const struct tensor_view *view, struct row *rows, uint64_t count,
                      uint64_t length, uint8_t *window, struct error *error)
{
    const size_t size = dtype_size(view->dtype), most = LIMIT_WINDOW / size;
    /* Under 1 KiB starting a tier costs more than it saves. */
    const struct kernel *kernel = length * size < 1024 ? &kernel_plain : kernel_best();
    struct partial partial = {.exponents = NULL};
    for (uint64_t i = 0; i < count;) {
        if (length > most) {
            if (!row_read(view, kernel, i * length, length, window, &partial, error))
                return false;
            row_end(&rows[i++], &partial);
            continue;
        }
        uint64_t here = most / length;
        here = count - i < here ? count - i : here;
        if (!elements_read(view, i * length, (size_t)(here * length), window, error))
            return false;
        for (uint64_t k = 0; k < here; k++) {
            kernel->measure(view->dtype, window + k * length * size, (size_t)length, &partial);
            row_end(&rows[i++], &partial);
        }
    }
    return true;
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = ((const struct row *)a)->hash, y = ((const struct row *)b)->hash;
    return (x > y) - (x < y);
}

static void rows_count(struct row *rows, double *norms, struct tensor_rows *out)
{
    for (uint64_t i = 0; i < out->rows; i++) {
        norms[i] = sqrt(rows[i].square);
        out->zero += rows[i].zero;
        out->largest = norms[i] > out->largest ? norms[i] : out->largest;
    }
    out->median = median_of(norms, (size_t)out->rows);
    for (uint64_t i = 0; i < out->rows; i++)
        out->small += sqrt(rows[i].square) < 1e-3 * out->median || rows[i].zero;
    qsort(rows, (size_t)out->rows, sizeof(*rows), by_hash);
    for (uint64_t i = 0; i < out->rows; i++) {
        bool before = i > 0 && rows[i - 1].hash == rows[i].hash;
        bool after = i + 1 < out->rows && rows[i + 1].hash == rows[i].hash;
        out->identical += (before || after) && !rows[i].zero;
    }
}

bool tensor_rows_measure(const struct tensor_view *view, struct tensor_rows *out,
                         struct error *error)
{
    *out = (struct tensor_rows){0};
    uint64_t all = tensor_count(view);
    if (view->rank < 2 || all == 0 || all == UINT64_MAX || dtype_size(view->dtype) == 0)
        return true;
    uint64_t count = (uint64_t)view->shape[0];
    struct row *rows = block_take((size_t)count * sizeof(*rows));
    double *norms = block_take((size_t)count * sizeof(*norms));
    uint8_t *window = block_take(LIMIT_WINDOW);
    bool sound = rows && norms && window;
    if (!sound)
        error_set(error, ERROR_MEMORY, input_place(view->input, view->offset),
                  "no memory for %llu rows", (unsigned long long)count);
    sound = sound && rows_read(view, rows, count, all / count, window, error);
    if (sound) {
        out->rows = count;
        out->length = all / count;
        rows_count(rows, norms, out);
    }
    block_free(window);
    block_free(norms);
    block_free(rows);
    return sound;
}
