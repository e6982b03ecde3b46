/* What every x86-64 has: a block is four registers. */
/* SPDX-License-Identifier: MIT */
#include "read/sift/lines.h"

#include <emmintrin.h>

static inline uint64_t bits(__m128i found)
{
    return (uint64_t)(uint32_t)_mm_movemask_epi8(found);
}

static inline uint64_t range(__m128i bytes, char first, char count)
{
    const __m128i from = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    const __m128i last = _mm_set1_epi8((char)(count - 1));
    return bits(_mm_cmpeq_epi8(_mm_min_epu8(from, last), from));
}

static inline uint64_t same(__m128i bytes, char byte)
{
    return bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}

static inline void classify(const char *text, struct classes *classes)
{
    *classes = (struct classes){0};
    for (unsigned at = 0; at < BLOCK; at += 16) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(text + at));
        classes->letters |= range(_mm_or_si128(c, _mm_set1_epi8(0x20)), 'a', 26) << at;
        classes->upper |= range(c, 'A', 26) << at;
        classes->digits |= range(c, '0', 10) << at;
        classes->high |= bits(c) << at;
        classes->blanks |= (same(c, ' ') | same(c, '\t') | same(c, ',') | same(c, '|')) << at;
        classes->colons |= same(c, ':') << at;
        classes->signs |= (same(c, '-') | same(c, '.') | same(c, '(') | same(c, '[')) << at;
        classes->ends |= same(c, '\n') << at;
    }
}

static bool runs_here(void)
{
    return true;
}

const struct sift_tier sift_sse2 = {"sse2", runs_here, look_at_lines};
