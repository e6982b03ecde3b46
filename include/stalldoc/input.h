/* Files as bytes: plain, gzip and zstd, text in UTF-16 as UTF-8, standard input, FIFOs. Nothing
 * else touches files. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_INPUT_H
#define STALLDOC_INPUT_H

#include "stalldoc/span.h"

struct input; /* open until input_close */

enum input_layer { INPUT_PLAIN, INPUT_GZIP, INPUT_ZSTD, INPUT_UTF16 };

/* `path` "-" is standard input. A folder, a missing or unreadable file: false, and the message says
   what to do ("runs/x: no such file or folder"). Compressed content and UTF-16 are recognised by
   their first bytes. */
bool input_open(const char *path, uint32_t number, struct input **input, struct error *error);
/* The same over bytes in memory, which stay with the caller; it has no siblings. */
bool input_memory(struct span bytes, const char *name, uint32_t number, struct input **input,
                  struct error *error);
/* Bytes that a reader unpacked from `input`, as they are (no layer is looked for), to be read as an
   input. It closes with `input`; the bytes have to live as long. NULL with *error. */
struct input *input_inside(struct input *input, struct span bytes, struct error *error);

struct input_part { /* bytes of an input */
    struct input *input;
    uint64_t offset, size;
};
/* Parts of other inputs, one behind the other, as an input of its own: plain and seekable. It
   closes with `input`, as the inputs of the parts have to; those are no joined ones themselves.
   NULL with *error: ERROR_TRUNCATED where a part is not there. */
struct input *input_joined(struct input *input, const struct input_part *parts, size_t count,
                           struct error *error);
struct coding { /* values that are stored in groups, in another form than they are measured in */
    size_t stored, values; /* bytes of a group in the file and decoded; at most CODING_MOST */
    void (*decode)(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                   size_t groups);
};
enum { CODING_MOST = 1024 };
/* `groups` groups from `offset` on, decoded where they are read, as an input of its own: plain and
   seekable. It closes with `input`, which is no decoded one itself. NULL with *error:
   ERROR_TRUNCATED where a group is not there. */
struct input *input_coded(struct input *input, uint64_t offset, uint64_t groups,
                          const struct coding *coding, struct error *error);
void input_close(struct input *input);

const char *input_path(const struct input *input); /* as named by the user */
uint32_t input_number(const struct input *input);
enum input_layer input_layer(const struct input *input);
bool input_seekable(const struct input *input);  /* input_window works: plain, a regular file */
uint64_t input_size(const struct input *input);  /* of the file; 0 where unknown */
uint64_t input_count(const struct input *input); /* decoded bytes delivered so far */

/* The first bytes, up to 64 KiB, for probes; does not consume. Shorter only where the input is. */
bool input_head(struct input *input, struct span *head, struct error *error);

/* Streaming: the next decoded bytes in order, into the caller's memory; *got 0 at the end.
   A damaged or truncated compressed stream: false after all sound bytes were delivered. */
bool input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *error);

/* Exactly `size` bytes at `offset`, valid until the next call on this input; else ERROR_TRUNCATED.
   They begin on a 64-byte boundary and have LIMIT_WINDOW_SPARE spare bytes on both sides. */
bool input_window(struct input *input, uint64_t offset, size_t size, struct span *window,
                  struct error *error);
/* The same into the caller's memory; may be called from several threads at once. */
bool input_pread(const struct input *input, uint64_t offset, size_t size, void *buffer,
                 struct error *error);

struct place input_place(const struct input *input, uint64_t offset);

/* Another file of the same folder; it closes with `input`. No path, no link, at most
   LIMIT_SIBLINGS. NULL with *error. */
struct input *input_sibling(struct input *input, struct text name, struct error *error);

/* Folders. */
struct folder_options {
    const char *const *include, *const
                                    *exclude; /* globs on the path below the folder; may be NULL */
    size_t include_count, exclude_count;
    int max_depth;
};
enum path_kind { PATH_MISSING, PATH_FILE, PATH_FOLDER, PATH_STREAM /* FIFO, device, socket */ };
enum path_kind path_kind(const char *path);
/* Calls found(context, path, kind) for each file below `path` in natural order of names, folders
   last; FIFOs are told as PATH_STREAM and never opened. False: unreadable, or found said so. */
bool folder_walk(const char *path, const struct folder_options *options,
                 bool (*found)(void *context, const char *path, enum path_kind kind,
                               struct error *error),
                 void *context, struct error *error);
/* A whole small file (rule files, baselines), at most `limit` bytes, in the arena. */
struct arena;
bool file_text(const char *path, size_t limit, struct arena *arena, struct text *text,
               struct error *error);

#endif
