/* The tensor pass, block by block, in plain C: the text of the definition, compiled once a tier.

   Blocks of 4,096 values are summed unmasked; only where the squares' sum is not finite (or, for
   float16, an extreme is beyond the type) the block is taken again with a mask. 8-bit types follow
   from the counts of their 256 patterns. A file that includes this may define MOMENTS and bring its
   own inner loops. */
/* SPDX-License-Identifier: MIT */
#include "measure/kernel/kernel.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 4096,
    BLOCK64 = 1024, /* of float64: the copy and what it is made of stay in L1 */
    TABLES = 4,
    PATTERNS = 1 << 30, /* values between two flushes of 32-bit counters */
};

struct moments { /* the lanes of one piece */
    double sum[LANES], square[LANES];
    double low[LANES], high[LANES];
};

static void moments_clear(struct moments *moments)
{
    for (size_t i = 0; i < LANES; i++) {
        moments->sum[i] = moments->square[i] = 0;
        moments->low[i] = INFINITY;
        moments->high[i] = -INFINITY;
    }
}

static void moments_end(struct moments *moments, struct partial *partial)
{
    partial->sum = lanes_sum(moments->sum);
    partial->square = lanes_sum(moments->square);
    partial->low = lanes_low(moments->low);
    partial->high = lanes_high(moments->high);
}

#ifndef MOMENTS
/* Unmasked; `count` is a multiple of LANES. */
static void moments_add64(struct moments *moments, const double *x, size_t count)
{
    struct moments m = *moments;
    for (size_t row = 0; row < count; row += LANES)
        for (size_t i = 0; i < LANES; i++) {
            double v = x[row + i];
            m.sum[i] += v;
            m.square[i] += v * v;
            m.low[i] = v < m.low[i] ? v : m.low[i];
            m.high[i] = v > m.high[i] ? v : m.high[i];
        }
    *moments = m;
}

static void moments_add32(struct moments *moments, const float *x, size_t count)
{
    struct moments m = *moments;
    for (size_t row = 0; row < count; row += LANES)
        for (size_t i = 0; i < LANES; i++) {
            double v = (double)x[row + i];
            m.sum[i] += v;
            m.square[i] += v * v;
            m.low[i] = v < m.low[i] ? v : m.low[i];
            m.high[i] = v > m.high[i] ? v : m.high[i];
        }
    *moments = m;
}

static void check_bytes(struct partial *partial, const uint8_t *data, size_t size)
{
    checksum_add(partial, data, size);
}
#endif

/* Masked; any count, `at` is the index in the piece. Classifies what is not finite. */
static void moments_mask(struct moments *m, struct partial *partial, double v, size_t at)
{
    size_t i = at % LANES;
    if (isfinite(v)) {
        m->sum[i] += v;
        m->square[i] += v * v;
        m->low[i] = v < m->low[i] ? v : m->low[i];
        m->high[i] = v > m->high[i] ? v : m->high[i];
    } else if (isnan(v)) {
        partial->nan++;
    } else {
        partial->inf++;
        partial->negative_inf += v < 0;
    }
}

static bool moments_finite(const struct moments *moments, double most)
{
    double all = 0, high = 0, low = 0;
    for (size_t i = 0; i < LANES; i++) {
        all += moments->square[i];
        high = moments->high[i] > high ? moments->high[i] : high;
        low = moments->low[i] < low ? moments->low[i] : low;
    }
    return isfinite(all) && high <= most && -low <= most;
}

/* One block that may hold anything: float32 values, widened from narrower types. */
static void block32(struct moments *moments, struct partial *partial, const float *x, size_t count)
{
    struct moments before = *moments;
    size_t whole = count - count % LANES;
    moments_add32(moments, x, whole);
    if (!moments_finite(moments, INFINITY)) {
        *moments = before;
        whole = 0;
    }
    for (size_t i = whole; i < count; i++)
        moments_mask(moments, partial, (double)x[i], i);
}

