/* PyTorch checkpoints of 0.1: a tar archive of three or four members.

   sys_info  a pickle about the system
   storages  a pickled count; for each a pickle (key, location, class), i64 count, values;
             then a pickled list of views (key, root's key, offset, count), offsets in elements
   tensors   a pickled count; for each a pickle (key, storage's key, class), i32 dimensions, 4
   bytes, i64 sizes, i64 strides, i64 offset pickle    the tree; persistent ids are keys of tensors,
   or tuples for modules

   Without `tensors`, as imitations write it, the tree names storages as later forms do. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tree.h"
#include "read/checkpoint/tree_tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 512, /* of a tar archive */
    MEMBERS_MAX = 64,
    PICKLE_MAX = 64 << 20,
    RECORD_MOST = 4096, /* a pickle between values */
    RECORDS_MAX = 1000000,
    KEY_MOST = 32,
};

struct member {
    uint64_t offset, size; /* of its data; size 0: not there */
};

static bool is_member(const uint8_t *name, const char *wanted)
{
    if (name[0] == '.' && name[1] == '/')
        name += 2;
    return strcmp((const char *)name, wanted) == 0;
}

static int probe(struct span head, struct text file_name)
{
    uint8_t name[101] = {0};
    (void)file_name;
    if (head.size < BLOCK || memcmp(head.data + 257, "ustar", 5) != 0)
        return 0;
    memcpy(name, head.data, 100);
    return is_member(name, "sys_info") || is_member(name, "pickle") ||
                   is_member(name, "storages") || is_member(name, "tensors")
               ? 97
               : 0;
}

struct storage {
    struct text key;
    enum dtype dtype;
    uint64_t offset, count; /* of the root, in elements; of values there */
};

struct placed { /* a tensor of the `tensors` member */
    struct text key;
    struct tensor_view view; /* but for its name */
    bool sound;
};

struct tar {
    const struct reading *reading;
    struct member sys_info, storages, tensors, pickle;
    bool swapped;
    struct storage *roots;
    size_t root_count, root_capacity;
    struct placed *placed;
    size_t placed_count, placed_capacity;
};

static bool fail(const struct tar *tar, enum error_kind kind, uint64_t at, struct error *error,
                 const char *what)
{
    return error_set(error, kind, input_place(tar->reading->input, at), "tar: %s", what);
}

/* Octal digits, or with the first bit set a big-endian number. */
static uint64_t size_take(const uint8_t *field)
{
    uint64_t value = 0;
    if (field[0] & 0x80) {
        for (int i = 4; i < 12; i++)
            value = value << 8 | field[i];
        return value;
    }
    for (int i = 0; i < 12; i++)
        if (field[i] >= '0' && field[i] <= '7')
            value = value << 3 | (uint64_t)(field[i] - '0');
    return value;
}

/* Where a member of this name is kept; NULL: it is of no interest. */
static struct member *member_slot(struct tar *tar, const uint8_t *name)
{
    return is_member(name, "sys_info")   ? &tar->sys_info
           : is_member(name, "storages") ? &tar->storages
           : is_member(name, "tensors")  ? &tar->tensors
           : is_member(name, "pickle")   ? &tar->pickle
                                         : NULL;
}

static bool members_find(struct tar *tar, struct error *error)
{
    struct input *input = tar->reading->input;
    const uint64_t size = input_size(input);
    uint64_t at = 0;
    for (int i = 0; i < MEMBERS_MAX; i++) {
        struct span window;
        uint8_t name[101] = {0};
        if (size - at < BLOCK)
            return i > 0 || fail(tar, ERROR_TRUNCATED, size, error, "the file ends in a header");
        if (!input_window(input, at, BLOCK, &window, error))
            return false;
        if (window.data[0] == 0)
            return true;
        memcpy(name, window.data, 100);
        const struct member member = {at + BLOCK, size_take(window.data + 124)};
        if (member.size > size - member.offset)
            return fail(tar, ERROR_TRUNCATED, size, error, "the file ends inside a member");
        struct member *kept = member_slot(tar, name);
        if (kept)
            *kept = member;
        const uint64_t padding = (BLOCK - member.size % BLOCK) % BLOCK;
        if (padding > size - member.offset - member.size)
            return true;
        at = member.offset + member.size + padding;
    }
    return true;
}

