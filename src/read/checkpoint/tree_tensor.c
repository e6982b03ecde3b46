/* The calls that rebuild tensors and arrays, read as data.

   torch._utils._rebuild_tensor_v2(storage, offset, size, stride, ...)     counts in elements
   torch._utils._rebuild_tensor_v3(storage, offset, size, stride, _, _, dtype)
   torch._utils._rebuild_parameter(tensor, ...), torch.nn.parameter.Parameter(tensor, ...)
   torch._tensor._rebuild_from_type_v2(function, type, arguments, state)
   torch._utils._rebuild_meta_tensor_no_storage(dtype, size, stride, ...)
   torch._utils._rebuild_sparse_tensor(layout, (indices.., values, size, ...))
   A DTensor has this rank's part as _local_tensor in its state, a ShardedTensor as the first item
   of the list that begins its state.
   numpy.core.multiarray._reconstruct(...) with the state (version, shape, dtype, fortran, bytes)

   A storage is a persistent id ('storage', class, key, location, numel[, view]). */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tree_tensor.h"

#include "read/checkpoint/coding.h"

#include <string.h>

enum { NESTED_MAX = 8 };

struct storage_class {
    const char *name;
    enum dtype dtype;
};

static const struct storage_class storage_classes[] = {
    {"DoubleStorage", DTYPE_FLOAT64},
    {"FloatStorage", DTYPE_FLOAT32},
    {"HalfStorage", DTYPE_FLOAT16},
    {"BFloat16Storage", DTYPE_BFLOAT16},
    {"LongStorage", DTYPE_INT64},
    {"IntStorage", DTYPE_INT32},
    {"ShortStorage", DTYPE_INT16},
    {"CharStorage", DTYPE_INT8},
    {"ByteStorage", DTYPE_UINT8},
    {"BoolStorage", DTYPE_BOOL},
    {"ComplexDoubleStorage", DTYPE_COMPLEX128},
    {"ComplexFloatStorage", DTYPE_COMPLEX64},
    {"QInt8Storage", DTYPE_INT8},
    {"QUInt8Storage", DTYPE_UINT8},
    {"QInt32Storage", DTYPE_INT32},
    {"UntypedStorage", DTYPE_UINT8},
};

static const struct node *argument(const struct pickle *pickle, uint32_t arguments, uint32_t i)
{
    const struct node *tuple = pickle_node(pickle, arguments);
    return pickle_node(pickle, i < tuple->count ? tuple->items[i] : 0);
}

static uint32_t argument_index(const struct pickle *pickle, uint32_t arguments, uint32_t i)
{
    const struct node *tuple = pickle_node(pickle, arguments);
    return i < tuple->count ? tuple->items[i] : 0;
}

enum dtype storage_dtype(struct text class)
{
    for (size_t i = 0; i < sizeof(storage_classes) / sizeof(storage_classes[0]); i++)
        if (text_is(class, storage_classes[i].name))
            return storage_classes[i].dtype;
    return DTYPE_OPAQUE;
}

bool persistent_parse(const struct pickle *pickle, uint32_t index, struct persistent *storage)
{
    const struct node *node = pickle_node(pickle, index);
    *storage = (struct persistent){.dtype = DTYPE_OPAQUE};
    /* A plain tuple stands for itself: imitations of the oldest form write such. */
    if (node->kind != NODE_PERSISTENT && node->kind != NODE_TUPLE)
        return false;
    uint32_t id = node->kind == NODE_TUPLE ? index : node->items[0];
    const struct node *tuple = pickle_node(pickle, id);
    if (tuple->kind != NODE_TUPLE || tuple->count < 5)
        return false;
    const struct node *word = argument(pickle, id, 0), *class = argument(pickle, id, 1);
    const struct node *key = argument(pickle, id, 2), *count = argument(pickle, id, 4);
    if ((word->kind != NODE_TEXT && word->kind != NODE_BYTES) || !text_is(word->text, "storage") ||
        class->kind != NODE_GLOBAL || (key->kind != NODE_TEXT && key->kind != NODE_BYTES) ||
        count->kind != NODE_INTEGER || count->integer < 0)
        return false;
    storage->key = key->text;
    storage->class = class->name;
    storage->dtype = storage_dtype(class->name);
    storage->untyped = text_is(class->name, "UntypedStorage");
    storage->count = (uint64_t)count->integer;
    const struct node *view = argument(pickle, id, 5);
    if (view->kind == NODE_TUPLE && view->count == 3) {
        const struct node *first = pickle_node(pickle, view->items[1]);
        const struct node *size = pickle_node(pickle, view->items[2]);
        if (first->kind == NODE_INTEGER && size->kind == NODE_INTEGER && first->integer >= 0) {
            storage->first = (uint64_t)first->integer;
            storage->view = (uint64_t)size->integer;
        }
    }
    return true;
}

