/* CRC-32C by the instruction of SSE4.2 or of ARMv8's CRC extension. */
/* SPDX-License-Identifier: MIT */
#include "read/crc32c.h"

#include <string.h>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#define HAS_FAST 1
#define STEP64(crc, word) ((uint32_t)_mm_crc32_u64(crc, word))
#define STEP8(crc, byte) _mm_crc32_u8(crc, byte)
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define HAS_FAST 1
#define STEP64(crc, word) __crc32cd(crc, word)
#define STEP8(crc, byte) __crc32cb(crc, byte)
#else
#define HAS_FAST 0
#endif

bool crc32c_fast_runs_here(void)
{
#if defined(__SSE4_2__)
    return __builtin_cpu_supports("sse4.2");
#else
    return HAS_FAST;
#endif
}

uint32_t crc32c_fast(uint32_t crc, const uint8_t *data, size_t size)
{
#if HAS_FAST
    uint32_t c = ~crc;
    for (; size >= 8; data += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        c = STEP64(c, word);
    }
    for (; size; data++, size--)
        c = STEP8(c, *data);
    return ~c;
#else
    return crc32c_plain(crc, data, size);
#endif
}
