/* Inputs: a file, a stream or memory, unpacked where its bytes say that it is compressed. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/input.h"

#include "open/private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CACHE_SIDE = 64 << 10 }; /* a window out of step with the cache is copied up to here */

struct input {
    struct source source;
    enum input_layer layer;
    uint32_t number;
    uint64_t size;  /* of the file */
    uint64_t count; /* decoded bytes delivered */
    char *path;

    struct unpacker *unpacker;
    uint8_t *head; /* HEAD_MOST bytes; decoded ahead of input_read, but for seekable inputs */
    size_t head_size, head_used;
    bool head_full;
    bool failed; /* the stream ended with `failure` */
    struct error failure;

    uint8_t *block; /* the window's memory, spare bytes on both sides */
    size_t block_size;
    uint64_t window_offset;
    size_t window_size;
    uint8_t *side;
    struct source_part *parts; /* of a joined input */

    struct input *parent, *children, *next; /* siblings hang below the input that was named */
    size_t child_count;
    int folder; /* opened for the first sibling; -1 */
};

static struct input *input_new(const char *path, uint32_t number, struct error *error)
{
    size_t path_size = strlen(path) + 1;
    struct input *input = block_take(sizeof(*input) + path_size);
    if (!input) {
        error_set(error, ERROR_MEMORY, (struct place){.input = number}, "%s: no memory left", path);
        return NULL;
    }
    memset(input, 0, sizeof(*input));
    input->path = (char *)(input + 1);
    memcpy(input->path, path, path_size);
    input->source.path = input->path;
    input->source.file = -1;
    input->number = number;
    input->folder = -1;
    return input;
}

void input_close(struct input *input)
{
    if (!input)
        return;
    while (input->children) {
        struct input *child = input->children;
        input->children = child->next;
        input_close(child);
    }
    if (input->source.file >= 0 && input->source.file != STDIN_FILENO)
        close(input->source.file);
    if (input->folder >= 0)
        close(input->folder);
    unpacker_close(input->unpacker);
    block_free(input->head);
    block_free(input->block);
    block_free(input->side);
    block_free(input->parts);
    block_free(input);
}

const char *input_path(const struct input *input)
{
    return input->path;
}

uint32_t input_number(const struct input *input)
{
    return input->number;
}

enum input_layer input_layer(const struct input *input)
{
    return input->layer;
}

bool input_seekable(const struct input *input)
{
    return input->source.regular && input->layer == INPUT_PLAIN;
}

uint64_t input_size(const struct input *input)
{
    return input->size;
}

uint64_t input_count(const struct input *input)
{
    return input->count;
}

struct place input_place(const struct input *input, uint64_t offset)
{
    return (struct place){.input = input->number, .offset = offset};
}

/* A byte order mark and a letter of ASCII: the mark alone may begin numbers of any kind. */
static bool is_utf16(const uint8_t *magic)
{
    return (magic[0] == 0xFF && magic[1] == 0xFE && magic[2] > 0 && magic[3] == 0) ||
           (magic[0] == 0xFE && magic[1] == 0xFF && magic[2] == 0 && magic[3] > 0);
}

/* Learns from the first bytes whether the input is compressed, or text in UTF-16. */
static bool recognise(struct input *input, struct error *error)
{
    struct source *source = &input->source;
    uint8_t magic[MAGIC_MOST] = {0};
    size_t size = 0;
    if (source->regular) {
        if (!source_pread(source, 0, sizeof(magic), magic, &size, error))
            return false;
    } else {
        size_t got = 0;
        do {
            if (!source_read(source, magic + size, sizeof(magic) - size, &got, error))
                return false;
            size += got;
        } while (got && size < sizeof(magic));
        memcpy(source->magic, magic, size);
        source->magic_size = size;
        source->offset = 0;
        source->ended = false;
    }
    if (size >= 3 && memcmp(magic, "\x1f\x8b\x08", 3) == 0)
        input->layer = INPUT_GZIP;
    else if (size == 4 && memcmp(magic, "\x28\xb5\x2f\xfd", 4) == 0)
        input->layer = INPUT_ZSTD;
    else if (size == 4 && is_utf16(magic))
        input->layer = INPUT_UTF16;
    if (input->layer == INPUT_PLAIN)
        return true;
    input->unpacker = unpacker_open(input->layer, source, error);
    return input->unpacker != NULL;
}

