/* Distributed checkpoints of PyTorch (torch.distributed.checkpoint): a folder of `.metadata`, a
   pickle that is written last, and files `__<rank>_<n>.distcp` of torch archives one behind the
   other.

   Metadata      state_dict_metadata {name: TensorStorageMetadata | BytesStorageMetadata},
                 storage_data {MetadataIndex: _StorageInfo}
   TensorStorageMetadata  properties (a tuple, dtype first), size, chunks [{offsets, sizes}]
   MetadataIndex          fqn, offset (None: the beginning), index
   _StorageInfo           relative_path, offset, length [, transform_descriptors]

   Each range of a tensor holds one chunk of it as a whole archive; chunks in another form are
   named. Ranges of other objects (numbers, generators) are not read. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/archive.h"
#include "read/checkpoint/pieces.h"
#include "read/checkpoint/tree_tensor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PICKLE_MAX = 64 << 20, HEAD_LOOKED = 4096 };

static int probe(struct span head, struct text file_name)
{
    const struct text text = {(const char *)head.data,
                              head.size < HEAD_LOOKED ? head.size : HEAD_LOOKED};
    (void)file_name;
    if (head.size < 2 || head.data[0] != 0x80 || head.data[1] < 2 || head.data[1] > 5)
        return 0;
    return text_find(text, TEXT("torch.distributed.checkpoint.metadata")) < text.size ? 97 : 0;
}

struct stored { /* an entry of storage_data */
    struct text name;
    uint8_t rank; /* of `at`; 0: the beginning */
    int64_t *at;
    struct text file;
    uint64_t offset, length;
    bool transformed;
};

struct checkpoint {
    const struct reading *reading;
    struct pickle pickle;
    struct stored *stored; /* by name */
    size_t count;
    uint64_t tensors, missing;
    struct error damage;
};

static bool no_memory(const struct checkpoint *checkpoint, struct error *error)
{
    return error_set(error, ERROR_MEMORY, input_place(checkpoint->reading->input, 0),
                     "no memory for the checkpoint");
}

static void damage(struct checkpoint *checkpoint, enum error_kind kind, const char *what,
                   struct text name)
{
    if (checkpoint->damage.kind == ERROR_NONE)
        error_set(&checkpoint->damage, kind, input_place(checkpoint->reading->input, 0), "%s %.*s",
                  what, (int)(name.size < 100 ? name.size : 100), name.size ? name.data : "");
}

static const struct node *member(const struct checkpoint *checkpoint, uint32_t index,
                                 const char *key)
{
    return pickle_node(&checkpoint->pickle, pickle_member(&checkpoint->pickle, index, key));
}

static int by_name(const void *a, const void *b)
{
    return text_compare(((const struct stored *)a)->name, ((const struct stored *)b)->name);
}

static bool stored_take(struct checkpoint *checkpoint, uint32_t key, uint32_t value,
                        struct error *error)
{
    const struct pickle *pickle = &checkpoint->pickle;
    struct stored *stored = &checkpoint->stored[checkpoint->count];
    int64_t at[TENSOR_RANK_MAX];
    const struct node *name = member(checkpoint, key, "fqn"),
                      *place = member(checkpoint, key, "offset"),
                      *file = member(checkpoint, value, "relative_path"),
                      *offset = member(checkpoint, value, "offset"),
                      *length = member(checkpoint, value, "length"),
                      *transforms = member(checkpoint, value, "transform_descriptors");
    *stored = (struct stored){.name = name->text, .file = file->text};
    if (name->kind != NODE_TEXT || file->kind != NODE_TEXT || offset->kind != NODE_INTEGER ||
        length->kind != NODE_INTEGER || offset->integer < 0 || length->integer < 0)
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "an entry of its storage is damaged");
    if (place->kind != NODE_NONE && !pickle_shape(pickle, place, at, &stored->rank))
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "an entry of its storage is damaged");
    stored->at = arena_take(checkpoint->reading->scratch, (size_t)stored->rank + 1, sizeof(*at));
    if (!stored->at)
        return no_memory(checkpoint, error);
    memcpy(stored->at, at, stored->rank * sizeof(*at));
    stored->offset = (uint64_t)offset->integer;
    stored->length = (uint64_t)length->integer;
    stored->transformed =
        (transforms->kind == NODE_LIST || transforms->kind == NODE_TUPLE) && transforms->count > 0;
    checkpoint->count++;
    return true;
}

