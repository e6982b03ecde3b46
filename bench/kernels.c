/* Times each tier on a block of 1 MiB in cache, by type: GB/s, median of 15. */
/* SPDX-License-Identifier: MIT */
#include "../src/measure/kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 1 << 20, TIMES = 15, REPEAT = 40 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double speed(const struct kernel *kernel, enum dtype dtype, const void *data)
{
    static uint64_t bins[EXPONENT_BINS];
    double taken[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double start = now();
        for (int k = 0; k < REPEAT; k++) {
            struct partial partial = {.exponents = bins};
            kernel->measure(dtype, data, SIZE / dtype_size(dtype), &partial);
        }
        taken[i] = (now() - start) / REPEAT;
    }
    qsort(taken, TIMES, sizeof(taken[0]), by_size);
    return SIZE / taken[TIMES / 2] / 1e9;
}

int main(void)
{
    static float values[SIZE / 4];
    static uint16_t narrow[SIZE / 2];
    static double wide[SIZE / 8];
    uint32_t random = 1;
    for (size_t i = 0; i < SIZE / 4; i++) {
        random = random * 1664525 + 1013904223;
        values[i] = ((float)(random >> 8) / 16777216.0f - 0.5f) * 0.1f;
        narrow[i] = narrow[i + SIZE / 4] = (uint16_t)((random >> 16 & 0x83ff) | 0x2400);
        wide[i / 2] = (double)values[i];
    }
    for (size_t i = 0; kernels[i]; i++) {
        if (!kernels[i]->runs_here())
            continue;
        printf("%-8s float32 %6.2f  float64 %6.2f  bfloat16 %6.2f  float16 %6.2f  int8 %6.2f GB/s\n",
               kernels[i]->name, speed(kernels[i], DTYPE_FLOAT32, values),
               speed(kernels[i], DTYPE_FLOAT64, wide), speed(kernels[i], DTYPE_BFLOAT16, narrow),
               speed(kernels[i], DTYPE_FLOAT16, narrow), speed(kernels[i], DTYPE_INT8, values));
    }
    return 0;
}
