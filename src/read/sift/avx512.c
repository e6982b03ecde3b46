/* The AVX-512 tier: a block is one register, each class a comparison. */
/* SPDX-License-Identifier: MIT */
#include "read/sift/lines.h"

#include <immintrin.h>

static inline uint64_t range(__m512i bytes, char first, char count)
{
    const __m512i from = _mm512_sub_epi8(bytes, _mm512_set1_epi8(first));
    return _mm512_cmplt_epu8_mask(from, _mm512_set1_epi8(count));
}

static inline uint64_t same(__m512i bytes, char byte)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte));
}

/* One of sixteen bytes, each at the place of its lower half. */
static inline uint64_t one_of(__m512i bytes, __m128i list)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(list), bytes));
}

static inline void classify(const char *text, struct classes *classes)
{
    const __m512i c = _mm512_loadu_si512(text);
    const __m128i blanks = _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', 0, 0, ',', 0, 0, 0);
    const __m128i signs = _mm_setr_epi8(-1, 0, 0, 0, 0, 0, 0, 0, '(', 0, 0, '[', 0, '-', '.', 0);
    *classes = (struct classes){
        .letters = range(_mm512_or_si512(c, _mm512_set1_epi8(0x20)), 'a', 26),
        .upper = range(c, 'A', 26),
        .digits = range(c, '0', 10),
        .high = _mm512_movepi8_mask(c),
        .blanks = one_of(c, blanks) | same(c, '|'),
        .colons = same(c, ':'),
        .signs = one_of(c, signs),
        .ends = same(c, '\n'),
    };
}

static bool runs_here(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

const struct sift_tier sift_avx512 = {"avx512", runs_here, look_at_lines};
