/* Zip archives: the directory decides what they are. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/archive.h"

#include "read/checkpoint/exported.h"
#include "read/checkpoint/hdf5.h"
#include "read/checkpoint/keras_config.h"

#include "stalldoc/limits.h"

#include <string.h>

enum {
    NESTED_MAX = 64 << 20, /* of an archive inside an archive */
    CONFIG_MAX = 64 << 20, /* of a model's description */
    WEIGHTS_MAX = 1 << 30, /* of packed weights */
};

struct text archive_first_name(struct span head)
{
    struct cursor cursor = {.rest = head};
    if (head.size < 30 || take_u32le(&cursor) != 0x04034b50)
        return (struct text){0};
    take_bytes(&cursor, 22);
    uint16_t size = take_u16le(&cursor);
    take_u16le(&cursor);
    struct span name = take_bytes(&cursor, size);
    return (struct text){(const char *)name.data, name.size};
}

bool archive_seals_put(const struct reading *reading, struct input *input, const struct zip *zip,
                       struct text folder, struct error *error)
{
    struct sink *sink = reading->sink;
    for (size_t i = 0; reading->stats && sink->seal && i < zip->count; i++) {
        const struct zip_member *member = &zip->members[i];
        const struct seal seal = {
            .name = member->name,
            .input = input,
            .offset = member->offset,
            .size = member->packed,
            .crc = member->crc,
        };
        if (member->method == ZIP_STORED && member->size > 0 && member->name.size > folder.size &&
            memcmp(member->name.data, folder.data, folder.size) == 0 &&
            !sink->seal(sink, &seal, error))
            return false;
    }
    return true;
}

static bool all_arrays(const struct zip *zip)
{
    for (size_t i = 0; i < zip->count; i++)
        if (!text_ends(zip->members[i].name, ".npy"))
            return false;
    return zip->count > 0;
}

/* stable-baselines: torch archives as members (.pth), or an npz named `parameters`. */
static bool nested_read(const struct reading *reading, const struct zip_member *member,
                        struct error *error)
{
    struct span bytes;
    struct zip zip;
    if (!zip_read(reading->input, member, NESTED_MAX, true, reading->scratch, &bytes, error))
        return false;
    struct input *inside = input_inside(reading->input, bytes, error);
    if (!inside || !zip_open(inside, reading->scratch, &zip, error))
        return false;
    if (all_arrays(&zip))
        return npz_archive_read(reading, inside, &zip, TEXT(""), error);
    struct text prefix =
        arena_print(reading->scratch, "%.*s:", (int)member->name.size, member->name.data);
    if (!prefix.data)
        return error_set(error, ERROR_MEMORY, input_place(inside, 0), "no memory for a name");
    if (zip_find_ending(&zip, TEXT("data.pkl")))
        return torch_archive_read(reading, inside, &zip, prefix, error);
    return true;
}

/* The bytes of a member as an input: those that are stored stay in the file. */
static struct input *member_open(const struct reading *reading, const struct zip_member *member,
                                 struct error *error)
{
    struct span bytes;
    uint32_t crc;
    if (member->method == ZIP_STORED && !member->encrypted) {
        const struct input_part part = {reading->input, member->offset, member->size};
        if (reading->stats) {
            if (!zip_crc(reading->input, member, &crc, error))
                return NULL;
            if (crc != member->crc) {
                error_set(error, ERROR_CHECKSUM, input_place(reading->input, member->offset),
                          "zip: member %.*s fails its checksum", (int)member->name.size,
                          member->name.data);
                return NULL;
            }
        }
        return input_joined(reading->input, &part, 1, error);
    }
    if (!zip_read(reading->input, member, WEIGHTS_MAX, true, reading->scratch, &bytes, error))
        return NULL;
    return input_inside(reading->input, bytes, error);
}

/* The weights of a Keras model. */
static bool weights_read(const struct reading *reading, const struct zip_member *member,
                         struct error *error)
{
    struct zip zip;
    struct input *inside = member_open(reading, member, error);
    if (!inside)
        return false;
    if (text_ends(member->name, ".h5"))
        return hdf5_read(reading, inside, error);
    return zip_open(inside, reading->scratch, &zip, error) &&
           npz_archive_read(reading, inside, &zip, TEXT(""), error);
}

/* How a Keras model was compiled; a config that cannot be read says nothing of the weights. */
static bool compiled_put(const struct reading *reading, const struct zip_member *member,
                         struct error *error)
{
    struct span bytes;
    struct error ignored;
    if (!member ||
        !zip_read(reading->input, member, CONFIG_MAX, true, reading->scratch, &bytes, &ignored))
        return true;
    return keras_config_put(reading, reading->input,
                            (struct text){(const char *)bytes.data, bytes.size},
                            TEXT("compile_config"), error);
}

static bool is_nested(const struct zip_member *member)
{
    return text_ends(member->name, ".pth") || text_ends(member->name, ".pt") ||
           text_is(member->name, "parameters");
}

/* Archives one behind the other: what they are stands in another file, which is written last. */
static bool shard_alone(const struct reading *reading, struct error *error)
{
    struct error ignored;
    const struct place place = input_place(reading->input, 0);
    if (input_sibling(reading->input, TEXT(".metadata"), &ignored))
        return error_set(error, ERROR_UNSUPPORTED, place,
                         "a part of a distributed checkpoint: .metadata is the file to name");
    return error_set(error, ERROR_MALFORMED, place,
                     "a part of a distributed checkpoint, and .metadata is missing beside it: "
                     "the save is not complete");
}

bool archive_read(const struct reading *reading, struct error *error)
{
    struct zip zip;
    struct error first = {0};
    bool any = false;
    if (!input_seekable(reading->input))
        return error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                         "an archive is read from a file, not from a stream");
    if (text_ends(text_of(input_path(reading->input)), ".distcp"))
        return shard_alone(reading, error);
    if (!zip_open(reading->input, reading->scratch, &zip, error))
        return false;
    if (zip_find_ending(&zip, TEXT("data.pkl")))
        return torch_archive_read(reading, reading->input, &zip, TEXT(""), error);
    if (all_arrays(&zip))
        return npz_archive_read(reading, reading->input, &zip, TEXT(""), error);
    const struct zip_member *weights = zip_find(&zip, TEXT("model.weights.h5"));
    weights = weights ? weights : zip_find(&zip, TEXT("model.weights.npz"));
    if (weights)
        return compiled_put(reading, zip_find(&zip, TEXT("config.json")), error) &&
               weights_read(reading, weights, error);
    if (exported_is(&zip))
        return exported_read(reading, &zip, error);
    for (size_t i = 0; i < zip.count; i++) {
        struct error here = {0};
        if (!is_nested(&zip.members[i]))
            continue;
        any = true;
        if (!nested_read(reading, &zip.members[i], &here) && first.kind == ERROR_NONE)
            first = here;
    }
    if (!any)
        return error_set(error, ERROR_UNSUPPORTED, input_place(reading->input, 0),
                         "a zip archive that holds no checkpoint");
    if (first.kind == ERROR_NONE)
        return true;
    *error = first;
    return false;
}
