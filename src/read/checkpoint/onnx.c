/* ONNX models (onnx.proto): a bare protobuf message.

   ModelProto   ir_version 1, producer_name 2 .. doc_string 6, graph 7, opset_import 8,
                metadata_props 14, training_info 20, functions 25
   GraphProto   node 1, name 2, initializer 5, .., sparse_initializer 15 {values 1}
   TensorProto  dims 1, data_type 2, float_data 4, int32_data 5, string_data 6, int64_data 7, name
   8, raw_data 9, double_data 10, uint64_data 11, external_data 13 {key 1, value 2}, data_location
   14 (1: external)

   Values stand in raw_data (little-endian), in a list of numbers by type (narrow types as bit
   patterns in int32_data), or in a file of the same folder. Constants inside nodes are no weights.
 */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pieces.h"
#include "read/checkpoint/proto.h"

#include "stalldoc/number.h"

#include <inttypes.h>

enum {
    TENSORS_MAX = 1000000,
    NAME_MOST = 4096,
    EXTERNAL_MOST = 16,
    IR_MOST = 100,
};

/* What a ModelProto may hold, up to the end of the head; its graph has to be there. */
static int probe(struct span head, struct text file_name)
{
    const int name = text_ends(file_name, ".onnx") ? 60 : 0;
    struct span rest = head;
    struct field field;
    bool version = false;
    while (rest.size) {
        uint64_t tag, size;
        struct span at = rest;
        if (!wire_varint(&at, &tag))
            return name;
        if (tag == (7 << 3 | WIRE_BYTES) && wire_varint(&at, &size) && version)
            return at.size == 0 || ((at.data[0] & 7) == WIRE_BYTES && at.data[0] >> 3 <= 15) ? 96
                                                                                             : name;
        if (!wire_next(&rest, &field))
            return name;
        if (field.number == 1 && field.wire == WIRE_VARINT)
            version = field.integer > 0 && field.integer < IR_MOST;
        else if (field.number == 5
                     ? field.wire != WIRE_VARINT
                     : field.wire != WIRE_BYTES || (field.number > 8 && field.number != 14 &&
                                                    field.number != 20 && field.number != 25))
            return name;
    }
    return name;
}

struct type {
    enum dtype dtype;
    const char *type; /* of DTYPE_OPAQUE */
    uint8_t list;     /* field of its values where they are no raw bytes; 0: not read */
};

static const struct type types[] = {
    [0] = {DTYPE_OPAQUE, NULL, 0},
    [1] = {DTYPE_FLOAT32, NULL, 4},
    [2] = {DTYPE_UINT8, NULL, 5},
    [3] = {DTYPE_INT8, NULL, 5},
    [4] = {DTYPE_UINT16, NULL, 5},
    [5] = {DTYPE_INT16, NULL, 5},
    [6] = {DTYPE_INT32, NULL, 5},
    [7] = {DTYPE_INT64, NULL, 7},
    [8] = {DTYPE_OPAQUE, "string", 0},
    [9] = {DTYPE_BOOL, NULL, 5},
    [10] = {DTYPE_FLOAT16, NULL, 5},
    [11] = {DTYPE_FLOAT64, NULL, 10},
    [12] = {DTYPE_UINT32, NULL, 11},
    [13] = {DTYPE_UINT64, NULL, 11},
    [14] = {DTYPE_COMPLEX64, NULL, 4},
    [15] = {DTYPE_COMPLEX128, NULL, 10},
    [16] = {DTYPE_BFLOAT16, NULL, 5},
    [17] = {DTYPE_FLOAT8_E4M3FN, NULL, 5},
    [18] = {DTYPE_FLOAT8_E4M3FNUZ, NULL, 5},
    [19] = {DTYPE_FLOAT8_E5M2, NULL, 5},
    [20] = {DTYPE_FLOAT8_E5M2FNUZ, NULL, 5},
    [21] = {DTYPE_OPAQUE, "uint4", 0},
    [22] = {DTYPE_OPAQUE, "int4", 0},
    [23] = {DTYPE_OPAQUE, "float4_e2m1", 0},
    [24] = {DTYPE_OPAQUE, "float8_e8m0", 0},
    [25] = {DTYPE_OPAQUE, "uint2", 0},
    [26] = {DTYPE_OPAQUE, "int2", 0},
};

