/* TensorFlow checkpoints: <prefix>.index, a table of BundleEntryProto, and the values in
   <prefix>.data-SSSSS-of-NNNNN beside it.

   key ""   BundleHeaderProto: num_shards 1, endianness 2 (1: big)
   key name BundleEntryProto: dtype 1, shape 2, shard_id 3, offset 4, size 5, crc32c 6, slices 7

   A partitioned variable has an entry of its name without values, and entries of its slices under
   binary keys that begin with a zero byte. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/table.h"
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

struct bundle {
    const struct reading *reading;
    uint64_t shards;
    bool swapped;
    uint64_t tensors, missing, wrong;
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
static void values_place(struct bundle *bundle, const struct entry *entry, struct tensor_view *view)
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
    if (view->dtype == DTYPE_OPAQUE || entry->sliced)
        return;
    struct input *shard = shard_open(bundle, entry->shard);
    bool there = shard && sound && bytes == entry->size && entry->offset <= input_size(shard) &&
                 entry->size <= input_size(shard) - entry->offset;
    if (!there) {
        view->absent = true;
        bundle->missing++;
        return;
    }
    view->input = shard;
    view->offset = entry->offset;
    view->size = entry->size;
    if (bundle->reading->stats && entry->has_crc && !checksum_holds(shard, entry) &&
        bundle->wrong++ == 0 && bundle->first.kind == ERROR_NONE)
        error_set(&bundle->first, ERROR_CHECKSUM, input_place(shard, entry->offset),
                  "the values of %.*s fail their checksum",
                  (int)(view->name.size < 100 ? view->name.size : 100), view->name.data);
}

static bool entry_met(void *context, struct text key, struct span value, struct error *error)
{
    struct bundle *bundle = context;
    struct entry entry;
    if (key.size == 0) {
        header_take(bundle, value);
        return true;
    }
    if (key.data[0] == 0) /* slices of a partitioned variable: its name stands for them */
        return true;
    if (!entry_take(value, &entry))
        return error_set(error, ERROR_MALFORMED, input_place(bundle->reading->input, 0),
                         "the entry of %.*s is damaged", (int)(key.size < 100 ? key.size : 100),
                         key.data);
    struct tensor_view view = {
        .name = key,
        .dtype = entry.sliced ? DTYPE_OPAQUE : tf_dtype(entry.dtype),
        .type = entry.sliced ? text_of(dtype_name(tf_dtype(entry.dtype))) : tf_type(entry.dtype),
        .swapped = bundle->swapped,
        .input = bundle->reading->input,
    };
    values_place(bundle, &entry, &view);
    bundle->tensors++;
    return bundle->reading->sink->tensor(bundle->reading->sink, &view, error);
}

static bool read_bundle(const struct reading *reading, struct error *error)
{
    struct bundle bundle = {.reading = reading, .shards = 1};
    if (!input_seekable(reading->input))
        return error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                         "a checkpoint is read from a file, not from a stream");
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