/* The pickle at *at of the member, which moves behind it. */
static bool record_take(const struct tar *tar, const struct member *member, uint64_t *at,
                        struct pickle *pickle, struct error *error)
{
    struct span window;
    const uint64_t left = member->offset + member->size - *at;
    const size_t part = left < RECORD_MOST ? (size_t)left : RECORD_MOST;
    uint8_t *copy = arena_take(tar->reading->scratch, part + 1, 1);
    if (!copy)
        return fail(tar, ERROR_MEMORY, *at, error, "no memory for a record");
    if (!input_window(tar->reading->input, *at, part, &window, error))
        return false;
    memcpy(copy, window.data, part);
    if (!pickle_read((struct span){copy, part}, input_place(tar->reading->input, *at),
                     tar->reading->scratch, pickle, error))
        return false;
    *at += pickle->consumed;
    return true;
}

static bool count_take(const struct tar *tar, const struct member *member, uint64_t *at,
                       uint64_t *count, struct error *error)
{
    struct pickle pickle;
    if (!record_take(tar, member, at, &pickle, error))
        return false;
    const struct node *node = pickle_node(&pickle, pickle.root);
    if (node->kind != NODE_INTEGER || node->integer < 0 || node->integer > RECORDS_MAX)
        return fail(tar, ERROR_MALFORMED, *at, error, "a count that is none");
    *count = (uint64_t)node->integer;
    return true;
}

/* Numbers between the pickles, in the byte order of the system that wrote them. */
static bool words_take(const struct tar *tar, const struct member *member, uint64_t *at,
                       size_t width, size_t count, int64_t *words, struct error *error)
{
    struct span window;
    const size_t size = width * count;
    if (size > member->offset + member->size - *at)
        return fail(tar, ERROR_TRUNCATED, *at, error, "a member ends inside a record");
    if (!input_window(tar->reading->input, *at, size, &window, error))
        return false;
    struct cursor cursor = {.rest = window};
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = width == 4 ? tar->swapped ? take_u32be(&cursor) : take_u32le(&cursor)
                              : tar->swapped ? take_u64be(&cursor)
                                             : take_u64le(&cursor);
        words[i] = (int64_t)word;
    }
    *at += size;
    return true;
}

/* Keys are numbers or their digits. */
static struct text key_of(const struct tar *tar, const struct pickle *pickle, uint32_t index)
{
    const struct node *node = pickle_node(pickle, index);
    if (node->kind == NODE_TEXT || node->kind == NODE_BYTES)
        return node->text;
    if (node->kind == NODE_INTEGER)
        return arena_print(tar->reading->scratch, "%" PRId64, node->integer);
    return (struct text){0};
}

static const struct node *tuple_of(const struct pickle *pickle, uint32_t index, uint32_t count)
{
    const struct node *node = pickle_node(pickle, index);
    const bool tuple = node->kind == NODE_TUPLE || node->kind == NODE_LIST;
    return tuple && node->count >= count ? node : NULL;
}

static int storage_by_key(const void *a, const void *b)
{
    return text_compare(((const struct storage *)a)->key, ((const struct storage *)b)->key);
}

static int placed_by_key(const void *a, const void *b)
{
    return text_compare(((const struct placed *)a)->key, ((const struct placed *)b)->key);
}

static const struct storage *root_find(const struct tar *tar, struct text key)
{
    const struct storage wanted = {.key = key};
    return tar->root_count
               ? bsearch(&wanted, tar->roots, tar->root_count, sizeof(wanted), storage_by_key)
               : NULL;
}

static bool root_add(struct tar *tar, const struct storage *storage, struct error *error)
{
    struct storage *roots = arena_grow(tar->reading->scratch, tar->roots, tar->root_count,
                                       &tar->root_capacity, tar->root_count + 1, sizeof(*roots));
    if (!roots || !storage->key.data)
        return fail(tar, ERROR_MEMORY, 0, error, "no memory for the storages, or one has no key");
    tar->roots = roots;
    roots[tar->root_count++] = *storage;
    return true;
}

