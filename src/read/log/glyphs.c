/* Where the drawing of a progress bar ends. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

size_t bar_glyph(struct text text, size_t at)
{
    unsigned char a = (unsigned char)text_byte(text, at);
    unsigned char b = (unsigned char)text_byte(text, at + 1);
    return a == 0xE2 && b >= 0x94 && b <= 0x96 ? 3 : 0;
}

size_t glyphs_end(struct text text, size_t at)
{
    while (bar_glyph(text, at))
        at += 3;
    return at;
}

/* `[=====>....]` and its like, at least five signs of a bar. */
size_t bracket_bar_end(struct text text, size_t at)
{
    size_t i = at + 1, blanks = 0;
    for (; i < text.size && i < at + 256; i++) {
        char c = text.data[i];
        if (c == ' ')
            blanks++;
        else if (!strchr("=>.-#*", c) && bar_glyph(text, i) == 0)
            break;
        else
            i += bar_glyph(text, i) ? 2 : 0;
    }
    if (text_byte(text, i) != ']' || i - at < 5 || blanks == i - at - 1)
        return at;
    return i + 1;
}

/* `|###   |` behind a percent sign; rows of box glyphs otherwise. */
size_t pipe_bar_end(struct text text, size_t at)
{
    for (size_t i = at + 1; i < text.size && i < at + 1024; i++) {
        if (text.data[i] == '|')
            return i + 1;
        if (!strchr(" #-=>.0123456789", text.data[i]) && (unsigned char)text.data[i] < 0x80)
            return at;
    }
    return at;
}
