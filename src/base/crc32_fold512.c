/* Four registers of 512 bits: one step moves 256 bytes. */
/* SPDX-License-Identifier: MIT */
#include "crc32_fold.h"

#if defined(__VPCLMULQDQ__) && defined(__AVX512F__)
#include <immintrin.h>

static bool runs_here(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
}

static void fold(uint32_t state, const uint8_t *data, size_t size, uint8_t left[CRC32_FOLD])
{
    /* By 2,048 bits. */
    const __m512i by = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1322d1430, 0x11542778a));
    __m512i x[4];
    for (size_t i = 0; i < 4; i++)
        x[i] = _mm512_loadu_si512(data + 64 * i);
    x[0] = _mm512_xor_si512(x[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)state)));
    for (size_t at = CRC32_FOLD; at < size; at += CRC32_FOLD)
        for (size_t i = 0; i < 4; i++) {
            __m512i low = _mm512_clmulepi64_epi128(x[i], by, 0x00);
            __m512i high = _mm512_clmulepi64_epi128(x[i], by, 0x11);
            x[i] =
                _mm512_ternarylogic_epi64(low, high, _mm512_loadu_si512(data + at + 64 * i), 0x96);
        }
    for (size_t i = 0; i < 4; i++)
        _mm512_storeu_si512(left + 64 * i, x[i]);
}
#else
static bool runs_here(void)
{
    return false;
}

#define fold NULL
#endif

const struct crc32_fold crc32_fold512 = {runs_here, fold};
