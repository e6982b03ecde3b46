/* Measured tensors of our own making. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_MADE_TENSOR_H
#define TEST_MADE_TENSOR_H

#include "stalldoc/run.h"

#include <string.h>

/* A matrix of rows * columns values whose root mean square is `rms`. */
static inline struct tensor made_tensor(const char *name, int64_t rows, int64_t columns, double rms)
{
    const uint64_t count = (uint64_t)(rows * columns);
    struct tensor tensor = {
        .name = {name, strlen(name)},
        .dtype = DTYPE_FLOAT32,
        .rank = 2,
        .shape = {rows, columns},
        .input = 1,
        .measured = true,
        .step = STEP_NONE,
        .stats = {.count = count,
                  .square = rms * rms * (double)count,
                  .low = -3 * rms,
                  .high = 3 * rms,
                  .norm = rms},
        .rows = {.rows = (uint64_t)rows, .length = (uint64_t)columns, .median = rms},
    };
    return tensor;
}

#endif
