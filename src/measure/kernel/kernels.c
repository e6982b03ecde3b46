/* The table of tiers, best first. */
/* SPDX-License-Identifier: MIT */
#include "measure/kernel/kernel.h"

#define TIER(name) extern const struct kernel kernel_##name;
#include "measure/kernel/tiers.def"
#undef TIER

const struct kernel *const kernels[] = {
#define TIER(name) &kernel_##name,
#include "measure/kernel/tiers.def"
#undef TIER
    &kernel_plain,
    NULL,
};

const struct kernel *kernel_best(void)
{
    size_t i = 0;
    while (!kernels[i]->runs_here())
        i++;
    return kernels[i];
}
