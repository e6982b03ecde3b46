/* Caffe models (caffe.proto): a NetParameter as a bare protobuf message.

   NetParameter      name 1, V1 layers 2, .., layer 100
   LayerParameter    name 1, type 2, blobs 7
   V1LayerParameter  name 4, blobs 6, layer (V0) 1 {name 1, blobs 50}
   BlobProto         num 1, channels 2, height 3, width 4, data 5 (float), diff 6, shape 7 {dim 1},
                     double_data 8, double_diff 9

   Blob i of a layer is the tensor `<layer>.<i>`: 0 weights, 1 bias. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pieces.h"
#include "read/checkpoint/proto.h"

#include <string.h>

enum { TENSORS_MAX = 1000000, NAME_MOST = 4096, OLD_DIMS = 4 };

static bool is_name(struct span bytes)
{
    for (size_t i = 0; i < bytes.size; i++)
        if (bytes.data[i] < 0x20 || bytes.data[i] == 0x7f)
            return false;
    return bytes.size > 0;
}

/* A layer begins with its name, or (V1) with the layers below it or a layer of the oldest form. */
static bool is_layer(struct span rest, bool first)
{
    struct field field;
    uint64_t size;
    if (!wire_varint(&rest, &size))
        return false;
    return wire_next(&rest, &field) && field.wire == WIRE_BYTES &&
           (first ? field.number == 1 : field.number <= 4) &&
           (is_name(field.bytes) || (!first && field.number == 1));
}

static int probe(struct span head, struct text file_name)
{
    const int name = text_ends(file_name, ".caffemodel") ? 60 : 0;
    struct span rest = head;
    struct field field;
    while (rest.size) {
        uint64_t tag;
        struct span at = rest;
        if (!wire_varint(&at, &tag))
            return name;
        if (tag == (100 << 3 | WIRE_BYTES) || tag == (2 << 3 | WIRE_BYTES))
            return is_layer(at, tag >> 3 == 100) ? 94 : name;
        if (!wire_next(&rest, &field) || field.number > 8 ||
            (field.number == 1 && (field.wire != WIRE_BYTES || !is_name(field.bytes))))
            return name;
    }
    return name;
}

struct net {
    const struct reading *reading;
    uint64_t tensors;
    struct error damage;
};

struct blob {
    struct tensor_view view;
    uint64_t old[OLD_DIMS];
    bool has_old, has_shape, sound;
    struct proto_field data; /* the only one; number 0: none */
    bool single;             /* values that are not packed, or in several parts */
};

static bool shape_take(const struct proto *outer, const struct proto_field *field,
                       struct blob *blob, struct error *error)
{
    struct proto proto = proto_inside(outer, field);
    struct proto_field part;
    blob->has_shape = true;
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            return true;
        if (part.number == 1 && !proto_dims(&proto, &part, &blob->view, &blob->sound, error))
            return false;
    }
}

static bool blob_field(const struct proto *proto, const struct proto_field *field,
                       struct blob *blob, struct error *error)
{
    const bool bytes = field->wire == WIRE_BYTES;
    if (field->number >= 1 && field->number <= OLD_DIMS && field->wire == WIRE_VARINT) {
        blob->old[field->number - 1] = field->integer;
        blob->has_old = true;
    } else if (field->number == 5 || field->number == 8) {
        blob->single = blob->single || !bytes || blob->data.number;
        blob->data = *field;
    } else if (field->number == 7 && bytes) {
        return shape_take(proto, field, blob, error);
    }
    return true;
}

static void shape_settle(struct blob *blob)
{
    struct tensor_view *view = &blob->view;
    if (blob->has_shape || !blob->has_old)
        return;
    for (int i = 0; i < OLD_DIMS; i++) {
        blob->sound = blob->sound && blob->old[i] <= INT64_MAX;
        view->shape[i] = (int64_t)blob->old[i];
    }
    view->rank = OLD_DIMS;
}

