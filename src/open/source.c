/* Bytes as they are stored: regular files, streams and memory. */
/* SPDX-License-Identifier: MIT */
#include "open/private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    READ_MOST = 1 << 30, /* some systems refuse more in one call */
    CODED_ROOM = 16 << 10,
};

bool path_error(struct error *error, const char *path, int reason)
{
    const char *said = strerror(reason);
    if (reason == ENOENT)
        said = "no such file or folder";
    else if (reason == EACCES || reason == EPERM)
        said = "permission denied";
    else if (reason == EISDIR)
        said = "is a folder";
    else if (reason == ELOOP)
        said = "too many links, or a link where none is followed";
    else if (reason == EMFILE || reason == ENFILE)
        said = "too many open files";
    return error_set(error, ERROR_IO, (struct place){0}, "%s: %s", path, said);
}

static bool read_some(const struct source *source, void *buffer, size_t size, size_t *got,
                      struct error *error)
{
    for (;;) {
        ssize_t count = read(source->file, buffer, size < READ_MOST ? size : READ_MOST);
        if (count >= 0) {
            *got = (size_t)count;
            return true;
        }
        if (errno != EINTR)
            return path_error(error, source->path, errno);
    }
}

static size_t part_at(const struct source *source, uint64_t offset)
{
    size_t low = 0, high = source->part_count; /* the part begins at or before the offset */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (source->parts[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* NOLINTNEXTLINE(misc-no-recursion): parts have no parts */
static bool parts_pread(const struct source *source, uint64_t offset, size_t size, void *buffer,
                        size_t *got, struct error *error)
{
    *got = 0;
    if (source->part_count == 0)
        return true;
    for (size_t i = part_at(source, offset); i < source->part_count && *got < size; i++) {
        const struct source_part *part = &source->parts[i];
        const uint64_t at = offset + *got - part->start;
        const uint64_t left = source->parts[i + 1].start - part->start;
        if (at >= left)
            continue;
        const size_t wanted = size - *got < left - at ? size - *got : (size_t)(left - at);
        size_t here = 0;
        if (!source_pread(part->source, part->offset + at, wanted, (char *)buffer + *got, &here,
                          error))
            return false;
        *got += here;
        if (here < wanted)
            break;
    }
    return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): what is decoded is not decoded itself */
static bool coded_pread(const struct source_coded *coded, uint64_t offset, size_t size,
                        uint8_t *buffer, size_t *got, struct error *error)
{
    const struct coding *coding = coded->coding;
    uint8_t stored[CODED_ROOM], values[CODED_ROOM];
    const size_t larger = coding->stored > coding->values ? coding->stored : coding->values;
    const size_t most = CODED_ROOM / larger;
    *got = 0;
    while (*got < size) {
        const uint64_t group = (offset + *got) / coding->values;
        const size_t skip = (size_t)((offset + *got) % coding->values);
        size_t left = size - *got, groups = most, bytes;
        if (left < most * coding->values - skip)
            groups = (skip + left + coding->values - 1) / coding->values;
        if (!source_pread(coded->source, coded->offset + group * coding->stored,
                          groups * coding->stored, stored, &bytes, error))
            return false;
        groups = bytes / coding->stored;
        if (groups == 0)
            return true;
        coding->decode(coding, stored, values, groups);
        left = left < groups * coding->values - skip ? left : groups * coding->values - skip;
        memcpy(buffer + *got, values + skip, left);
        *got += left;
    }
    return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): parts have no parts */
bool source_pread(const struct source *source, uint64_t offset, size_t size, void *buffer,
                  size_t *got, struct error *error)
{
    size_t done = 0;
    if (source->parts)
        return parts_pread(source, offset, size, buffer, got, error);
    if (source->coded.source)
        return coded_pread(&source->coded, offset, size, buffer, got, error);
    if (source->file < 0) {
        if (offset < source->memory.size) {
            size_t rest = source->memory.size - (size_t)offset;
            done = size < rest ? size : rest;
            memcpy(buffer, source->memory.data + offset, done);
        }
        *got = done;
        return true;
    }
    while (done < size && offset + done <= INT64_MAX) {
        size_t wanted = size - done < READ_MOST ? size - done : READ_MOST;
        ssize_t count = pread(source->file, (char *)buffer + done, wanted, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return path_error(error, source->path, errno);
        if (count == 0)
            break;
        done += (size_t)count;
    }
    *got = done;
    return true;
}

bool source_read(struct source *source, void *buffer, size_t size, size_t *got, struct error *error)
{
    *got = 0;
    if (!size || source->ended)
        return true;
    if (source->regular) {
        if (!source_pread(source, source->offset, size, buffer, got, error))
            return false;
    } else if (source->magic_used < source->magic_size) {
        size_t rest = source->magic_size - source->magic_used;
        *got = size < rest ? size : rest;
        memcpy(buffer, source->magic + source->magic_used, *got);
        source->magic_used += *got;
    } else if (!read_some(source, buffer, size, got, error)) {
        return false;
    }
    source->ended = *got == 0; /* a terminal would go on after its end */
    source->offset += *got;
    return true;
}
