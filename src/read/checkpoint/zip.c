/* Zip archives (APPNOTE 6.3): ZIP64, stored and deflated members.

   end record      50 4B 05 06, 22 bytes and a comment that ends the file
   ZIP64 locator   50 4B 06 07, 20 bytes before it, with the offset of
   ZIP64 end       50 4B 06 06, 56 bytes
   central entry   50 4B 01 02, 46 bytes, name, extra, comment
   local entry     50 4B 03 04, 30 bytes, name, extra; then the data

   Sizes and checksums of local entries are not believed: torch.save leaves them 0. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/zip.h"

#include "stalldoc/crc32.h"
#include "stalldoc/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    END = 22,
    LOCATOR = 20,
    END64 = 56,
    CENTRAL = 46,
    LOCAL = 30,
    COMMENT_MAX = 65535,
    MEMBERS_MAX = 1 << 20, /* one a storage: large optimizers have 100,000 */
    DIRECTORY_MAX = 256 << 20,
    RATIO_MAX = 1032, /* the most that deflate can reach */
};

struct directory {
    uint64_t offset, size, count, end; /* end: where the end record stands */
};

static bool broken(struct input *input, uint64_t offset, struct error *error, const char *what)
{
    return error_set(error, ERROR_MALFORMED, input_place(input, offset), "zip: %s", what);
}

static bool directory_locate64(struct input *input, struct directory *directory,
                               struct error *error)
{
    struct span window;
    if (directory->end < LOCATOR)
        return true;
    if (!input_window(input, directory->end - LOCATOR, LOCATOR, &window, error))
        return false;
    struct cursor cursor = {.rest = window};
    if (take_u32le(&cursor) != 0x07064b50)
        return true;
    take_u32le(&cursor);
    uint64_t at = take_u64le(&cursor);
    if (at > directory->end || directory->end - at < END64)
        return broken(input, directory->end, error,
                      "the ZIP64 end record is not where it should be");
    if (!input_window(input, at, END64, &window, error))
        return false;
    cursor = (struct cursor){.rest = window};
    if (take_u32le(&cursor) != 0x06064b50)
        return broken(input, at, error, "the ZIP64 end record is not where it should be");
    take_bytes(&cursor, 20);
    take_u64le(&cursor);
    directory->count = take_u64le(&cursor);
    directory->size = take_u64le(&cursor);
    directory->offset = take_u64le(&cursor);
    directory->end = at;
    return true;
}

static bool directory_locate(struct input *input, struct directory *directory, struct error *error)
{
    uint64_t size = input_size(input);
    uint64_t part = size < END + COMMENT_MAX ? size : END + COMMENT_MAX;
    struct span window;
    if (part >= END) {
        if (!input_window(input, size - part, (size_t)part, &window, error))
            return false;
        for (size_t back = END; back <= part; back++) {
            struct cursor cursor = {
                .rest = {window.data + part - back, back},
            };
            if (take_u32le(&cursor) != 0x06054b50)
                continue;
            take_bytes(&cursor, 6);
            directory->count = take_u16le(&cursor);
            directory->size = take_u32le(&cursor);
            directory->offset = take_u32le(&cursor);
            if (take_u16le(&cursor) != back - END)
                continue;
            directory->end = size - back;
            return directory_locate64(input, directory, error);
        }
    }
    return error_set(error, ERROR_TRUNCATED, input_place(input, size),
                     "the archive's directory is missing: the file ends");
}

/* The 64-bit values of extra field 1 stand for those whose 32 bits are all ones, in order. */
static void extra64(struct span extra, struct zip_member *member, uint64_t *local)
{
    struct cursor cursor = {.rest = extra};
    while (!cursor.overrun && cursor.rest.size >= 4) {
        uint16_t id = take_u16le(&cursor);
        struct cursor field = {.rest = take_bytes(&cursor, take_u16le(&cursor))};
        if (id != 1 || cursor.overrun)
            continue;
        if (member->size == UINT32_MAX)
            member->size = take_u64le(&field);
        if (member->packed == UINT32_MAX)
            member->packed = take_u64le(&field);
        if (*local == UINT32_MAX)
            *local = take_u64le(&field);
    }
}

static bool name_sound(struct text name)
{
    if (name.size == 0 || name.data[0] == '/' || memchr(name.data, 0, name.size) ||
        memchr(name.data, '\\', name.size))
        return false;
    for (size_t i = 0; i + 1 < name.size; i++)
        if (name.data[i] == '.' && name.data[i + 1] == '.' && (i == 0 || name.data[i - 1] == '/') &&
            (i + 2 == name.size || name.data[i + 2] == '/'))
            return false;
    return true;
}

