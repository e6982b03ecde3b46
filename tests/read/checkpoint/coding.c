/* Element types that are decoded to one that is measured. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/coding.h"
#include "read/checkpoint/sample.h"

enum { SAMPLE_BLOCK = 32, SAMPLE_SUPER = 256 };

static double found[SAMPLE_SUPER];

/* Values of `bytes` behind three others, from `first` on. */
static void decode(const struct coded_type *type, const void *bytes, size_t size, size_t first,
                   size_t count)
{
    struct input *input;
    struct error error;
    uint8_t file[256];
    size_t coded = 0;
    memcpy(file + 3, bytes, size);
    assert_true(input_memory((struct span){file, size + 3}, "a", 1, &input, &error));
    struct tensor_view view = {.name = TEXT("w"), .dtype = DTYPE_OPAQUE, .rank = 1};
    view.input = input;
    view.offset = 3;
    view.size = size;
    view.shape[0] = (int64_t)(size / type->coding.stored * type->elements);
    view.stride[0] = 1;
    assert_true(view_decode(type, &coded, &view, &error));
    assert_int_equal(coded, 1);
    assert_int_equal(view.dtype, type->dtype);
    assert_int_equal(view.size, (uint64_t)view.shape[0] * dtype_size(view.dtype));
    assert_true(tensor_values(&view, first, count, found, &error));
    view.size = size + 1; /* one byte more than there is still is whole groups only */
    view.input = input;
    view.offset = 3;
    assert_int_equal(view_decode(type, &coded, &view, &error), type->coding.stored > 1);
    input_close(input);
}

static void powers_of_two_and_what_is_none(void **unused)
{
    (void)unused;
    decode(&coded_e8m0, "\x00\x01\x7f\x80\xfe\xff", 6, 0, 6);
    assert_true(found[0] == ldexp(1, -127) && found[1] == ldexp(1, -126));
    assert_true(found[2] == 1 && found[3] == 2 && found[4] == ldexp(1, 127));
    assert_true(isnan(found[5]));
}

static void two_values_in_a_byte(void **unused)
{
    (void)unused;
    static const double wanted[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -6};
    decode(&coded_e2m1, "\x10\x32\x54\x76\x98\xfa", 6, 0, 12);
    for (size_t i = 0; i < 12; i++)
        assert_true(found[i] == wanted[i]);
    decode(&coded_e2m1, "\x10\x32\x54\x76\x98\xfa", 6, 3, 2); /* from the middle of a byte */
    assert_true(found[0] == 1.5 && found[1] == 2);
}

/* 3 + 4i, the largest and the least magnitude, no number. */
static void half_complex_numbers(void **unused)
{
    (void)unused;
    decode(&coded_complex32, "\x00\x42\x00\x44\xff\x7b\x00\x00\x01\x80\x00\x00\x00\x7e\x00\x00", 16,
           0, 4);
    assert_true(found[0] == 5 && found[1] == 65504 && found[2] == ldexp(1, -24));
    assert_true(isnan(found[3]));
}

