/* A pass by vertical counters, span by span: what the tiers with registers of their own share.

   A tier includes blocks.h, defines its `struct counter` (with `base`, the exponent of bit 0),
   includes this, and behind it defines the functions declared first. */
/* SPDX-License-Identifier: MIT */
enum { SPAN = 16 * BLOCK }; /* values between two flushes of the counter: 256 KiB of float32, L2 */

static void counter_clear(struct counter *c, int base);
/* What the counter holds, by bit; returns the sum over all bits. */
static uint64_t counter_read(const struct counter *c, uint64_t bins[32]);
static uint64_t counter_zeros(const struct counter *c);
/* Exponents, zeros and checksum; `count` is a multiple of 64. Of 16-bit types both halves of a word
   take the upper place; `shift` brings the stored exponent of the doubled word down. */
static void count32(struct counter *counter, struct partial *partial, const uint8_t *data,
                    size_t count);
static void count16(struct counter *counter, struct partial *partial, const uint8_t *data,
                    size_t count, int shift);
/* 16-bit values as float32. */
static void widen(enum dtype dtype, float *x, const uint8_t *data, size_t count);

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

/* One 16-bit value as float32. */
static float widened(enum dtype dtype, const uint8_t *data)
{
    uint16_t bits;
    float x;
    memcpy(&bits, data, 2);
    uint32_t wide = (uint32_t)bits << 16;
    if (dtype == DTYPE_FLOAT16)
        return (float)value_half(bits);
    memcpy(&x, &wide, 4);
    return x;
}

static bool nonfinite_at(enum dtype dtype, const uint8_t *data)
{
    float x;
    if (dtype == DTYPE_FLOAT32)
        memcpy(&x, data, 4);
    else
        x = widened(dtype, data);
    return !isfinite(x);
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
        block32(moments, partial, x, part);
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

static void measure_spans(enum dtype dtype, const void *data, size_t count, struct partial *partial)
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
