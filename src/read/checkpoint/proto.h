/* Protobuf messages in an input, walked field by field without holding them in memory. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_PROTO_H
#define READ_PROTO_H

#include "read/wire.h"

#include "stalldoc/format.h"

struct proto { /* a message, or what is left of it */
    struct input *input;
    uint64_t at, end; /* bytes of the input */
    bool open;        /* it reaches to where the file ends: what runs over that was cut off */
    bool cut;         /* and something did */
};

struct proto_field {
    uint32_t number; /* 0: the message's end */
    enum wire wire;
    uint64_t integer;      /* of varint and fixed wires, as stored */
    uint64_t offset, size; /* of WIRE_BYTES, in the input; clipped where the file was cut */
    bool open;             /* clipped */
};

struct proto proto_whole(struct input *input);
/* The message in a field of WIRE_BYTES. */
struct proto proto_inside(const struct proto *proto, const struct proto_field *field);
/* False: the bytes are no message. */
bool proto_next(struct proto *proto, struct proto_field *field, struct error *error);
/* The field's first bytes as text, at most `most`, in the arena. */
bool proto_text(const struct proto *proto, const struct proto_field *field, size_t most,
                struct arena *arena, struct text *text, struct error *error);
/* Adds the dimensions of a repeated varint field, packed or single. Unsound: too many, too large.
 */
bool proto_dims(const struct proto *proto, const struct proto_field *field,
                struct tensor_view *view, bool *sound, struct error *error);
/* The low `width` bytes (little-endian) of each varint of a packed field; *count of them, at most
   `most`. Memory is taken for no more than the field can hold. */
bool proto_varints(const struct proto *proto, const struct proto_field *field, size_t width,
                   uint64_t most, struct arena *arena, struct span *values, uint64_t *count,
                   struct error *error);

#endif
