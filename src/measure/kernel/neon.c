/* The NEON tier: moments and extremes in one loop over an L1 block, exponents, zeros and checksum
   by vertical counters in another; 32 registers do not hold both. */
/* SPDX-License-Identifier: MIT */
#define MOMENTS
#include "measure/kernel/kernel.h"

#include <arm_neon.h>

struct moments;
static void moments_add32(struct moments *moments, const float *x, size_t count);
static void moments_add64(struct moments *moments, const double *x, size_t count);
static void check_bytes(struct partial *partial, const uint8_t *data, size_t size);
#include "measure/kernel/blocks.h"

struct quarter { /* 4 of the 16 lanes; named, not arrays, which compilers keep in memory */
    float64x2_t sum0, sum1, square0, square1;
    float32x4_t low, high;
};

static inline struct quarter quarter_load(const struct moments *moments, int lane)
{
    return (struct quarter){vld1q_f64(moments->sum + lane),
                            vld1q_f64(moments->sum + lane + 2),
                            vld1q_f64(moments->square + lane),
                            vld1q_f64(moments->square + lane + 2),
                            vdupq_n_f32(INFINITY),
                            vdupq_n_f32(-INFINITY)};
}

/* The square of a float32 is exact in double, so the fused form has plain's bits. Compare and
   select, not vminq: that one orders the zeros by sign. */
static inline void quarter_add(struct quarter *q, float32x4_t x)
{
    float64x2_t a = vcvt_f64_f32(vget_low_f32(x)), b = vcvt_high_f64_f32(x);
    q->sum0 = vaddq_f64(q->sum0, a);
    q->sum1 = vaddq_f64(q->sum1, b);
    q->square0 = vfmaq_f64(q->square0, a, a);
    q->square1 = vfmaq_f64(q->square1, b, b);
    q->low = vbslq_f32(vcltq_f32(x, q->low), x, q->low);
    q->high = vbslq_f32(vcgtq_f32(x, q->high), x, q->high);
}

static inline void quarter_store(const struct quarter *q, struct moments *moments, int lane)
{
    float low[4], high[4];
    vst1q_f64(moments->sum + lane, q->sum0);
    vst1q_f64(moments->sum + lane + 2, q->sum1);
    vst1q_f64(moments->square + lane, q->square0);
    vst1q_f64(moments->square + lane + 2, q->square1);
    vst1q_f32(low, q->low);
    vst1q_f32(high, q->high);
    for (int i = 0; i < 4; i++) {
        double *least = &moments->low[lane + i], *most = &moments->high[lane + i];
        *least = (double)low[i] < *least ? (double)low[i] : *least;
        *most = (double)high[i] > *most ? (double)high[i] : *most;
    }
}

static void moments_add32(struct moments *moments, const float *x, size_t count)
{
    struct quarter first = quarter_load(moments, 0), second = quarter_load(moments, 4);
    struct quarter third = quarter_load(moments, 8), last = quarter_load(moments, 12);
    for (size_t row = 0; row < count; row += LANES) {
        quarter_add(&first, vld1q_f32(x + row));
        quarter_add(&second, vld1q_f32(x + row + 4));
        quarter_add(&third, vld1q_f32(x + row + 8));
        quarter_add(&last, vld1q_f32(x + row + 12));
    }
    quarter_store(&first, moments, 0);
    quarter_store(&second, moments, 4);
    quarter_store(&third, moments, 8);
    quarter_store(&last, moments, 12);
}

struct pair64 { /* 2 of the 16 lanes of float64 */
    float64x2_t sum, square, low, high;
};

static inline struct pair64 pair_load(const struct moments *moments, int lane)
{
    return (struct pair64){vld1q_f64(moments->sum + lane), vld1q_f64(moments->square + lane),
                           vld1q_f64(moments->low + lane), vld1q_f64(moments->high + lane)};
}

/* The square is rounded before it is added, as in plain. */
static inline void pair_add(struct pair64 *p, float64x2_t x)
{
    p->sum = vaddq_f64(p->sum, x);
    p->square = vaddq_f64(p->square, vmulq_f64(x, x));
    p->low = vbslq_f64(vcltq_f64(x, p->low), x, p->low);
    p->high = vbslq_f64(vcgtq_f64(x, p->high), x, p->high);
}

static inline void pair_store(const struct pair64 *p, struct moments *moments, int lane)
{
    vst1q_f64(moments->sum + lane, p->sum);
    vst1q_f64(moments->square + lane, p->square);
    vst1q_f64(moments->low + lane, p->low);
    vst1q_f64(moments->high + lane, p->high);
}

