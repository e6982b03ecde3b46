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

bool glyphs_rule(struct text text)
{
    static const char *const lines[] = {"\x94\x80", "\x95\x90", "\x95\xAD", "\x95\xAE", "\x95\xAF",
                                        "\x95\xB0", "\x94\x8C", "\x94\x90", "\x94\x94", "\x94\x98",
                                        "\x95\x94", "\x95\x97", "\x95\x9A", "\x95\x9D"};
    for (size_t at = 0; at < text.size; at += 3) {
        bool line = false;
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            line = line || text_starts(text_cut(text, at + 1, 2), lines[i]);
        if (!line)
            return false;
    }
    return true;
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

static size_t count_end(struct text text, size_t at)
{
    size_t i = at;
    while (byte_is_digit(text_byte(text, i)) || (text_byte(text, i) == '.' && i > at))
        i++;
    while (i > at && byte_is_letter(text_byte(text, i)))
        i++;
    return i;
}

bool undrawn_bar(struct text text, size_t at)
{
    size_t i = at;
    while (text_byte(text, i) == ' ')
        i++;
    size_t end = count_end(text, i);
    if (i == at || end == i || text_byte(text, end) != '/')
        return false;
    i = end + 1;
    end = count_end(text, i);
    if (end == i || text_byte(text, end) != ' ' || text_byte(text, end + 1) != '[')
        return false;
    for (i = end + 2; byte_is_digit(text_byte(text, i)) || text_byte(text, i) == ':';)
        i++;
    return i > end + 2 && text_byte(text, i) == '<';
}

struct glyph {
    const char *utf8;
    char byte;
};

size_t sign_glyph(struct text text, size_t at, char *byte)
{
    static const struct glyph glyphs[] = {
        {"\xC2\xA0", ' '},     {"\xC2\xAB", '"'},     {"\xC2\xBB", '"'},     {"\xC2\xB7", '*'},
        {"\xE2\x80\x93", '-'}, {"\xE2\x80\x94", '-'}, {"\xE2\x80\x9C", '"'}, {"\xE2\x80\x9D", '"'},
        {"\xE2\x86\x90", '<'}, {"\xE2\x86\x92", '>'}, {"\xE2\x87\x92", '>'}, {"\xE2\x9E\x9C", '>'},
    };
    const unsigned char lead = (unsigned char)text_byte(text, at);
    const unsigned char second = (unsigned char)text_byte(text, at + 1);
    if (lead != 0xC2 && lead != 0xE2 && lead != 0xF0 && lead != 0xEF)
        return 0;
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (text_starts(text_cut(text, at, 3), glyphs[i].utf8)) {
            *byte = glyphs[i].byte;
            return strlen(glyphs[i].utf8);
        }
    *byte = '*';
    /* Punctuation, arrows, mathematics, technical signs; symbols and dingbats; pictographs. */
    const bool signs = lead == 0xE2 && (second == 0x80 || (second >= 0x86 && second <= 0x8F) ||
                                        (second >= 0x97 && second <= 0x9E) || second >= 0xAC);
    const bool selector = text_starts(text_cut(text, at, 3), "\xEF\xB8\x8F");
    if (signs || selector)
        return at + 3 <= text.size ? 3 : 0;
    return lead == 0xF0 && second == 0x9F && at + 4 <= text.size ? 4 : 0;
}
