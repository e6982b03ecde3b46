/* Tier against tier: every tier that runs here has the exact bits of the plain definition. */
/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../src/measure/kernel/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 70000 };

static uint64_t random_state;

static uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = random_state;
    return x ^ x >> 29;
}

/* A block that ends at a page that must not be touched. */
static uint8_t *guarded_end(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size / page + 2) * page;
    uint8_t *block =
        mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(block != MAP_FAILED);
    assert_int_equal(mprotect(block + whole, page, PROT_NONE), 0);
    return block + whole;
}

enum filling { WEIGHTS, HALF_ZERO, WIDE, SCATTERED, ANY_BITS, ALL_NAN, SUBNORMAL, ZEROS, FILLINGS };

static double weight(void)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)(random_bits() >> 11) * 0x1p-53 - 0.5;
    return sum * 0.04;
}

static void put(enum dtype dtype, uint8_t *to, double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if (dtype == DTYPE_FLOAT64) {
        memcpy(to, &value, 8);
    } else if (dtype == DTYPE_FLOAT32) {
        memcpy(to, &f, 4);
    } else if (dtype == DTYPE_BFLOAT16) {
        memcpy(to, (uint8_t *)&bits + 2, 2);
    } else { /* float16 by truncation, good enough to fill */
        int e = (int)(bits >> 23 & 255) - 112;
        uint16_t half = (uint16_t)((bits >> 16 & 0x8000) |
                                   (e > 0 && e < 31 ? (uint32_t)e << 10 | (bits >> 13 & 1023) : 0));
        if (!isfinite(value))
            half = (uint16_t)((bits >> 16 & 0x8000) | 0x7c00 | (isnan(value) ? 1 : 0));
        memcpy(to, &half, 2);
    }
}

static bool is_float(enum dtype dtype)
{
    return dtype <= DTYPE_BFLOAT16;
}

static void fill(enum dtype dtype, enum filling filling, uint8_t *data, size_t count)
{
    size_t size = dtype_size(dtype);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = random_bits();
        double value = weight();
        if (filling == ANY_BITS || !is_float(dtype)) {
            uint64_t more[2] = {bits, random_bits()};
            memcpy(data + i * size, more, size);
            continue;
        }
        if (filling == HALF_ZERO && bits & 1)
            value = bits & 2 ? 0.0 : -0.0;
        if (filling == WIDE)
            value = ldexp(value, (int)(bits % 90) - 60);
        if (filling == SCATTERED && bits % 5000 == 0)
            value = bits & 8192 ? (double)NAN : bits & 16384 ? (double)INFINITY : -(double)INFINITY;
        if (filling == ALL_NAN)
            value = (double)NAN;
        if (filling == ZEROS) /* the extremes keep the sign of the first */
            value = bits & 2 ? 0.0 : -0.0;
        if (filling == SUBNORMAL)
            value = ldexp(value, dtype == DTYPE_FLOAT64 ? -1070 : -140);
        put(dtype, data + i * size, value);
    }
}

static void assert_same(const struct partial *a, const struct partial *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->zero, b->zero);
    assert_int_equal(a->nan, b->nan);
    assert_int_equal(a->inf, b->inf);
    assert_int_equal(a->negative_inf, b->negative_inf);
    assert_int_equal(a->subnormal, b->subnormal);
    assert_memory_equal(&a->sum, &b->sum, 8);
    assert_memory_equal(&a->square, &b->square, 8);
    assert_memory_equal(&a->low, &b->low, 8);
    assert_memory_equal(&a->high, &b->high, 8);
    assert_int_equal(a->stripes, b->stripes);
    assert_memory_equal(a->a, b->a, sizeof(a->a));
    assert_memory_equal(a->b, b->b, sizeof(a->b));
    assert_memory_equal(a->exponents, b->exponents, EXPONENT_BINS * 8);
}

static size_t compared[8]; /* pieces, by place of the tier in the table */

