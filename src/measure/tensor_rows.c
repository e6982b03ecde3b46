/* Rows of a tensor: output units and channels that are zero, tiny or equal. */
/* SPDX-License-Identifier: MIT */
#include "measure/elements.h"
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

static void row_add(struct row *row, enum dtype dtype, const uint8_t *data, size_t count)
{
    size_t size = dtype_size(dtype);
    double values[256];
    for (size_t i = 0; i < count * size; i++)
        row->hash = (row->hash ^ data[i]) * UINT64_C(0x100000001b3);
    for (size_t done = 0; done < count;) {
        size_t here = count - done < 256 ? count - done : 256;
        elements_numbers(dtype, data + done * size, here, values);
        for (size_t i = 0; i < here; i++) {
            row->zero = row->zero && values[i] == 0;
            row->square += isfinite(values[i]) ? values[i] * values[i] : 0;
        }
        done += here;
    }
}

static bool rows_read(const struct tensor_view *view, struct row *rows, uint64_t count,
                      uint64_t length, uint8_t *window, struct error *error)
{
    size_t size = dtype_size(view->dtype), most = LIMIT_WINDOW / size;
    for (uint64_t i = 0; i < count; i++) {
        rows[i] = (struct row){.zero = true, .hash = UINT64_C(0xcbf29ce484222325)};
        for (uint64_t done = 0; done < length;) {
            size_t here = (size_t)(length - done < most ? length - done : most);
            if (!elements_read(view, i * length + done, here, window, error))
                return false;
            row_add(&rows[i], view->dtype, window, here);
            done += here;
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
