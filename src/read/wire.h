/* The protobuf wire: fields of one message, bounds-checked. Shared by all readers of protobuf. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_WIRE_H
#define READ_WIRE_H

#include "stalldoc/span.h"

#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct field {
    uint32_t number;
    enum wire wire;
    uint64_t integer; /* of varint and fixed wires, as stored */
    struct span bytes;
};

/* The next field of the message in `rest`, which moves behind it. False at the end and on
   malformed bytes: then `rest` is not empty. */
bool wire_next(struct span *rest, struct field *field);
bool wire_varint(struct span *rest, uint64_t *value);
/* The varint at `at`; returns what is behind it, NULL where it is cut or too long. */
const uint8_t *wire_varint_long(const uint8_t *at, const uint8_t *end, uint64_t *value);

static inline const uint8_t *wire_varint_at(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
    if (at < end && *at < 128) { /* nearly all */
        *value = *at;
        return at + 1;
    }
    return wire_varint_long(at, end, value);
}

/* Numbers as stored, little-endian; written so that each is one load. */
static inline uint64_t wire_load32(const uint8_t *d)
{
    return (uint32_t)d[0] | (uint32_t)d[1] << 8 | (uint32_t)d[2] << 16 | (uint32_t)d[3] << 24;
}

static inline uint64_t wire_load64(const uint8_t *d)
{
    return wire_load32(d) | wire_load32(d + 4) << 32;
}

/* Numbers of a repeated field, packed or single. `wire` is that of one element. */
bool wire_repeated(struct span *packed, enum wire wire, uint64_t *value);
static inline double wire_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline double wire_float(uint64_t bits)
{
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof(value));
    return (double)value;
}
struct text wire_text(struct span bytes);

#endif