static void check(enum dtype dtype, const uint8_t *data, size_t count)
{
    static uint64_t bins[2][EXPONENT_BINS];
    memset(bins, 0, sizeof(bins));
    struct partial plain = {.exponents = bins[0]}, tier = {.exponents = bins[1]};
    kernel_plain.measure(dtype, data, count, &plain);
    for (size_t i = 0; kernels[i] != &kernel_plain; i++) {
        if (!kernels[i]->runs_here())
            continue;
        memset(bins[1], 0, sizeof(bins[1]));
        kernels[i]->measure(dtype, data, count, &tier);
        assert_same(&plain, &tier);
        compared[i]++;
    }
}

/* Every tier that runs here was compared, and says how often. */
static void tell_compared(void)
{
    for (size_t i = 0; kernels[i] != &kernel_plain; i++) {
        assert_true(!kernels[i]->runs_here() || compared[i] > 0);
        print_message("%s: %zu pieces have the bits of plain\n", kernels[i]->name, compared[i]);
        compared[i] = 0;
    }
}

static void tiers_have_the_bits_of_plain(void **unused)
{
    (void)unused;
    static const size_t counts[] = {0,    1,    15,   16,   17,    63,    64,  65,
                                    1000, 4095, 4096, 4097, 12345, 65536, MOST};
    random_state = 42;
    uint8_t *end = guarded_end(MOST * 16);
    for (enum dtype dtype = 0; dtype < DTYPE_OPAQUE; dtype++)
        for (enum filling filling = 0; filling < FILLINGS; filling++) {
            if (!is_float(dtype) && filling != ANY_BITS)
                continue;
            uint8_t *data = end - MOST * dtype_size(dtype);
            fill(dtype, filling, data, MOST);
            for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
                check(dtype, end - counts[i] * dtype_size(dtype), counts[i]);
        }
    tell_compared();
}

static void tiers_have_the_bits_of_plain_from_any_byte(void **unused)
{
    (void)unused;
    static const enum filling fillings[] = {WEIGHTS, WIDE, SCATTERED, ANY_BITS};
    random_state = 43;
    enum { COUNT = 4099 };
    uint8_t *end = guarded_end(COUNT * 16 + 64);
    for (enum dtype dtype = 0; dtype < DTYPE_OPAQUE; dtype++)
        for (size_t k = is_float(dtype) ? 0 : 3; k < 4; k++)
            for (size_t odd = 1; odd < 64; odd = 2 * odd + 1) {
                uint8_t *data = end - COUNT * dtype_size(dtype) - odd;
                fill(dtype, fillings[k], data, COUNT);
                check(dtype, data, COUNT);
            }
    tell_compared();
}

/* The first values choose the window of exponents; each other exponent then lies inside or out. */
static void tiers_have_the_bits_of_plain_at_every_distance_of_two_exponents(void **unused)
{
    (void)unused;
    static uint32_t words[128];
    static uint16_t halves[128];
    for (uint32_t first = 0; first < 256; first += 15)
        for (uint32_t other = 0; other < 256; other++) {
            for (size_t i = 0; i < 128; i++) {
                words[i] = (i < 64 ? first : other) << 23 | 1 | (uint32_t)(i & 1) << 31;
                halves[i] = (uint16_t)(words[i] >> 16);
            }
            check(DTYPE_FLOAT32, (const uint8_t *)words, 128);
            check(DTYPE_BFLOAT16, (const uint8_t *)halves, 128);
            check(DTYPE_FLOAT16, (const uint8_t *)halves, 128);
        }
    tell_compared();
}

