/* Several NumPy arrays in a zip archive (numpy.savez, numpy.savez_compressed). */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/archive.h"
#include "read/checkpoint/npy.h"

enum {
    MEMBER_MAX = 1 << 30, /* of a deflated member: it is unpacked into memory */
    HEAD = 4 << 20,       /* of one that does not fit: its first samples tell what it is */
    EXPAND_MOST = 1032,   /* of deflate: who says more lies */
};

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    return text_ends(archive_first_name(head), ".npy") ? 98 : 0;
}

static bool member_put(const struct reading *reading, struct input *input,
                       const struct zip_member *member, struct text name, struct error *error)
{
    struct span bytes;
    if (member->method == ZIP_STORED && !member->encrypted) {
        uint32_t crc;
        if (reading->stats) {
            if (!zip_crc(input, member, &crc, error))
                return false;
            if (crc != member->crc)
                return error_set(error, ERROR_CHECKSUM, input_place(input, member->offset),
                                 "zip: member %.*s fails its checksum", (int)name.size, name.data);
        }
        return npy_put(reading, input, member->offset, member->size, name, error);
    }
    const struct arena *scratch = reading->scratch;
    const uint64_t room = scratch->limit == 0              ? UINT64_MAX
                          : scratch->limit > scratch->used ? scratch->limit - scratch->used
                                                           : 0;
    if (member->method == ZIP_DEFLATED && !member->encrypted && member->size > HEAD &&
        (member->size > MEMBER_MAX || member->size >= room) &&
        member->size / EXPAND_MOST <= member->packed) {
        if (!zip_head(input, member, HEAD, reading->scratch, &bytes, error))
            return false;
        struct input *head = input_inside(reading->input, bytes, error);
        return head && npy_put_head(reading, head, member->size, name, error);
    }
    if (!zip_read(input, member, MEMBER_MAX, true, reading->scratch, &bytes, error))
        return false;
    struct input *inside = input_inside(reading->input, bytes, error);
    return inside && npy_put(reading, inside, 0, bytes.size, name, error);
}

bool npz_archive_read(const struct reading *reading, struct input *input, const struct zip *zip,
                      struct text prefix, struct error *error)
{
    struct error first = {0};
    for (size_t i = 0; i < zip->count; i++) {
        struct text name = zip->members[i].name;
        struct error here = {0};
        if (text_ends(name, ".npy"))
            name.size -= 4;
        name = arena_print(reading->scratch, "%.*s%.*s", (int)prefix.size, prefix.data,
                           (int)name.size, name.data);
        if (!name.data)
            return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for a name");
        if (!member_put(reading, input, &zip->members[i], name, &here) && first.kind == ERROR_NONE)
            first = here;
    }
    if (first.kind == ERROR_NONE)
        return true;
    *error = first;
    return false;
}

const struct format format_npz = {
    .name = "npz",
    .about = "NumPy arrays in a zip archive (.npz)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = archive_read,
};