/* Where the data begins: behind the local entry, whose name has to be the same. */
static bool member_place(struct input *input, struct zip_member *member, uint64_t local,
                         const struct directory *directory, struct error *error)
{
    struct span window;
    if (local > directory->offset || directory->offset - local < LOCAL)
        return broken(input, local, error, "a member lies outside the file");
    size_t head = LOCAL + member->name.size;
    if (directory->offset - local < head)
        return broken(input, local, error, "a member lies outside the file");
    if (!input_window(input, local, head, &window, error))
        return false;
    struct cursor cursor = {.rest = window};
    bool signature = take_u32le(&cursor) == 0x04034b50;
    take_bytes(&cursor, 22);
    uint16_t name = take_u16le(&cursor), extra = take_u16le(&cursor);
    if (!signature || name != member->name.size ||
        memcmp(cursor.rest.data, member->name.data, name) != 0)
        return broken(input, local, error, "a member's local entry is not that of the directory");
    member->offset = local + LOCAL + name + extra;
    if (member->offset > directory->offset || member->packed > directory->offset - member->offset)
        return broken(input, local, error, "a member reaches beyond the archive");
    if (member->method == ZIP_STORED && !member->encrypted && member->packed != member->size)
        return broken(input, local, error, "a stored member has two sizes");
    return true;
}

static bool member_take(struct input *input, struct cursor *cursor, struct zip_member *member,
                        const struct directory *directory, struct error *error)
{
    if (take_u32le(cursor) != 0x02014b50)
        return broken(input, cursor->place.offset, error, "the directory is damaged");
    take_u32le(cursor);
    member->encrypted = take_u16le(cursor) & 1;
    member->method = take_u16le(cursor);
    take_u32le(cursor);
    member->crc = take_u32le(cursor);
    member->packed = take_u32le(cursor);
    member->size = take_u32le(cursor);
    uint16_t name = take_u16le(cursor), extra = take_u16le(cursor), comment = take_u16le(cursor);
    take_bytes(cursor, 8);
    uint64_t local = take_u32le(cursor);
    struct span name_bytes = take_bytes(cursor, name);
    struct span extra_bytes = take_bytes(cursor, extra);
    take_bytes(cursor, comment);
    if (cursor->overrun)
        return broken(input, cursor->place.offset, error, "the directory is cut");
    member->name = (struct text){(const char *)name_bytes.data, name_bytes.size};
    if (!name_sound(member->name))
        return broken(input, cursor->place.offset, error, "a member's name leaves the archive");
    extra64(extra_bytes, member, &local);
    return member_place(input, member, local, directory, error);
}

static int by_offset(const void *a, const void *b)
{
    const struct zip_member *x = *(const struct zip_member *const *)a;
    const struct zip_member *y = *(const struct zip_member *const *)b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_name(const void *a, const void *b)
{
    return text_compare((*(const struct zip_member *const *)a)->name,
                        (*(const struct zip_member *const *)b)->name);
}

/* Overlapping data (one local body under many names) and names met twice are attacks or damage. */
static bool members_apart(struct input *input, const struct zip *zip, struct arena *arena,
                          struct error *error)
{
    const struct zip_member **order = arena_take(arena, zip->count + 1, sizeof(*order));
    if (!order)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the directory");
    for (size_t i = 0; i < zip->count; i++)
        order[i] = &zip->members[i];
    qsort(order, zip->count, sizeof(*order), by_offset);
    for (size_t i = 1; i < zip->count; i++)
        if (order[i - 1]->packed > order[i]->offset - order[i - 1]->offset ||
            (order[i]->offset == order[i - 1]->offset))
            return broken(input, order[i]->offset, error, "two members share the same bytes");
    qsort(order, zip->count, sizeof(*order), by_name);
    for (size_t i = 1; i < zip->count; i++)
        if (text_equal(order[i - 1]->name, order[i]->name))
            return broken(input, order[i]->offset, error, "two members have the same name");
    return true;
}

bool zip_open(struct input *input, struct arena *arena, struct zip *zip, struct error *error)
{
    struct directory directory = {0};
    if (!directory_locate(input, &directory, error))
        return false;
    if (directory.offset > directory.end || directory.size > directory.end - directory.offset ||
        directory.count > directory.size / CENTRAL || directory.count > MEMBERS_MAX ||
        directory.size > DIRECTORY_MAX)
        return broken(input, directory.end, error, "the directory lies outside the file");
    uint8_t *bytes = arena_take(arena, (size_t)directory.size + 1, 1);
    zip->members = arena_take(arena, (size_t)directory.count + 1, sizeof(*zip->members));
    zip->count = (size_t)directory.count;
    if (!bytes || !zip->members)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "no memory for the directory");
    if (!input_pread(input, directory.offset, (size_t)directory.size, bytes, error))
        return false;
    struct cursor cursor = {
        .rest = {bytes, (size_t)directory.size},
        .place = input_place(input, directory.offset),
    };
    for (size_t i = 0; i < zip->count; i++)
        if (!member_take(input, &cursor, &zip->members[i], &directory, error))
            return false;
    return members_apart(input, zip, arena, error);
}

