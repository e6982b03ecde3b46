/* Folders: the files below one, in natural order; and small files as a whole. */
/* SPDX-License-Identifier: MIT */
#include "open/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    const char *name;
    enum path_kind kind;
};

struct walk {
    const struct folder_options *options;
    bool (*found)(void *context, const char *path, enum path_kind kind, struct error *error);
    void *context;
    size_t skip; /* bytes of the path that the user named, with its slash */
    int max_depth;
};

static enum path_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode))
        return PATH_FILE;
    return S_ISDIR(mode) ? PATH_FOLDER : PATH_STREAM;
}

enum path_kind path_kind(const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0)
        return PATH_STREAM;
    return stat(path, &status) == 0 ? kind_of(status.st_mode) : PATH_MISSING;
}

/* Links to files are followed, links to folders are not: no loop, and nothing is read twice. */
static enum path_kind entry_kind(int folder, const char *name)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return PATH_MISSING;
    if (!S_ISLNK(status.st_mode))
        return kind_of(status.st_mode);
    if (fstatat(folder, name, &status, 0) != 0 || S_ISDIR(status.st_mode))
        return PATH_MISSING;
    return kind_of(status.st_mode);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if ((a->kind == PATH_FOLDER) != (b->kind == PATH_FOLDER))
        return a->kind == PATH_FOLDER ? 1 : -1;
    return text_compare_natural(text_of(a->name), text_of(b->name));
}

/* A pattern without a slash speaks of names in any folder, one with a slash of whole paths. */
static bool matches(const char *const *patterns, size_t count, const char *below)
{
    const char *slash = strrchr(below, '/');
    for (size_t i = 0; i < count; i++) {
        struct text pattern = text_of(patterns[i]);
        if (text_glob(pattern, text_of(below), false))
            return true;
        if (slash && !memchr(pattern.data, '/', pattern.size) &&
            text_glob(pattern, text_of(slash + 1), false))
            return true;
    }
    return false;
}

static bool wanted(const struct walk *walk, const char *below, enum path_kind kind)
{
    const struct folder_options *options = walk->options;
    if (!options)
        return true;
    if (matches(options->exclude, options->exclude_count, below))
        return false;
    return kind == PATH_FOLDER || !options->include_count ||
           matches(options->include, options->include_count, below);
}

static bool no_memory(struct error *error, const char *path)
{
    return error_set(error, ERROR_MEMORY, (struct place){0}, "%s: no memory left", path);
}

/* PyTorch names what a distributed checkpoint consists of in a hidden file, Zarr its arrays; Hydra
   keeps the configuration of a run in a hidden folder. */
static bool is_description(const char *name)
{
    return strcmp(name, ".metadata") == 0 || strcmp(name, ".zarray") == 0 ||
           strcmp(name, ".hydra") == 0;
}

/* What lies beside the description of an array, or below it, are its chunks: no files of their own.
 */
static void chunks_leave(struct entry *entries, size_t *count)
{
    static const struct {
        const char *description, *chunks; /* NULL: everything */
    } stores[] = {{".zarray", NULL}, {"zarr.json", "c"}, {"manifest.ocdbt", "d"}};
    for (size_t k = 0; k < sizeof(stores) / sizeof(stores[0]); k++) {
        size_t kept = 0;
        bool described = false;
        for (size_t i = 0; i < *count; i++)
            described = described || strcmp(entries[i].name, stores[k].description) == 0;
        for (size_t i = 0; i < *count; i++)
            if (!described ||
                (stores[k].chunks ? strcmp(entries[i].name, stores[k].chunks) != 0
                                  : strcmp(entries[i].name, stores[k].description) == 0))
                entries[kept++] = entries[i];
        *count = kept;
    }
}