static void counts_what_a_reader_would_count(void **unused)
{
    (void)unused;
    static uint64_t bins[EXPONENT_BINS];
    const float data[] = {1.0f, -2.0f, 0.0f, -0.0f, NAN, INFINITY, -INFINITY, 1e-40f, 0.5f};
    struct partial p = {.exponents = bins};
    memset(bins, 0, sizeof(bins));
    kernel_plain.measure(DTYPE_FLOAT32, data, 9, &p);
    assert_int_equal(p.zero, 2);
    assert_int_equal(p.nan, 1);
    assert_int_equal(p.inf, 2);
    assert_int_equal(p.negative_inf, 1);
    assert_int_equal(p.subnormal, 1);
    assert_true(p.low == -2 && p.high == 1);
    assert_true(p.square == 1 + 4 + 0.25 + (double)1e-40f * (double)1e-40f);
    assert_int_equal(bins[127], 1);
    assert_int_equal(bins[128], 1);
    assert_int_equal(bins[0], 1);
}

static void counts_float64_block_by_block(void **unused)
{
    (void)unused;
    static uint64_t bins[EXPONENT_BINS];
    static double data[5000];
    struct partial p = {.exponents = bins};
    memset(bins, 0, sizeof(bins));
    for (size_t i = 0; i < 5000; i++)
        data[i] = i % 2 ? 3 : -3;
    data[1500] = data[1501] = 0; /* zeros and a subnormal value in the second block of 1,024 */
    data[1502] = -0.0;
    data[1503] = 0x1p-1060;
    data[3100] = (double)NAN; /* the fourth block is taken again, masked */
    data[3101] = -(double)INFINITY;
    data[4999] = 0; /* behind the last four */
    kernel_plain.measure(DTYPE_FLOAT64, data, 5000, &p);
    assert_int_equal(p.zero, 4);
    assert_int_equal(p.subnormal, 1);
    assert_int_equal(p.nan, 1);
    assert_int_equal(p.negative_inf, 1);
    assert_int_equal(bins[0], 1);
    assert_int_equal(bins[1024], 5000 - 7);
    assert_true(p.square == 9.0 * (5000 - 7) && p.low == -3 && p.high == 3);
}

static void reads_float16_and_float8_as_they_are_defined(void **unused)
{
    (void)unused;
    assert_true(value_half(0x3c00) == 1 && value_half(0x7bff) == 65504);
    assert_true(value_half(0x0001) == ldexp(1, -24) && isinf(value_half(0xfc00)));
    assert_true(value_e4m3(0x7e, false) == 448 && isnan(value_e4m3(0x7f, false)));
    assert_true(value_e4m3(0x01, false) == ldexp(1, -9));
    assert_true(value_e5m2(0x7b, false) == 57344 && isinf(value_e5m2(0x7c, false)));
    assert_true(value_e4m3(0x7f, true) == 240 && isnan(value_e4m3(0x80, true)));
}

static void pieces_fold_to_the_checksum_of_the_whole(void **unused)
{
    (void)unused;
    static float data[4096];
    random_state = 7;
    fill(DTYPE_FLOAT32, WEIGHTS, (uint8_t *)data, 4096);
    struct partial whole = {0}, first = {0}, second = {0};
    kernel_plain.measure(DTYPE_FLOAT32, data, 4096, &whole);
    kernel_plain.measure(DTYPE_FLOAT32, data, 1024, &first);
    kernel_plain.measure(DTYPE_FLOAT32, data + 1024, 3072, &second);
    partial_fold(&first, &second);
    assert_memory_equal(first.a, whole.a, sizeof(whole.a));
    assert_memory_equal(first.b, whole.b, sizeof(whole.b));
    assert_true(first.low == whole.low && first.high == whole.high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers_have_the_bits_of_plain),
        cmocka_unit_test(tiers_have_the_bits_of_plain_from_any_byte),
        cmocka_unit_test(tiers_have_the_bits_of_plain_at_every_distance_of_two_exponents),
        cmocka_unit_test(counts_what_a_reader_would_count),
        cmocka_unit_test(counts_float64_block_by_block),
        cmocka_unit_test(reads_float16_and_float8_as_they_are_defined),
        cmocka_unit_test(pieces_fold_to_the_checksum_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