const struct zip_member *zip_find(const struct zip *zip, struct text name)
{
    for (size_t i = 0; i < zip->count; i++)
        if (text_equal(zip->members[i].name, name))
            return &zip->members[i];
    return NULL;
}

const struct zip_member *zip_find_ending(const struct zip *zip, struct text name)
{
    for (size_t i = 0; i < zip->count; i++) {
        struct text here = zip->members[i].name;
        size_t start = here.size - name.size;
        if (here.size >= name.size && memcmp(here.data + start, name.data, name.size) == 0 &&
            (start == 0 || here.data[start - 1] == '/'))
            return &zip->members[i];
    }
    return NULL;
}

bool zip_crc(struct input *input, const struct zip_member *member, uint32_t *crc,
             struct error *error)
{
    uint32_t sum = 0;
    for (uint64_t done = 0; done < member->packed;) {
        uint64_t left = member->packed - done;
        size_t part = left < LIMIT_WINDOW ? (size_t)left : LIMIT_WINDOW;
        struct span window;
        if (!input_window(input, member->offset + done, part, &window, error))
            return false;
        sum = crc32_of(sum, window.data, part);
        done += part;
    }
    *crc = sum;
    return true;
}

/* `size` bytes, all of the member or its first. */
static bool inflate_member(struct input *input, const struct zip_member *member, uint8_t *out,
                           size_t size, struct error *error)
{
    z_stream stream = {0};
    int status = Z_OK;
    uint64_t done = 0;
    if (inflateInit2(&stream, -15) != Z_OK)
        return error_set(error, ERROR_MEMORY, input_place(input, member->offset),
                         "no memory to unpack");
    stream.next_out = out;
    stream.avail_out = (uInt)size;
    while (status == Z_OK && done < member->packed && stream.avail_out > 0) {
        uint64_t left = member->packed - done;
        size_t part = left < LIMIT_WINDOW ? (size_t)left : LIMIT_WINDOW;
        struct span window;
        if (!input_window(input, member->offset + done, part, &window, error))
            break;
        stream.next_in = (Bytef *)(uintptr_t)window.data;
        stream.avail_in = (uInt)part;
        status = inflate(&stream, Z_NO_FLUSH);
        done += part - stream.avail_in;
        if (status == Z_OK && stream.avail_in == part)
            break;
    }
    bool sound = stream.total_out == size && (status == Z_STREAM_END || size < member->size);
    inflateEnd(&stream);
    return sound || broken(input, member->offset, error, "a member does not unpack to its size");
}

bool zip_head(struct input *input, const struct zip_member *member, size_t most,
              struct arena *arena, struct span *bytes, struct error *error)
{
    struct place place = input_place(input, member->offset);
    if (member->encrypted || member->method != ZIP_DEFLATED || member->size <= most)
        return error_set(error, ERROR_UNSUPPORTED, place, "zip: a member has no head to unpack");
    uint8_t *out = arena_take(arena, most, 1);
    if (!out)
        return error_set(error, ERROR_MEMORY, place, "no memory for %zu bytes of a member", most);
    *bytes = (struct span){out, most};
    return inflate_member(input, member, out, most, error);
}

bool zip_read(struct input *input, const struct zip_member *member, uint64_t limit, bool check,
              struct arena *arena, struct span *bytes, struct error *error)
{
    struct place place = input_place(input, member->offset);
    if (member->encrypted || (member->method != ZIP_STORED && member->method != ZIP_DEFLATED))
        return error_set(error, ERROR_UNSUPPORTED, place, "zip: member %.*s is %s",
                         (int)(member->name.size < 80 ? member->name.size : 80), member->name.data,
                         member->encrypted ? "encrypted" : "packed by a method that is not read");
    if (member->size > limit || member->size / RATIO_MAX > member->packed)
        return error_set(error, ERROR_LIMIT, place,
                         "zip: member %.*s says it has %" PRIu64 " bytes, at most %" PRIu64
                         " are read",
                         (int)(member->name.size < 80 ? member->name.size : 80), member->name.data,
                         member->size, limit);
    uint8_t *out = arena_take(arena, (size_t)member->size + 1, 1);
    if (!out)
        return error_set(error, ERROR_MEMORY, place, "no memory for a member of %" PRIu64 " bytes",
                         member->size);
    if (member->method == ZIP_STORED
            ? !input_pread(input, member->offset, (size_t)member->size, out, error)
            : !inflate_member(input, member, out, (size_t)member->size, error))
        return false;
    *bytes = (struct span){out, (size_t)member->size};
    if (check && crc32_of(0, out, (size_t)member->size) != member->crc)
        return error_set(error, ERROR_CHECKSUM, place, "zip: member %.*s fails its checksum",
                         (int)(member->name.size < 80 ? member->name.size : 80), member->name.data);
    return true;
}
