/* Protobuf messages of any size: values stay in the file, only places are taken. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/proto.h"

#include <string.h>

enum {
    TAG_MOST = 20,    /* a tag and the length or value behind it */
    CHUNK = 64 << 10, /* of packed varints */
    VARINT_MOST = 10,
    DIMS_MOST = TENSOR_RANK_MAX * VARINT_MOST,
};

struct proto proto_whole(struct input *input)
{
    return (struct proto){.input = input, .end = input_size(input), .open = true};
}

struct proto proto_inside(const struct proto *proto, const struct proto_field *field)
{
    return (struct proto){
        .input = proto->input,
        .at = field->offset,
        .end = field->offset + field->size,
        .open = field->open,
    };
}

static bool broken(const struct proto *proto, uint64_t at, struct error *error)
{
    return error_set(error, ERROR_MALFORMED, input_place(proto->input, at),
                     "the message is damaged");
}

static bool head_take(struct span *rest, struct proto_field *field)
{
    uint64_t tag;
    if (!wire_varint(rest, &tag))
        return false;
    *field = (struct proto_field){
        .number = tag >> 3 <= 536870911 ? (uint32_t)(tag >> 3) : 0,
        .wire = (enum wire)(tag & 7),
    };
    switch (field->wire) {
    case WIRE_VARINT:
        return wire_varint(rest, &field->integer);
    case WIRE_BYTES:
        return wire_varint(rest, &field->size);
    case WIRE_FIXED64:
        return wire_repeated(rest, WIRE_FIXED64, &field->integer);
    case WIRE_FIXED32:
        return wire_repeated(rest, WIRE_FIXED32, &field->integer);
    }
    field->number = 0;
    return true;
}

bool proto_next(struct proto *proto, struct proto_field *field, struct error *error)
{
    struct span window;
    *field = (struct proto_field){0};
    uint64_t left = proto->end - proto->at;
    if (left == 0)
        return true;
    const size_t part = left < TAG_MOST ? (size_t)left : TAG_MOST;
    if (!input_window(proto->input, proto->at, part, &window, error))
        return false;
    if (!head_take(&window, field)) {
        /* Ten bytes that go on are no varint; fewer, and the file may have ended inside one. */
        if (!proto->open || part == TAG_MOST)
            return broken(proto, proto->at, error);
        *field = (struct proto_field){0};
        proto->at = proto->end;
        proto->cut = true;
        return true;
    }
    if (field->number == 0)
        return broken(proto, proto->at, error);
    proto->at += part - window.size;
    if (field->wire != WIRE_BYTES)
        return true;
    left = proto->end - proto->at;
    field->offset = proto->at;
    field->open = proto->open && field->size > left;
    if (field->size > left && !proto->open)
        return broken(proto, proto->at, error);
    proto->cut = proto->cut || field->open;
    field->size = field->size < left ? field->size : left;
    proto->at += field->size;
    return true;
}

bool proto_text(const struct proto *proto, const struct proto_field *field, size_t most,
                struct arena *arena, struct text *text, struct error *error)
{
    const size_t size = field->size < most ? (size_t)field->size : most;
    char *bytes = arena_take(arena, size + 1, 1);
    if (!bytes)
        return error_set(error, ERROR_MEMORY, input_place(proto->input, field->offset),
                         "no memory for a name");
    *text = (struct text){bytes, size};
    return input_pread(proto->input, field->offset, size, bytes, error);
}

static void dim_add(struct tensor_view *view, uint64_t dim, bool *sound)
{
    if (view->rank == TENSOR_RANK_MAX || dim > INT64_MAX)
        *sound = false;
    else
        view->shape[view->rank++] = (int64_t)dim;
}

bool proto_dims(const struct proto *proto, const struct proto_field *field,
                struct tensor_view *view, bool *sound, struct error *error)
{
    struct span window;
    uint64_t dim;
    if (field->wire == WIRE_VARINT) {
        dim_add(view, field->integer, sound);
        return true;
    }
    if (field->wire != WIRE_BYTES || field->size > DIMS_MOST) {
        *sound = false;
        return true;
    }
    if (!input_window(proto->input, field->offset, (size_t)field->size, &window, error))
        return false;
    while (window.size) {
        if (!wire_varint(&window, &dim))
            return field->open || broken(proto, field->offset, error);
        dim_add(view, dim, sound);
    }
    return true;
}

bool proto_varints(const struct proto *proto, const struct proto_field *field, size_t width,
                   uint64_t most, struct arena *arena, struct span *values, uint64_t *count,
                   struct error *error)
{
    const uint64_t room = most < field->size ? most : field->size;
    uint8_t *out = arena_take(arena, (size_t)room + 1, width);
    uint64_t done = 0;
    *count = 0;
    if (!out)
        return error_set(error, ERROR_MEMORY, input_place(proto->input, field->offset),
                         "no memory for the values of a tensor");
    while (done < field->size && *count < room) {
        struct span window;
        const uint64_t left = field->size - done;
        const size_t part = left < CHUNK ? (size_t)left : CHUNK;
        if (!input_window(proto->input, field->offset + done, part, &window, error))
            return false;
        while (*count < room && (window.size >= VARINT_MOST || part == left) && window.size) {
            uint64_t value;
            if (!wire_varint(&window, &value)) {
                if (!field->open)
                    return broken(proto, field->offset + done + part - window.size, error);
                window.size = 0;
                done = field->size - part;
                break;
            }
            for (size_t i = 0; i < width; i++)
                out[*count * width + i] = (uint8_t)(value >> (8 * i));
            ++*count;
        }
        done += part - window.size;
    }
    *values = (struct span){out, (size_t)*count * width};
    return true;
}
