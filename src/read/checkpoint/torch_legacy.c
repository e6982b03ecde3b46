/* PyTorch checkpoints before 1.6: five pickles and raw storages, one behind the other.

   1  the magic number as a pickle     4  the tree; persistent ids name storages
   2  the protocol, 1001               5  the list of storage keys
   3  a dictionary about the system    then for each key: i64 count, count * itemsize bytes */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tree.h"
#include "stalldoc/limits.h"

#include <inttypes.h>
#include <string.h>

/* The number and the end of its pickle; before it stand the protocol and, from 4 on, a frame. */
static const uint8_t magic[] = {0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9,
                                0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e};

enum {
    PICKLE_MAX = 64 << 20,
    PICKLE_FIRST = 1 << 20,
    FRAME = 0x95,
    FRAME_SIZE = 9,
    MAGIC_MOST = 2 + FRAME_SIZE + sizeof(magic),
};

/* Of the first pickle; 0: it is not the magic number as it stands. */
static size_t magic_size(struct span head)
{
    size_t at = 2;
    if (head.size < 3 || head.data[0] != 0x80 || head.data[1] < 2 || head.data[1] > 5)
        return 0;
    if (head.data[1] >= 4 && head.data[2] == FRAME)
        at += FRAME_SIZE;
    return head.size >= at + sizeof(magic) && memcmp(head.data + at, magic, sizeof(magic)) == 0
               ? at + sizeof(magic)
               : 0;
}

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    return magic_size(head) > 0 ? 99 : 0;
}

struct key_place {
    struct text key;
    uint64_t offset, bytes;
};

struct places {
    struct key_place *keys;
    size_t count;
};

static bool storage_find(const struct tree *tree, struct text key, uint64_t bytes, uint64_t *offset)
{
    const struct places *places = tree->context;
    for (size_t i = 0; i < places->count; i++)
        if (text_equal(places->keys[i].key, key)) {
            *offset = places->keys[i].offset;
            return places->keys[i].bytes >= bytes;
        }
    return false;
}

/* The bytes of an element of a storage, by the persistent id that names the key. */
static size_t element_size(const struct pickle *pickle, struct text key)
{
    for (uint32_t i = 1; i < pickle->count; i++) {
        struct persistent storage;
        if (pickle_node(pickle, i)->kind == NODE_PERSISTENT &&
            persistent_parse(pickle, i, &storage) && text_equal(storage.key, key))
            return storage.untyped ? 1 : dtype_size(storage.dtype);
    }
    return 0;
}

/* Where each storage lies, as far as the file goes. */
static bool places_make(const struct reading *reading, const struct pickle *tree,
                        const struct pickle *keys, uint64_t offset, bool swapped,
                        struct places *places, struct error *error)
{
    const struct node *list = pickle_node(keys, keys->root);
    uint64_t size = input_size(reading->input);
    places->keys = arena_take(reading->scratch, (size_t)list->count + 1, sizeof(*places->keys));
    if (!places->keys)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                         "no memory for the storages");
    for (uint32_t i = 0; i < list->count; i++) {
        const struct node *key = pickle_node(keys, list->items[i]);
        struct span window;
        uint64_t bytes;
        if (key->kind != NODE_TEXT)
            return error_set(error, ERROR_MALFORMED, input_place(reading->input, offset),
                             "a storage's key is no text");
        if (size < offset || size - offset < 8)
            return true; /* the tensors of what is missing say so */
        if (!input_window(reading->input, offset, 8, &window, error))
            return false;
        struct cursor cursor = {.rest = window};
        uint64_t count = swapped ? take_u64be(&cursor) : take_u64le(&cursor);
        size_t element = element_size(tree, key->text);
        if (element == 0 || !size_product(count, element, &bytes))
            return error_set(error, ERROR_MALFORMED, input_place(reading->input, offset),
                             "storage %.*s has an impossible size", (int)key->text.size,
                             key->text.data);
        offset += 8;
        if (bytes > size - offset)
            return true;
        places->keys[places->count++] = (struct key_place){key->text, offset, bytes};
        offset += bytes;
    }
    return true;
}

struct parts { /* of the file, after the magic number */
    struct pickle protocol, system, tree, keys;
    uint64_t offset; /* behind them */
};

static bool parts_read(const struct reading *reading, struct span bytes, struct parts *parts,
                       struct error *error)
{
    struct pickle *const order[] = {&parts->protocol, &parts->system, &parts->tree, &parts->keys};
    uint64_t offset = magic_size(bytes);
    struct span rest = {bytes.data + offset, bytes.size - offset};
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (!pickle_read(rest, input_place(reading->input, offset), reading->scratch, order[i],
                         error))
            return false;
        rest.data += order[i]->consumed;
        rest.size -= order[i]->consumed;
        offset += order[i]->consumed;
    }
    parts->offset = offset;
    return true;
}

/* The pickles stand before the storages and say themselves where they end: more is read only where
   they go on. */
static bool pickles_read(const struct reading *reading, struct span *bytes, struct parts *parts,
                         struct error *error)
{
    uint64_t size = input_size(reading->input);
    struct span head;
    if (!input_window(reading->input, 0, size < MAGIC_MOST ? (size_t)size : MAGIC_MOST, &head,
                      error))
        return false;
    if (magic_size(head) == 0)
        return error_set(error, ERROR_TRUNCATED, input_place(reading->input, size),
                         "the file ends inside its magic number");
    for (uint64_t part = PICKLE_FIRST;; part *= 8) {
        part = part < size ? part : size;
        part = part < PICKLE_MAX ? part : PICKLE_MAX;
        uint8_t *data = arena_take(reading->scratch, (size_t)part + 1, 1);
        if (!data)
            return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                             "no memory for the tree");
        *bytes = (struct span){data, (size_t)part};
        if (!input_pread(reading->input, 0, (size_t)part, data, error))
            return false;
        if (parts_read(reading, *bytes, parts, error))
            return true;
        if (error->kind != ERROR_TRUNCATED || part == size || part == PICKLE_MAX)
            return false;
    }
}

static bool read_legacy(const struct reading *reading, struct error *error)
{
    struct span bytes;
    struct parts parts;
    struct places places = {0};
    if (!reading_seekable(reading, error))
        return false;
    if (!pickles_read(reading, &bytes, &parts, error))
        return false;
    uint32_t little = pickle_member(&parts.system, parts.system.root, "little_endian");
    bool swapped = little && pickle_node(&parts.system, little)->kind == NODE_BOOL &&
                   pickle_node(&parts.system, little)->integer == 0;
    if (!places_make(reading, &parts.tree, &parts.keys, parts.offset, swapped, &places, error))
        return false;
    struct tree tree = {
        .reading = reading,
        .pickle = &parts.tree,
        .input = reading->input,
        .bytes = bytes,
        .bytes_offset = 0,
        .swapped = swapped,
        .storage = storage_find,
        .context = &places,
    };
    if (!tree_put(&tree, error))
        return false;
    return tree.missing == 0 ||
           error_set(error, ERROR_TRUNCATED,
                     input_place(reading->input, input_size(reading->input)),
                     "the file ends before the storages of %" PRIu64 " of %" PRIu64 " tensors",
                     tree.missing, tree.tensors);
}

const struct format format_torch_legacy = {
    .name = "torch-legacy",
    .about = "PyTorch checkpoint written before 1.6",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_legacy,
};