bool pickle_shape(const struct pickle *pickle, const struct node *node, int64_t *dims,
                  uint8_t *rank)
{
    if (node->kind == NODE_OBJECT && pickle_is_global(pickle, node->class, "torch", "Size"))
        node = argument(pickle, node->arguments, 0);
    if ((node->kind != NODE_TUPLE && node->kind != NODE_LIST) || node->count > TENSOR_RANK_MAX)
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct node *dim = pickle_node(pickle, node->items[i]);
        if (dim->kind != NODE_INTEGER || dim->integer < 0)
            return false;
        dims[i] = dim->integer;
    }
    *rank = (uint8_t)node->count;
    return true;
}

/* The last element that the view reaches has to lie in its storage. */
bool view_inside(const struct tensor_view *view, uint64_t elements)
{
    uint64_t last = (uint64_t)view->first;
    for (int i = 0; i < view->rank; i++) {
        uint64_t part;
        if (view->shape[i] == 0)
            return true;
        if (!size_product((uint64_t)(view->shape[i] - 1), (uint64_t)view->stride[i], &part) ||
            !size_sum(last, part, &last))
            return false;
    }
    return last < elements;
}

static enum tensor_found unplaced(struct tensor_view *view)
{
    view->dtype = DTYPE_OPAQUE;
    return TENSOR_UNPLACED;
}

static enum tensor_found named(struct tensor_view *view, struct text type)
{
    view->absent = true;
    view->type = type;
    return TENSOR_NAMED;
}

/* What only later versions save, without a class of storage. */
static const struct coded_type *coded_named(struct text name)
{
    return text_is(name, "float8_e8m0fnu") ? &coded_e8m0
           : text_is(name, "complex32")    ? &coded_complex32
                                           : NULL;
}

static enum tensor_found torch_tensor(struct tree *tree, uint32_t arguments, bool third,
                                      struct tensor_view *view, struct error *error)
{
    const struct pickle *pickle = tree->pickle;
    struct persistent storage;
    uint8_t strides;
    uint64_t bytes, elements, size;
    if (!persistent_parse(pickle, argument_index(pickle, arguments, 0), &storage))
        return TENSOR_NONE;
    const struct node *first = argument(pickle, arguments, 1);
    *view = (struct tensor_view){
        .dtype = storage.dtype, .input = tree->input, .swapped = tree->swapped};
    const struct node *type = argument(pickle, arguments, third ? 6 : 0);
    if (third)
        view->dtype = dtype_named(type->name);
    if (first->kind != NODE_INTEGER || first->integer < 0 ||
        !pickle_shape(pickle, argument(pickle, arguments, 2), view->shape, &view->rank) ||
        !pickle_shape(pickle, argument(pickle, arguments, 3), view->stride, &strides) ||
        strides != view->rank)
        return unplaced(view);
    const struct coded_type *coded = third ? coded_named(type->name) : NULL;
    size = coded ? coded->coding.stored : dtype_size(view->dtype);
    if (size == 0)
        return named(view, third && type->kind == NODE_GLOBAL ? type->name : storage.class);
    size_t unit = storage.untyped ? 1 : dtype_size(storage.dtype);
    if (!size_product(storage.count, unit, &bytes))
        return unplaced(view);
    view->first = first->integer + (int64_t)storage.first;
    elements = bytes / size;
    if (!view_inside(view, elements) || !tree->storage(tree, storage.key, bytes, &view->offset))
        return unplaced(view);
    view->size = bytes;
    if (!coded)
        return TENSOR_SOUND;
    view->type = type->name;
    if (bytes == 0 || (tree->swapped && size > 1))
        return TENSOR_NAMED;
    return view_decode(coded, &tree->coded, view, error) ? TENSOR_SOUND : TENSOR_FAILED;
}

