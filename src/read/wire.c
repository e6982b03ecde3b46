/* The protobuf wire. A varint has at most 10 bytes, field 0 and groups are malformed here. */
/* SPDX-License-Identifier: MIT */
#include "read/wire.h"

/* Pointers, not spans: a span that is copied as a whole waits for its two halves to be written,
   which took half of the time of an event file. */
const uint8_t *wire_varint_long(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
    uint64_t result = 0;
    for (unsigned shift = 0; at < end && shift < 70; shift += 7) {
        uint8_t byte = *at++;
        result |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *value = result;
            return at;
        }
    }
    return NULL;
}

static const uint8_t *fixed_take(const uint8_t *at, const uint8_t *end, size_t size,
                                 uint64_t *value)
{
    if ((size_t)(end - at) < size)
        return NULL;
    *value = size == 8 ? wire_load64(at) : wire_load32(at);
    return at + size;
}

static bool move_to(struct span *rest, const uint8_t *at)
{
    if (!at)
        return false;
    rest->size -= (size_t)(at - rest->data);
    rest->data = at;
    return true;
}

bool wire_varint(struct span *rest, uint64_t *value)
{
    return rest->size > 0 &&
           move_to(rest, wire_varint_at(rest->data, rest->data + rest->size, value));
}

bool wire_next(struct span *rest, struct field *field)
{
    if (rest->size == 0)
        return false;
    const uint8_t *end = rest->data + rest->size;
    uint64_t tag = 0, size = 0;
    const uint8_t *at = wire_varint_at(rest->data, end, &tag);
    if (!at || tag >> 3 == 0 || tag >> 3 > 536870911)
        return false;
    field->number = (uint32_t)(tag >> 3);
    field->wire = (enum wire)(tag & 7);
    field->integer = 0;
    field->bytes.data = NULL;
    field->bytes.size = 0;
    switch (field->wire) {
    case WIRE_VARINT:
        return move_to(rest, wire_varint_at(at, end, &field->integer));
    case WIRE_FIXED64:
        return move_to(rest, fixed_take(at, end, 8, &field->integer));
    case WIRE_FIXED32:
        return move_to(rest, fixed_take(at, end, 4, &field->integer));
    case WIRE_BYTES:
        at = wire_varint_at(at, end, &size);
        if (!at || size > (size_t)(end - at))
            return false;
        field->bytes.data = at;
        field->bytes.size = (size_t)size;
        return move_to(rest, at + size);
    }
    return false;
}

bool wire_repeated(struct span *packed, enum wire wire, uint64_t *value)
{
    if (packed->size == 0)
        return false;
    if (wire == WIRE_VARINT)
        return wire_varint(packed, value);
    return move_to(packed, fixed_take(packed->data, packed->data + packed->size,
                                      wire == WIRE_FIXED64 ? 8 : 4, value));
}

struct text wire_text(struct span bytes)
{
    return (struct text){(const char *)bytes.data, bytes.size};
}
