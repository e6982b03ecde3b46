/* The pass in registers of 256 bits, compiled once a tier: moments and extremes in one loop over an
   L1 block, exponents, zeros and checksum by vertical counters in another; 16 registers do not hold
   both. */
/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_WIDE256_H
#define MEASURE_WIDE256_H

#define MOMENTS32
#include "measure/kernel/kernel.h"

#include <immintrin.h>

struct moments;
static void moments_add32(struct moments *moments, const float *x, size_t count);
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

enum {
    LADDER = 12,      /* words of weight 8, 16, ...: enough for 2^15 vectors of a span */
    SPAN = 16 * BLOCK /* values between two flushes of the counter: 256 KiB of float32, L2 */
};

struct counter { /* vertical: each of 8 elements counts 32 exponents, one a bit */
    __m256i ones, twos, fours;
    __m256i sum[LADDER], waiting[LADDER];
    uint32_t seen; /* words of weight 8 that climbed */
    __m256i zero;  /* 8 counters */
    int base;      /* exponent of bit 0 */
};

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

/* What the counter holds, by bit; returns the sum over all bits. */
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

/* Exponents, zeros and checksum of whole blocks of float32. */
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

/* The same of 16-bit types: both halves of a word take the upper place; `shift` brings the stored
   exponent of the doubled word down. */
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

/* Bit 31 stands for the largest exponent of the first values plus 4: what weights have. */
static int base_of(const uint8_t *data, size_t count, bool narrow)
{
    int most = 0;
    for (size_t i = 0; i < count && i < 64; i++) {
        int exponent;
        if (narrow) {
            uint16_t bits;
            memcpy(&bits, data + 2 * i, 2);
            exponent = bits >> 7 & 255;
        } else {
            uint32_t bits;
            memcpy(&bits, data + 4 * i, 4);
            exponent = (int)(bits >> 23 & 255);
        }
        most = exponent > most && exponent < 255 ? exponent : most;
    }
    int base = most + 4 - 31;
    return base < 0 ? 0 : base > 223 ? 223 : base;
}

/* Ends a span: true where every value was in the window, and then its counts are in the piece. */
static bool counter_end(const struct counter *c, struct partial *partial, uint64_t count,
                        uint64_t nonfinite, bool half)
{
    uint64_t bins[32], all = counter_read(c, bins), zero = counter_zeros(c);
    if (half) { /* all 32 exponents are in the window, that of non-finite values too */
        all -= bins[31];
        bins[31] = 0;
    }
    /* Zeros are counted apart; with a window that begins at 0 they are in bin 0 too. */
    if (all + (c->base ? zero : 0) + nonfinite != count)
        return false;
    if (c->base == 0) {
        bins[0] -= zero;
        partial->subnormal += bins[0];
    }
    partial->zero += zero;
    if (partial->exponents)
        for (int bit = 0; bit < 32; bit++)
            partial->exponents[c->base + bit] += bins[bit];
    return true;
}

static void tables(enum dtype dtype, struct partial *partial, const uint8_t *data, size_t count)
{
    static const struct bins none;
    struct bins bins = none;
    if (count == 0)
        return;
    if (dtype == DTYPE_FLOAT32)
        bins_add32(&bins, data, count);
    else
        bins_add16(&bins, data, count, dtype == DTYPE_FLOAT16 ? 10 : 7,
                   dtype == DTYPE_FLOAT16 ? 31 : 255);
    bins_end(&bins, dtype_bins(dtype), partial);
}

/* 16-bit values as float32. */
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
    for (size_t i = whole; i < count; i++) {
        uint16_t bits;
        memcpy(&bits, data + 2 * i, 2);
        uint32_t wide = (uint32_t)bits << 16;
        if (dtype == DTYPE_FLOAT16)
            x[i] = (float)value_half(bits);
        else
            memcpy(&x[i], &wide, 4);
    }
}

static bool nonfinite_at(enum dtype dtype, const uint8_t *data)
{
    float x[1];
    if (dtype == DTYPE_FLOAT32)
        memcpy(x, data, 4);
    else
        widen(dtype, x, data, 1);
    return !isfinite(x[0]);
}

/* Up to SPAN values: moments block by block while they are in L1, then what the counter says. */
static void span_measure(enum dtype dtype, struct moments *moments, struct partial *partial,
                         const uint8_t *data, size_t count)
{
    size_t size = dtype_size(dtype);
    uint64_t before = partial->nan + partial->inf;
    struct counter counter;
    counter_clear(&counter, dtype == DTYPE_FLOAT16 ? 0 : base_of(data, count, size == 2));
    size_t whole = count - count % 64;
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t part = count - at < BLOCK ? count - at : BLOCK;
        size_t even = whole > at ? (whole - at < part ? whole - at : part) : 0;
        float x[BLOCK];
        if (size == 4)
            memcpy(x, data + 4 * at, 4 * part);
        else
            widen(dtype, x, data + 2 * at, part);
        block32(moments, partial, x, part, INFINITY);
        if (size == 4)
            count32(&counter, partial, data + 4 * at, even);
        else
            count16(&counter, partial, data + 2 * at, even, dtype == DTYPE_FLOAT16 ? 27 : 24);
    }
    checksum_add(partial, data + whole * size, (count - whole) * size);
    tables(dtype, partial, data + whole * size, count - whole);
    uint64_t nonfinite = partial->nan + partial->inf - before;
    for (size_t i = whole; i < count; i++)
        nonfinite -= nonfinite_at(dtype, data + i * size);
    if (!counter_end(&counter, partial, whole, nonfinite, dtype == DTYPE_FLOAT16))
        tables(dtype, partial, data, whole);
}

static void measure_wide(enum dtype dtype, const void *data, size_t count, struct partial *partial)
{
    if (dtype != DTYPE_FLOAT32 && dtype != DTYPE_BFLOAT16 && dtype != DTYPE_FLOAT16) {
        measure(dtype, data, count, partial);
        return;
    }
    struct moments moments;
    moments_clear(&moments);
    partial_clear(partial);
    partial->count = count;
    for (size_t at = 0; at < count; at += SPAN)
        span_measure(dtype, &moments, partial, (const uint8_t *)data + at * dtype_size(dtype),
                     count - at < SPAN ? count - at : SPAN);
    moments_end(&moments, partial);
}

#endif