/* Saved from a device that holds no values. */
static enum tensor_found meta_tensor(const struct tree *tree, uint32_t arguments,
                                     struct tensor_view *view)
{
    const struct pickle *pickle = tree->pickle;
    const struct node *type = argument(pickle, arguments, 0);
    *view = (struct tensor_view){.dtype = dtype_named(type->name), .input = tree->input};
    if (type->kind != NODE_GLOBAL ||
        !pickle_shape(pickle, argument(pickle, arguments, 1), view->shape, &view->rank))
        return unplaced(view);
    return named(view, view->dtype == DTYPE_OPAQUE ? type->name : TEXT(""));
}

/* '<f4', or the pieces ("f4") and (3, '<', ...) of a pickled numpy.dtype. */
static enum dtype numpy_dtype(struct text name, bool *swapped)
{
    if (name.size && strchr("<>=|", name.data[0])) {
        *swapped = name.data[0] == '>';
        name = text_cut(name, 1, name.size - 1);
    }
    return dtype_of_code(name);
}

static enum dtype dtype_node(const struct pickle *pickle, const struct node *node, bool *swapped)
{
    *swapped = false;
    if (node->kind != NODE_OBJECT || !pickle_is_global(pickle, node->class, "numpy", "dtype"))
        return DTYPE_OPAQUE;
    const struct node *name = argument(pickle, node->arguments, 0);
    enum dtype dtype = name->kind == NODE_TEXT ? numpy_dtype(name->text, swapped) : DTYPE_OPAQUE;
    const struct node *order = argument(pickle, node->state, 1);
    if (node->state && order->kind == NODE_TEXT)
        *swapped = text_is(order->text, ">");
    return dtype;
}

/* Protocol 2 writes bytes as _codecs.encode(text, 'latin1'): each code point is one byte. */
static bool latin1_bytes(struct tree *tree, struct text text, struct span *bytes)
{
    struct arena *arena = tree->reading->scratch;
    uint8_t *out = arena_take(arena, text.size + 1, 1);
    size_t size = 0;
    if (!out)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = (uint8_t)text.data[i];
        if (byte >= 0xc2 && byte <= 0xc3 && i + 1 < text.size)
            byte = (uint8_t)((byte & 3) << 6 | ((uint8_t)text.data[++i] & 63));
        out[size++] = byte;
    }
    *bytes = (struct span){out, size};
    return true;
}

static bool bytes_node(struct tree *tree, const struct node *node, struct span *bytes)
{
    const struct pickle *pickle = tree->pickle;
    if (node->kind == NODE_OBJECT && pickle_is_global(pickle, node->class, "_codecs", "encode")) {
        const struct node *text = argument(pickle, node->arguments, 0);
        return text->kind == NODE_TEXT && latin1_bytes(tree, text->text, bytes);
    }
    if (node->kind == NODE_OBJECT &&
        pickle_is_global(pickle, node->class, "__builtin__", "bytes") &&
        pickle_node(pickle, node->arguments)->count == 0) { /* and no bytes as bytes() */
        *bytes = (struct span){tree->bytes.data, 0};
        return true;
    }
    if (node->kind != NODE_BYTES && node->kind != NODE_TEXT)
        return false;
    *bytes = (struct span){(const uint8_t *)node->text.data, node->text.size};
    return true;
}

