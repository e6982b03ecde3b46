/* A walk over the values of an array, all of them or parts spread over it: private to measure/. */
/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_SAMPLED_H
#define MEASURE_SAMPLED_H

#include "stalldoc/statistics.h"

struct sampled {
    struct tensor_view view; /* dimensions in the order of the storage, where it has no holes */
    int axis;                /* where the dimension asked for stands in it */
    uint64_t total, read;    /* values: of the array, and those that are visited */
    uint64_t blocks, block;
};

/* `axis` may be the rank: no dimension. False: there is nothing to read. */
bool sampled_plan(const struct tensor_view *view, int axis, struct sampled *sampled);
/* Calls visit(context, first, values, count) for runs of values in the order of sampled->view;
   `first` is the index of the first one there. */
bool sampled_walk(const struct sampled *sampled,
                  void (*visit)(void *context, uint64_t first, const double *values, size_t count),
                  void *context, struct error *error);

#endif
