/* Snappy blocks: a varint of the unpacked length, then literals and copies.

   tag & 3   0  literal of (tag >> 2) + 1 bytes; 60 to 63: 1 to 4 bytes of length follow
             1  copy of 4 + (tag >> 2 & 7) bytes, offset (tag >> 5) << 8 | next byte
             2  copy of (tag >> 2) + 1 bytes, offset in 2 bytes      3  the same in 4 bytes */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/table.h"
#include "read/wire.h"

#include <string.h>

bool snappy_size(struct span packed, uint64_t *size)
{
    return wire_varint(&packed, size) && *size <= UINT32_MAX;
}

static uint64_t little(struct cursor *cursor, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)take_u8(cursor) << (8 * i);
    return value;
}

bool snappy_unpack(struct span packed, uint8_t *out, size_t size)
{
    uint64_t said;
    size_t done = 0;
    if (!wire_varint(&packed, &said) || said != size)
        return false;
    struct cursor cursor = {.rest = packed};
    while (done < size && cursor.rest.size > 0) {
        const uint8_t tag = take_u8(&cursor);
        const unsigned kind = tag & 3;
        uint64_t length = (uint64_t)(tag >> 2) + 1, offset = 0;
        if (kind == 0 && length > 60)
            length = little(&cursor, (size_t)length - 60) + 1;
        if (kind == 1) {
            length = 4 + (tag >> 2 & 7);
            offset = (uint64_t)(tag >> 5) << 8 | take_u8(&cursor);
        } else if (kind > 1) {
            offset = little(&cursor, kind == 2 ? 2 : 4);
        }
        if (cursor.overrun || length > size - done || (kind != 0 && (offset == 0 || offset > done)))
            return false;
        if (kind == 0) {
            struct span bytes = take_bytes(&cursor, length);
            if (cursor.overrun)
                return false;
            memcpy(out + done, bytes.data, (size_t)length);
            done += (size_t)length;
            continue;
        }
        for (; length; length--, done++) /* a copy may overlap itself */
            out[done] = out[done - offset];
    }
    return done == size && cursor.rest.size == 0;
}