/* Two blocks of scale 0.5 and 2 (and offset 1): all codes in turn. */
static void blocks_of_quantised_values(void **unused)
{
    (void)unused;
    static const struct {
        const struct coded_type *type;
        int bits, zero; /* of a code; the code that stands for 0 */
        bool offset;
    } kinds[] = {{&coded_q8_0, 8, 0, false},
                 {&coded_q4_0, 4, 8, false},
                 {&coded_q4_1, 4, 0, true},
                 {&coded_q5_0, 5, 16, false},
                 {&coded_q5_1, 5, 0, true}};
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        uint8_t bytes[80] = {0};
        const size_t size = kinds[k].type->coding.stored;
        for (size_t block = 0; block < 2; block++) {
            uint8_t *at = bytes + block * size;
            memcpy(at, block ? "\x00\x40" : "\x00\x38", 2);
            at += 2;
            if (kinds[k].offset) {
                memcpy(at, "\x00\x3c", 2);
                at += 2;
            }
            uint8_t *high = at;
            at += kinds[k].bits == 5 ? 4 : 0;
            for (unsigned i = 0; i < SAMPLE_BLOCK; i++) {
                const unsigned code = (i + 5 * (unsigned)block) % 32;
                if (kinds[k].bits == 8)
                    at[i] = (uint8_t)(code - 16);
                else
                    at[i % 16] |= (uint8_t)((code & 15) << (i / 16 * 4));
                if (kinds[k].bits == 5)
                    high[i / 8] |= (uint8_t)((code >> 4) << (i % 8));
            }
        }
        decode(kinds[k].type, bytes, 2 * size, 1, 2 * SAMPLE_BLOCK - 1);
        for (int i = 1; i < 2 * SAMPLE_BLOCK; i++) {
            const int block = i / SAMPLE_BLOCK, code = (i % SAMPLE_BLOCK + 5 * block) % 32;
            const int value =
                kinds[k].bits == 8 ? code - 16 : code % (1 << kinds[k].bits) - kinds[k].zero;
            assert_true(found[i - 1] == (block ? 2 : 0.5) * value + kinds[k].offset);
        }
    }
}

/* Scale 1, offset 1; scales and offsets of parts 0 to 3 in bytes of their own, those of part 4 put
   together from three bytes. All low halves are 3, all high ones 10. */
static void parts_have_scales_of_their_own(void **unused)
{
    (void)unused;
    static const double scales[] = {1, 2, 3, 4, 21, 1, 0, 0}, least[] = {0, 1, 2, 3, 18, 1, 0, 0};
    for (int fifth = 0; fifth < 2; fifth++) {
        uint8_t block[176] = {0x00, 0x3c, 0x00, 0x3c, 0x41, 2, 3, 4, 0x40, 1, 2, 3, 0x25, 0x11};
        memset(block + 16 + 32 * fifth, 0xa3, 128);
        if (fifth)
            block[16] = 0xff; /* of the first value of every part */
        const struct coded_type *type = fifth ? &coded_q5_k : &coded_q4_k;
        decode(type, block, type->coding.stored, 0, SAMPLE_SUPER);
        for (int i = 0; i < SAMPLE_SUPER; i++) {
            const int part = i / SAMPLE_BLOCK;
            const int code = (part % 2 ? 10 : 3) + (fifth && i % SAMPLE_BLOCK == 0 ? 16 : 0);
            assert_true(found[i] == scales[part] * code - least[part]);
        }
    }
}

static void six_bits_in_two_places(void **unused)
{
    (void)unused;
    static const struct {
        int at;
        double value;
    } wanted[] = {{0, 0.5 * 1 * (1 - 32)},
                  {32, 0.5 * 2 * (3 + 16 - 32)},
                  {64, 0.5 * -1 * (2 + 32 - 32)},
                  {96, 0.5 * 3 * (4 + 48 - 32)},
                  {1, 0.5 * 1 * -32},
                  {145, 0.5 * 7 * (15 - 32)}};
    uint8_t block[210] = {0x21};
    block[32] = 0x43;
    block[64 + 17] = 0x0f; /* of the second half */
    block[128] = 0xe4;
    block[192] = 1;
    block[192 + 2] = 2;
    block[192 + 4] = 0xff;
    block[192 + 6] = 3;
    block[192 + 9] = 7;
    memcpy(block + 208, "\x00\x38", 2);
    decode(&coded_q6_k, block, sizeof(block), 0, SAMPLE_SUPER);
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        assert_true(found[wanted[i].at] == wanted[i].value);
}