/* Takes over an open file. */
static bool adopt(struct input *input, int file, struct error *error)
{
    input->source.file = file;
    struct stat status;
    if (fstat(file, &status) != 0)
        return path_error(error, input->path, errno);
    if (S_ISDIR(status.st_mode))
        return path_error(error, input->path, EISDIR);
    if (S_ISREG(status.st_mode)) {
        off_t at = lseek(file, 0, SEEK_CUR); /* standard input may stand behind the start */
        input->source.regular = at == 0;
        input->size = status.st_size > 0 && at == 0 ? (uint64_t)status.st_size : 0;
#ifdef POSIX_FADV_SEQUENTIAL
        posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
    }
    return recognise(input, error);
}

static bool named(struct error *error, uint32_t number)
{
    if (error)
        error->place.input = number;
    return false;
}

bool input_open(const char *path, uint32_t number, struct input **input, struct error *error)
{
    bool standard = strcmp(path, "-") == 0;
    struct input *opened = input_new(path, number, error);
    if (!opened)
        return false;
    int file = STDIN_FILENO;
    if (!standard) {
        /* A FIFO waits for its writer here, as it does for cat. */
        do
            file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (file < 0 && errno == EINTR);
    }
    bool ready = file >= 0 ? adopt(opened, file, error) : path_error(error, path, errno);
    if (!ready) {
        input_close(opened);
        return named(error, number);
    }
    *input = opened;
    return true;
}

bool input_memory(struct span bytes, const char *name, uint32_t number, struct input **input,
                  struct error *error)
{
    struct input *opened = input_new(name, number, error);
    if (!opened)
        return false;
    opened->source.memory = bytes;
    opened->source.regular = true;
    opened->size = bytes.size;
    if (!recognise(opened, error)) {
        input_close(opened);
        return named(error, number);
    }
    *input = opened;
    return true;
}

struct input *input_inside(struct input *input, struct span bytes, struct error *error)
{
    struct input *root = input->parent ? input->parent : input;
    struct input *inside = input_new(root->path, root->number, error);
    if (!inside)
        return NULL;
    inside->source.memory = bytes;
    inside->source.regular = true;
    inside->size = bytes.size;
    inside->parent = root;
    inside->next = root->children;
    root->children = inside;
    return inside;
}

struct input *input_joined(struct input *input, const struct input_part *parts, size_t count,
                           struct error *error)
{
    struct input *root = input->parent ? input->parent : input;
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++) {
        const struct input *from = parts[i].input;
        if (!input_seekable(from) || from->parts || from->source.coded.source ||
            parts[i].size > from->size || parts[i].offset > from->size - parts[i].size ||
            !size_sum(size, parts[i].size, &size)) {
            error_set(error, ERROR_TRUNCATED, input_place(root, 0), "%s: a part of it is not in %s",
                      root->path, from->path);
            return NULL;
        }
    }
    if (count >= SIZE_MAX / sizeof(*root->parts)) {
        error_set(error, ERROR_LIMIT, input_place(root, 0), "%s: too many parts", root->path);
        return NULL;
    }
    struct input *joined = input_inside(root, (struct span){0}, error);
    if (!joined)
        return NULL;
    joined->parts = block_take((count + 1) * sizeof(*joined->parts));
    if (!joined->parts) {
        error_set(error, ERROR_MEMORY, input_place(root, 0), "%s: no memory left", root->path);
        return NULL; /* it closes with its root */
    }
    uint64_t start = 0;
    for (size_t i = 0; i < count; i++) {
        joined->parts[i] = (struct source_part){&parts[i].input->source, parts[i].offset, start};
        start += parts[i].size;
    }
    joined->parts[count] = (struct source_part){.start = start};
    joined->source.parts = joined->parts;
    joined->source.part_count = count;
    joined->size = size;
    return joined;
}

struct input *input_coded(struct input *input, uint64_t offset, uint64_t groups,
                          const struct coding *coding, struct error *error)
{
    uint64_t stored, values;
    if (!input_seekable(input) || input->source.coded.source || offset > input->size ||
        !size_product(groups, coding->stored, &stored) || stored > input->size - offset ||
        !size_product(groups, coding->values, &values)) {
        error_set(error, ERROR_TRUNCATED, input_place(input, offset),
                  "%s: the file ends inside what is to be decoded", input->path);
        return NULL;
    }
    struct input *coded = input_inside(input, (struct span){0}, error);
    if (!coded)
        return NULL;
    coded->source.coded = (struct source_coded){&input->source, offset, coding};
    coded->size = values;
    return coded;
}

