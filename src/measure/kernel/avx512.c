/* The AVX-512 tier: the text of 256 bits with 32 registers and operations of three operands, so
   that nothing spills and a carry-save adder is two instructions. */
/* SPDX-License-Identifier: MIT */
#include "measure/kernel/wide256.h"

static bool runs_here(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const struct kernel kernel_avx512 = {"avx512", runs_here, measure_spans};