/* Scale 0.5, offset 2; one value of each place that a byte serves. */
static void two_and_three_bits(void **unused)
{
    (void)unused;
    uint8_t two[84] = {0x21, 0, 0x43};
    two[9] = 0x05;  /* of values 144 to 159 */
    two[16] = 0xe4; /* 0, 1, 2, 3 of values 0, 32, 64, 96 */
    two[16 + 33] = 0x04;
    memcpy(two + 80, "\x00\x38\x00\x40", 4);
    decode(&coded_q2_k, two, sizeof(two), 0, SAMPLE_SUPER);
    assert_true(found[0] == 0.5 * 0 - 2 * 2);
    assert_true(found[32] == 0.5 * 3 * 1 - 2 * 4);
    assert_true(found[64] == 0 && found[16] == 0);
    assert_true(found[128 + 33] == 0); /* of a part whose scale is 0 */
    two[8 + 2] = 0x06;
    decode(&coded_q2_k, two, sizeof(two), 0, SAMPLE_SUPER);
    assert_true(found[128 + 33] == 0.5 * 6 * 1);
    uint8_t three[110] = {0x02}; /* the third bit of value 32 */
    three[32] = 0xe4;
    memset(three + 104, 0xaa, 4); /* the high bits of every scale: 2, that is 0 */
    three[96] = 0x31;             /* 1 of the first part, 3 of the ninth */
    three[98] = 0x02;
    three[106] = 0xa9; /* 1 for the high bits of the third */
    memcpy(three + 108, "\x00\x38", 2);
    decode(&coded_q3_k, three, sizeof(three), 0, SAMPLE_SUPER);
    assert_true(found[0] == 0.5 * 1 * -4);
    assert_true(found[32] == 0.5 * (2 + 16 - 32) * 1);
    assert_true(found[33] == 0.5 * (2 + 16 - 32) * -4);
    assert_true(found[128] == 0.5 * 3 * -4);
    assert_true(found[16] == 0);
}

static void four_bits_that_are_unevenly_spread(void **unused)
{
    (void)unused;
    uint8_t block[18] = {0x00, 0x38, 0xf0};
    decode(&coded_iq4_nl, block, sizeof(block), 0, SAMPLE_BLOCK);
    assert_true(found[0] == 0.5 * -127 && found[16] == 0.5 * 113 && found[1] == 0.5 * -127);
    uint8_t parts[136] = {0x00, 0x38, 0xaa, 0x6a, 0x10, 0, 0, 0x30};
    parts[8 + 16] = 0x87;     /* of the second part, whose scale is 1 */
    parts[8 + 16 * 7] = 0x9f; /* of the last: 3 + 16 - 32 */
    decode(&coded_iq4_xs, parts, sizeof(parts), 0, SAMPLE_SUPER);
    assert_true(found[0] == 0);
    assert_true(found[32] == 0.5 * -10 && found[48] == 0.5 * 1);
    assert_true(found[224] == 0.5 * -13 * 113 && found[240] == 0.5 * -13 * 13);
}

static void many_are_named_only(void **unused)
{
    (void)unused;
    struct input *input;
    struct error error;
    size_t coded = 16383;
    assert_true(input_memory((struct span){(const uint8_t *)"\x7f", 1}, "a", 1, &input, &error));
    for (int i = 0; i < 2; i++) {
        struct tensor_view view = {.dtype = DTYPE_OPAQUE, .input = input, .size = 1};
        assert_true(view_decode(&coded_e8m0, &coded, &view, &error));
        assert_int_equal(view.dtype, i ? DTYPE_OPAQUE : DTYPE_FLOAT32);
    }
    input_close(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_and_what_is_none),
        cmocka_unit_test(two_values_in_a_byte),
        cmocka_unit_test(half_complex_numbers),
        cmocka_unit_test(blocks_of_quantised_values),
        cmocka_unit_test(parts_have_scales_of_their_own),
        cmocka_unit_test(six_bits_in_two_places),
        cmocka_unit_test(two_and_three_bits),
        cmocka_unit_test(four_bits_that_are_unevenly_spread),
        cmocka_unit_test(many_are_named_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