/* Storages that are parts of others. */
static bool views_take(struct tar *tar, uint64_t at, struct error *error)
{
    struct pickle pickle;
    const struct member *member = &tar->storages;
    if (at == member->offset + member->size)
        return true; /* imitations leave the list out */
    if (!record_take(tar, member, &at, &pickle, error))
        return false;
    const struct node *list = pickle_node(&pickle, pickle.root);
    const size_t roots = tar->root_count;
    for (uint32_t i = 0; list->kind == NODE_LIST && i < list->count; i++) {
        const struct node *view = tuple_of(&pickle, list->items[i], 4);
        if (!view)
            return fail(tar, ERROR_MALFORMED, at, error, "a view that is none");
        const struct node *first = pickle_node(&pickle, view->items[2]);
        const struct node *count = pickle_node(&pickle, view->items[3]);
        const struct storage wanted = {.key = key_of(tar, &pickle, view->items[1])};
        const struct storage *root =
            roots ? bsearch(&wanted, tar->roots, roots, sizeof(wanted), storage_by_key) : NULL;
        if (!root || first->kind != NODE_INTEGER || count->kind != NODE_INTEGER ||
            first->integer < 0 || count->integer < 0 || (uint64_t)first->integer > root->count ||
            (uint64_t)count->integer > root->count - (uint64_t)first->integer)
            return fail(tar, ERROR_MALFORMED, at, error, "a view outside of its storage");
        struct storage storage = *root;
        storage.key = key_of(tar, &pickle, view->items[0]);
        storage.offset += (uint64_t)first->integer * dtype_size(root->dtype);
        storage.count = (uint64_t)count->integer;
        if (!root_add(tar, &storage, error))
            return false;
    }
    return true;
}

static void roots_sort(struct tar *tar)
{
    if (tar->root_count)
        qsort(tar->roots, tar->root_count, sizeof(*tar->roots), storage_by_key);
}

static bool storages_take(struct tar *tar, struct error *error)
{
    const struct member *member = &tar->storages;
    uint64_t at = member->offset, count = 0, bytes;
    if (!count_take(tar, member, &at, &count, error))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct pickle pickle;
        int64_t elements;
        if (!record_take(tar, member, &at, &pickle, error) ||
            !words_take(tar, member, &at, 8, 1, &elements, error))
            return false;
        const struct node *tuple = tuple_of(&pickle, pickle.root, 3);
        const struct node *class = tuple ? pickle_node(&pickle, tuple->items[2]) : NULL;
        if (!class || class->kind != NODE_GLOBAL || elements < 0)
            return fail(tar, ERROR_MALFORMED, at, error, "a storage that is none");
        const struct storage storage = {
            .key = key_of(tar, &pickle, tuple->items[0]),
            .dtype = storage_dtype(class->name),
            .offset = at,
            .count = (uint64_t)elements,
        };
        const size_t width = dtype_size(storage.dtype);
        if (width == 0)
            return fail(tar, ERROR_UNSUPPORTED, at, error, "a storage of an unknown class");
        if (!size_product(storage.count, width, &bytes) ||
            bytes > member->offset + member->size - at)
            return fail(tar, ERROR_TRUNCATED, at, error, "a storage ends behind its member");
        at += bytes;
        if (!root_add(tar, &storage, error))
            return false;
    }
    roots_sort(tar);
    if (!views_take(tar, at, error))
        return false;
    roots_sort(tar);
    return true;
}

/* What stands behind a tensor's pickle: its dimensions and where it begins. */
static bool shape_take(struct tar *tar, uint64_t *at, struct tensor_view *view, struct error *error)
{
    const struct member *member = &tar->tensors;
    int64_t rank, unused;
    if (!words_take(tar, member, at, 4, 1, &rank, error) ||
        !words_take(tar, member, at, 4, 1, &unused, error))
        return false;
    if (rank > TENSOR_RANK_MAX)
        return fail(tar, ERROR_MALFORMED, *at, error, "a tensor of too many dimensions");
    view->rank = (uint8_t)rank;
    return words_take(tar, member, at, 8, view->rank, view->shape, error) &&
           words_take(tar, member, at, 8, view->rank, view->stride, error) &&
           words_take(tar, member, at, 8, 1, &view->first, error);
}

static bool is_sound(const struct tensor_view *view, uint64_t count)
{
    for (int i = 0; i < view->rank; i++)
        if (view->shape[i] < 0 || view->stride[i] < 0)
            return false;
    return view->first >= 0 && view_inside(view, count);
}

static bool tensors_take(struct tar *tar, struct error *error)
{
    uint64_t at = tar->tensors.offset, count = 0;
    if (tar->tensors.size == 0)
        return true;
    if (!count_take(tar, &tar->tensors, &at, &count, error))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct pickle pickle;
        struct placed placed = {.view = {.input = tar->reading->input, .swapped = tar->swapped}};
        if (!record_take(tar, &tar->tensors, &at, &pickle, error) ||
            !shape_take(tar, &at, &placed.view, error))
            return false;
        const struct node *tuple = tuple_of(&pickle, pickle.root, 2);
        if (!tuple)
            return fail(tar, ERROR_MALFORMED, at, error, "a tensor that is none");
        placed.key = key_of(tar, &pickle, tuple->items[0]);
        const struct storage *root = root_find(tar, key_of(tar, &pickle, tuple->items[1]));
        placed.sound = root && is_sound(&placed.view, root->count);
        if (root) {
            placed.view.dtype = root->dtype;
            placed.view.offset = root->offset;
            placed.view.size = root->count * dtype_size(root->dtype);
        }
        struct placed *all = arena_grow(tar->reading->scratch, tar->placed, tar->placed_count,
                                        &tar->placed_capacity, tar->placed_count + 1, sizeof(*all));
        if (!all)
            return fail(tar, ERROR_MEMORY, at, error, "no memory for the tensors");
        tar->placed = all;
        all[tar->placed_count++] = placed;
    }
    if (tar->placed_count)
        qsort(tar->placed, tar->placed_count, sizeof(*tar->placed), placed_by_key);
    return true;
}

