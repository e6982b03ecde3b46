/* PyTorch checkpoints: the zip archives of torch.save and TorchScript.

   <p>/data.pkl    the tree, as a pickle whose persistent ids name storages
   <p>/data/<key>  raw storages, stored
   <p>/byteorder   "little" or "big"; missing: little

   <p> is the file's stem or `archive`, and is taken from the directory. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/archive.h"
#include "read/checkpoint/tree.h"
#include "read/checkpoint/zero.h"
#include "stalldoc/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PICKLE_MAX = 64 << 20 };

static int probe(struct span head, struct text file_name)
{
    struct text first = archive_first_name(head);
    if (first.size == 0)
        return 0;
    if (text_ends(first, "/data.pkl") || text_is(first, "data.pkl") ||
        text_ends(first, "/version") || text_ends(first, "/.format_version") ||
        text_find(first, TEXT("/data/")) < first.size || text_ends(first, "/byteorder"))
        return 98;
    /* A zip of another kind, or one whose directory decides. */
    return text_ends(file_name, ".pt") || text_ends(file_name, ".pth") ||
                   text_ends(file_name, ".ckpt") || text_ends(file_name, ".bin")
               ? 60
               : 50;
}

struct place_of {                      /* storages by key */
    struct text root;                  /* "archive/data/" */
    const struct zip_member **members; /* by name */
    size_t count;
};

static int by_name(const void *a, const void *b)
{
    return text_compare((*(const struct zip_member *const *)a)->name,
                        (*(const struct zip_member *const *)b)->name);
}

static bool storage_find(const struct tree *tree, struct text key, uint64_t bytes, uint64_t *offset)
{
    const struct place_of *places = tree->context;
    char name[512];
    if (key.size + places->root.size > sizeof(name))
        return false;
    memcpy(name, places->root.data, places->root.size);
    memcpy(name + places->root.size, key.data, key.size);
    const struct zip_member wanted = {.name = {name, places->root.size + key.size}};
    const struct zip_member *pointer = &wanted;
    const struct zip_member *const *found =
        bsearch(&pointer, places->members, places->count, sizeof(*places->members), by_name);
    if (!found || (*found)->method != ZIP_STORED || (*found)->encrypted || (*found)->size < bytes)
        return false;
    *offset = (*found)->offset;
    return true;
}

static bool places_make(const struct reading *reading, const struct zip *zip, struct text root,
                        struct place_of *places)
{
    places->root = arena_print(reading->scratch, "%.*sdata/", (int)root.size, root.data);
    places->members = arena_take(reading->scratch, zip->count + 1, sizeof(*places->members));
    places->count = zip->count;
    if (!places->root.data || !places->members)
        return false;
    for (size_t i = 0; i < zip->count; i++)
        places->members[i] = &zip->members[i];
    qsort(places->members, zip->count, sizeof(*places->members), by_name);
    return true;
}

static bool unusual_put(const struct reading *reading, const struct pickle *pickle,
                        struct error *error)
{
    struct text name = pickle_unusual(pickle, reading->scratch);
    const struct setting setting = {
        .key = TEXT("unusual global"),
        .value = name,
        .source = SETTING_MESSAGE,
        .place = input_place(reading->input, 0),
        .rank = -1,
    };
    return name.size == 0 || reading->sink->setting(reading->sink, &setting, error);
}

/* torch.serialization.set_crc32_options(False) leaves the checksums of all members out. */
static bool sums_absent(const struct reading *reading, struct input *input, const struct zip *zip)
{
    const struct zip_member *version = zip_find_ending(zip, TEXT("version"));
    struct span bytes;
    struct error error = {0};
    return version && !zip_read(input, version, 64, true, reading->scratch, &bytes, &error) &&
           error.kind == ERROR_CHECKSUM;
}

bool torch_archive_read(const struct reading *reading, struct input *input, const struct zip *zip,
                        struct text prefix, struct error *error)
{
    const struct zip_member *data = zip_find_ending(zip, TEXT("data.pkl"));
    struct span bytes, order;
    struct pickle pickle;
    struct place_of places;
    struct error late = {0};
    struct text root = text_cut(data->name, 0, data->name.size - strlen("data.pkl"));
    const bool summed = !sums_absent(reading, input, zip);
    if (!zip_read(input, data, PICKLE_MAX, summed, reading->scratch, &bytes, error) ||
        !pickle_read(bytes, input_place(input, data->offset), reading->scratch, &pickle, error))
        return false;
    if (!places_make(reading, zip, root, &places))
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the directory");
    struct reading renamed = *reading;
    struct zero_naming naming;
    if (prefix.size == 0 && zero_named(reading, &naming))
        renamed.sink = &naming.sink;
    struct tree tree = {
        .reading = &renamed,
        .pickle = &pickle,
        .input = input,
        .bytes = bytes,
        .bytes_offset = data->method == ZIP_STORED ? data->offset : UINT64_MAX,
        .prefix = prefix,
        .storage = storage_find,
        .context = &places,
    };
    const struct zip_member *byteorder = zip_find_ending(zip, TEXT("byteorder"));
    if (byteorder && zip_read(input, byteorder, 16, false, reading->scratch, &order, &late))
        tree.swapped = order.size == 3 && memcmp(order.data, "big", 3) == 0;
    if (!unusual_put(reading, &pickle, error) || !tree_put(&tree, error))
        return false;
    if (tree.missing)
        return error_set(error, ERROR_MALFORMED, input_place(input, 0),
                         "%" PRIu64 " of %" PRIu64 " tensors have no sound storage", tree.missing,
                         tree.tensors);
    return (!summed || archive_seals_put(reading, input, zip, places.root, error)) &&
           zero_complete(reading, &pickle, error) && zero_parameters(reading, &pickle, error);
}

const struct format format_torch = {
    .name = "torch",
    .about = "PyTorch checkpoint (torch.save), TorchScript archive",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = archive_read,
};