static void block64(struct moments *moments, struct partial *partial, const double *x, size_t count)
{
    struct moments before = *moments;
    size_t whole = count - count % LANES;
    moments_add64(moments, x, whole);
    if (!moments_finite(moments, INFINITY)) {
        *moments = before;
        whole = 0;
    }
    for (size_t i = whole; i < count; i++)
        moments_mask(moments, partial, x[i], i);
}

struct bins { /* scalar tables: neighbours go to different ones, so no store waits for another */
    uint32_t of[TABLES][EXPONENT_BINS];
    uint64_t zero;
};

/* Adds the tables to the piece; the last bin is that of non-finite values and does not count. */
static void bins_end(const struct bins *bins, int count, struct partial *partial)
{
    partial->zero += bins->zero;
    for (int i = 0; i + 1 < count; i++) {
        uint64_t here = 0;
        for (int table = 0; table < TABLES; table++)
            here += bins->of[table][i];
        if (i == 0) {
            here -= bins->zero;
            partial->subnormal += here;
        }
        if (partial->exponents)
            partial->exponents[i] += here;
    }
}

static void bins_add32(struct bins *bins, const uint8_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, data + 4 * i, 4);
        bins->of[i % TABLES][bits >> 23 & 255]++;
        bins->zero += (bits << 1) == 0;
    }
}

/* Zeros are looked for only where the bin they share with subnormal values grew. */
static void bins_add64(struct bins *bins, const double *x, size_t count)
{
    uint32_t before = 0, after = 0;
    uint64_t bits, zero = 0;
    for (int table = 0; table < TABLES; table++)
        before += bins->of[table][0];
    size_t whole = count - count % TABLES;
    for (size_t i = 0; i < whole; i += TABLES)
        for (size_t table = 0; table < TABLES; table++) {
            memcpy(&bits, &x[i + table], 8);
            bins->of[table][bits >> 52 & 2047]++;
        }
    for (size_t i = whole; i < count; i++) {
        memcpy(&bits, &x[i], 8);
        bins->of[0][bits >> 52 & 2047]++;
    }
    for (int table = 0; table < TABLES; table++)
        after += bins->of[table][0];
    for (size_t i = 0; i < count && after != before; i++)
        zero += x[i] == 0;
    bins->zero += zero;
}

static void bins_add16(struct bins *bins, const uint8_t *data, size_t count, int shift, int mask)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t bits;
        memcpy(&bits, data + 2 * i, 2);
        bins->of[i % TABLES][bits >> shift & mask]++;
        bins->zero += (uint16_t)(bits << 1) == 0;
    }
}

