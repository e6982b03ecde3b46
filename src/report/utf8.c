/* UTF-8, read strictly. */
/* SPDX-License-Identifier: MIT */
#include "report/utf8.h"

size_t utf8_take(struct text text, uint32_t *code)
{
    if (text.size == 0)
        return 0;
    const uint8_t *bytes = (const uint8_t *)text.data;
    if (bytes[0] < 0x80) {
        *code = bytes[0];
        return 1;
    }
    size_t size = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
    if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || text.size < size)
        return 0;
    uint32_t value = bytes[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *code = value;
    return size;
}

struct range {
    uint32_t first, last;
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

int utf8_width(uint32_t code)
{
    static const struct range nothing[] = {
        {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
    };
    static const struct range wide[] = {
        {0x1100, 0x115f},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3}, {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
        {0x1f680, 0x1f9ff}, {0x20000, 0x3fffd},
    };
    if (code < 0x300)
        return 1;
    if (in_ranges(nothing, sizeof(nothing) / sizeof(nothing[0]), code))
        return 0;
    return in_ranges(wide, sizeof(wide) / sizeof(wide[0]), code) ? 2 : 1;
}

size_t utf8_count(struct text text)
{
    size_t count = 0;
    while (text.size) {
        uint32_t code;
        size_t size = utf8_take(text, &code);
        text = text_cut(text, size ? size : 1, text.size);
        count++;
    }
    return count;
}
