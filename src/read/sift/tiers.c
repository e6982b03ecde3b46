/* The table of tiers, best first. */
/* SPDX-License-Identifier: MIT */
#include "read/sift/tier.h"

#define TIER(name) extern const struct sift_tier sift_##name;
#include "read/sift/tiers.def"
#undef TIER

const struct sift_tier *const sift_tiers[] = {
#define TIER(name) &sift_##name,
#include "read/sift/tiers.def"
#undef TIER
    NULL,
};

const struct sift_tier *sift_best(void)
{
    size_t i = 0;
    while (!sift_tiers[i]->runs_here())
        i++;
    return sift_tiers[i];
}
