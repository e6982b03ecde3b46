/* Two doubles at once: a vector type of the compiler, the same arithmetic on every machine. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_PAIR_H
#define COLLECT_PAIR_H

#include <stdint.h>
#include <string.h>

/* Sixteen bytes: compilers take longer ones apart where the machine has no such register. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask __attribute__((vector_size(16)));

static inline pair pair_load(const double *from)
{
    pair value;
    memcpy(&value, from, sizeof(value));
    return value;
}

static inline pair pair_choose(pair_mask mask, pair yes, pair no)
{
    return (pair)((mask & (pair_mask)yes) | (~mask & (pair_mask)no));
}

/* x where it is less than `low`, or more than `high`; a NaN in x is never taken. The machine's own
   instruction says just that, and compilers do not find it by themselves. */
#ifdef __SSE2__
static inline pair pair_lower(pair low, pair x)
{
    return __builtin_ia32_minpd(x, low);
}

static inline pair pair_raise(pair high, pair x)
{
    return __builtin_ia32_maxpd(x, high);
}
#else
static inline pair pair_lower(pair low, pair x)
{
    return pair_choose((pair_mask)(x < low), x, low);
}

static inline pair pair_raise(pair high, pair x)
{
    return pair_choose((pair_mask)(x > high), x, high);
}
#endif

#endif
