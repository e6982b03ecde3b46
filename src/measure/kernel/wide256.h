/* The pass in registers of 256 bits, compiled once a tier: moments and extremes in one loop over an
   L1 block, exponents, zeros and checksum by vertical counters in another; 16 registers do not hold
   both. */
/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_WIDE256_H
#define MEASURE_WIDE256_H

#define MOMENTS
#include "measure/kernel/kernel.h"

#include <immintrin.h>

struct moments;
static void moments_add32(struct moments *moments, const float *x, size_t count);
static void moments_add64(struct moments *moments, const double *x, size_t count);
static void check_bytes(struct partial *partial, const uint8_t *data, size_t size);
#include "measure/kernel/blocks.h"

struct lanes32 { /* 16 lanes in registers */
    __m256d sum[4], square[4];
    __m256 low[2], high[2];
};

/* The square of a float32 is exact in double, so the fused form has plain's bits. */
static inline void lanes_add(struct lanes32 *l, __m256 x, int half)
{
    __m256d a = _mm256_cvtps_pd(_mm256_castps256_ps128(x));
    __m256d b = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));
    l->sum[2 * half] = _mm256_add_pd(l->sum[2 * half], a);
    l->sum[2 * half + 1] = _mm256_add_pd(l->sum[2 * half + 1], b);
    l->square[2 * half] = _mm256_fmadd_pd(a, a, l->square[2 * half]);
    l->square[2 * half + 1] = _mm256_fmadd_pd(b, b, l->square[2 * half + 1]);
    l->low[half] = _mm256_min_ps(x, l->low[half]);
    l->high[half] = _mm256_max_ps(x, l->high[half]);
}

static void moments_add32(struct moments *moments, const float *x, size_t count)
{
    struct lanes32 l;
    for (int i = 0; i < 4; i++) {
        l.sum[i] = _mm256_loadu_pd(moments->sum + 4 * i);
        l.square[i] = _mm256_loadu_pd(moments->square + 4 * i);
    }
    for (int i = 0; i < 2; i++) {
        l.low[i] = _mm256_set1_ps(INFINITY);
        l.high[i] = _mm256_set1_ps(-INFINITY);
    }
    for (size_t row = 0; row < count; row += LANES) {
        lanes_add(&l, _mm256_loadu_ps(x + row), 0);
        lanes_add(&l, _mm256_loadu_ps(x + row + 8), 1);
    }
    float low[LANES], high[LANES];
    for (int i = 0; i < 4; i++) {
        _mm256_storeu_pd(moments->sum + 4 * i, l.sum[i]);
        _mm256_storeu_pd(moments->square + 4 * i, l.square[i]);
    }
    for (int i = 0; i < 2; i++) {
        _mm256_storeu_ps(low + 8 * i, l.low[i]);
        _mm256_storeu_ps(high + 8 * i, l.high[i]);
    }
    for (size_t i = 0; i < LANES; i++) {
        moments->low[i] = (double)low[i] < moments->low[i] ? (double)low[i] : moments->low[i];
        moments->high[i] = (double)high[i] > moments->high[i] ? (double)high[i] : moments->high[i];
    }
}

/* Half of the lanes, so that 16 registers hold them. The square of a float64 is rounded before it
   is added, as in plain. */
static void half_add64(struct moments *moments, const double *x, size_t count, int lane)
{
    __m256d sum0 = _mm256_loadu_pd(moments->sum + lane);
    __m256d sum1 = _mm256_loadu_pd(moments->sum + lane + 4);
    __m256d square0 = _mm256_loadu_pd(moments->square + lane);
    __m256d square1 = _mm256_loadu_pd(moments->square + lane + 4);
    __m256d low0 = _mm256_loadu_pd(moments->low + lane);
    __m256d low1 = _mm256_loadu_pd(moments->low + lane + 4);
    __m256d high0 = _mm256_loadu_pd(moments->high + lane);
    __m256d high1 = _mm256_loadu_pd(moments->high + lane + 4);
    for (size_t row = (size_t)lane; row < count; row += LANES) {
        __m256d a = _mm256_loadu_pd(x + row), b = _mm256_loadu_pd(x + row + 4);
        sum0 = _mm256_add_pd(sum0, a);
        sum1 = _mm256_add_pd(sum1, b);
        square0 = _mm256_add_pd(square0, _mm256_mul_pd(a, a));
        square1 = _mm256_add_pd(square1, _mm256_mul_pd(b, b));
        low0 = _mm256_min_pd(a, low0);
        low1 = _mm256_min_pd(b, low1);
        high0 = _mm256_max_pd(a, high0);
        high1 = _mm256_max_pd(b, high1);
    }
    _mm256_storeu_pd(moments->sum + lane, sum0);
    _mm256_storeu_pd(moments->sum + lane + 4, sum1);
    _mm256_storeu_pd(moments->square + lane, square0);
    _mm256_storeu_pd(moments->square + lane + 4, square1);
    _mm256_storeu_pd(moments->low + lane, low0);
    _mm256_storeu_pd(moments->low + lane + 4, low1);
    _mm256_storeu_pd(moments->high + lane, high0);
    _mm256_storeu_pd(moments->high + lane + 4, high1);
}

