/* CRC-32: folded where the processor has carry-less products, by zlib's tables elsewhere. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/crc32.h"

#include "crc32_fold.h"

#include <zlib.h>

static uint32_t by_table(uint32_t crc, const uint8_t *data, size_t size)
{
    while (size) {
        uInt part = size < (1u << 30) ? (uInt)size : 1u << 30;
        crc = (uint32_t)crc32(crc, data, part);
        data += part;
        size -= part;
    }
    return crc;
}

uint32_t crc32_of(uint32_t crc, const void *data, size_t size)
{
    static const struct crc32_fold *const folds[] = {&crc32_fold512, &crc32_fold128};
    const uint8_t *bytes = data;
    size_t whole = size - size % CRC32_FOLD;
    for (size_t i = 0; whole >= 2 * CRC32_FOLD && i < sizeof(folds) / sizeof(*folds); i++) {
        if (!folds[i]->runs_here())
            continue;
        uint8_t left[CRC32_FOLD];
        folds[i]->fold(~crc, bytes, whole, left);
        crc = by_table(UINT32_MAX, left, sizeof(left)); /* from a register of zeros */
        bytes += whole;
        size -= whole;
        break;
    }
    return by_table(crc, bytes, size);
}

uint32_t crc32_joined(uint32_t a, uint32_t b, uint64_t size)
{
    return (uint32_t)crc32_combine(a, b, (z_off_t)size);
}