/* The next bytes behind the head. A failure waits until the bytes before it are delivered. */
static void decode(struct input *input, uint8_t *buffer, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size && !input->failed) {
        size_t more = 0;
        bool sound =
            input->unpacker
                ? unpacker_read(input->unpacker, buffer + *got, size - *got, &more, &input->failure)
                : source_read(&input->source, buffer + *got, size - *got, &more, &input->failure);
        *got += more;
        if (!sound) {
            input->failed = true;
            input->failure.place.input = input->number;
        } else if (!more) {
            return;
        }
    }
}

static bool fail_as_before(const struct input *input, struct error *error)
{
    if (error)
        *error = input->failure;
    return false;
}

bool input_head(struct input *input, struct span *head, struct error *error)
{
    if (!input->head) {
        input->head = block_take(HEAD_MOST);
        if (!input->head)
            return error_set(error, ERROR_MEMORY, input_place(input, 0), "%s: no memory left",
                             input->path);
    }
    if (!input->head_full) {
        if (input_seekable(input)) {
            if (!source_pread(&input->source, 0, HEAD_MOST, input->head, &input->head_size, error))
                return named(error, input->number);
        } else {
            decode(input, input->head, HEAD_MOST, &input->head_size);
        }
        input->head_full = true;
    }
    if (input->failed && !input->head_size)
        return fail_as_before(input, error);
    *head = (struct span){input->head, input->head_size};
    return true;
}

bool input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *error)
{
    size_t ahead = 0;
    if (input->head_full && !input_seekable(input)) {
        ahead = input->head_size - input->head_used;
        if (ahead > size)
            ahead = size;
        if (ahead)
            memcpy(buffer, input->head + input->head_used, ahead);
        input->head_used += ahead;
    }
    size_t more = 0;
    decode(input, (uint8_t *)buffer + ahead, size - ahead, &more);
    *got = ahead + more;
    input->count += *got;
    return *got || !size || !input->failed || fail_as_before(input, error);
}

static bool ends_before(const struct input *input, uint64_t offset, size_t size,
                        struct error *error)
{
    return error_set(error, ERROR_TRUNCATED, input_place(input, offset),
                     "%s: the file ends before byte %" PRIu64, input->path, offset + size);
}

static bool within(const struct input *input, uint64_t offset, size_t size, struct error *error)
{
    if (!input_seekable(input))
        return error_set(error, ERROR_UNSUPPORTED, input_place(input, offset),
                         "%s: needs a plain file; unpack it to one first", input->path);
    if (size <= input->size && offset <= input->size - size)
        return true;
    return ends_before(input, offset, size, error);
}

bool input_pread(const struct input *input, uint64_t offset, size_t size, void *buffer,
                 struct error *error)
{
    size_t got;
    if (!within(input, offset, size, error))
        return false;
    if (!source_pread(&input->source, offset, size, buffer, &got, error))
        return named(error, input->number);
    return got == size || ends_before(input, offset, size, error);
}

/* Memory for `size` bytes with spare ones on both sides, all of them set. */
static bool block_room(uint8_t **block, size_t *have, size_t size, struct error *error)
{
    if (*block && *have >= size)
        return true;
    if (size > SIZE_MAX - 2 * LIMIT_WINDOW_SPARE)
        return error_set(error, ERROR_LIMIT, (struct place){0}, "a window of %zu bytes", size);
    uint8_t *grown = block_take(size + 2 * LIMIT_WINDOW_SPARE);
    if (!grown)
        return error_set(error, ERROR_MEMORY, (struct place){0},
                         "no memory for a window of %zu bytes", size);
    memset(grown, 0, size + 2 * LIMIT_WINDOW_SPARE);
    block_free(*block);
    *block = grown;
    *have = size;
    return true;
}

/* From what the last read brought, where it holds the bytes. */
static bool cached_window(struct input *input, uint64_t offset, size_t size, struct span *window)
{
    if (offset < input->window_offset || size > input->window_size)
        return false;
    uint64_t at = offset - input->window_offset;
    if (at > input->window_size - size)
        return false;
    uint8_t *bytes = input->block + LIMIT_WINDOW_SPARE + (size_t)at;
    if (at % 64 != 0) {
        size_t side_size = input->side ? CACHE_SIDE : 0;
        if (size > CACHE_SIDE || !block_room(&input->side, &side_size, CACHE_SIDE, NULL))
            return false;
        memcpy(input->side + LIMIT_WINDOW_SPARE, bytes, size);
        bytes = input->side + LIMIT_WINDOW_SPARE;
    }
    *window = (struct span){bytes, size};
    return true;
}