/* float32 and bfloat16 as float32. */
static void block_load(enum dtype dtype, float *x, const uint8_t *data, size_t count)
{
    if (dtype == DTYPE_FLOAT32) {
        memcpy(x, data, 4 * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint16_t bits;
        memcpy(&bits, data + 2 * i, 2);
        uint32_t wide = (uint32_t)bits << 16;
        memcpy(&x[i], &wide, 4);
    }
}

/* float16: the bits moved into a float32's places and scaled by 2^112 are the value, subnormal
   values too; infinity becomes 65,536 and NaN more, so a block with an extreme over 65,504 is
   taken again through the exact conversion. */
static void block16(struct moments *moments, struct partial *partial, const uint8_t *data,
                    size_t count)
{
    struct moments before = *moments;
    size_t whole = count - count % LANES;
    uint16_t bits[BLOCK];
    float x[BLOCK];
    memcpy(bits, data, 2 * count);
    for (size_t i = 0; i < whole; i++) {
        uint32_t wide = (uint32_t)(bits[i] & 0x7fff) << 13;
        float v;
        memcpy(&v, &wide, 4);
        v *= 0x1p112f;
        x[i] = bits[i] >> 15 ? -v : v;
    }
    moments_add32(moments, x, whole);
    if (!moments_finite(moments, 65504)) {
        *moments = before;
        whole = 0;
    }
    for (size_t i = whole; i < count; i++)
        moments_mask(moments, partial, value_half(bits[i]), i);
}

static void measure_float(enum dtype dtype, const uint8_t *data, size_t count,
                          struct partial *partial)
{
    static const struct bins none;
    const size_t size = dtype_size(dtype);
    struct moments moments;
    struct bins bins = none;
    moments_clear(&moments);
    for (size_t at = 0; at < count; at += BLOCK) {
        const uint8_t *block = data + at * size;
        size_t part = count - at < BLOCK ? count - at : BLOCK;
        if (dtype == DTYPE_FLOAT16) {
            block16(&moments, partial, block, part);
            bins_add16(&bins, block, part, 10, 31);
        } else {
            float x[BLOCK];
            block_load(dtype, x, block, part);
            block32(&moments, partial, x, part);
            if (dtype == DTYPE_FLOAT32)
                bins_add32(&bins, block, part);
            else
                bins_add16(&bins, block, part, 7, 255);
        }
        checksum_add(partial, block, part * size);
    }
    moments_end(&moments, partial);
    bins_end(&bins, dtype_bins(dtype), partial);
}

static void measure_double(const uint8_t *data, size_t count, struct partial *partial)
{
    static const struct bins none;
    struct moments moments;
    struct bins bins = none;
    moments_clear(&moments);
    for (size_t at = 0; at < count; at += BLOCK64) {
        const uint8_t *block = data + 8 * at;
        size_t part = count - at < BLOCK64 ? count - at : BLOCK64;
        double x[BLOCK64];
        memcpy(x, block, 8 * part);
        block64(&moments, partial, x, part);
        bins_add64(&bins, x, part);
        check_bytes(partial, block, 8 * part);
    }
    moments_end(&moments, partial);
    bins_end(&bins, dtype_bins(DTYPE_FLOAT64), partial);
}

static double value8(enum dtype dtype, uint8_t bits)
{
    switch (dtype) {
    case DTYPE_FLOAT8_E4M3FN:
    case DTYPE_FLOAT8_E4M3FNUZ:
        return value_e4m3(bits, dtype == DTYPE_FLOAT8_E4M3FNUZ);
    case DTYPE_FLOAT8_E5M2:
    case DTYPE_FLOAT8_E5M2FNUZ:
        return value_e5m2(bits, dtype == DTYPE_FLOAT8_E5M2FNUZ);
    case DTYPE_INT8:
        return (double)(int8_t)bits;
    default:
        return (double)bits;
    }
}

static void pattern8_add(enum dtype dtype, int bits, uint64_t here, struct partial *partial)
{
    double v = value8(dtype, (uint8_t)bits);
    if (isnan(v)) {
        partial->nan += here;
    } else if (isinf(v)) {
        partial->inf += here;
        partial->negative_inf += v < 0 ? here : 0;
    } else {
        int exponent = dtype_bins(dtype) == 16 ? bits >> 3 & 15 : bits >> 2 & 31;
        bool tiny = dtype_bins(dtype) && exponent == 0 && v != 0;
        partial->sum += (double)here * v;
        partial->square += (double)here * (v * v);
        partial->low = v < partial->low ? v : partial->low;
        partial->high = v > partial->high ? v : partial->high;
        partial->zero += v == 0 ? here : 0;
        partial->subnormal += tiny ? here : 0;
        if (partial->exponents && dtype_bins(dtype) && v != 0)
            partial->exponents[exponent] += here;
    }
}

/* Eight tables, one for each byte of a word: equal neighbours do not wait for each other. */
static void patterns_count(const uint8_t *data, size_t count, uint64_t seen[256])
{
    static const uint32_t none[8][256];
    uint32_t tables[8][256];
    size_t whole = count - count % 8;
    memcpy(tables, none, sizeof(tables));
    for (size_t i = 0; i < whole; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        for (unsigned k = 0; k < 8; k++)
            tables[k][word >> 8 * k & 255]++;
    }
    for (size_t i = whole; i < count; i++)
        tables[0][data[i]]++;
    for (int bits = 0; bits < 256; bits++)
        for (unsigned k = 0; k < 8; k++)
            seen[bits] += tables[k][bits];
}

/* Every figure of an 8-bit type follows from the counts of its patterns, in order of pattern. */
static void measure8(enum dtype dtype, const uint8_t *data, size_t count, struct partial *partial)
{
    uint64_t seen[256] = {0};
    for (size_t at = 0; at < count; at += PATTERNS) {
        size_t part = count - at < PATTERNS ? count - at : PATTERNS;
        patterns_count(data + at, part, seen);
    }
    for (int bits = 0; bits < 256; bits++)
        if (seen[bits])
            pattern8_add(dtype, bits, seen[bits], partial);
    check_bytes(partial, data, count);
}

static double integer_at(enum dtype dtype, const uint8_t *data)
{
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    switch (dtype) {
    case DTYPE_INT64:
    case DTYPE_UINT64:
        memcpy(&u64, data, 8);
        return dtype == DTYPE_INT64 ? (double)(int64_t)u64 : (double)u64;
    case DTYPE_INT32:
    case DTYPE_UINT32:
        memcpy(&u32, data, 4);
        return dtype == DTYPE_INT32 ? (double)(int32_t)u32 : (double)u32;
    default:
        memcpy(&u16, data, 2);
        return dtype == DTYPE_INT16 ? (double)(int16_t)u16 : (double)u16;
    }
}

static void measure_integer(enum dtype dtype, const uint8_t *data, size_t count,
                            struct partial *partial)
{
    struct moments moments;
    size_t size = dtype_size(dtype);
    moments_clear(&moments);
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t part = count - at < BLOCK ? count - at : BLOCK;
        double x[BLOCK];
        for (size_t i = 0; i < part; i++) {
            x[i] = integer_at(dtype, data + (at + i) * size);
            partial->zero += x[i] == 0;
        }
        block64(&moments, partial, x, part);
        check_bytes(partial, data + at * size, part * size);
    }
    moments_end(&moments, partial);
}