static void moments_add64(struct moments *moments, const double *x, size_t count)
{
    half_add64(moments, x, count, 0);
    half_add64(moments, x, count, LANES / 2);
}

enum { LADDER = 12 }; /* words of weight 8, 16, ...: enough for 2^15 vectors of a span */

struct counter { /* vertical: each of 8 elements counts 32 exponents, one a bit */
    __m256i ones, twos, fours;
    __m256i sum[LADDER], waiting[LADDER];
    uint32_t seen; /* words of weight 8 that climbed */
    __m256i zero;  /* 8 counters */
    int base;      /* exponent of bit 0 */
};

#include "measure/kernel/spans.h"

/* A full adder in each bit: a + b + *sum; returns the carries. */
static inline __m256i add3(__m256i *sum, __m256i a, __m256i b)
{
    __m256i u = _mm256_xor_si256(a, b);
    __m256i carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(u, *sum));
    *sum = _mm256_xor_si256(u, *sum);
    return carry;
}

static void climb(struct counter *c, __m256i word)
{
    int level = 0;
    for (uint32_t seen = c->seen++; seen & 1; seen >>= 1, level++)
        word = add3(&c->sum[level], c->waiting[level], word);
    c->waiting[level] = word;
}

static inline __m256i one_hot(struct counter *c, __m256i doubled, int shift, __m256i base)
{
    const __m256i one = _mm256_set1_epi32(1);
    c->zero = _mm256_sub_epi32(c->zero, _mm256_cmpeq_epi32(doubled, _mm256_setzero_si256()));
    return _mm256_sllv_epi32(one, _mm256_sub_epi32(_mm256_srli_epi32(doubled, shift), base));
}

static inline void eight(struct counter *c, const __m256i h[8])
{
    __m256i two0 = add3(&c->ones, h[0], h[1]), two1 = add3(&c->ones, h[2], h[3]);
    __m256i four0 = add3(&c->twos, two0, two1);
    two0 = add3(&c->ones, h[4], h[5]);
    two1 = add3(&c->ones, h[6], h[7]);
    __m256i four1 = add3(&c->twos, two0, two1);
    climb(c, add3(&c->fours, four0, four1));
}

static uint64_t bit_count(__m256i word, int bit)
{
    __m256i top = _mm256_sll_epi32(word, _mm_cvtsi32_si128(31 - bit));
    return (uint64_t)__builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(top)));
}

static void counter_clear(struct counter *c, int base)
{
    memset(c, 0, sizeof(*c));
    c->base = base;
}

static uint64_t counter_read(const struct counter *c, uint64_t bins[32])
{
    uint64_t all = 0;
    for (int bit = 0; bit < 32; bit++) {
        uint64_t here =
            bit_count(c->ones, bit) + 2 * bit_count(c->twos, bit) + 4 * bit_count(c->fours, bit);
        for (int level = 0; c->seen >> level; level++) {
            uint64_t weight = UINT64_C(8) << level;
            here += weight * bit_count(c->sum[level], bit);
            if (c->seen >> level & 1)
                here += weight * bit_count(c->waiting[level], bit);
        }
        bins[bit] = here;
        all += here;
    }
    return all;
}

static uint64_t counter_zeros(const struct counter *c)
{
    uint32_t each[8];
    uint64_t all = 0;
    _mm256_storeu_si256((__m256i *)(void *)each, c->zero);
    for (int i = 0; i < 8; i++)
        all += each[i];
    return all;
}

struct check { /* the checksum's lanes in registers */
    __m256i a[2], b[2];
};

