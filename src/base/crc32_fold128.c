/* Sixteen words of 128 bits, four at a time in registers: one step moves 64 bytes. */
/* SPDX-License-Identifier: MIT */
#include "crc32_fold.h"

#if defined(__PCLMUL__)
#include <immintrin.h>

static bool runs_here(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("pclmul");
}

static __m128i load(const uint8_t *data)
{
    return _mm_loadu_si128((const __m128i *)(const void *)data);
}

static void fold(uint32_t state, const uint8_t *data, size_t size, uint8_t left[CRC32_FOLD])
{
    /* By 512 bits. */
    const __m128i by = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
    __m128i x[4];
    for (size_t i = 0; i < 4; i++)
        x[i] = load(data + 16 * i);
    x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)state));
    for (size_t at = 64; at < size; at += 64)
        for (size_t i = 0; i < 4; i++) {
            __m128i low = _mm_clmulepi64_si128(x[i], by, 0x00);
            __m128i high = _mm_clmulepi64_si128(x[i], by, 0x11);
            x[i] = _mm_xor_si128(_mm_xor_si128(low, high), load(data + at + 16 * i));
        }
    for (size_t i = 0; i < CRC32_FOLD; i++)
        left[i] = 0;
    for (size_t i = 0; i < 4; i++)
        _mm_storeu_si128((__m128i *)(void *)(left + CRC32_FOLD - 64 + 16 * i), x[i]);
}
#else
static bool runs_here(void)
{
    return false;
}

#define fold NULL
#endif

const struct crc32_fold crc32_fold128 = {runs_here, fold};
