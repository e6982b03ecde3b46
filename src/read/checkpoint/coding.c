/* Decoding of element types that no kernel measures: scales of microscaling formats, half complex
   numbers, quantised blocks of GGUF: of 32 values with a float16 scale and some with an offset, or
   of 256 in parts that have scales of their own. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/coding.h"

#include <string.h>

enum { CODED_MOST = 16384, BLOCK = 32, SUPER = 256, NIBBLES = 2 + BLOCK / 2 };

static void bits_put(uint8_t *out, size_t index, uint32_t bits)
{
    memcpy(out + 4 * index, &bits, sizeof(bits));
}

static void float_put(uint8_t *out, size_t index, float value)
{
    memcpy(out + 4 * index, &value, sizeof(value));
}

static uint32_t half_bits(const uint8_t *bytes)
{
    const uint32_t half = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    const uint32_t sign = half >> 15 << 31, exponent = half >> 10 & 31;
    uint32_t mantissa = half & 1023, shift = 0;
    if (exponent == 31)
        return sign | 0x7f800000 | mantissa << 13;
    if (exponent > 0)
        return sign | (exponent + 112) << 23 | mantissa << 13;
    if (mantissa == 0)
        return sign;
    while ((mantissa & 1024) == 0) {
        mantissa <<= 1;
        shift++;
    }
    return sign | (113 - shift) << 23 | (mantissa & 1023) << 13;
}

static float half_float(const uint8_t *bytes)
{
    const uint32_t bits = half_bits(bytes);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* 2^(b - 127); 255 is no number, and the least is subnormal as a float32. */
static void decode_e8m0(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                        size_t groups)
{
    (void)coding;
    for (size_t i = 0; i < groups; i++)
        bits_put(values, i,
                 stored[i] == 255 ? 0x7fc00000
                 : stored[i] == 0 ? 0x00400000
                                  : (uint32_t)stored[i] << 23);
}