/* The array's bytes as a place in an input: the pickle's own, or memory that hangs below it. */
static bool bytes_place(struct tree *tree, struct span bytes, struct tensor_view *view,
                        struct error *error)
{
    uintptr_t start = (uintptr_t)tree->bytes.data, at = (uintptr_t)bytes.data;
    view->size = bytes.size;
    if (tree->bytes_offset != UINT64_MAX && at >= start && at <= start + tree->bytes.size) {
        view->input = tree->input;
        view->offset = tree->bytes_offset + (at - start);
        return true;
    }
    view->input = input_inside(tree->reading->input, bytes, error);
    return view->input != NULL;
}

static enum tensor_found array_view(struct tree *tree, const struct node *shape,
                                    const struct node *dtype, bool fortran, const struct node *data,
                                    struct tensor_view *view, struct error *error)
{
    struct span bytes;
    bool swapped;
    uint64_t need = 1, size;
    *view = (struct tensor_view){.dtype = dtype_node(tree->pickle, dtype, &swapped)};
    view->swapped = swapped;
    if (!pickle_shape(tree->pickle, shape, view->shape, &view->rank) ||
        view->dtype == DTYPE_OPAQUE || !bytes_node(tree, data, &bytes))
        return unplaced(view);
    for (int n = 0; n < view->rank; n++) {
        int i = fortran ? n : view->rank - 1 - n;
        view->stride[i] = (int64_t)need;
        if (!size_product(need, (uint64_t)view->shape[i], &need) || need > INT64_MAX)
            return unplaced(view);
    }
    if (!size_product(need, dtype_size(view->dtype), &size) || size > bytes.size)
        return unplaced(view);
    return bytes_place(tree, bytes, view, error) ? TENSOR_SOUND : TENSOR_FAILED;
}

static bool numpy_global(const struct pickle *pickle, uint32_t class, const char *module,
                         const char *name)
{
    const struct node *node = pickle_node(pickle, class);
    char other[64];
    size_t size = strlen(module);
    /* NumPy 2 says numpy._core where NumPy 1 said numpy.core. */
    if (size + 2 > sizeof(other))
        return false;
    memcpy(other, "numpy._", 7);
    memcpy(other + 7, module + 6, size - 6 + 1);
    return node->kind == NODE_GLOBAL && text_is(node->name, name) &&
           (text_is(node->text, module) || text_is(node->text, other));
}

static enum tensor_found call_tensor(struct tree *tree, uint32_t class, uint32_t arguments,
                                     uint32_t state, struct tensor_view *view, int nested,
                                     struct error *error);

static enum tensor_found object_tensor(struct tree *tree, uint32_t index, struct tensor_view *view,
                                       int nested, struct error *error)
{
    const struct node *node = pickle_node(tree->pickle, index);
    if (node->kind == NODE_PERSISTENT && tree->tensor)
        return tree->tensor(tree, node->items[0], view);
    if (node->kind != NODE_OBJECT || nested > NESTED_MAX)
        return TENSOR_NONE;
    return call_tensor(tree, node->class, node->arguments, node->state, view, nested, error);
}

/* A member of a state that is a dictionary, or a pair of one and the slots. */
static uint32_t state_member(const struct pickle *pickle, uint32_t state, const char *key)
{
    const struct node *node = pickle_node(pickle, state);
    if (node->kind == NODE_TUPLE && node->count == 2)
        state = node->items[1];
    return pickle_member(pickle, state, key);
}

/* The part of a tensor that this rank holds; 0: none. */
static uint32_t local_part(const struct pickle *pickle, uint32_t state)
{
    const uint32_t local = state_member(pickle, state, "_local_tensor");
    if (local)
        return local;
    const struct node *shards = argument(pickle, state, 0);
    const struct node *shard = pickle_node(pickle, shards->count ? shards->items[0] : 0);
    return shards->kind == NODE_LIST && shard->kind == NODE_OBJECT
               ? state_member(pickle, shard->state, "tensor")
               : 0;
}

