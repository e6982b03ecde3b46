/* Runs of digits as integers, eight bytes at a time. The bytes before them have to be readable. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_DIGITS_H
#define STALLDOC_READ_LOG_DIGITS_H

#include <stdint.h>
#include <string.h>

enum { DIGITS_MAX = 19 }; /* of a 64-bit integer */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The last `count` of the eight bytes that end at `end`; count 1 to 8. */
static inline uint64_t digits_eight(const char *end, unsigned count)
{
    uint64_t v;
    memcpy(&v, end - 8, 8);
    v ^= UINT64_C(0x3030303030303030);
    v = v >> (64 - 8 * count) << (64 - 8 * count);
    v = v * 10 + (v >> 8);
    return ((v & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            (v >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
           32;
}
#else
static inline uint64_t digits_eight(const char *end, unsigned count)
{
    uint64_t v = 0;
    for (const char *c = end - count; c < end; c++)
        v = v * 10 + (uint64_t)(*c - '0');
    return v;
}
#endif

/* `count` digits that end at `end`, at most DIGITS_MAX. */
static inline uint64_t digits_value(const char *end, unsigned count)
{
    if (count == 0)
        return 0;
    if (count <= 8)
        return digits_eight(end, count);
    uint64_t low = digits_eight(end, 8);
    if (count <= 16)
        return digits_eight(end - 8, count - 8) * 100000000 + low;
    return digits_eight(end - 16, count - 16) * UINT64_C(10000000000000000) +
           digits_eight(end - 8, 8) * 100000000 + low;
}

/* How many of the bytes from `at` on are digits; at most `most`. */
static inline unsigned digits_count(const char *at, unsigned most)
{
    unsigned count = 0;
    while (count < most && (unsigned char)(at[count] - '0') < 10)
        count++;
    return count;
}

#endif