static void decode_e2m1(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                        size_t groups)
{
    (void)coding;
    static const float magnitudes[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
    for (size_t i = 0; i < 2 * groups; i++) {
        const uint8_t code = stored[i / 2] >> (i % 2 * 4) & 15;
        float_put(values, i, code & 8 ? -magnitudes[code & 7] : magnitudes[code & 7]);
    }
}

static void decode_halves(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                          size_t groups)
{
    (void)coding;
    for (size_t i = 0; i < 2 * groups; i++)
        bits_put(values, i, half_bits(stored + 2 * i));
}

static void decode_q8_0(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                        size_t groups)
{
    (void)coding;
    for (size_t g = 0; g < groups; g++, stored += 2 + BLOCK, values += 4 * BLOCK) {
        const float scale = half_float(stored);
        for (size_t i = 0; i < BLOCK; i++)
            float_put(values, i, scale * (float)(int8_t)stored[2 + i]);
    }
}

/* Values of 4 or 5 bits: the low halves of 16 bytes are the first 16, the high ones the others; a
   fifth bit of each stands in four bytes before them. Without an offset they lie around 0. The size
   of a block says what it has beside the halves. */
static void decode_nibbles(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                           size_t groups)
{
    const size_t more = coding->stored - NIBBLES;
    const bool offset = more & 2, fifth = more & 4;
    const int middle = offset ? 0 : fifth ? 16 : 8;
    for (size_t g = 0; g < groups; g++, stored += coding->stored, values += 4 * BLOCK) {
        const float scale = half_float(stored), least = offset ? half_float(stored + 2) : 0;
        const uint8_t *halves = stored + 2 + more, *bits = halves - 4;
        for (size_t i = 0; i < BLOCK; i++) {
            int code = halves[i % 16] >> (i / 16 * 4) & 15;
            if (fifth)
                code |= (bits[i / 8] >> (i % 8) & 1) << 4;
            float_put(values, i, scale * (float)(code - middle) + least);
        }
    }
}

/* Codes of 4 bits that are unevenly spread: denser around 0. */
static const int8_t uneven[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                1,    13,   25,  38,  53,  69,  89,  113};

static void decode_iq4_nl(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                          size_t groups)
{
    for (size_t g = 0; g < groups; g++, stored += coding->stored, values += 4 * BLOCK) {
        const float scale = half_float(stored);
        for (size_t i = 0; i < BLOCK; i++)
            float_put(values, i, scale * (float)uneven[stored[2 + i % 16] >> (i / 16 * 4) & 15]);
    }
}

/* The same in blocks of 256: a scale of 6 bits for each 32, its high ones in two bytes behind the
   float16 scale, its low ones in four more. */
static void decode_iq4_xs(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                          size_t groups)
{
    for (size_t g = 0; g < groups; g++, stored += coding->stored, values += 4 * SUPER) {
        const float scale = half_float(stored);
        const unsigned high = stored[2] | (unsigned)stored[3] << 8;
        for (size_t i = 0; i < SUPER; i++) {
            const size_t part = i / BLOCK;
            const unsigned low = stored[4 + part / 2] >> (part % 2 * 4) & 15u;
            const float own = (float)(low | (high >> (2 * part) & 3) << 4) - 32;
            const unsigned code = stored[8 + 16 * part + i % 16] >> (i % BLOCK / 16 * 4) & 15u;
            float_put(values, i, scale * own * (float)uneven[code]);
        }
    }
}

/* Scale and offset of a part of 32 values, 6 bits each: of the first four parts in a byte each, of
   the others the low bits in four more, the high ones over those of the first. */
static void part_scales(const uint8_t *packed, size_t part, float *scale, float *least)
{
    if (part < 4) {
        *scale = (float)(packed[part] & 63);
        *least = (float)(packed[part + 4] & 63);
    } else {
        *scale = (float)((packed[part + 4] & 15) | packed[part - 4] >> 6 << 4);
        *least = (float)(packed[part + 4] >> 4 | packed[part] >> 6 << 4);
    }
}

/* A scale and an offset of float16, 12 bytes of them for the parts, a fifth bit of each value in 32
   bytes or none, 4 bits of each in 128: the low halves of 32 bytes are a part, the high ones the
   next. */
static void decode_parts(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                         size_t groups)
{
    const size_t fifths = coding->stored - 16 - SUPER / 2;
    for (size_t g = 0; g < groups; g++, stored += coding->stored, values += 4 * SUPER) {
        const float scale = half_float(stored), least = half_float(stored + 2);
        const uint8_t *bits = stored + 16, *halves = bits + fifths;
        for (size_t i = 0; i < SUPER; i++) {
            const size_t part = i / BLOCK;
            float part_scale, part_least;
            part_scales(stored + 4, part, &part_scale, &part_least);
            unsigned code = halves[part / 2 * BLOCK + i % BLOCK] >> (part % 2 * 4) & 15u;
            if (fifths > 0)
                code |= (bits[i % BLOCK] >> part & 1u) << 4;
            float_put(values, i, scale * part_scale * (float)code - least * part_least);
        }
    }
}

/* Codes of 2 bits in 64 bytes: of 128 values each byte serves four that are 32 apart. */
static unsigned quarter_code(const uint8_t *quarters, size_t i)
{
    return quarters[i / 128 * BLOCK + i % BLOCK] >> (i / BLOCK % 4 * 2) & 3u;
}

/* Scale and offset of 16 values each in a byte's halves, the codes, a float16 scale of both. */
static void decode_q2_k(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                        size_t groups)
{
    for (size_t g = 0; g < groups; g++, stored += coding->stored, values += 4 * SUPER) {
        const float scale = half_float(stored + 80), least = half_float(stored + 82);
        for (size_t i = 0; i < SUPER; i++) {
            const float own = scale * (float)(stored[i / 16] & 15);
            const float offset = least * (float)(stored[i / 16] >> 4);
            float_put(values, i, own * (float)quarter_code(stored + 16, i) - offset);
        }
    }
}

/* The third bits in 32 bytes, which say that 4 is not taken off; the codes; 16 scales of 6 bits in
   12 bytes, the low ones in halves, the high ones in quarters; a float16 scale of all. */
static void decode_q3_k(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                        size_t groups)
{
    for (size_t g = 0; g < groups; g++, stored += coding->stored, values += 4 * SUPER) {
        const float scale = half_float(stored + 108);
        const uint8_t *scales = stored + 96;
        for (size_t i = 0; i < SUPER; i++) {
            const size_t part = i / 16;
            const unsigned low = scales[part % 8] >> (part / 8 * 4) & 15u;
            const unsigned high = scales[8 + part % 4] >> (part / 4 * 2) & 3u;
            const float own = (float)(low | high << 4) - 32;
            const bool third = stored[i % BLOCK] >> (i / BLOCK) & 1;
            const float code = (float)quarter_code(stored + BLOCK, i) - (third ? 0 : 4);
            float_put(values, i, scale * own * code);
        }
    }
}

/* The low 4 bits in 128 bytes, the high 2 in 64, scales of 16 values each in 16, a float16 scale of
   all. Of 128 values the first 64 are low halves, and each byte of high bits serves four of them
   that are 32 apart. */
static void decode_q6_k(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                        size_t groups)
{
    (void)coding;
    for (size_t g = 0; g < groups; g++, stored += 210, values += 4 * SUPER) {
        const float scale = half_float(stored + 208);
        for (size_t i = 0; i < SUPER; i++) {
            const size_t half = i / 128, quarter = i / 32 % 4, at = i % 32;
            const unsigned low =
                stored[64 * half + quarter % 2 * 32 + at] >> (quarter / 2 * 4) & 15u;
            const unsigned high = stored[128 + 32 * half + at] >> (2 * quarter) & 3u;
            const float own = (float)(int8_t)stored[192 + i / 16];
            float_put(values, i, scale * own * ((float)(low | high << 4) - 32));
        }
    }
}

const struct coded_type coded_e8m0 = {DTYPE_FLOAT32, 1, {1, 4, decode_e8m0}};
const struct coded_type coded_e2m1 = {DTYPE_FLOAT32, 2, {1, 8, decode_e2m1}};
const struct coded_type coded_complex32 = {DTYPE_COMPLEX64, 1, {4, 8, decode_halves}};
const struct coded_type coded_q8_0 = {DTYPE_FLOAT32, BLOCK, {34, 4 * BLOCK, decode_q8_0}};
const struct coded_type coded_q4_0 = {DTYPE_FLOAT32, BLOCK, {18, 4 * BLOCK, decode_nibbles}};
const struct coded_type coded_q4_1 = {DTYPE_FLOAT32, BLOCK, {20, 4 * BLOCK, decode_nibbles}};
const struct coded_type coded_q5_0 = {DTYPE_FLOAT32, BLOCK, {22, 4 * BLOCK, decode_nibbles}};
const struct coded_type coded_q5_1 = {DTYPE_FLOAT32, BLOCK, {24, 4 * BLOCK, decode_nibbles}};
const struct coded_type coded_iq4_nl = {DTYPE_FLOAT32, BLOCK, {18, 4 * BLOCK, decode_iq4_nl}};
const struct coded_type coded_iq4_xs = {DTYPE_FLOAT32, SUPER, {136, 4 * SUPER, decode_iq4_xs}};
const struct coded_type coded_q2_k = {DTYPE_FLOAT32, SUPER, {84, 4 * SUPER, decode_q2_k}};
const struct coded_type coded_q3_k = {DTYPE_FLOAT32, SUPER, {110, 4 * SUPER, decode_q3_k}};
const struct coded_type coded_q4_k = {DTYPE_FLOAT32, SUPER, {144, 4 * SUPER, decode_parts}};
const struct coded_type coded_q5_k = {DTYPE_FLOAT32, SUPER, {176, 4 * SUPER, decode_parts}};
const struct coded_type coded_q6_k = {DTYPE_FLOAT32, SUPER, {210, 4 * SUPER, decode_q6_k}};

bool view_decode(const struct coded_type *type, size_t *count, struct tensor_view *view,
                 struct error *error)
{
    const uint64_t groups = view->size / type->coding.stored;
    if (++*count > CODED_MOST)
        return true;
    struct input *decoded = input_coded(view->input, view->offset, groups, &type->coding, error);
    if (!decoded)
        return false;
    view->dtype = type->dtype;
    view->input = decoded;
    view->offset = 0;
    view->size = groups * type->coding.values;
    return true;
}