uint32_t tree_sparse_values(const struct tree *tree, uint32_t index)
{
    const struct pickle *pickle = tree->pickle;
    const struct node *node = pickle_node(pickle, index);
    const struct node *call = pickle_node(pickle, node->kind == NODE_OBJECT ? node->class : 0);
    if (call->kind != NODE_GLOBAL || !text_starts(call->name, "_rebuild_sparse_"))
        return 0;
    const struct node *layout = argument(pickle, node->arguments, 0);
    const struct node *word =
        layout->kind == NODE_OBJECT ? argument(pickle, layout->arguments, 0) : layout;
    const bool coordinates = word->kind == NODE_TEXT && text_ends(word->text, "sparse_coo");
    return argument_index(pickle, argument_index(pickle, node->arguments, 1), coordinates ? 1 : 2);
}

static enum tensor_found numpy_call(struct tree *tree, uint32_t class, uint32_t arguments,
                                    uint32_t state, struct tensor_view *view, struct error *error)
{
    const struct pickle *pickle = tree->pickle;
    if (numpy_global(pickle, class, "numpy.core.multiarray", "scalar"))
        return TENSOR_SCALAR;
    if (numpy_global(pickle, class, "numpy.core.multiarray", "_reconstruct") && state)
        return array_view(tree, argument(pickle, state, 1), argument(pickle, state, 2),
                          argument(pickle, state, 3)->integer != 0, argument(pickle, state, 4),
                          view, error);
    if (numpy_global(pickle, class, "numpy.core.numeric", "_frombuffer")) {
        const struct node *order = argument(pickle, arguments, 3);
        bool fortran = order->kind == NODE_TEXT && text_is(order->text, "F");
        return array_view(tree, argument(pickle, arguments, 2), argument(pickle, arguments, 1),
                          fortran, argument(pickle, arguments, 0), view, error);
    }
    return TENSOR_NONE;
}

static enum tensor_found call_tensor(struct tree *tree, uint32_t class, uint32_t arguments,
                                     uint32_t state, struct tensor_view *view, int nested,
                                     struct error *error)
{
    const struct pickle *pickle = tree->pickle;
    const struct node *name = pickle_node(pickle, class);
    if (name->kind != NODE_GLOBAL)
        return TENSOR_NONE;
    if (text_starts(name->text, "numpy"))
        return numpy_call(tree, class, arguments, state, view, error);
    if (!text_starts(name->text, "torch"))
        return TENSOR_NONE;
    if (text_is(name->name, "_rebuild_tensor_v2") || text_is(name->name, "_rebuild_tensor") ||
        text_is(name->name, "_rebuild_qtensor"))
        return torch_tensor(tree, arguments, false, view, error);
    if (text_is(name->name, "_rebuild_tensor_v3"))
        return torch_tensor(tree, arguments, true, view, error);
    if (text_starts(name->name, "_rebuild_parameter") || text_is(name->name, "Parameter") ||
        text_is(name->name, "Buffer") || text_starts(name->name, "_rebuild_device_tensor_from") ||
        text_is(name->name, "_rebuild_xla_tensor"))
        return object_tensor(tree, argument_index(pickle, arguments, 0), view, nested + 1, error);
    if (text_is(name->name, "_rebuild_meta_tensor_no_storage"))
        return meta_tensor(tree, arguments, view);
    if (text_is(name->name, "ShardedTensor"))
        return object_tensor(tree, local_part(pickle, state), view, nested + 1, error);
    if (!text_starts(name->name, "_rebuild_from_type"))
        return TENSOR_NONE;
    const uint32_t local = local_part(pickle, argument_index(pickle, arguments, 3));
    if (local)
        return object_tensor(tree, local, view, nested + 1, error);
    return call_tensor(tree, argument_index(pickle, arguments, 0),
                       argument_index(pickle, arguments, 2), 0, view, nested + 1, error);
}

enum tensor_found tree_tensor(struct tree *tree, uint32_t index, struct tensor_view *view,
                              struct error *error)
{
    return object_tensor(tree, index, view, 0, error);
}
