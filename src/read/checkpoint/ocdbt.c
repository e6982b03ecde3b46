/* Manifests of OCDBT, in which Orbax keeps arrays (tensorstore, kvstore/ocdbt/format).

   0  4  u32 big-endian 0x0cdb3a2a       12  ..  version, compression, body
   4  8  u64 length of the file          -4   4  CRC-32C of all before

   The tree below it is packed by zstd and lies in other files; whether the manifest is whole is
   looked at, its arrays are not read. */
/* SPDX-License-Identifier: MIT */
#include "read/crc32c.h"
#include "stalldoc/format.h"

#include <inttypes.h>
#include <string.h>

enum { HEAD = 12, CHECKSUM = 4, MANIFEST_MAX = 64 << 20 };

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    return head.size >= HEAD && memcmp(head.data, "\x0c\xdb\x3a\x2a", 4) == 0 ? 98 : 0;
}

static bool read_manifest(const struct reading *reading, struct error *error)
{
    struct input *input = reading->input;
    const uint64_t size = input_size(input);
    struct span window;
    if (!input_seekable(input) || size > MANIFEST_MAX)
        return error_set(error, ERROR_UNSUPPORTED, input_place(input, 0),
                         "a manifest of more than 64 MiB, or in a stream");
    if (size < HEAD + CHECKSUM)
        return error_set(error, ERROR_TRUNCATED, input_place(input, size),
                         "the file ends inside its header");
    uint8_t *bytes = arena_take(reading->scratch, (size_t)size, 1);
    if (!bytes)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the manifest");
    if (!input_pread(input, 0, (size_t)size, bytes, error))
        return false;
    window = (struct span){bytes + 4, 8};
    struct cursor length = {.rest = window};
    const uint64_t said = take_u64le(&length);
    if (said != size)
        return error_set(error, said > size ? ERROR_TRUNCATED : ERROR_MALFORMED,
                         input_place(input, 4),
                         "a manifest of %" PRIu64 " bytes that says %" PRIu64, size, said);
    struct cursor checksum = {.rest = {bytes + size - CHECKSUM, CHECKSUM}};
    if (crc32c(0, bytes, (size_t)size - CHECKSUM) != take_u32le(&checksum))
        return error_set(error, ERROR_CHECKSUM, input_place(input, 0),
                         "the manifest fails its checksum");
    return error_set(error, ERROR_UNSUPPORTED, input_place(input, 0),
                     "arrays of Orbax (OCDBT): the manifest is whole, they are not read");
}

const struct format format_ocdbt = {
    .name = "ocdbt",
    .about = "manifest of an Orbax checkpoint; its arrays are not read",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_manifest,
};