static bool list(DIR *folder, const char *path, struct arena *arena, struct entry **entries,
                 size_t *count, struct error *error)
{
    size_t capacity = 0;
    for (;;) {
        errno = 0;
        const struct dirent *item = readdir(folder);
        if (!item)
            return errno == 0 || path_error(error, path, errno);
        const bool hidden = item->d_name[0] == '.' && !is_description(item->d_name);
        enum path_kind kind = hidden ? PATH_MISSING : entry_kind(dirfd(folder), item->d_name);
        if (kind == PATH_MISSING)
            continue;
        struct entry *grown =
            arena_grow(arena, *entries, *count, &capacity, *count + 1, sizeof(**entries));
        char *name = arena_string(arena, text_of(item->d_name));
        if (!grown || !name)
            return no_memory(error, path);
        *entries = grown;
        grown[(*count)++] = (struct entry){name, kind};
    }
}

static bool walk_folder(const struct walk *walk, const char *path, int depth, struct error *error);

static bool walk_entries(const struct walk *walk, const char *path, DIR *folder, int depth,
                         struct arena *arena, struct error *error)
{
    struct entry *entries = NULL;
    size_t count = 0;
    bool listed = list(folder, path, arena, &entries, &count, error);
    closedir(folder); /* before going deeper: descriptors are few */
    if (!listed)
        return false;
    chunks_leave(entries, &count);
    if (count)
        qsort(entries, count, sizeof(*entries), compare_entries);
    const char *slash = text_ends(text_of(path), "/") ? "" : "/";
    for (size_t i = 0; i < count; i++) {
        struct text below = arena_print(arena, "%s%s%s", path, slash, entries[i].name);
        if (!below.data)
            return no_memory(error, path);
        if (!wanted(walk, below.data + walk->skip, entries[i].kind))
            continue;
        if (entries[i].kind != PATH_FOLDER) {
            if (!walk->found(walk->context, below.data, entries[i].kind, error))
                return false;
        } else if (depth < walk->max_depth) {
            if (!walk_folder(walk, below.data, depth + 1, error))
                return false;
        }
    }
    return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): bounded by the depth */
static bool walk_folder(const struct walk *walk, const char *path, int depth, struct error *error)
{
    DIR *folder = opendir(path);
    if (!folder) /* one that may not be read below the named one is passed over */
        return depth > 1 && (errno == EACCES || errno == ENOENT) ? true
                                                                 : path_error(error, path, errno);
    struct arena arena = {0};
    bool done = walk_entries(walk, path, folder, depth, &arena, error);
    arena_free(&arena);
    return done;
}

bool folder_walk(const char *path, const struct folder_options *options,
                 bool (*found)(void *context, const char *path, enum path_kind kind,
                               struct error *error),
                 void *context, struct error *error)
{
    struct text named = text_of(path);
    struct walk walk = {
        .options = options,
        .found = found,
        .context = context,
        .skip = named.size + !text_ends(named, "/"),
        .max_depth =
            options && options->max_depth > 0 ? options->max_depth : (int)LIMIT_FOLDER_DEPTH,
    };
    return walk_folder(&walk, path, 1, error);
}

bool file_text(const char *path, size_t limit, struct arena *arena, struct text *text,
               struct error *error)
{
    struct source source = {.path = path};
    source.file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (source.file < 0)
        return path_error(error, path, errno);
    char *bytes = NULL;
    size_t count = 0, capacity = 0;
    bool sound = true;
    for (;;) {
        char *grown = arena_grow(arena, bytes, count, &capacity, count + 1, 1);
        size_t got = 0;
        sound = grown ? source_read(&source, grown + count, capacity - count, &got, error)
                      : no_memory(error, path);
        if (!sound || !got)
            break;
        bytes = grown;
        count += got;
        if (count > limit) {
            sound = error_set(error, ERROR_LIMIT, (struct place){0},
                              "%s: over %zu bytes, too long for a file of this kind", path, limit);
            break;
        }
    }
    close(source.file);
    if (sound)
        *text = (struct text){bytes, count};
    return sound;
}
