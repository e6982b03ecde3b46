/* Ordered codes (tensorflow/core/lib/strings/ordered_code.h): they sort as what they stand for.

   00, name (00 as 00 FF, FF as FF 00), 00 01
   rank: a count of bytes, then so many, the highest first
   for each dimension start and length: as many bytes as there are bits equal to the sign at the
   front, less one; 7 bits of value in a single byte, 6 more for each further one */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tf_key.h"

#include <string.h>

static bool name_take(struct cursor *cursor, struct arena *arena, struct text *name)
{
    char *out = arena_take(arena, cursor->rest.size + 1, 1);
    size_t size = 0;
    if (!out)
        return false;
    while (!cursor->overrun) {
        uint8_t byte = take_u8(cursor);
        if (byte == 0 || byte == 0xff) {
            const uint8_t next = take_u8(cursor);
            if (byte == 0 && next == 1) {
                *name = (struct text){out, size};
                return !cursor->overrun;
            }
            if (next != (byte == 0 ? 0xff : 0))
                return false;
        }
        out[size++] = (char)byte;
    }
    return false;
}

static uint64_t unsigned_take(struct cursor *cursor)
{
    uint8_t count = take_u8(cursor);
    uint64_t value = 0;
    if (count > 8)
        cursor->overrun = true;
    for (; count > 0 && !cursor->overrun; count--)
        value = value << 8 | take_u8(cursor);
    return value;
}

static int64_t signed_take(struct cursor *cursor)
{
    const uint8_t first = cursor->rest.size ? cursor->rest.data[0] : 0;
    const uint8_t flip = first & 0x80 ? 0 : 0xff; /* negative ones have all bits turned */
    size_t count = 0;
    for (uint8_t bits = first ^ flip; bits & 0x80; bits = (uint8_t)(bits << 1))
        count++;
    /* Eight ones: the count goes on in the next byte, of which at most two bits are ones. */
    if (count == 8 && cursor->rest.size > 1)
        for (uint8_t bits = cursor->rest.data[1] ^ flip; bits & 0x80; bits = (uint8_t)(bits << 1))
            count++;
    if (count == 0 || count > 10) {
        cursor->overrun = true;
        return 0;
    }
    uint64_t value = 0;
    const size_t marks = count; /* bits of the head that only count */
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = take_u8(cursor) ^ flip;
        const size_t taken = marks > 8 * i ? marks - 8 * i : 0;
        byte = taken >= 8 ? 0 : (uint8_t)(byte & (0xff >> taken));
        value = value << 8 | byte;
    }
    return flip ? (int64_t)~value : (int64_t)value;
}

bool tf_key_parse(struct text key, struct arena *arena, struct tf_key *parsed)
{
    struct cursor cursor = {.rest = {(const uint8_t *)key.data, key.size}};
    *parsed = (struct tf_key){0};
    if (take_u8(&cursor) != 0 || !name_take(&cursor, arena, &parsed->name))
        return false;
    const uint64_t rank = unsigned_take(&cursor);
    if (cursor.overrun || rank > TENSOR_RANK_MAX)
        return false;
    parsed->rank = (uint8_t)rank;
    parsed->start = arena_take(arena, rank + 1, sizeof(*parsed->start));
    parsed->length = arena_take(arena, rank + 1, sizeof(*parsed->length));
    if (!parsed->start || !parsed->length)
        return false;
    for (uint64_t i = 0; i < rank; i++) {
        parsed->start[i] = signed_take(&cursor);
        parsed->length[i] = signed_take(&cursor);
    }
    return !cursor.overrun && cursor.rest.size == 0;
}

bool tf_key_box(const struct tf_key *key, const int64_t *shape)
{
    for (int i = 0; i < key->rank; i++) {
        if (key->length[i] < 0)
            key->length[i] = shape[i];
        if (key->start[i] < 0 || key->start[i] > shape[i] ||
            key->length[i] > shape[i] - key->start[i])
            return false;
    }
    return true;
}