struct model {
    const struct reading *reading;
    uint64_t tensors;
    struct error damage; /* the first that does not end the reading */
};

struct initializer { /* a TensorProto as it is met */
    struct tensor_view view;
    uint64_t type;
    bool sound, has_raw, external;
    struct proto_field raw, list; /* the last of them; list.number 0: none */
    struct text location;
    uint64_t offset, length;
    bool has_length;
    bool single; /* list values that are not packed: given up on */
};

static void damage(struct model *model, enum error_kind kind, uint64_t at, const char *what,
                   struct text name)
{
    if (model->damage.kind == ERROR_NONE)
        error_set(&model->damage, kind, input_place(model->reading->input, at), "%s %.*s", what,
                  (int)(name.size < 100 ? name.size : 100), name.size ? name.data : "");
}

/* A pair of external_data. */
static bool external_take(struct model *model, const struct proto *tensor,
                          const struct proto_field *pair, struct initializer *init,
                          struct error *error)
{
    struct arena *arena = model->reading->scratch;
    struct proto proto = proto_inside(tensor, pair);
    struct proto_field field;
    struct text key = {0}, value = {0};
    for (;;) {
        if (!proto_next(&proto, &field, error))
            return false;
        if (field.number == 0)
            break;
        if ((field.number == 1 || field.number == 2) && field.wire == WIRE_BYTES &&
            !proto_text(&proto, &field, NAME_MOST, arena, field.number == 1 ? &key : &value, error))
            return false;
    }
    if (text_is(key, "location"))
        init->location = text_starts(value, "./") ? text_cut(value, 2, value.size) : value;
    else if (text_is(key, "offset"))
        init->sound = number_whole(value, &init->offset) && init->sound;
    else if (text_is(key, "length"))
        init->has_length = number_whole(value, &init->length);
    return true;
}

static bool field_take(struct model *model, const struct proto *tensor,
                       const struct proto_field *field, struct initializer *init,
                       struct error *error)
{
    const bool bytes = field->wire == WIRE_BYTES;
    switch (field->number) {
    case 1:
        return proto_dims(tensor, field, &init->view, &init->sound, error);
    case 2:
        init->type = field->wire == WIRE_VARINT ? field->integer : 0;
        return true;
    case 4:
    case 5:
    case 7:
    case 10:
    case 11:
        init->single = init->single || !bytes || init->list.number;
        init->list = *field;
        return true;
    case 8:
        return !bytes || proto_text(tensor, field, NAME_MOST, model->reading->scratch,
                                    &init->view.name, error);
    case 9:
        init->raw = *field;
        init->has_raw = bytes;
        return true;
    case 13:
        return !bytes || external_take(model, tensor, field, init, error);
    case 14:
        init->external = field->wire == WIRE_VARINT && field->integer == 1;
        return true;
    default:
        return true;
    }
}

/* Values in a file beside the model; absent where it is not there. */
static bool external_place(struct model *model, struct initializer *init, uint64_t bytes)
{
    struct tensor_view *view = &init->view;
    struct error here = {0};
    struct input *file = input_sibling(model->reading->input, init->location, &here);
    if (!file) {
        if (here.kind == ERROR_IO)
            damage(model, ERROR_MALFORMED, 0, "the values are not here: missing or unreadable is",
                   init->location);
        else if (model->damage.kind == ERROR_NONE)
            model->damage = here;
        return false;
    }
    if ((init->has_length && init->length != bytes) || init->offset > input_size(file) ||
        bytes > input_size(file) - init->offset) {
        damage(model, ERROR_TRUNCATED, 0, "the values beside the model end before those of",
               view->name);
        return false;
    }
    view->input = file;
    view->offset = init->offset;
    return true;
}

/* Values in a list of numbers: those of full width stand in the file as they are. */
static bool list_place(struct model *model, const struct proto *tensor, struct initializer *init,
                       const struct type *type, uint64_t bytes, bool *there, struct error *error)
{
    struct tensor_view *view = &init->view;
    const struct proto_field *list = &init->list;
    const size_t width = dtype_size(view->dtype);
    struct span values;
    uint64_t count;
    *there = false;
    if (list->number != type->list || init->single)
        return true;
    if (type->list == 4 || type->list == 10) {
        *there = list->size == bytes;
        view->offset = list->offset;
        return true;
    }
    if (!proto_varints(tensor, list, width, bytes / width, model->reading->scratch, &values, &count,
                       error))
        return false;
    *there = values.size == bytes;
    view->input = *there ? input_inside(model->reading->input, values, error) : view->input;
    view->offset = 0;
    return view->input != NULL;
}