static bool storage_take(struct checkpoint *checkpoint, struct error *error)
{
    const struct node *data = member(checkpoint, checkpoint->pickle.root, "storage_data");
    if (data->kind != NODE_DICT)
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "it does not say where its tensors are");
    checkpoint->stored = arena_take(checkpoint->reading->scratch, (size_t)data->count / 2 + 1,
                                    sizeof(*checkpoint->stored));
    if (!checkpoint->stored)
        return no_memory(checkpoint, error);
    for (uint32_t i = 0; i + 1 < data->count; i += 2)
        if (!stored_take(checkpoint, data->items[i], data->items[i + 1], error))
            return false;
    if (checkpoint->count)
        qsort(checkpoint->stored, checkpoint->count, sizeof(*checkpoint->stored), by_name);
    return true;
}

static bool same_place(const struct stored *stored, const int64_t *at, uint8_t rank)
{
    for (int i = 0; i < rank; i++)
        if ((i < stored->rank ? stored->at[i] : 0) != at[i])
            return false;
    return stored->rank == 0 || stored->rank == rank;
}

static const struct stored *stored_find(const struct checkpoint *checkpoint, struct text name,
                                        const int64_t *at, uint8_t rank)
{
    size_t low = 0, high = checkpoint->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (text_compare(checkpoint->stored[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < checkpoint->count && text_equal(checkpoint->stored[low].name, name); low++)
        if (same_place(&checkpoint->stored[low], at, rank))
            return &checkpoint->stored[low];
    return NULL;
}

struct caught { /* a sink that keeps the first tensor of an archive */
    struct sink sink;
    struct sink *to; /* for the seals */
    struct tensor_view view;
    uint64_t tensors;
};

static bool catch_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    struct caught *caught = (struct caught *)sink;
    (void)error;
    if (caught->tensors++ == 0)
        caught->view = *tensor;
    return true;
}

static bool catch_seal(struct sink *sink, const struct seal *seal, struct error *error)
{
    struct caught *caught = (struct caught *)sink;
    return caught->to->seal(caught->to, seal, error);
}

static bool catch_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    (void)sink;
    (void)setting;
    (void)error;
    return true;
}

static bool is_packed(const struct tensor_view *view)
{
    int64_t stride = 1;
    for (int i = view->rank - 1; i >= 0; i--) {
        if (view->shape[i] != 1 && view->stride[i] != stride)
            return false;
        stride *= view->shape[i];
    }
    return true;
}

/* What is in the range: one tensor, on any strides. */
static bool range_read(const struct reading *reading, const struct stored *stored,
                       struct input *file, struct input *range, struct error *error)
{
    struct reading inner = *reading;
    struct span head;
    struct zip zip;
    inner.input = range;
    if (!input_head(range, &head, error))
        return false;
    if (head.size > 8 && head.data[8] == '{')
        return error_set(error, ERROR_UNSUPPORTED, input_place(file, stored->offset),
                         "chunks in the form of safetensors");
    if (!zip_open(range, reading->scratch, &zip, error))
        return false;
    if (!zip_find_ending(&zip, TEXT("data.pkl")))
        return error_set(error, ERROR_MALFORMED, input_place(file, stored->offset),
                         "a chunk is no archive");
    return torch_archive_read(&inner, range, &zip, TEXT(""), error);
}

