/* Sorted tables (LevelDB's doc/table_format.md, as TensorFlow writes them).

   block    contents, u8 type (0 plain, 1 Snappy), u32 masked CRC-32C of both
   contents entries, u32 restart offset [n], u32 n
   entry    varint shared, varint unshared, varint value length, key's rest, value
   footer   48 bytes: varints of the metaindex' and the index' offset and size; the mark */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/table.h"

#include "read/crc32c.h"
#include "read/wire.h"

#include <string.h>

enum { TRAILER = 5, BLOCK_MAX = 64 << 20, BLOCKS_MAX = 1 << 20, KEY_MAX = 64 << 10 };

static const uint8_t mark[8] = {0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb};

struct walk {
    struct input *input;
    struct arena *scratch;
    bool (*met)(void *context, struct text key, struct span value, struct error *error);
    void *context;
    uint64_t blocks;
    bool index; /* the values are places of blocks */
};

static bool broken(struct input *input, uint64_t offset, struct error *error, const char *what)
{
    return error_set(error, ERROR_MALFORMED, input_place(input, offset), "table: %s", what);
}

bool table_marked(struct input *input)
{
    struct span window;
    uint64_t size = input_size(input);
    struct error ignored;
    return input_seekable(input) && size >= TABLE_FOOTER &&
           input_window(input, size - sizeof(mark), sizeof(mark), &window, &ignored) &&
           memcmp(window.data, mark, sizeof(mark)) == 0;
}

/* The contents of a block, unpacked, in the scratch arena. */
static bool block_take_at(struct walk *walk, uint64_t offset, uint64_t size, struct span *contents,
                          struct error *error)
{
    struct input *input = walk->input;
    const uint64_t whole = input_size(input);
    uint64_t unpacked;
    if (size > BLOCK_MAX || offset > whole || whole - offset < size + TRAILER + TABLE_FOOTER)
        return broken(input, offset, error, "a block lies outside the file");
    if (++walk->blocks > BLOCKS_MAX)
        return broken(input, offset, error, "more blocks than a table has");
    uint8_t *bytes = arena_take(walk->scratch, (size_t)size + TRAILER, 1);
    if (!bytes)
        return error_set(error, ERROR_MEMORY, input_place(input, offset), "no memory for a block");
    if (!input_pread(input, offset, (size_t)size + TRAILER, bytes, error))
        return false;
    struct cursor trailer = {.rest = {bytes + size + 1, 4}};
    if (crc32c_masked(crc32c(0, bytes, (size_t)size + 1)) != take_u32le(&trailer))
        return error_set(error, ERROR_CHECKSUM, input_place(input, offset),
                         "table: a block fails its checksum");
    *contents = (struct span){bytes, (size_t)size};
    if (bytes[size] == 0)
        return true;
    if (bytes[size] != 1)
        return error_set(error, ERROR_UNSUPPORTED, input_place(input, offset),
                         "table: a block packed by a method that is not read");
    if (!snappy_size(*contents, &unpacked) || unpacked > BLOCK_MAX)
        return broken(input, offset, error, "a packed block says an impossible size");
    uint8_t *out = arena_take(walk->scratch, (size_t)unpacked + 1, 1);
    if (!out)
        return error_set(error, ERROR_MEMORY, input_place(input, offset), "no memory for a block");
    if (!snappy_unpack(*contents, out, (size_t)unpacked))
        return broken(input, offset, error, "a packed block is damaged");
    *contents = (struct span){out, (size_t)unpacked};
    return true;
}

static bool block_walk(struct walk *walk, uint64_t offset, uint64_t size, struct error *error);

static bool value_put(struct walk *walk, struct text key, struct span value, struct error *error)
{
    uint64_t offset, size;
    if (!walk->index)
        return walk->met(walk->context, key, value, error);
    if (!wire_varint(&value, &offset) || !wire_varint(&value, &size))
        return broken(walk->input, 0, error, "an entry of the index is damaged");
    walk->index = false;
    bool sound = block_walk(walk, offset, size, error);
    walk->index = true;
    return sound;
}

static bool block_walk(struct walk *walk, uint64_t offset, uint64_t size, struct error *error)
{
    struct span block;
    if (!block_take_at(walk, offset, size, &block, error))
        return false;
    struct cursor end = {.rest = {block.data + block.size - 4, 4}};
    uint64_t restarts = block.size >= 4 ? take_u32le(&end) : 0;
    if (block.size < 4 || restarts < 1 || restarts > (block.size - 4) / 4)
        return broken(walk->input, offset, error, "a block without its restarts");
    struct span rest = {block.data, block.size - 4 - 4 * (size_t)restarts};
    char *key = arena_take(walk->scratch, KEY_MAX, 1);
    uint64_t key_size = 0;
    if (!key)
        return error_set(error, ERROR_MEMORY, input_place(walk->input, offset),
                         "no memory for a block");
    while (rest.size > 0) {
        uint64_t shared, added, length;
        if (!wire_varint(&rest, &shared) || !wire_varint(&rest, &added) ||
            !wire_varint(&rest, &length) || shared > key_size || added > rest.size ||
            length > rest.size - added || shared + added > KEY_MAX)
            return broken(walk->input, offset, error, "an entry is damaged");
        memcpy(key + shared, rest.data, (size_t)added);
        key_size = shared + added;
        const struct span value = {rest.data + added, (size_t)length};
        if (!value_put(walk, (struct text){key, (size_t)key_size}, value, error))
            return false;
        rest.data += added + length;
        rest.size -= (size_t)(added + length);
    }
    return true;
}

bool table_read(struct input *input, struct arena *scratch,
                bool (*met)(void *context, struct text key, struct span value, struct error *error),
                void *context, struct error *error)
{
    struct span footer;
    uint64_t size = input_size(input), place[4];
    if (!table_marked(input))
        return error_set(error, ERROR_TRUNCATED, input_place(input, size),
                         "the table's end is missing (the file was cut, or is none)");
    if (!input_window(input, size - TABLE_FOOTER, TABLE_FOOTER, &footer, error))
        return false;
    for (size_t i = 0; i < 4; i++)
        if (!wire_varint(&footer, &place[i]))
            return broken(input, size - TABLE_FOOTER, error, "the footer is damaged");
    struct walk walk = {
        .input = input, .scratch = scratch, .met = met, .context = context, .index = true};
    return block_walk(&walk, place[2], place[3], error);
}