static bool values_place(struct model *model, const struct proto *tensor, struct initializer *init,
                         struct error *error)
{
    struct tensor_view *view = &init->view;
    const size_t known = sizeof(types) / sizeof(types[0]);
    const struct type *type = &types[init->type < known ? init->type : 0];
    uint64_t bytes = 0;
    bool there = true;
    view->dtype = type->dtype;
    view->type = text_of(type->type);
    if (!init->sound || !view_pack(view, &bytes)) {
        damage(model, ERROR_MALFORMED, tensor->at, "impossible is the size of tensor", view->name);
        view->absent = true;
        return true;
    }
    if (view->dtype == DTYPE_OPAQUE)
        return true;
    view->size = bytes;
    if (init->external) {
        view->absent = !external_place(model, init, bytes);
        return true;
    }
    if (init->has_raw) {
        there = init->raw.size == bytes;
        view->offset = init->raw.offset;
    } else if (bytes > 0) {
        if (!list_place(model, tensor, init, type, bytes, &there, error))
            return false;
    }
    view->absent = !there;
    if (!there)
        damage(model, tensor->cut ? ERROR_TRUNCATED : ERROR_MALFORMED, tensor->at,
               tensor->cut ? "the file ends inside tensor" : "not as many values as its shape has:",
               view->name);
    return true;
}

static bool tensor_put(struct model *model, const struct proto *outer,
                       const struct proto_field *field, struct error *error)
{
    const struct reading *reading = model->reading;
    struct proto proto = proto_inside(outer, field);
    struct initializer init = {.sound = true, .view = {.input = reading->input}};
    struct proto_field part;
    if (++model->tensors > TENSORS_MAX)
        return error_set(error, ERROR_LIMIT, input_place(reading->input, field->offset),
                         "more than 1,000,000 tensors");
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            break;
        if (!field_take(model, &proto, &part, &init, error))
            return false;
    }
    if (proto.cut && init.view.name.size == 0) /* the cut took its name */
        return true;
    if (init.view.name.size == 0)
        init.view.name = TEXT("(unnamed)");
    return values_place(model, &proto, &init, error) &&
           reading->sink->tensor(reading->sink, &init.view, error);
}

/* A SparseTensorProto: its values are a tensor of their own. */
static bool sparse_put(struct model *model, const struct proto *outer,
                       const struct proto_field *field, struct error *error)
{
    struct proto proto = proto_inside(outer, field);
    struct proto_field part;
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            return true;
        if (part.number == 1 && part.wire == WIRE_BYTES && !tensor_put(model, &proto, &part, error))
            return false;
    }
}

static bool graph_read(struct model *model, const struct proto *outer,
                       const struct proto_field *field, struct error *error)
{
    struct proto proto = proto_inside(outer, field);
    struct proto_field part;
    for (;;) {
        if (!proto_next(&proto, &part, error))
            return false;
        if (part.number == 0)
            return true;
        if (part.wire != WIRE_BYTES)
            continue;
        if (part.number == 5 ? !tensor_put(model, &proto, &part, error)
                             : part.number == 15 && !sparse_put(model, &proto, &part, error))
            return false;
    }
}

static bool read_onnx(const struct reading *reading, struct error *error)
{
    struct model model = {.reading = reading};
    struct proto_field field;
    bool graph = false;
    if (!reading_seekable(reading, error))
        return false;
    struct proto proto = proto_whole(reading->input);
    for (;;) {
        if (!proto_next(&proto, &field, error))
            return false;
        if (field.number == 0)
            break;
        if (field.number != 7 || field.wire != WIRE_BYTES)
            continue;
        graph = true;
        if (!graph_read(&model, &proto, &field, error))
            return false;
    }
    if (model.damage.kind != ERROR_NONE) {
        *error = model.damage;
        return false;
    }
    if (proto.cut || !graph)
        return error_set(error, ERROR_TRUNCATED,
                         input_place(reading->input, input_size(reading->input)),
                         proto.cut ? "the file ends inside the model" : "there is no graph in it");
    return true;
}

const struct format format_onnx = {
    .name = "onnx",
    .about = "ONNX model (.onnx, values beside it too)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_onnx,
};
