/* What the quick forms of matching and reading share: bytes sixteen and thirty-two at a time. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_QUICK_H
#define STALLDOC_READ_LOG_QUICK_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define QUICK 1
#include <immintrin.h>
#define QUICK_CODE __attribute__((target("avx2,bmi,bmi2")))

/* Whether this machine has them. */
static inline bool is_quick(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

static inline __m128i load16(const void *at)
{
    return _mm_loadu_si128((const __m128i *)at);
}

QUICK_CODE static inline __m256i load32(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

/* 0xff for each byte that is a digit. */
QUICK_CODE static inline __m256i digits32(__m256i c)
{
    const __m256i t = _mm256_sub_epi8(c, _mm256_set1_epi8('0'));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(t, _mm256_set1_epi8(9)), t);
}

/* 0xff for each byte that is the image's, or a digit where the image has one (0xff in `digits`). */
QUICK_CODE static inline __m256i image32(const void *at, const void *image, const void *digits)
{
    const __m256i c = load32(at);
    return _mm256_or_si256(_mm256_and_si256(digits32(c), load32(digits)),
                           _mm256_cmpeq_epi8(c, load32(image)));
}

/* Twice eight digits, the first of them in the lowest byte, as two integers in the lower half. */
QUICK_CODE static inline __m128i digits_join(__m128i digits)
{
    const __m128i ten = _mm_set1_epi16(10 | 1 << 8), hundred = _mm_set1_epi32(100 | 1 << 16),
                  myriad = _mm_set1_epi32(10000 | 1 << 16);
    const __m128i fours = _mm_madd_epi16(_mm_maddubs_epi16(digits, ten), hundred);
    return _mm_madd_epi16(_mm_packs_epi32(fours, fours), myriad);
}
#endif

#endif
