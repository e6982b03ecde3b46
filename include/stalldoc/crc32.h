/* CRC-32 as zip archives have it (polynomial 0xEDB88320 reflected), at the speed of memory. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CRC32_H
#define STALLDOC_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Start with 0; pieces may follow one another. */
uint32_t crc32_of(uint32_t crc, const void *data, size_t size);
/* The sum of A followed by B, which has `size` bytes, from the sums of both. */
uint32_t crc32_joined(uint32_t a, uint32_t b, uint64_t size);

#endif
