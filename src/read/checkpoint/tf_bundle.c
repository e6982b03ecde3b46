/* TensorFlow checkpoints: <prefix>.index, a table of BundleEntryProto, and the values in
   <prefix>.data-SSSSS-of-NNNNN beside it.

   key ""   BundleHeaderProto: num_shards 1, endianness 2 (1: big)
   key name BundleEntryProto: dtype 1, shape 2, shard_id 3, offset 4, size 5, crc32c 6, slices 7

   A partitioned variable has an entry of its name without values, and entries of its slices under
   binary keys (tf_key.c) that stand before all names. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pieces.h"
#include "read/checkpoint/table.h"
#include "read/checkpoint/tf_key.h"
#include "read/checkpoint/tf_type.h"
#include "read/crc32c.h"
#include "read/wire.h"
#include "stalldoc/format.h"
#include "stalldoc/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int probe(struct span head, struct text file_name)
{
    bool name = text_ends(file_name, ".index");
    /* The first entry has an empty key: nothing shared, nothing added. */
    bool first = head.size > 4 && head.data[0] == 0 && head.data[1] == 0 && head.data[3] == 8;
    return name ? (first ? 95 : 60) : 0;
}

struct slice { /* of a partitioned variable */
    struct tf_key key;
    uint64_t shard, offset, size;
};

struct bundle {
    const struct reading *reading;
    uint64_t shards;
    bool swapped;
    uint64_t tensors, missing, wrong;
    struct slice *slices; /* in order of their names */
    size_t slice_count, slice_capacity;
    struct error first; /* damage that does not end the reading */
};

struct entry {
    uint64_t dtype, shard, offset, size, crc;
    bool has_crc, sliced;
    uint8_t rank;
    int64_t shape[TENSOR_RANK_MAX];
    bool sound;
};

static bool entry_take(struct span bytes, struct entry *entry)
{
    struct field field;
    *entry = (struct entry){.sound = true};
    while (wire_next(&bytes, &field)) {
        if (field.wire == WIRE_VARINT && field.number == 1)
            entry->dtype = field.integer;
        else if (field.wire == WIRE_BYTES && field.number == 2)
            entry->sound = tf_shape(field.bytes, entry->shape, &entry->rank);
        else if (field.wire == WIRE_VARINT && field.number == 3)
            entry->shard = field.integer;
        else if (field.wire == WIRE_VARINT && field.number == 4)
            entry->offset = field.integer;
        else if (field.wire == WIRE_VARINT && field.number == 5)
            entry->size = field.integer;
        else if (field.wire == WIRE_FIXED32 && field.number == 6)
            entry->crc = field.integer, entry->has_crc = true;
        else if (field.wire == WIRE_BYTES && field.number == 7)
            entry->sliced = true;
    }
    return bytes.size == 0;
}

static void header_take(struct bundle *bundle, struct span bytes)
{
    struct field field;
    while (wire_next(&bytes, &field)) {
        if (field.wire == WIRE_VARINT && field.number == 1)
            bundle->shards = field.integer;
        else if (field.wire == WIRE_VARINT && field.number == 2)
            bundle->swapped = field.integer == 1;
    }
}

static struct text base_name(const char *path)
{
    struct text whole = text_of(path);
    size_t start = whole.size;
    while (start > 0 && whole.data[start - 1] != '/')
        start--;
    return text_cut(whole, start, whole.size);
}

/* The file that holds a shard; NULL where it is not there, and the first such is told. */
static struct input *shard_open(struct bundle *bundle, uint64_t shard)
{
    struct input *input = bundle->reading->input;
    struct text prefix = base_name(input_path(input));
    char name[512];
    struct error here = {0};
    prefix = text_cut(prefix, 0, prefix.size - (text_ends(prefix, ".index") ? 6 : 0));
    int size = snprintf(name, sizeof(name), "%.*s.data-%05" PRIu64 "-of-%05" PRIu64,
                        (int)prefix.size, prefix.data, shard, bundle->shards);
    if (size < 0 || (size_t)size >= sizeof(name))
        return NULL;
    struct input *found = input_sibling(input, (struct text){name, (size_t)size}, &here);
    if (!found && bundle->first.kind == ERROR_NONE)
        error_set(&bundle->first, ERROR_MALFORMED, input_place(input, 0),
                  "the values are not here: %.180s is missing", name);
    return found;
}

static bool checksum_holds(struct input *input, const struct entry *entry)
{
    uint32_t crc = 0;
    for (uint64_t done = 0; done < entry->size;) {
        uint64_t left = entry->size - done;
        size_t part = left < LIMIT_WINDOW ? (size_t)left : LIMIT_WINDOW;
        struct span window;
        struct error ignored;
        if (!input_window(input, entry->offset + done, part, &window, &ignored))
            return false;
        crc = crc32c(crc, window.data, part);
        done += part;
    }
    return crc32c_masked(crc) == (uint32_t)entry->crc;
}

