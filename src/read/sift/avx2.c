/* The AVX2 tier: a block is two registers. */
/* SPDX-License-Identifier: MIT */
#include "read/sift/lines.h"

#include <immintrin.h>

static inline uint64_t bits(__m256i found)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(found);
}

static inline uint64_t range(__m256i bytes, char first, char count)
{
    const __m256i from = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
    const __m256i last = _mm256_set1_epi8((char)(count - 1));
    return bits(_mm256_cmpeq_epi8(_mm256_min_epu8(from, last), from));
}

static inline uint64_t same(__m256i bytes, char byte)
{
    return bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte)));
}

/* One of up to sixteen bytes, each at the place that its lower half says. */
static inline uint64_t one_of(__m256i bytes, __m128i list)
{
    const __m256i both = _mm256_broadcastsi128_si256(list);
    return bits(_mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(both, bytes)));
}

static inline void classify(const char *text, struct classes *classes)
{
    const __m128i blanks = _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', 0, 0, ',', 0, 0, 0);
    const __m128i signs = _mm_setr_epi8(-1, 0, 0, 0, 0, 0, 0, 0, '(', 0, 0, '[', 0, '-', '.', 0);
    *classes = (struct classes){0};
    for (unsigned at = 0; at < BLOCK; at += 32) {
        const __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)(text + at));
        classes->letters |= range(_mm256_or_si256(c, _mm256_set1_epi8(0x20)), 'a', 26) << at;
        classes->upper |= range(c, 'A', 26) << at;
        classes->digits |= range(c, '0', 10) << at;
        classes->high |= bits(c) << at;
        classes->blanks |= (one_of(c, blanks) | same(c, '|')) << at;
        classes->colons |= same(c, ':') << at;
        classes->signs |= one_of(c, signs) << at;
        classes->ends |= same(c, '\n') << at;
    }
}

static bool runs_here(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

const struct sift_tier sift_avx2 = {"avx2", runs_here, look_at_lines};