/* The values of a chunk, as a piece; where they do not lie in rows, as *loose. */
static bool chunk_open(struct checkpoint *checkpoint, const struct stored *stored, enum dtype dtype,
                       uint64_t bytes, struct piece *piece, struct tensor_view *loose,
                       struct error *error)
{
    struct reading reading = *checkpoint->reading;
    struct input *file = input_sibling(reading.input, stored->file, error);
    struct caught caught = {.sink = {.tensor = catch_tensor,
                                     .setting = catch_setting,
                                     .seal = reading.sink->seal ? catch_seal : NULL},
                            .to = reading.sink};
    if (!file)
        return false;
    const struct input_part part = {file, stored->offset, stored->length};
    struct input *range = input_joined(reading.input, &part, 1, error);
    reading.sink = &caught.sink;
    if (!range || !range_read(&reading, stored, file, range, error))
        return false;
    const struct tensor_view *view = &caught.view;
    const uint64_t first = (uint64_t)view->first * dtype_size(dtype);
    if (caught.tensors != 1 || view->dtype != dtype || view->swapped || view->input != range ||
        view->absent || first > view->size || (is_packed(view) && bytes > view->size - first))
        return error_set(error, ERROR_MALFORMED, input_place(file, stored->offset),
                         "a chunk holds another tensor than is said");
    if (!is_packed(view))
        *loose = *view;
    piece->input = file;
    piece->offset = stored->offset + view->offset + first;
    return true;
}

static bool chunk_take(struct checkpoint *checkpoint, const struct tensor_view *view,
                       uint32_t chunk, struct piece **pieces, struct tensor_view *loose,
                       struct error *error)
{
    struct arena *arena = checkpoint->reading->scratch;
    struct piece *piece = arena_take(arena, 1, sizeof(*piece));
    int64_t *box = arena_take(arena, 2 * TENSOR_RANK_MAX, sizeof(*box));
    uint8_t ranks[2];
    uint64_t bytes = dtype_size(view->dtype);
    if (!piece || !box)
        return no_memory(checkpoint, error);
    int64_t *start = box, *length = box + TENSOR_RANK_MAX;
    if (!pickle_shape(&checkpoint->pickle, member(checkpoint, chunk, "offsets"), start,
                      &ranks[0]) ||
        !pickle_shape(&checkpoint->pickle, member(checkpoint, chunk, "sizes"), length, &ranks[1]) ||
        ranks[0] != view->rank || ranks[1] != view->rank)
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "a chunk of another shape");
    for (int i = 0; i < view->rank; i++)
        if (!size_product(bytes, (uint64_t)length[i], &bytes))
            return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                             "a chunk of an impossible size");
    if (bytes == 0)
        return true;
    const struct stored *stored = stored_find(checkpoint, view->name, start, view->rank);
    if (!stored)
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "a chunk that is stored nowhere");
    if (stored->transformed)
        return error_set(error, ERROR_UNSUPPORTED, input_place(checkpoint->reading->input, 0),
                         "a chunk that is packed");
    *piece = (struct piece){.start = start, .length = length, .next = *pieces};
    *pieces = piece;
    return chunk_open(checkpoint, stored, view->dtype, bytes, piece, loose, error);
}

/* A transposed tensor is saved on its strides; whole it is read as it lies. */
static bool loose_take(const struct checkpoint *checkpoint, const struct tensor_view *loose,
                       bool whole, struct tensor_view *view, struct error *error)
{
    whole = whole && loose->rank == view->rank;
    for (int i = 0; whole && i < view->rank; i++)
        whole = loose->shape[i] == view->shape[i];
    if (!whole)
        return error_set(error, ERROR_UNSUPPORTED, input_place(checkpoint->reading->input, 0),
                         "chunks whose values do not lie in rows");
    memcpy(view->stride, loose->stride, sizeof(view->stride));
    view->input = loose->input;
    view->offset = loose->offset;
    view->size = loose->size;
    view->first = loose->first;
    return true;
}

/* The chunks of a tensor, joined. */
static bool chunks_join(struct checkpoint *checkpoint, uint32_t index, struct tensor_view *view,
                        struct error *error)
{
    const struct node *chunks = member(checkpoint, index, "chunks");
    struct piece *pieces = NULL;
    struct tensor_view loose = {.input = NULL};
    if (chunks->kind != NODE_LIST)
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "a tensor without chunks");
    for (uint32_t i = 0; i < chunks->count; i++)
        if (!chunk_take(checkpoint, view, chunks->items[i], &pieces, &loose, error))
            return false;
    if (loose.input)
        return loose_take(checkpoint, &loose, chunks->count == 1, view, error);
    return pieces_join(checkpoint->reading, pieces, view, error);
}