static struct check check_load(const struct partial *partial)
{
    const __m256i *a = (const __m256i *)(const void *)partial->a;
    const __m256i *b = (const __m256i *)(const void *)partial->b;
    return (struct check){{_mm256_loadu_si256(a), _mm256_loadu_si256(a + 1)},
                          {_mm256_loadu_si256(b), _mm256_loadu_si256(b + 1)}};
}

static void check_store(const struct check *check, struct partial *partial, size_t stripes)
{
    __m256i *a = (__m256i *)(void *)partial->a, *b = (__m256i *)(void *)partial->b;
    _mm256_storeu_si256(a, check->a[0]);
    _mm256_storeu_si256(a + 1, check->a[1]);
    _mm256_storeu_si256(b, check->b[0]);
    _mm256_storeu_si256(b + 1, check->b[1]);
    partial->stripes += stripes;
}

static inline void check_add(struct check *check, __m256i first, __m256i second)
{
    check->a[0] = _mm256_add_epi64(check->a[0], first);
    check->a[1] = _mm256_add_epi64(check->a[1], second);
    check->b[0] = _mm256_add_epi64(check->b[0], check->a[0]);
    check->b[1] = _mm256_add_epi64(check->b[1], check->a[1]);
}

static void check_bytes(struct partial *partial, const uint8_t *data, size_t size)
{
    struct check check = check_load(partial);
    const size_t whole = size - size % 64;
    for (size_t i = 0; i < whole; i += 64)
        check_add(&check, _mm256_loadu_si256((const __m256i *)(const void *)(data + i)),
                  _mm256_loadu_si256((const __m256i *)(const void *)(data + i + 32)));
    check_store(&check, partial, whole / 64);
    checksum_add(partial, data + whole, size - whole);
}

static void count32(struct counter *counter, struct partial *partial, const uint8_t *data,
                    size_t count)
{
    struct counter c = *counter;
    struct check check = check_load(partial);
    const __m256i base = _mm256_set1_epi32(c.base);
    for (size_t i = 0; i < count; i += 64) {
        __m256i h[8];
        for (int k = 0; k < 8; k += 2) {
            __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(data + 4 * i + 32 * k));
            __m256i y =
                _mm256_loadu_si256((const __m256i *)(const void *)(data + 4 * i + 32 * k + 32));
            check_add(&check, x, y);
            h[k] = one_hot(&c, _mm256_slli_epi32(x, 1), 24, base);
            h[k + 1] = one_hot(&c, _mm256_slli_epi32(y, 1), 24, base);
        }
        eight(&c, h);
    }
    *counter = c;
    check_store(&check, partial, count / 16);
}

static void count16(struct counter *counter, struct partial *partial, const uint8_t *data,
                    size_t count, int shift)
{
    struct counter c = *counter;
    struct check check = check_load(partial);
    const __m256i base = _mm256_set1_epi32(c.base), upper = _mm256_set1_epi32((int)0xfffe0000);
    for (size_t i = 0; i < count; i += 64) {
        __m256i h[8];
        for (int k = 0; k < 4; k += 2) {
            __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(data + 2 * i + 32 * k));
            __m256i y =
                _mm256_loadu_si256((const __m256i *)(const void *)(data + 2 * i + 32 * k + 32));
            check_add(&check, x, y);
            h[2 * k] = one_hot(&c, _mm256_slli_epi32(x, 17), shift, base);
            h[2 * k + 1] =
                one_hot(&c, _mm256_and_si256(_mm256_slli_epi32(x, 1), upper), shift, base);
            h[2 * k + 2] = one_hot(&c, _mm256_slli_epi32(y, 17), shift, base);
            h[2 * k + 3] =
                one_hot(&c, _mm256_and_si256(_mm256_slli_epi32(y, 1), upper), shift, base);
        }
        eight(&c, h);
    }
    *counter = c;
    check_store(&check, partial, count / 32);
}

static void widen(enum dtype dtype, float *x, const uint8_t *data, size_t count)
{
    size_t whole = count - count % 8;
    for (size_t i = 0; i < whole; i += 8) {
        __m128i bits = _mm_loadu_si128((const __m128i *)(const void *)(data + 2 * i));
        __m256 wide = dtype == DTYPE_FLOAT16
                          ? _mm256_cvtph_ps(bits)
                          : _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
        _mm256_storeu_ps(x + i, wide);
    }
    for (size_t i = whole; i < count; i++)
        x[i] = widened(dtype, data + 2 * i);
}

#endif
