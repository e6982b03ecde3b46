/* CRC-32C (Castagnoli), by the CPU's instruction where it has one. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_CRC32C_H
#define READ_CRC32C_H

#include "stalldoc/span.h"

/* Start with 0; pieces may follow one another. */
uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t size);
uint32_t crc32c_masked(uint32_t crc); /* as TFRecord and TensorFlow's tables store it */
/* The definition, byte by byte through eight tables; for machines without the instruction. */
uint32_t crc32c_plain(uint32_t crc, const uint8_t *data, size_t size);
/* The instruction; only where crc32c_fast_runs_here(). */
uint32_t crc32c_fast(uint32_t crc, const uint8_t *data, size_t size);
bool crc32c_fast_runs_here(void);

#endif
