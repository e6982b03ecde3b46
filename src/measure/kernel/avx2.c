/* The AVX2 tier. */
/* SPDX-License-Identifier: MIT */
#include "measure/kernel/wide256.h"

static bool runs_here(void)
{
    __builtin_cpu_init();
    /* f16c came before avx2 in every line of processors; clang 14 has no name for it. */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const struct kernel kernel_avx2 = {"avx2", runs_here, measure_spans};
