/* The protobuf wire: fields of one message, bounds-checked. Shared by all readers of protobuf. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_WIRE_H
#define READ_WIRE_H

#include "stalldoc/span.h"

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
/* Numbers of a repeated field, packed or single. `wire` is that of one element. */
bool wire_repeated(struct span *packed, enum wire wire, uint64_t *value);
double wire_double(uint64_t bits);
double wire_float(uint64_t bits);
struct text wire_text(struct span bytes);

#endif