/* Half of the lanes at a time: 32 registers do not hold all. */
static void moments_add64(struct moments *moments, const double *x, size_t count)
{
    for (int lane = 0; lane < LANES; lane += LANES / 2) {
        struct pair64 first = pair_load(moments, lane), second = pair_load(moments, lane + 2);
        struct pair64 third = pair_load(moments, lane + 4), last = pair_load(moments, lane + 6);
        for (size_t row = (size_t)lane; row < count; row += LANES) {
            pair_add(&first, vld1q_f64(x + row));
            pair_add(&second, vld1q_f64(x + row + 2));
            pair_add(&third, vld1q_f64(x + row + 4));
            pair_add(&last, vld1q_f64(x + row + 6));
        }
        pair_store(&first, moments, lane);
        pair_store(&second, moments, lane + 2);
        pair_store(&third, moments, lane + 4);
        pair_store(&last, moments, lane + 6);
    }
}

enum { LADDER = 12 }; /* words of weight 8, 16, ...: enough for 2^15 vectors of a span */

struct counter { /* vertical: each of 4 elements counts 32 exponents, one a bit */
    uint32x4_t ones, twos, fours;
    uint32x4_t sum[LADDER], waiting[LADDER];
    uint32_t seen;   /* words of weight 8 that climbed */
    uint32x4_t zero; /* 4 counters */
    int base;        /* exponent of bit 0 */
};

#include "measure/kernel/spans.h"

/* A full adder in each bit: a + b + *sum; returns the carries. */
static inline uint32x4_t add3(uint32x4_t *sum, uint32x4_t a, uint32x4_t b)
{
    uint32x4_t u = veorq_u32(a, b), carry = vbslq_u32(u, *sum, a);
    *sum = veorq_u32(u, *sum);
    return carry;
}

static void climb(struct counter *c, uint32x4_t word)
{
    int level = 0;
    for (uint32_t seen = c->seen++; seen & 1; seen >>= 1, level++)
        word = add3(&c->sum[level], c->waiting[level], word);
    c->waiting[level] = word;
}

/* `down` is minus the place of the stored exponent in `doubled`. The shift reads the low byte of
   its count with its sign: exponents less a base of 0 to 223 are -223 to 255, and of those only 0
   to 31 leave the bit in the word. */
static inline uint32x4_t one_hot(struct counter *c, uint32x4_t doubled, int32x4_t down,
                                 int32x4_t base)
{
    c->zero = vsubq_u32(c->zero, vceqq_u32(doubled, vdupq_n_u32(0)));
    int32x4_t exponent = vreinterpretq_s32_u32(vshlq_u32(doubled, down));
    return vshlq_u32(vdupq_n_u32(1), vsubq_s32(exponent, base));
}

static inline void eight(struct counter *c, const uint32x4_t h[8])
{
    uint32x4_t two0 = add3(&c->ones, h[0], h[1]), two1 = add3(&c->ones, h[2], h[3]);
    uint32x4_t four0 = add3(&c->twos, two0, two1);
    two0 = add3(&c->ones, h[4], h[5]);
    two1 = add3(&c->ones, h[6], h[7]);
    uint32x4_t four1 = add3(&c->twos, two0, two1);
    climb(c, add3(&c->fours, four0, four1));
}

/* Bit `bit` of each element times `weight`, added to the counts; `down` is minus the bit. */
static inline uint32x4_t bit_add(uint32x4_t counts, uint32x4_t word, int32x4_t down,
                                 uint32_t weight)
{
    uint32x4_t set = vandq_u32(vshlq_u32(word, down), vdupq_n_u32(1));
    return vmlaq_u32(counts, set, vdupq_n_u32(weight));
}

static void counter_clear(struct counter *c, int base)
{
    memset(c, 0, sizeof(*c));
    c->base = base;
}

/* What the counter holds, by bit; returns the sum over all bits. A span's counts fit 32 bits. */
static uint64_t counter_read(const struct counter *c, uint64_t bins[32])
{
    uint64_t all = 0;
    for (int bit = 0; bit < 32; bit++) {
        const int32x4_t down = vdupq_n_s32(-bit);
        uint32x4_t here = bit_add(vdupq_n_u32(0), c->ones, down, 1);
        here = bit_add(here, c->twos, down, 2);
        here = bit_add(here, c->fours, down, 4);
        for (int level = 0; c->seen >> level; level++) {
            uint32_t weight = UINT32_C(8) << level;
            here = bit_add(here, c->sum[level], down, weight);
            if (c->seen >> level & 1)
                here = bit_add(here, c->waiting[level], down, weight);
        }
        bins[bit] = vaddvq_u32(here);
        all += bins[bit];
    }
    return all;
}