static bool tensor_put(struct checkpoint *checkpoint, struct text name, uint32_t index,
                       struct error *error)
{
    const struct reading *reading = checkpoint->reading;
    struct tensor_view view = {.name = name, .input = reading->input};
    struct error here = {0};
    const uint32_t properties = pickle_member(&checkpoint->pickle, index, "properties");
    const struct node *object = pickle_node(&checkpoint->pickle, properties);
    /* Its state is a tuple; the dtype stands first. */
    const struct node *state =
        pickle_node(&checkpoint->pickle, object->kind == NODE_OBJECT ? object->state : 0);
    const struct node *dtype = pickle_node(
        &checkpoint->pickle, state->kind == NODE_TUPLE && state->count ? state->items[0] : 0);
    view.dtype = dtype->kind == NODE_GLOBAL ? dtype_named(dtype->name) : DTYPE_OPAQUE;
    view.type = dtype->kind == NODE_GLOBAL && view.dtype == DTYPE_OPAQUE ? dtype->name : TEXT("");
    checkpoint->tensors++;
    if (!pickle_shape(&checkpoint->pickle, member(checkpoint, index, "size"), view.shape,
                      &view.rank)) {
        view.dtype = DTYPE_OPAQUE;
        damage(checkpoint, ERROR_MALFORMED, "impossible is the size of tensor", name);
    } else if (view.dtype != DTYPE_OPAQUE && !chunks_join(checkpoint, index, &view, &here)) {
        if (here.kind == ERROR_MEMORY) {
            *error = here;
            return false;
        }
        view.absent = true;
        view.input = reading->input;
        if (checkpoint->damage.kind == ERROR_NONE)
            checkpoint->damage = here;
    }
    return reading->sink->tensor(reading->sink, &view, error);
}

static bool tensors_put(struct checkpoint *checkpoint, struct error *error)
{
    const struct pickle *pickle = &checkpoint->pickle;
    const struct node *all = member(checkpoint, pickle->root, "state_dict_metadata");
    if (all->kind != NODE_DICT)
        return error_set(error, ERROR_MALFORMED, input_place(checkpoint->reading->input, 0),
                         "it does not say what its tensors are");
    for (uint32_t i = 0; i + 1 < all->count; i += 2) {
        const struct node *name = pickle_node(pickle, all->items[i]);
        const uint32_t value = all->items[i + 1];
        if (name->kind == NODE_TEXT && pickle_member(pickle, value, "chunks") &&
            !tensor_put(checkpoint, name->text, value, error))
            return false;
    }
    return true;
}

static bool read_dcp(const struct reading *reading, struct error *error)
{
    struct checkpoint checkpoint = {.reading = reading};
    struct input *input = reading->input;
    const uint64_t size = input_size(input);
    if (!input_seekable(input) || size > PICKLE_MAX)
        return error_set(error, ERROR_UNSUPPORTED, input_place(input, 0),
                         "metadata of more than 64 MiB, or in a stream, are not read");
    uint8_t *bytes = arena_take(reading->scratch, (size_t)size + 1, 1);
    if (!bytes)
        return no_memory(&checkpoint, error);
    if (!input_pread(input, 0, (size_t)size, bytes, error) ||
        !pickle_read((struct span){bytes, (size_t)size}, input_place(input, 0), reading->scratch,
                     &checkpoint.pickle, error) ||
        !storage_take(&checkpoint, error) || !tensors_put(&checkpoint, error))
        return false;
    if (checkpoint.damage.kind == ERROR_NONE)
        return true;
    *error = checkpoint.damage;
    return false;
}

static bool parts_find(struct input *input, struct arena *arena, struct format_parts *parts,
                       struct error *error)
{
    static const char *const shards[] = {"__*_*.distcp", NULL};
    (void)input;
    (void)arena;
    (void)error;
    parts->globs = shards;
    return true;
}

const struct format format_dcp = {
    .name = "torch-distributed",
    .about = "PyTorch distributed checkpoint (.metadata with its .distcp files)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_dcp,
    .whole = ".metadata",
    .parts = parts_find,
};
