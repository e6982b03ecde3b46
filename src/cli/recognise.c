/* The type of an input, by content first; a name counts where the content contradicts it. */
/* SPDX-License-Identifier: MIT */
#include "cli/recognise.h"

#include <string.h>

/* The type that the ending of a name promises. What is in such a file and is none, say an error
   page that was saved as model.pt, is damage and not a log. Of a file that holds nothing endings
   count that several types of checkpoint have. NULL: none. */
static const struct format *promised(struct text name, bool nothing)
{
    static const struct {
        const char *ending, *type;
        bool several;
    } endings[] = {
        {".pt", "torch", false},
        {".pth", "torch", false},
        {".safetensors", "safetensors", false},
        {".gguf", "gguf", false},
        {".npy", "numpy", false},
        {".npz", "npz", false},
        {".h5", "hdf5", false},
        {".keras", "keras", false},
        {".onnx", "onnx", false},
        {".hdf5", "hdf5", false},
        {".caffemodel", "caffemodel", false},
        {".ckpt", "torch", true},
        {".bin", "torch", true},
        {".pth.tar", "torch", true},
        {".distcp", "torch", true},
    };
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const struct format *format = format_named(text_of(endings[i].type));
        if (text_ends(name, endings[i].ending) && format && format->read &&
            (nothing || !endings[i].several))
            return format;
    }
    return NULL;
}

bool is_source_text(struct text name)
{
    static const char *const endings[] = {
        ".py",   ".pyi", ".pyx", ".c",     ".h",   ".cc",   ".cpp",  ".cxx", ".hpp",
        ".cu",   ".cuh", ".go",  ".rs",    ".jl",  ".r",    ".R",    ".m",   ".lua",
        ".java", ".js",  ".ts",  ".scala", ".sh",  ".bash", ".ps1",  ".bat", ".css",
        ".html", ".md",  ".rst", ".tex",   ".bib", ".diff", ".patch"};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (text_ends(name, endings[i]))
            return true;
    return false;
}

static bool begins(struct span head, const char *magic)
{
    size_t size = strlen(magic);
    return head.size >= size && memcmp(head.data, magic, size) == 0;
}

/* Of files that are often met beside logs; NULL: not known. */
static const char *content_name(struct span head)
{
    static const struct {
        const char *magic, *name;
    } known[] = {
        {"\x89PNG", "a PNG image"},     {"\xff\xd8\xff", "a JPEG image"},
        {"GIF8", "a GIF image"},        {"%PDF", "a PDF document"},
        {"\x7f\x45LF", "a program"},    {"SQLite format 3", "an SQLite database"},
        {"BZh", "a bzip2 archive"},     {"\xfd\x37zXZ", "an xz archive"},
        {"7z\xbc\xaf", "a 7z archive"}, {"<!DOCTYPE html", "a web page"},
        {"<html", "a web page"},        {"<?xml", "an XML document"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (begins(head, known[i].magic))
            return known[i].name;
    return NULL;
}

/* What a full disk leaves, or a writer that died before it wrote; NULL: something is there. */
static const char *emptiness(struct span head)
{
    for (size_t i = 0; i < head.size; i++)
        if (head.data[i] != 0)
            return NULL;
    return head.size == 0 ? "the file is empty" : "there is nothing in it but NUL bytes";
}

void recognise(const struct format *forced, struct span head, struct text name, struct place begin,
               struct recognised *recognised)
{
    *recognised = (struct recognised){.format = forced};
    if (forced && head.size > 0)
        return;
    const char *nothing = emptiness(head), *content = content_name(head);
    const struct format *named = promised(name, nothing != NULL);
    const struct format *format = head.size > 0 ? format_of(head, name) : NULL;
    recognised->format = format;
    if (nothing && (named || head.size == 0)) {
        recognised->broken = named != NULL;
        recognised->format = named;
        error_set(&recognised->why, named ? ERROR_MALFORMED : ERROR_UNSUPPORTED, begin, "%s",
                  nothing);
    } else if (begins(head, "version https://git-lfs.github.com/spec/") && (named || format)) {
        recognised->broken = true;
        recognised->format = named ? named : format;
        error_set(&recognised->why, ERROR_MALFORMED, begin,
                  "a Git LFS pointer, the file itself was not fetched");
    } else if (named && (!format || format->group == FORMAT_LOG)) {
        recognised->broken = true;
        recognised->format = named;
        error_set(&recognised->why, ERROR_MALFORMED, begin, "%s under the name of a %s file",
                  content  ? content
                  : format ? "text"
                           : "something else",
                  named->name);
    } else if (!format) {
        error_set(&recognised->why, ERROR_UNSUPPORTED, begin,
                  content ? "%s, no log and no checkpoint"
                          : "no log, checkpoint or event file that is known; --type forces a type",
                  content);
    } else if (!format->read) {
        error_set(&recognised->why, ERROR_UNSUPPORTED, begin, "%s: recognised, but not read",
                  format->about);
    }
}
