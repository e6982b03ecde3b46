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

struct element { /* a literal where `offset` is 0 */
    uint64_t length, offset;
};

static struct element element_take(struct cursor *cursor)
{
    const uint8_t tag = take_u8(cursor);
    struct element element = {.length = (uint64_t)(tag >> 2) + 1};
    switch (tag & 3) {
    case 0:
        if (element.length > 60)
            element.length = little(cursor, (size_t)element.length - 60) + 1;
        return element;
    case 1:
        element.length = 4 + (tag >> 2 & 7);
        element.offset = (uint64_t)(tag >> 5) << 8 | take_u8(cursor);
        break;
    default:
        element.offset = little(cursor, (tag & 3) == 2 ? 2 : 4);
    }
    if (element.offset == 0)
        cursor->overrun = true; /* a copy of what does not stand there yet */
    return element;
}

bool snappy_unpack(struct span packed, uint8_t *out, size_t size)
{
    uint64_t said;
    size_t done = 0;
    if (!wire_varint(&packed, &said) || said != size)
        return false;
    struct cursor cursor = {.rest = packed};
    while (done < size && cursor.rest.size > 0) {
        struct element element = element_take(&cursor);
        if (cursor.overrun || element.length > size - done || element.offset > done)
            return false;
        struct span bytes = take_bytes(&cursor, element.offset ? 0 : element.length);
        if (cursor.overrun)
            return false;
        if (bytes.size)
            memcpy(out + done, bytes.data, bytes.size);
        /* A copy may overlap itself. */
        for (size_t i = bytes.size; i < element.length; i++)
            out[done + i] = out[done + i - element.offset];
        done += (size_t)element.length;
    }
    return done == size && cursor.rest.size == 0;
}