bool input_window(struct input *input, uint64_t offset, size_t size, struct span *window,
                  struct error *error)
{
    if (!within(input, offset, size, error))
        return false;
    if (input->block && cached_window(input, offset, size, window))
        return true;
    size_t wanted = size;
    if (wanted < LIMIT_WINDOW)
        wanted = input->size - offset < LIMIT_WINDOW ? (size_t)(input->size - offset)
                                                     : (size_t)LIMIT_WINDOW;
    if (!block_room(&input->block, &input->block_size, wanted, error))
        return named(error, input->number);
    input->window_size = 0;
    size_t got;
    if (!source_pread(&input->source, offset, wanted, input->block + LIMIT_WINDOW_SPARE, &got,
                      error))
        return named(error, input->number);
    input->window_offset = offset;
    input->window_size = got;
    if (got < size)
        return ends_before(input, offset, size, error);
    *window = (struct span){input->block + LIMIT_WINDOW_SPARE, size};
    return true;
}

/* The folder of `path` and a slash; empty for the working folder. */
static struct text folder_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (struct text){path, slash ? (size_t)(slash - path) + 1 : 0};
}

static bool folder_open(struct input *root, struct error *error)
{
    if (root->folder >= 0)
        return true;
    struct text folder = folder_part(root->path);
    struct arena arena = {0};
    const char *name = folder.size ? arena_string(&arena, folder) : ".";
    if (name)
        root->folder = open(name, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    bool opened = root->folder >= 0 || path_error(error, root->path, name ? errno : ENOMEM);
    arena_free(&arena);
    return opened;
}

static bool sibling_name_sound(struct text name)
{
    return name.size && name.size < 256 && !memchr(name.data, '/', name.size) &&
           !memchr(name.data, '\0', name.size) && !text_is(name, ".") && !text_is(name, "..");
}

static struct input *sibling_open(struct input *root, const char *name, struct error *error)
{
    struct text folder = folder_part(root->path);
    struct arena arena = {0};
    struct text path =
        arena_print(&arena, "%.*s%s", (int)folder.size, folder.data ? folder.data : "", name);
    struct input *sibling = input_new(path.data ? path.data : name, root->number, error);
    arena_free(&arena);
    if (!sibling)
        return NULL;
    /* Not to wait for a FIFO that stands there; regular files do not mind the flag. */
    int file =
        openat(root->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    bool ready = file >= 0 ? adopt(sibling, file, error) : path_error(error, sibling->path, errno);
    if (ready && !sibling->source.regular)
        ready = error_set(error, ERROR_UNSUPPORTED, input_place(root, 0), "%s: is no regular file",
                          sibling->path);
    if (ready)
        return sibling;
    input_close(sibling);
    named(error, root->number);
    return NULL;
}

struct input *input_sibling(struct input *input, struct text name, struct error *error)
{
    struct input *root = input->parent ? input->parent : input;
    if (root->source.file < 0 || root->source.file == STDIN_FILENO || !sibling_name_sound(name)) {
        error_set(error, ERROR_UNSUPPORTED, input_place(root, 0),
                  "%s: names a file outside its folder", root->path);
        return NULL;
    }
    size_t skip = folder_part(root->path).size;
    for (struct input *child = root->children; child; child = child->next)
        if (child->source.file >= 0 && text_equal(text_of(child->path + skip), name))
            return child;
    if (root->child_count >= LIMIT_SIBLINGS) {
        error_set(error, ERROR_LIMIT, input_place(root, 0), "%s: names over %d other files",
                  root->path, LIMIT_SIBLINGS);
        return NULL;
    }
    char plain[256];
    memcpy(plain, name.data, name.size);
    plain[name.size] = '\0';
    if (!folder_open(root, error))
        return NULL;
    struct input *sibling = sibling_open(root, plain, error);
    if (!sibling)
        return NULL;
    sibling->parent = root;
    sibling->next = root->children;
    root->children = sibling;
    root->child_count++;
    return sibling;
}