static enum tensor_found tensor_find(const struct tree *tree, uint32_t id, struct tensor_view *view)
{
    const struct tar *tar = tree->context;
    struct placed wanted = {.key = key_of(tar, tree->pickle, id)};
    const struct placed *found =
        wanted.key.size && tar->placed_count
            ? bsearch(&wanted, tar->placed, tar->placed_count, sizeof(wanted), placed_by_key)
            : NULL;
    if (!found)
        return TENSOR_NONE;
    *view = found->view;
    view->dtype = found->sound ? view->dtype : DTYPE_OPAQUE;
    return found->sound ? TENSOR_SOUND : TENSOR_UNPLACED;
}

static bool storage_find(const struct tree *tree, struct text key, uint64_t bytes, uint64_t *offset)
{
    const struct storage *root = root_find(tree->context, key);
    if (!root || root->count * dtype_size(root->dtype) < bytes)
        return false;
    *offset = root->offset;
    return true;
}

static bool system_take(struct tar *tar, struct error *error)
{
    struct pickle pickle;
    uint64_t at = tar->sys_info.offset;
    if (tar->sys_info.size == 0)
        return true;
    if (!record_take(tar, &tar->sys_info, &at, &pickle, error))
        return false;
    const uint32_t little = pickle_member(&pickle, pickle.root, "little_endian");
    tar->swapped = little && pickle_node(&pickle, little)->kind == NODE_BOOL &&
                   pickle_node(&pickle, little)->integer == 0;
    return true;
}

static bool tree_read(struct tar *tar, struct error *error)
{
    const struct reading *reading = tar->reading;
    struct pickle pickle;
    if (tar->pickle.size > PICKLE_MAX)
        return fail(tar, ERROR_LIMIT, tar->pickle.offset, error, "a tree of more than 64 MiB");
    uint8_t *bytes = arena_take(reading->scratch, (size_t)tar->pickle.size + 1, 1);
    if (!bytes)
        return fail(tar, ERROR_MEMORY, tar->pickle.offset, error, "no memory for the tree");
    const struct span span = {bytes, (size_t)tar->pickle.size};
    if (!input_pread(reading->input, tar->pickle.offset, span.size, bytes, error) ||
        !pickle_read(span, input_place(reading->input, tar->pickle.offset), reading->scratch,
                     &pickle, error))
        return false;
    struct tree tree = {
        .reading = reading,
        .pickle = &pickle,
        .input = reading->input,
        .bytes = span,
        .bytes_offset = tar->pickle.offset,
        .swapped = tar->swapped,
        .storage = storage_find,
        .tensor = tar->placed_count ? tensor_find : NULL,
        .context = tar,
    };
    if (!tree_put(&tree, error))
        return false;
    if (tree.tensors == 0 && tar->tensors.size == 0)
        return fail(tar, ERROR_TRUNCATED, input_size(reading->input), error,
                    "the tensors are not in it");
    return tree.missing == 0 ||
           error_set(error, ERROR_MALFORMED, input_place(reading->input, tar->pickle.offset),
                     "%" PRIu64 " of %" PRIu64 " tensors have no sound storage", tree.missing,
                     tree.tensors);
}

static bool read_tar(const struct reading *reading, struct error *error)
{
    struct tar tar = {.reading = reading};
    if (!reading_seekable(reading, error))
        return false;
    if (!members_find(&tar, error))
        return false;
    if (tar.pickle.size == 0 || tar.storages.size == 0)
        return fail(&tar, ERROR_TRUNCATED, input_size(reading->input), error,
                    "the tree or the storages are not in it");
    return system_take(&tar, error) && storages_take(&tar, error) && tensors_take(&tar, error) &&
           tree_read(&tar, error);
}

const struct format format_torch_tar = {
    .name = "torch-tar",
    .about = "PyTorch checkpoint written before 0.2",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_tar,
};