static void damage(struct net *net, bool cut, uint64_t at, struct text name)
{
    if (net->damage.kind == ERROR_NONE)
        error_set(&net->damage, cut ? ERROR_TRUNCATED : ERROR_MALFORMED,
                  input_place(net->reading->input, at), "%s: %.*s",
                  cut ? "the file ends inside a blob" : "not as many values as its shape has",
                  (int)(name.size < 100 ? name.size : 100), name.data);
}

static bool blob_put(struct net *net, const struct proto *outer, const struct proto_field *field,
                     struct text name, struct error *error)
{
    const struct reading *reading = net->reading;
    struct proto proto = proto_inside(outer, field);
    struct proto_field part;
    struct blob blob = {.sound = true, .view = {.name = name, .input = reading->input}};
    uint64_t bytes = 0;
    if (++net->tensors > TENSORS_MAX)
        return error_set(error, ERROR_LIMIT, input_place(reading->input, field->offset),
                         "more than 1,000,000 tensors");
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            break;
        if (!blob_field(&proto, &part, &blob, error))
            return false;
    }
    shape_settle(&blob);
    blob.view.dtype = blob.data.number == 8 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    bool there = blob.sound && view_pack(&blob.view, &bytes) && !blob.single &&
                 blob.data.size == bytes && !blob.data.open;
    blob.view.offset = blob.data.offset;
    blob.view.size = bytes;
    blob.view.absent = !there;
    if (!there)
        damage(net, proto.cut, field->offset, name);
    return reading->sink->tensor(reading->sink, &blob.view, error);
}

struct layer_form { /* of its message: which fields hold what; inner 0: none */
    uint32_t name, blobs, inner;
};
static const struct layer_form form_layer = {1, 7, 0}, form_v1 = {4, 6, 1}, form_v0 = {1, 50, 0};

/* The name may stand behind the blobs: it is looked for first. */
static bool layer_name(struct net *net, struct proto proto, const struct layer_form *form,
                       struct text *name, struct error *error)
{
    struct proto_field part;
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            return true;
        if (part.number == form->name && part.wire == WIRE_BYTES &&
            !proto_text(&proto, &part, NAME_MOST, net->reading->scratch, name, error))
            return false;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): the oldest form holds none, so once at most */
static bool layer_read(struct net *net, const struct proto *outer, const struct proto_field *field,
                       const struct layer_form *form, struct error *error)
{
    struct proto proto = proto_inside(outer, field);
    struct proto_field part;
    struct text name = {0};
    uint64_t nth = 0;
    if (!layer_name(net, proto, form, &name, error))
        return false;
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            return true;
        if (part.wire != WIRE_BYTES)
            continue;
        if (form->inner && part.number == form->inner) {
            if (!layer_read(net, &proto, &part, &form_v0, error))
                return false;
        } else if (part.number == form->blobs) {
            struct text whole = arena_print(net->reading->scratch, "%.*s.%llu", (int)name.size,
                                            name.size ? name.data : "", (unsigned long long)nth++);
            if (!whole.data)
                return error_set(error, ERROR_MEMORY, input_place(outer->input, part.offset),
                                 "no memory for a name");
            if (!blob_put(net, &proto, &part, whole, error))
                return false;
        }
    }
}

static bool read_caffe(const struct reading *reading, struct error *error)
{
    struct net net = {.reading = reading};
    struct proto_field field;
    if (!reading_seekable(reading, error))
        return false;
    struct proto proto = proto_whole(reading->input);
    for (;;) {
        if (!proto_next(&proto, &field, error))
            return false;
        if (field.number == 0)
            break;
        if (field.wire != WIRE_BYTES || (field.number != 2 && field.number != 100))
            continue;
        if (!layer_read(&net, &proto, &field, field.number == 2 ? &form_v1 : &form_layer, error))
            return false;
    }
    if (net.damage.kind == ERROR_NONE && proto.cut)
        error_set(&net.damage, ERROR_TRUNCATED,
                  input_place(reading->input, input_size(reading->input)),
                  "the file ends inside a layer");
    if (net.damage.kind == ERROR_NONE)
        return true;
    *error = net.damage;
    return false;
}

const struct format format_caffemodel = {
    .name = "caffemodel",
    .about = "Caffe model (.caffemodel)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_caffe,
};
