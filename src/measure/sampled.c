/* Parts of an array that stand for all of it, in bounded time. */
/* SPDX-License-Identifier: MIT */
#include "measure/sampled.h"

#include "measure/elements.h"

#include <math.h>
#include <string.h>

enum {
    PART = 4096,       /* values of a read */
    PARTS_MOST = 2048, /* of an array that is not read as a whole */
    PARTS_HOLES = 64,  /* where neighbours in the view are none in the file */
};

static void swap_dims(struct tensor_view *view, int a, int b)
{
    const int64_t shape = view->shape[a], stride = view->stride[a];
    view->shape[a] = view->shape[b];
    view->stride[a] = view->stride[b];
    view->shape[b] = shape;
    view->stride[b] = stride;
}

/* Fortran order and transposed views: largest stride first, so that reads run straight. */
static void straighten(struct sampled *sampled)
{
    struct tensor_view *view = &sampled->view;
    for (int i = 1; i < view->rank; i++)
        for (int k = i; k > 0 && view->stride[k - 1] < view->stride[k]; k--) {
            swap_dims(view, k - 1, k);
            if (sampled->axis == k)
                sampled->axis = k - 1;
            else if (sampled->axis == k - 1)
                sampled->axis = k;
        }
}

bool sampled_plan(const struct tensor_view *view, int axis, struct sampled *sampled)
{
    *sampled = (struct sampled){.view = *view, .axis = axis, .total = tensor_count(view)};
    if (view->absent || dtype_size(view->dtype) == 0 || sampled->total == 0 ||
        sampled->total == UINT64_MAX)
        return false;
    const bool dense = elements_dense(view);
    if (dense)
        straighten(sampled);
    const uint64_t most = dense ? PARTS_MOST : PARTS_HOLES;
    sampled->block = PART;
    sampled->blocks = (sampled->total + PART - 1) / PART;
    sampled->read = sampled->total;
    if (sampled->blocks > most) {
        sampled->blocks = most;
        sampled->read = most * PART;
    }
    return true;
}

/* Evenly spread, each moved within its stretch so that no period of the array is met. */
static uint64_t block_begin(const struct sampled *sampled, uint64_t nth)
{
    static const double GOLDEN = 0.6180339887498949;
    if (sampled->read == sampled->total)
        return nth * sampled->block;
    const double stretch = (double)sampled->total / (double)sampled->blocks;
    const double part = (double)nth * GOLDEN - floor((double)nth * GOLDEN);
    const double begin = (double)nth * stretch + part * (stretch - (double)sampled->block);
    const uint64_t last = sampled->total - sampled->block, at = (uint64_t)begin;
    return at < last ? at : last;
}

bool sampled_walk(const struct sampled *sampled,
                  void (*visit)(void *context, uint64_t first, const double *values, size_t count),
                  void *context, struct error *error)
{
    uint8_t bytes[PART * 16];
    double values[PART];
    for (uint64_t i = 0; i < sampled->blocks; i++) {
        const uint64_t begin = block_begin(sampled, i), left = sampled->total - begin;
        const size_t count = (size_t)(left < sampled->block ? left : sampled->block);
        if (!elements_read(&sampled->view, begin, count, bytes, error))
            return false;
        elements_numbers(sampled->view.dtype, bytes, count, values);
        visit(context, begin, values, count);
    }
    return true;
}