/* Places the values; absent where they are not there. */
static bool values_place(struct bundle *bundle, const struct entry *entry, struct tensor_view *view)
{
    uint64_t bytes = dtype_size(view->dtype);
    int64_t stride = 1;
    bool sound = entry->sound;
    for (int i = entry->rank - 1; i >= 0; i--) {
        view->shape[i] = entry->shape[i];
        view->stride[i] = stride;
        sound =
            sound && size_product(bytes, (uint64_t)entry->shape[i], &bytes) && bytes <= INT64_MAX;
        stride = sound && entry->shape[i] > 0 ? stride * entry->shape[i] : stride;
    }
    view->rank = entry->rank;
    if (view->dtype == DTYPE_OPAQUE)
        return true;
    struct input *shard = shard_open(bundle, entry->shard);
    bool there = shard && sound && bytes == entry->size && entry->offset <= input_size(shard) &&
                 entry->size <= input_size(shard) - entry->offset;
    if (!there) {
        view->absent = true;
        bundle->missing++;
        return true;
    }
    view->input = shard;
    view->offset = entry->offset;
    view->size = entry->size;
    if (bundle->reading->stats && entry->has_crc && !checksum_holds(shard, entry) &&
        bundle->wrong++ == 0 && bundle->first.kind == ERROR_NONE)
        error_set(&bundle->first, ERROR_CHECKSUM, input_place(shard, entry->offset),
                  "the values of %.*s fail their checksum",
                  (int)(view->name.size < 100 ? view->name.size : 100), view->name.data);
    return true;
}

static bool slice_take(struct bundle *bundle, struct text key, struct span value,
                       struct error *error)
{
    struct arena *arena = bundle->reading->scratch;
    struct place place = input_place(bundle->reading->input, 0);
    struct entry entry;
    struct tf_key parsed;
    struct text copy = arena_text(arena, key);
    struct slice *slices =
        arena_grow(arena, bundle->slices, bundle->slice_count, &bundle->slice_capacity,
                   bundle->slice_count + 1, sizeof(*slices));
    if (!copy.data || !slices)
        return error_set(error, ERROR_MEMORY, place, "no memory for the slices");
    bundle->slices = slices;
    if (!entry_take(value, &entry))
        return error_set(error, ERROR_MALFORMED, place, "the entry of a slice is damaged");
    if (!tf_key_parse(copy, arena, &parsed))
        return true; /* its variable will lack a piece */
    slices[bundle->slice_count++] = (struct slice){parsed, entry.shard, entry.offset, entry.size};
    return true;
}

/* The first slice of the name, or where it would stand. */
static size_t slice_find(const struct bundle *bundle, struct text name)
{
    size_t low = 0, high = bundle->slice_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (text_compare(bundle->slices[middle].key.name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Joins the slices of a variable; absent where one is not there. */
static bool slices_place(struct bundle *bundle, const struct entry *entry, struct tensor_view *view,
                         struct error *error)
{
    const struct reading *reading = bundle->reading;
    struct piece *pieces = NULL;
    struct error here = {0};
    bool sound = entry->sound;
    for (size_t i = slice_find(bundle, view->name);
         i < bundle->slice_count && text_equal(bundle->slices[i].key.name, view->name); i++) {
        const struct slice *slice = &bundle->slices[i];
        struct input *shard = shard_open(bundle, slice->shard);
        struct piece *piece = arena_take(reading->scratch, 1, sizeof(*piece));
        if (!piece)
            return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                             "no memory for the slices");
        sound = sound && shard && slice->key.rank == entry->rank &&
                tf_key_box(&slice->key, entry->shape);
        *piece = (struct piece){shard, slice->offset, slice->key.start, slice->key.length, pieces};
        pieces = piece;
    }
    view->rank = entry->rank;
    memcpy(view->shape, entry->shape, sizeof(view->shape));
    view->absent = true;
    if (view->dtype == DTYPE_OPAQUE)
        return true;
    if (sound && pieces_join(reading, pieces, view, &here))
        return true;
    if (here.kind == ERROR_MEMORY) {
        *error = here;
        return false;
    }
    bundle->missing++;
    if (bundle->first.kind == ERROR_NONE)
        bundle->first = here;
    return true;
}

static bool entry_met(void *context, struct text key, struct span value, struct error *error)
{
    struct bundle *bundle = context;
    struct entry entry;
    if (key.size == 0) {
        header_take(bundle, value);
        return true;
    }
    if (key.data[0] == 0)
        return slice_take(bundle, key, value, error);
    if (!entry_take(value, &entry))
        return error_set(error, ERROR_MALFORMED, input_place(bundle->reading->input, 0),
                         "the entry of %.*s is damaged", (int)(key.size < 100 ? key.size : 100),
                         key.data);
    struct tensor_view view = {
        .name = key,
        .dtype = tf_dtype(entry.dtype),
        .type = tf_type(entry.dtype),
        .swapped = bundle->swapped,
        .input = bundle->reading->input,
    };
    if (entry.sliced ? !slices_place(bundle, &entry, &view, error)
                     : !values_place(bundle, &entry, &view))
        return false;
    bundle->tensors++;
    return bundle->reading->sink->tensor(bundle->reading->sink, &view, error);
}

static bool read_bundle(const struct reading *reading, struct error *error)
{
    struct bundle bundle = {.reading = reading, .shards = 1};
    if (!reading_seekable(reading, error))
        return false;
    if (!table_read(reading->input, reading->scratch, entry_met, &bundle, error))
        return false;
    if (bundle.first.kind == ERROR_NONE && bundle.missing)
        return error_set(error, ERROR_MALFORMED, input_place(reading->input, 0),
                         "the values of %" PRIu64 " of %" PRIu64 " tensors are not there",
                         bundle.missing, bundle.tensors);
    if (bundle.first.kind == ERROR_NONE)
        return true;
    *error = bundle.first;
    return false;
}

const struct format format_tf_bundle = {
    .name = "tf-checkpoint",
    .about = "TensorFlow checkpoint (.index and its data files)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_bundle,
};
