/* The last line of a log that nobody ended: it may have been cut within a number. */
/* SPDX-License-Identifier: MIT */
#include "read/log/tail.h"

#include "read/log/bytes.h"

#include <string.h>

enum {
    LINES_ALIKE = 4,  /* that agree on how the number is printed */
    LINES_BACK = 64,  /* that are looked at */
    SHAPE_BYTES = 32, /* of a number */
};

static bool is_number_byte(char c)
{
    return byte_is_digit(c) || (c != '\0' && strchr(".eE+-", c));
}

/* The number at `at` as it is printed: `#.####e-##`, the digits in front of the point as one. */
static size_t shape_of(struct text text, size_t at, char shape[SHAPE_BYTES])
{
    size_t size = 0;
    bool point = false;
    for (; size < SHAPE_BYTES && is_number_byte(text_byte(text, at)); at++) {
        const char c = byte_is_digit(text.data[at]) ? '#' : text.data[at];
        point = point || c == '.';
        if (c != '#' || point || size == 0 || shape[size - 1] != '#')
            shape[size++] = c;
    }
    return size;
}

static size_t digits_skip(struct text text, size_t at)
{
    while (byte_is_digit(text_byte(text, at)))
        at++;
    return at;
}

static size_t blanks_skip(struct text text, size_t at)
{
    while (text_byte(text, at) == ' ')
        at++;
    return at;
}

/* Where `line` goes on behind what is `head` but for its digits and the width of its blanks;
   SIZE_MAX: it is another line. */
static size_t head_pass(struct text head, struct text line)
{
    size_t a = 0, b = 0;
    while (a < head.size) {
        if (b == line.size)
            return SIZE_MAX;
        if (byte_is_digit(head.data[a]) && byte_is_digit(line.data[b])) {
            a = digits_skip(head, a);
            b = digits_skip(line, b);
        } else if (head.data[a] == ' ' && line.data[b] == ' ') {
            a = blanks_skip(head, a);
            b = blanks_skip(line, b);
        } else if (head.data[a++] != line.data[b++]) {
            return SIZE_MAX;
        }
    }
    return b;
}

/* The line in front of `end`, which stands behind its line end. */
static struct text line_before(struct text text, size_t end)
{
    size_t start = end > 0 ? end - 1 : 0;
    while (start > 0 && text.data[start - 1] != '\n')
        start--;
    return text_cut(text, start, end > start ? end - start - 1 : 0);
}

size_t tail_size(struct text before, struct text last)
{
    char own[SHAPE_BYTES], all[SHAPE_BYTES], shape[SHAPE_BYTES];
    size_t start = last.size, alike = 0, all_size = 0;
    while (start > 0 && is_number_byte(last.data[start - 1]))
        start--;
    const size_t size = shape_of(last, start, own);
    if (size == 0 || size == SHAPE_BYTES || (start > 0 && byte_is_word(last.data[start - 1])))
        return last.size;
    const struct text head = text_cut(last, 0, start);
    for (size_t lines = 0; before.size > 0 && lines < LINES_BACK; lines++) {
        const struct text line = line_before(before, before.size);
        const size_t at = head_pass(head, line);
        before.size = (size_t)(line.data - before.data);
        if (at == SIZE_MAX)
            continue;
        const size_t found = shape_of(line, at, shape);
        if (alike++ == 0) {
            all_size = found;
            memcpy(all, shape, found);
        } else if (found != all_size || memcmp(shape, all, found) != 0) {
            return last.size;
        }
    }
    const bool cut = alike >= LINES_ALIKE && size < all_size && memcmp(own, all, size) == 0 &&
                     memchr(all, '.', all_size);
    return cut ? start : last.size;
}
