/* One fused pass over the values of a tensor: the contract of the tiers.

   A tier returns the exact bits of plain.c, which is the definition:
   - sums: 16 lanes of double, lane = index in the piece mod 16, non-finite values left out, folded
     8-4-2-1; squares are exact in double for float32 and narrower types, so a tier may fuse there;
   - extremes over finite values, a lane: lo = x < lo ? x : lo, hi = x > hi ? x : hi; the same fold;
   - exponents: by stored exponent, zeros and non-finite values left out; bin 0: subnormal values;
   - checksum: 8 lanes of 64 bits over stripes of 64 bytes (the last one padded with zeros):
     a += word, b += a. Pieces combine exactly, so the cut into pieces does not show.
   A piece begins at a multiple of 16 values and of 64 bytes of its tensor. */
/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_KERNEL_H
#define MEASURE_KERNEL_H

#include "stalldoc/tensor.h"

enum { EXPONENT_BINS = 2048, LANES = 16, CHECK_LANES = 8 };

struct partial {
    uint64_t count, zero, nan, inf, negative_inf, subnormal;
    double sum, square, low, high; /* low +inf and high -inf where nothing is finite */
    uint64_t stripes, a[CHECK_LANES], b[CHECK_LANES];
    uint64_t *exponents; /* EXPONENT_BINS counters to add to; NULL: not wanted */
};

struct kernel {
    const char *name;
    bool (*runs_here)(void);
    /* Measures `count` values at `data` (any alignment) and overwrites *partial but for
       `exponents`. The types are those of dtype_measured. */
    void (*measure)(enum dtype dtype, const void *data, size_t count, struct partial *partial);
};

extern const struct kernel kernel_plain;
extern const struct kernel *const kernels[]; /* best first, plain last; NULL behind it */
const struct kernel *kernel_best(void);      /* the first that runs here */

/* True for the types that `measure` takes; false for DTYPE_OPAQUE. */
bool dtype_measured(enum dtype dtype);
/* Exponent bins of a type (256 for float32), 0 for integers, and the value of bin i's exponent:
   2^(i - bias). */
int dtype_bins(enum dtype dtype);
int dtype_bias(enum dtype dtype);

void partial_clear(struct partial *partial);
/* `next` follows `partial` in the tensor. */
void partial_fold(struct partial *partial, const struct partial *next);
/* The lanes' fold, shared by the tiers. */
double lanes_sum(double lanes[LANES]);
double lanes_low(double lanes[LANES]);
double lanes_high(double lanes[LANES]);
/* Adds the checksum of `size` bytes to *partial (stripes, a, b). */
void checksum_add(struct partial *partial, const uint8_t *data, size_t size);
/* One value of any floating type as a double, and its stored exponent. */
double value_half(uint16_t bits);
double value_e4m3(uint8_t bits, bool fnuz);
double value_e5m2(uint8_t bits, bool fnuz);

#endif
