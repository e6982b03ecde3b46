/* From physical lines to pieces: redraws, escape sequences, full-width digits. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { BEHIND_LEAST = 4 }; /* bytes; less is left of a longer drawing (`s]`) */

/* Bytes of the escape sequence at `at` (text.data[at] is ESC). */
static size_t escape_size(struct text text, size_t at)
{
    size_t i = at + 1;
    if (i >= text.size)
        return 1;
    if (text.data[i] == '[') {
        for (i++; i < text.size; i++)
            if ((unsigned char)text.data[i] >= 0x40 && (unsigned char)text.data[i] <= 0x7E)
                return i + 1 - at;
        return text.size - at;
    }
    if (text.data[i] == ']') {
        for (i++; i < text.size; i++) {
            if (text.data[i] == '\a')
                return i + 1 - at;
            if (text.data[i] == '\033' && i + 1 < text.size && text.data[i + 1] == '\\')
                return i + 2 - at;
        }
        return text.size - at;
    }
    if (text.data[i] == '(' || text.data[i] == ')')
        return i + 1 < text.size ? 3 : 2;
    return 2;
}

/* Syslog writes CR, ESC and tab as #015, #033 and #011. */
static size_t escaped_control(struct text text, size_t at, char *control)
{
    if (at + 3 >= text.size || text.data[at] != '#' || text.data[at + 1] != '0')
        return 0;
    if (text.data[at + 2] == '1' && text.data[at + 3] == '5')
        *control = '\r';
    else if (text.data[at + 2] == '3' && text.data[at + 3] == '3')
        *control = '\033';
    else if (text.data[at + 2] == '1' && text.data[at + 3] == '1')
        *control = '\t';
    else
        return 0;
    return 4;
}

/* Full-width forms U+FF01..U+FF5E become ASCII. */
static bool full_width(struct text text, size_t at, char *plain)
{
    if (at + 2 >= text.size || (unsigned char)text.data[at] != 0xEF)
        return false;
    unsigned second = (unsigned char)text.data[at + 1], third = (unsigned char)text.data[at + 2];
    unsigned code = ((second & 0x3F) << 6) | (third & 0x3F);
    if (second < 0xBC || second > 0xBD || (third & 0xC0) != 0x80)
        return false;
    code |= 0xF000;
    if (code < 0xFF01 || code > 0xFF5E)
        return false;
    *plain = (char)(code - 0xFF01 + '!');
    return true;
}

static bool deliver(struct reader *reader, struct line *line, struct text text, line_reader *read,
                    struct error *error)
{
    while (text.size > 0 && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '\t'))
        text.size--;
    if (text.size == 0 && (line->redraw || !line->last))
        return true;
    line->raw = text;
    return read(reader, line, error);
}

/* The byte at `at`, and how much it stands for: an escape sequence, a control written as #015. */
static char control_take(struct text physical, size_t at, size_t *size)
{
    char c = physical.data[at], plain;
    size_t escaped = c == '#' ? escaped_control(physical, at, &plain) : 0;
    *size = escaped ? escaped : 1;
    if (c == '\033')
        *size = escape_size(physical, at);
    if (!escaped)
        return c;
    if (plain == '\033') /* read on as if the byte stood there */
        *size = 3 + escape_size(text_cut(physical, at + 3, physical.size), 0);
    return plain;
}

/* A sequence that sends the cursor to a column: a redraw. */
static bool goes_to_column(struct text physical, size_t at, size_t size)
{
    return at + size <= physical.size && size > 2 && physical.data[at + size - 1] == 'G';
}

/* Where the brackets that open at `at` end, text.size where they stay open. */
static size_t brackets_end(struct text text, size_t at)
{
    for (size_t depth = 0; at < text.size; at++) {
        depth += text.data[at] == '[';
        depth -= text.data[at] == ']';
        if (depth == 0)
            return at + 1;
    }
    return text.size;
}

/* Whether the times of a bar stand at `at`: `[00:12<01:30, `. */
static bool is_clock(struct text text, size_t at)
{
    size_t colons = 0;
    for (at++; byte_is_digit(text_byte(text, at)) || text_byte(text, at) == ':'; at++)
        colons += text.data[at] == ':';
    return colons > 0 && text_byte(text, at) == '<';
}

/* Bytes of a bar, where what another stream has printed follows on its line: a bar has no line end,
   and nothing of its own behind the brackets of its times. text.size where nothing does. */
static size_t bar_size(struct text text)
{
    for (size_t at = 0; at < text.size; at++) {
        if (text.data[at] != '[' || !is_clock(text, at))
            continue;
        const size_t end = brackets_end(text, at);
        size_t next = end;
        while (text_byte(text, next) == ' ')
            next++;
        const char first = text_byte(text, next);
        const bool opens =
            first == '[' || byte_is_letter(first) || (next == end && byte_is_digit(first));
        return opens && text.size - next >= BEHIND_LEAST ? end : text.size;
    }
    return text.size;
}

/* The last piece of a line that was redrawn. */
static bool deliver_last(struct reader *reader, struct line *line, struct text text,
                         line_reader *read, struct error *error)
{
    const size_t size = line->redraw ? bar_size(text) : text.size;
    line->last = size == text.size;
    if (!deliver(reader, line, text_cut(text, 0, size), read, error))
        return false;
    if (line->last)
        return true;
    line->redraw = false;
    line->last = true;
    return deliver(reader, line, text_trim(text_cut(text, size, text.size)), read, error);
}

static bool split_special(struct reader *reader, struct text physical, struct line *line,
                          line_reader *read, struct error *error)
{
    char *out = reader->scratch;
    size_t size = 0;
    line->redraw = memchr(physical.data, '\r', physical.size) != NULL ||
                   memchr(physical.data, '\b', physical.size) != NULL;
    for (size_t i = 0; i < physical.size;) {
        char plain;
        size_t skip;
        char c = control_take(physical, i, &skip);
        if (c == '\r' || c == '\b') {
            line->redraw = true;
            line->last = i + skip >= physical.size;
            if (size > 0 && !deliver(reader, line, (struct text){out, size}, read, error))
                return false;
            size = 0;
        } else if (c == '\033') {
            if (size > 0 && goes_to_column(physical, i, skip)) {
                line->redraw = true;
                if (!deliver(reader, line, (struct text){out, size}, read, error))
                    return false;
                size = 0;
            }
        } else if (full_width(physical, i, &plain)) {
            out[size++] = plain;
            skip = 3;
        } else {
            out[size++] = c;
        }
        i += skip;
    }
    return deliver_last(reader, line, (struct text){out, size}, read, error);
}

bool line_split(struct reader *reader, struct text physical, bool special, struct line *line,
                line_reader *read, struct error *error)
{
    while (physical.size > 0 && physical.data[physical.size - 1] == '\r')
        physical.size--;
    line->redraw = false;
    line->last = true;
    if (special &&
        (memchr(physical.data, '\r', physical.size) ||
         memchr(physical.data, '\033', physical.size) ||
         memchr(physical.data, '\b', physical.size) || memchr(physical.data, 0xEF, physical.size) ||
         memchr(physical.data, '#', physical.size)))
        return split_special(reader, physical, line, read, error);
    return deliver(reader, line, physical, read, error);
}
