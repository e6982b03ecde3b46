/* Elements of a view in row-major order: private to measure/. */
/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_ELEMENTS_H
#define MEASURE_ELEMENTS_H

#include "stalldoc/statistics.h"

/* True where the strides walk one block without holes, in whatever order of dimensions: then the
   storage read straight through holds the same values. */
bool elements_dense(const struct tensor_view *view);
/* `count` elements from index `first` on, in the machine's byte order. */
bool elements_read(const struct tensor_view *view, uint64_t first, size_t count, uint8_t *out,
                   struct error *error);
void elements_swap(uint8_t *data, size_t count, enum dtype dtype);
void elements_numbers(enum dtype dtype, const uint8_t *data, size_t count, double *out);

#endif