/* Complex: sums of the real parts, squares and extremes of the magnitude. */
static void measure_complex(enum dtype dtype, const uint8_t *data, size_t count,
                            struct partial *partial)
{
    struct moments moments;
    size_t size = dtype_size(dtype);
    moments_clear(&moments);
    for (size_t i = 0; i < count; i++) {
        double part[2];
        float narrow[2];
        if (dtype == DTYPE_COMPLEX64) {
            memcpy(narrow, data + i * size, size);
            part[0] = (double)narrow[0];
            part[1] = (double)narrow[1];
        } else {
            memcpy(part, data + i * size, size);
        }
        size_t lane = i % LANES;
        double square = part[0] * part[0] + part[1] * part[1], magnitude = hypot(part[0], part[1]);
        if (isnan(part[0]) || isnan(part[1])) {
            partial->nan++;
        } else if (isinf(part[0]) || isinf(part[1])) {
            partial->inf++;
        } else {
            moments.sum[lane] += part[0];
            moments.square[lane] += square;
            moments.low[lane] = magnitude < moments.low[lane] ? magnitude : moments.low[lane];
            moments.high[lane] = magnitude > moments.high[lane] ? magnitude : moments.high[lane];
            partial->zero += magnitude == 0;
        }
    }
    moments_end(&moments, partial);
    checksum_add(partial, data, count * size);
}

static void measure(enum dtype dtype, const void *data, size_t count, struct partial *partial)
{
    partial_clear(partial);
    partial->count = count;
    switch (dtype) {
    case DTYPE_FLOAT64:
        measure_double(data, count, partial);
        break;
    case DTYPE_FLOAT32:
    case DTYPE_FLOAT16:
    case DTYPE_BFLOAT16:
        measure_float(dtype, data, count, partial);
        break;
    case DTYPE_COMPLEX64:
    case DTYPE_COMPLEX128:
        measure_complex(dtype, data, count, partial);
        break;
    default:
        if (dtype_size(dtype) == 1)
            measure8(dtype, data, count, partial);
        else
            measure_integer(dtype, data, count, partial);
    }
}
