/* Decimal to double, correctly rounded: 64 bits of digits by one or two multiplications. */
/* SPDX-License-Identifier: MIT */
#include "base/powers.h"
#include "stalldoc/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct wide {
    uint64_t high, low;
};

static struct wide multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 uint128;
    uint128 product = (uint128)a * b;
    return (struct wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
    uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (cross & UINT32_MAX);
    return (struct wide){a1 * b1 + (cross >> 32) + (other >> 32), other << 32 | (low & UINT32_MAX)};
#endif
}

static int leading_zeros(uint64_t x) /* x is not 0 */
{
#if defined(__GNUC__)
    return __builtin_clzll(x);
#else
    int count = 0;
    for (; !(x >> 63); x <<= 1)
        count++;
    return count;
#endif
}

static double assemble(uint64_t fraction, int exponent)
{
    uint64_t bits = fraction | (uint64_t)exponent << 52;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Eisel and Lemire's algorithm; digits is not 0, exponent within the table. */
static double scale_by_table(uint64_t digits, int exponent)
{
    enum { PRECISION = 55 }; /* 52 bits of fraction, the leading one, two to round by */
    const uint64_t *five = powers_of_five[exponent - POWER_LOW];
    int zeros = leading_zeros(digits);
    digits <<= zeros;
    struct wide product = multiply(digits, five[0]);
    if ((product.high & (UINT64_MAX >> PRECISION)) == UINT64_MAX >> PRECISION) {
        uint64_t more = multiply(digits, five[1]).high;
        product.low += more;
        product.high += product.low < more;
    }
    int upper = (int)(product.high >> 63), shift = upper + 64 - PRECISION;
    uint64_t mantissa = product.high >> shift;
    /* floor(exponent * log2(10)), exact over the table; the bias keeps the shifted value above 0.
     */
    enum { BIAS = 2048 };
    int magnitude = ((217706 * exponent + (BIAS << 16)) >> 16) - BIAS;
    int power = magnitude + 63 + upper - zeros + 1023;
    if (power <= 0) { /* subnormal, or nothing */
        if (power <= -63)
            return 0;
        mantissa >>= 1 - power;
        mantissa = (mantissa + (mantissa & 1)) >> 1;
        return assemble(mantissa, 0); /* a carry into bit 52 makes it the least normal one */
    }
    /* Halfway between two doubles, which only small powers can hit: to the even one. */
    if (product.low <= 1 && exponent >= -4 && exponent <= 23 && (mantissa & 3) == 1 &&
        mantissa << shift == product.high)
        mantissa &= ~UINT64_C(1);
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >> 53) {
        mantissa >>= 1;
        power++;
    }
    return power >= 2047 ? (double)INFINITY : assemble(mantissa & (UINT64_MAX >> 12), power);
}

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double number_scale_long(uint64_t digits, int exponent)
{
    if (!digits || exponent < POWER_LOW)
        return 0;
    if (exponent > POWER_HIGH)
        return (double)INFINITY;
    return scale_by_table(digits, exponent);
}

double number_scale(uint64_t digits, int exponent)
{
    /* Both factors exact, so that one rounding is all; not where the machine keeps more bits. */
    if (digits <= UINT64_C(1) << 53 && FLT_EVAL_METHOD == 0) {
        if (exponent >= 0 && exponent <= 22)
            return (double)digits * tens[exponent];
        if (exponent < 0 && exponent >= -22)
            return (double)digits / tens[-exponent];
    }
    return number_scale_long(digits, exponent);
}
