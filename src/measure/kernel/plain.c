/* The definition of the tensor pass in plain C, and what the tiers share. */
/* SPDX-License-Identifier: MIT */
#include "measure/kernel/blocks.h"

bool dtype_measured(enum dtype dtype)
{
    return dtype < DTYPE_OPAQUE;
}

struct float_type {
    int bins, bias;
};

static const struct float_type float_types[DTYPE_COUNT] = {
    [DTYPE_FLOAT64] = {2048, 1023},    [DTYPE_FLOAT32] = {256, 127},
    [DTYPE_FLOAT16] = {32, 15},        [DTYPE_BFLOAT16] = {256, 127},
    [DTYPE_FLOAT8_E4M3FN] = {16, 7},   [DTYPE_FLOAT8_E5M2] = {32, 15},
    [DTYPE_FLOAT8_E4M3FNUZ] = {16, 8}, [DTYPE_FLOAT8_E5M2FNUZ] = {32, 16},
};

int dtype_bins(enum dtype dtype)
{
    return float_types[dtype].bins;
}

int dtype_bias(enum dtype dtype)
{
    return float_types[dtype].bias;
}

double value_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

double value_e5m2(uint8_t bits, bool fnuz)
{
    if (!fnuz)
        return value_half((uint16_t)(bits << 8));
    if (bits == 0x80)
        return (double)NAN;
    int exponent = bits >> 2 & 31, fraction = bits & 3;
    double value = exponent ? ldexp(4 + fraction, exponent - 18) : ldexp(fraction, -17);
    return bits >> 7 ? -value : value;
}

double value_e4m3(uint8_t bits, bool fnuz)
{
    if (fnuz ? bits == 0x80 : (bits & 0x7f) == 0x7f)
        return (double)NAN;
    int exponent = bits >> 3 & 15, fraction = bits & 7, bias = fnuz ? 8 : 7;
    double value = exponent ? ldexp(8 + fraction, exponent - bias - 3) : ldexp(fraction, -2 - bias);
    return bits >> 7 ? -value : value;
}

void checksum_add(struct partial *partial, const uint8_t *data, size_t size)
{
    uint64_t a[CHECK_LANES], b[CHECK_LANES], words[CHECK_LANES];
    memcpy(a, partial->a, sizeof(a));
    memcpy(b, partial->b, sizeof(b));
    partial->stripes += size / 64 + (size % 64 != 0);
    while (size) {
        size_t part = size < 64 ? size : 64;
        if (part < 64)
            memset(words, 0, sizeof(words));
        memcpy(words, data, part);
        for (size_t i = 0; i < CHECK_LANES; i++) {
            a[i] += words[i];
            b[i] += a[i];
        }
        data += part;
        size -= part;
    }
    memcpy(partial->a, a, sizeof(a));
    memcpy(partial->b, b, sizeof(b));
}

double lanes_sum(double lanes[LANES])
{
    for (size_t half = LANES / 2; half; half /= 2)
        for (size_t i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

double lanes_low(double lanes[LANES])
{
    for (size_t half = LANES / 2; half; half /= 2)
        for (size_t i = 0; i < half; i++)
            lanes[i] = lanes[i + half] < lanes[i] ? lanes[i + half] : lanes[i];
    return lanes[0];
}

double lanes_high(double lanes[LANES])
{
    for (size_t half = LANES / 2; half; half /= 2)
        for (size_t i = 0; i < half; i++)
            lanes[i] = lanes[i + half] > lanes[i] ? lanes[i + half] : lanes[i];
    return lanes[0];
}

void partial_clear(struct partial *partial)
{
    uint64_t *exponents = partial->exponents;
    *partial = (struct partial){
        .low = (double)INFINITY, .high = -(double)INFINITY, .exponents = exponents};
}

void partial_fold(struct partial *partial, const struct partial *next)
{
    partial->count += next->count;
    partial->zero += next->zero;
    partial->nan += next->nan;
    partial->inf += next->inf;
    partial->negative_inf += next->negative_inf;
    partial->subnormal += next->subnormal;
    partial->sum += next->sum;
    partial->square += next->square;
    partial->low = next->low < partial->low ? next->low : partial->low;
    partial->high = next->high > partial->high ? next->high : partial->high;
    for (size_t i = 0; i < CHECK_LANES; i++) {
        partial->b[i] += next->stripes * partial->a[i] + next->b[i];
        partial->a[i] += next->a[i];
    }
    partial->stripes += next->stripes;
}

static bool runs_here(void)
{
    return true;
}

const struct kernel kernel_plain = {"plain", runs_here, measure};
