/* How numbers are written: digits with their commas, words for NaN, units glued to them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/numeral.h"

#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { UNIT_MAX = 8, IDEOGRAPH = 3 /* bytes */ };

/* The end of the digits from `at`, with grouping or decimal commas; *integer is cleared. */
static size_t mantissa_end(struct text text, size_t at, enum comma comma, bool *integer)
{
    size_t i = at, first = at;
    while (byte_is_digit(text_byte(text, i)))
        i++;
    if (comma == COMMA_DECIMAL) {
        if (i > first && text_byte(text, i) == ',' && byte_is_digit(text_byte(text, i + 1))) {
            *integer = false;
            for (i++; byte_is_digit(text_byte(text, i));)
                i++;
        }
        if (!*integer)
            return i;
    } else if (i > first && i - first <= 3 && text_byte(text, first) != '0') {
        while (text_byte(text, i) == ',' && byte_is_digit(text_byte(text, i + 1)) &&
               byte_is_digit(text_byte(text, i + 2)) && byte_is_digit(text_byte(text, i + 3)) &&
               !byte_is_digit(text_byte(text, i + 4)))
            i += 4;
    }
    if (text_byte(text, i) != '.')
        return i;
    if (byte_is_digit(text_byte(text, i + 1))) {
        *integer = false;
        for (i++; byte_is_digit(text_byte(text, i));)
            i++;
    } else if (i > first && (text_byte(text, i + 1) | 0x20) == 'e' &&
               (text_byte(text, i + 2) == '-' || text_byte(text, i + 2) == '+' ||
                byte_is_digit(text_byte(text, i + 2)))) {
        *integer = false;
        i++;
    } else if (i > first && (text_byte(text, i + 1) == ']' || text_byte(text, i + 1) == ',' ||
                             text_byte(text, i + 1) == ')')) {
        *integer = false; /* `[500.]` */
        i++;
    }
    return i;
}

/* `nan` or `inf` at `at`, and no longer word. */
static bool begins_nan(struct text text, size_t at)
{
    const struct text word = text_cut(text, at, 3);
    return !byte_is_word(text_byte(text, at + 3)) &&
           (text_folds_to(word, "nan") || text_folds_to(word, "inf"));
}

/* A path goes on at `at`: `inf/run.log`. Not so `nan/0.5`, `nan/nan`. */
static bool path_ahead(struct text text, size_t at)
{
    return text_byte(text, at) == '/' && !byte_is_digit(text_byte(text, at + 1)) &&
           !begins_nan(text, at + 1);
}

size_t numeral_nan(struct text text, size_t at, bool *word)
{
    static const char *const words[] = {"infinity", "nan(ind)", "nan.0", "+inf.0",
                                        "inf.0",    "nan",      "inf"};
    *word = false;
    char c = (char)(text_byte(text, at) | 0x20);
    if (c != 'n' && c != 'i' && text_byte(text, at) != '+')
        return at;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t n = strlen(words[w]);
        if (at + n <= text.size && text_folds_to(text_cut(text, at, n), words[w]) &&
            !byte_is_word(text_byte(text, at + n)) && !path_ahead(text, at + n)) {
            *word = true;
            return at + n;
        }
        size_t pad = at + n; /* nanxxx: padded to the width of the numbers */
        while (text_byte(text, pad) == 'x')
            pad++;
        if (pad > at + n && !byte_is_word(text_byte(text, pad)) &&
            text_folds_to(text_cut(text, at, n), words[w])) {
            *word = true;
            return at + n;
        }
    }
    return at;
}

size_t numeral_end(struct text text, size_t at, enum comma comma, uint8_t *flags)
{
    size_t i = at;
    bool integer = true, word;
    char c = text_byte(text, i);
    if (c == '+' || c == '-')
        i++;
    size_t end = numeral_nan(text, i, &word);
    if (word) {
        *flags = FLAG_NAN;
        return end;
    }
    if (!byte_is_digit(text_byte(text, i)) &&
        !(text_byte(text, i) == '.' && byte_is_digit(text_byte(text, i + 1))))
        return at;
    i = mantissa_end(text, i, comma, &integer);
    if (text_byte(text, i) == '#' && (text_byte(text, i + 1) | 0x20) >= 'i' &&
        text_byte(text, i + 1) <= 'q') { /* 1.#QNAN, 1.#INF, 1.#IND */
        for (i++; byte_is_letter(text_byte(text, i));)
            i++;
        *flags = FLAG_NAN;
        return i;
    }
    *flags = integer ? FLAG_INTEGER : 0;
    if ((text_byte(text, i) | 0x20) == 'e') {
        size_t j = i + 1;
        if (text_byte(text, j) == '+' || text_byte(text, j) == '-')
            j++;
        if (byte_is_digit(text_byte(text, j))) {
            while (byte_is_digit(text_byte(text, j)))
                j++;
            *flags = FLAG_UPPER;
            i = j;
        }
    }
    return i;
}

bool numeral_deviation(struct text text, size_t at)
{
    return text_byte(text, at) == '\xC2' && text_byte(text, at + 1) == '\xB1';
}

bool ideograph_begins(struct text text, size_t at)
{
    unsigned char lead = (unsigned char)text_byte(text, at);
    return lead >= 0xE3 && lead <= 0xED;
}

bool ideograph_ends(struct text text, size_t at)
{
    return at >= IDEOGRAPH && (unsigned char)text.data[at - 1] >= 0x80 &&
           ideograph_begins(text, at - IDEOGRAPH);
}

static bool sign_ahead(struct text text, size_t at)
{
    char byte;
    return (unsigned char)text_byte(text, at) >= 0xC2 && sign_glyph(text, at, &byte) > 0;
}

size_t numeral_unit(struct text text, size_t at, bool *whole)
{
    size_t i = at;
    *whole = true;
    if (ideograph_begins(text, i)) /* a word begins: no blank stands between them */
        return at;
    if (text_byte(text, i) == '%')
        return byte_is_word(text_byte(text, i + 1)) ? (*whole = false, at) : i + 1;
    while (byte_is_letter(text_byte(text, i)) && !numeral_deviation(text, i) &&
           !sign_ahead(text, i))
        i++;
    if (i - at > UNIT_MAX || byte_is_digit(text_byte(text, i))) {
        *whole = false;
        return at;
    }
    if (text_byte(text, i) == '/' && !begins_nan(text, i + 1)) {
        size_t j = i + 1;
        while (byte_is_letter(text_byte(text, j)))
            j++;
        if (j > i + 1 && j - i <= UNIT_MAX + 4 && !byte_is_digit(text_byte(text, j)) &&
            text_byte(text, j) != '=' && text_byte(text, j) != '/')
            i = j;
    }
    return i;
}