static uint64_t counter_zeros(const struct counter *c)
{
    return vaddvq_u32(c->zero);
}

struct check { /* the checksum's lanes in registers */
    uint64x2_t a[4], b[4];
};

static struct check check_load(const struct partial *partial)
{
    struct check check;
    for (int i = 0; i < 4; i++) {
        check.a[i] = vld1q_u64(partial->a + 2 * i);
        check.b[i] = vld1q_u64(partial->b + 2 * i);
    }
    return check;
}

static void check_store(const struct check *check, struct partial *partial, size_t stripes)
{
    for (int i = 0; i < 4; i++) {
        vst1q_u64(partial->a + 2 * i, check->a[i]);
        vst1q_u64(partial->b + 2 * i, check->b[i]);
    }
    partial->stripes += stripes;
}

/* Quarter `i` of a stripe; loaded by bytes, for data begin anywhere. */
static inline uint32x4_t check_add(struct check *check, const uint8_t *data, int i)
{
    uint8x16_t word = vld1q_u8(data + 16 * i);
    check->a[i] = vaddq_u64(check->a[i], vreinterpretq_u64_u8(word));
    check->b[i] = vaddq_u64(check->b[i], check->a[i]);
    return vreinterpretq_u32_u8(word);
}

static void check_bytes(struct partial *partial, const uint8_t *data, size_t size)
{
    struct check check = check_load(partial);
    const size_t whole = size - size % 64;
    for (size_t at = 0; at < whole; at += 64)
        for (int i = 0; i < CHECK_LANES / 2; i++)
            check_add(&check, data + at, i);
    check_store(&check, partial, whole / 64);
    checksum_add(partial, data + whole, size - whole);
}

static void count32(struct counter *counter, struct partial *partial, const uint8_t *data,
                    size_t count)
{
    struct counter c = *counter;
    struct check check = check_load(partial);
    const int32x4_t base = vdupq_n_s32(c.base), down = vdupq_n_s32(-24);
    for (size_t i = 0; i < count; i += 32) {
        const uint8_t *stripe = data + 4 * i;
        uint32x4_t h[8];
        for (int k = 0; k < 4; k++)
            h[k] = one_hot(&c, vshlq_n_u32(check_add(&check, stripe, k), 1), down, base);
        for (int k = 0; k < 4; k++)
            h[4 + k] = one_hot(&c, vshlq_n_u32(check_add(&check, stripe + 64, k), 1), down, base);
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
    const int32x4_t base = vdupq_n_s32(c.base), down = vdupq_n_s32(-shift);
    const uint32x4_t upper = vdupq_n_u32(0xfffe0000);
    for (size_t i = 0; i < count; i += 32) {
        uint32x4_t h[8];
        for (int k = 0; k < 4; k++) {
            uint32x4_t x = check_add(&check, data + 2 * i, k);
            h[2 * k] = one_hot(&c, vshlq_n_u32(x, 17), down, base);
            h[2 * k + 1] = one_hot(&c, vandq_u32(vshlq_n_u32(x, 1), upper), down, base);
        }
        eight(&c, h);
    }
    *counter = c;
    check_store(&check, partial, count / 32);
}

static void widen(enum dtype dtype, float *x, const uint8_t *data, size_t count)
{
    size_t whole = count - count % 4;
    for (size_t i = 0; i < whole; i += 4) {
        uint16x4_t bits = vreinterpret_u16_u8(vld1_u8(data + 2 * i));
        float32x4_t wide = dtype == DTYPE_FLOAT16
                               ? vcvt_f32_f16(vreinterpret_f16_u16(bits))
                               : vreinterpretq_f32_u32(vshlq_n_u32(vmovl_u16(bits), 16));
        vst1q_f32(x + i, wide);
    }
    for (size_t i = whole; i < count; i++)
        x[i] = widened(dtype, data + 2 * i);
}

/* Every 64-bit Arm of Linux has it. */
static bool runs_here(void)
{
    return true;
}

const struct kernel kernel_neon = {"neon", runs_here, measure_spans};
