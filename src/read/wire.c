/* The protobuf wire. A varint has at most 10 bytes, field 0 and groups are malformed here. */
/* SPDX-License-Identifier: MIT */
#include "read/wire.h"

#include <string.h>

bool wire_varint(struct span *rest, uint64_t *value)
{
    uint64_t result = 0;
    for (size_t i = 0; i < rest->size && i < 10; i++) {
        uint8_t byte = rest->data[i];
        result |= (uint64_t)(byte & 127) << (7 * i);
        if (byte < 128) {
            rest->data += i + 1;
            rest->size -= i + 1;
            *value = result;
            return true;
        }
    }
    return false;
}

static bool fixed(struct span *rest, size_t size, uint64_t *value)
{
    if (rest->size < size)
        return false;
    *value = 0;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)rest->data[i] << (8 * i);
    rest->data += size;
    rest->size -= size;
    return true;
}

static bool field_take(struct span *rest, struct field *field)
{
    uint64_t tag, size;
    if (!wire_varint(rest, &tag) || tag >> 3 == 0 || tag >> 3 > 536870911)
        return false;
    *field = (struct field){.number = (uint32_t)(tag >> 3), .wire = (enum wire)(tag & 7)};
    switch (field->wire) {
    case WIRE_VARINT:
        return wire_varint(rest, &field->integer);
    case WIRE_FIXED64:
        return fixed(rest, 8, &field->integer);
    case WIRE_FIXED32:
        return fixed(rest, 4, &field->integer);
    case WIRE_BYTES:
        if (!wire_varint(rest, &size) || size > rest->size)
            return false;
        field->bytes = (struct span){rest->data, (size_t)size};
        rest->data += size;
        rest->size -= (size_t)size;
        return true;
    }
    return false;
}

bool wire_next(struct span *rest, struct field *field)
{
    struct span after = *rest;
    if (rest->size == 0 || !field_take(&after, field))
        return false;
    *rest = after;
    return true;
}

bool wire_repeated(struct span *packed, enum wire wire, uint64_t *value)
{
    if (packed->size == 0)
        return false;
    if (wire == WIRE_VARINT)
        return wire_varint(packed, value);
    return fixed(packed, wire == WIRE_FIXED64 ? 8 : 4, value);
}

double wire_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

double wire_float(uint64_t bits)
{
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof(value));
    return (double)value;
}

struct text wire_text(struct span bytes)
{
    return (struct text){(const char *)bytes.data, bytes.size};
}
