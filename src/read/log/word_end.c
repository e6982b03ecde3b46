/* Where words end: what is glued to them by a sign and what is not. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

/* `mAP@.5`, `mAP@0.5:.95`: what a fraction behind `@` and the end of COCO's range add to the word
   that began at `at`; `end` if nothing. */
static size_t threshold_end(struct text text, size_t at, size_t end)
{
    const char *sign = memchr(text.data + at, '@', end - at);
    const struct text rest = text_cut(text, end, sizeof(":0.95"));
    if (text_byte(text, end) == '@' && text_byte(text, end + 1) == '.' &&
        byte_is_digit(text_byte(text, end + 2)))
        return end + 2;
    if (sign && text_starts(rest, ":.95"))
        return end + sizeof(":.95") - 1;
    return sign && text_starts(rest, ":0.95") ? end + sizeof(":0.95") - 1 : end;
}

size_t token_word_end(struct text text, size_t at)
{
    size_t i = at;
    for (;;) {
        char c = text_byte(text, i), next = text_byte(text, i + 1);
        if (byte_is_word(c)) {
            char byte;
            if ((unsigned char)c >= 0xC2 && (bar_glyph(text, i) || sign_glyph(text, i, &byte)))
                return i;
            i++;
        } else if (i == at) {
            return i;
        } else if ((c == '.' || c == '/' || c == '@' || c == '\\' || c == '#') &&
                   byte_is_word(next)) {
            i += 1;
        } else if (c == '+' && (next == '+' || byte_is_letter(next))) {
            i += 1 + (size_t)(next == '+');
        } else if (c == ':' && next == ':') {
            i += 2;
        } else if ((c == '@' || c == ':') && threshold_end(text, at, i) > i) {
            i = threshold_end(text, at, i);
        } else if (c == '-' && byte_is_word(next)) {
            i += 1;
        } else if (c == '\'' && next == 's' && !byte_is_word(text_byte(text, i + 2))) {
            i += 2;
        } else {
            return i;
        }
    }
}

size_t source_line_end(struct text text, size_t at, size_t end)
{
    static const char *const endings[] = {".py", ".cc", ".cpp", ".cu",   ".c",  ".h",   ".hpp",
                                          ".go", ".rs", ".jl",  ".java", ".ts", ".lua", NULL};
    struct text word = {text.data + at, end - at};
    size_t line = end + 1;
    while (byte_is_digit(text_byte(text, line)))
        line++;
    if (text_byte(text, end) != ':' || line == end + 1 || byte_is_word(text_byte(text, line)) ||
        (text_byte(text, line) == '.' && byte_is_digit(text_byte(text, line + 1))))
        return end;
    for (size_t i = 0; endings[i]; i++)
        if (text_ends(word, endings[i]))
            return line;
    return end;
}
