/* Shards, and weights that stand twice in a folder: they are read once. */
/* SPDX-License-Identifier: MIT */
#include "cli/parts.h"

#include "stalldoc/format.h"

#include <stdlib.h>
#include <string.h>

bool listing_add(struct listing *listing, struct arena *arena, const char *path,
                 enum path_kind kind, struct error *error)
{
    struct listed *files = arena_grow(arena, listing->files, listing->count, &listing->capacity,
                                      listing->count + 1, sizeof(*files));
    const char *copy = arena_string(arena, text_of(path));
    if (!files || !copy)
        return error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for the files");
    listing->files = files;
    files[listing->count++] = (struct listed){.path = copy, .kind = kind};
    return true;
}

static struct text folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (struct text){path, slash ? (size_t)(slash - path) + 1 : 0};
}

static struct text name_of(const char *path)
{
    const struct text whole = text_of(path);
    return text_cut(whole, folder_of(path).size, whole.size);
}

static int by_text(const void *a, const void *b)
{
    return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static bool is_part(const struct format_parts *parts, struct text name)
{
    if (parts->count && bsearch(&name, parts->names, parts->count, sizeof(name), by_text))
        return true;
    for (size_t i = 0; parts->globs && parts->globs[i]; i++)
        if (text_glob(text_of(parts->globs[i]), name, false))
            return true;
    return false;
}

static void parts_mark(struct listing *listing, const struct listed *whole,
                       const struct format_parts *parts)
{
    const struct text folder = folder_of(whole->path);
    for (size_t i = 0; i < listing->count; i++) {
        struct listed *file = &listing->files[i];
        if (file != whole && file->kind == PATH_FILE && !file->whole &&
            text_equal(folder_of(file->path), folder) && is_part(parts, name_of(file->path)))
            file->whole = whole->path;
    }
}

static void whole_look(struct listing *listing, const struct listed *whole,
                       const struct format *format)
{
    struct arena arena = {0};
    struct input *input = NULL;
    struct span head;
    struct error ignored;
    struct format_parts parts = {0};
    if (!input_open(whole->path, 0, &input, &ignored))
        return;
    if (input_head(input, &head, &ignored) && format->probe(head, text_of(whole->path)) > 0 &&
        format->parts(input, &arena, &parts, &ignored))
        parts_mark(listing, whole, &parts);
    input_close(input);
    arena_free(&arena);
}

void listing_part(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        const struct listed *file = &listing->files[i];
        const struct text name = name_of(file->path);
        for (size_t k = 0; formats[k] && file->kind == PATH_FILE && !file->whole; k++)
            if (formats[k]->whole && text_glob(text_of(formats[k]->whole), name, false))
                whole_look(listing, file, formats[k]);
    }
}
