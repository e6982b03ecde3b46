/* How numbers are written: digits with their commas, words for NaN, units glued to them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/numeral.h"

#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <stdio.h>
#include <string.h>

enum {
    UNIT_MAX = 8,
    IDEOGRAPH = 3, /* bytes */
    POWER_BYTES = 9,
    PLAIN_BYTES = 64,
};

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

/* The bytes at `at` are one of these; how many, 0: none. */
static size_t sign_of(struct text text, size_t at, const char *const *signs)
{
    for (; *signs; signs++)
        if (text_starts(text_cut(text, at, text.size), *signs))
            return strlen(*signs);
    return 0;
}

/* The digit of a raised sign at `at`, -1 where there is none; *size its bytes. */
static int raised_digit(struct text text, size_t at, size_t *size)
{
    static const char *const raised[] = {
        "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
        "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
    for (int digit = 0; digit < 10; digit++)
        if (text_starts(text_cut(text, at, text.size), raised[digit])) {
            *size = strlen(raised[digit]);
            return digit;
        }
    return -1;
}

/* `2.5f0`, `1.5f-3`: Julia writes the power of its 32-bit numbers with f. */
static size_t short_power(struct text text, size_t at, int *power)
{
    const bool minus = text_byte(text, at + 1) == '-';
    size_t i = at + 1 + minus;
    const size_t first = i;
    *power = 0;
    for (; i < first + 2 && byte_is_digit(text_byte(text, i)); i++)
        *power = 10 * *power + text.data[i] - '0';
    *power = minus ? -*power : *power;
    return i > first && !byte_is_word(text_byte(text, i)) ? i : at;
}

size_t numeral_power(struct text text, size_t at, int *power)
{
    static const char *const times[] = {"x", "X", "*", "\xC3\x97", "\xC2\xB7", NULL};
    static const char *const raises[] = {"^", "**", NULL};
    if (text_byte(text, at) == 'f')
        return short_power(text, at, power);
    size_t i = at + (text_byte(text, at) == ' ');
    const size_t sign = sign_of(text, i, times);
    i += sign + (text_byte(text, i + sign) == ' ');
    if (sign == 0 || text_byte(text, i) != '1' || text_byte(text, i + 1) != '0')
        return at;
    i += 2;
    const size_t raise = sign_of(text, i, raises);
    const bool raised_minus = text_starts(text_cut(text, i, text.size), "\xE2\x81\xBB");
    i += raise > 0 ? raise : raised_minus ? 3u : 0u;
    const bool bracket = raise > 0 && strchr("({", text_byte(text, i)) && text_byte(text, i);
    i += bracket;
    const bool minus = raised_minus || (raise > 0 && text_byte(text, i) == '-');
    i += raise > 0 && (minus || text_byte(text, i) == '+');
    const size_t first = i;
    *power = 0;
    for (size_t size = 1; i < first + POWER_BYTES; i += size) {
        const char c = text_byte(text, i);
        const int digit = raise == 0         ? raised_digit(text, i, &size)
                          : byte_is_digit(c) ? c - '0'
                                             : -1;
        if (digit < 0)
            break;
        *power = 10 * *power + digit;
    }
    if (i == first || byte_is_word(text_byte(text, i)))
        return at;
    *power = minus ? -*power : *power;
    return i + (bracket && strchr(")}", text_byte(text, i)) && text_byte(text, i));
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
            return j;
        }
    }
    int power;
    if (integer && text_byte(text, i) == 'f')
        return i;
    end = numeral_power(text, i, &power);
    if (end > i)
        *flags = FLAG_UPPER;
    return end;
}

bool numeral_take(struct text text, enum comma comma, struct number *number)
{
    int power;
    char plain[PLAIN_BYTES];
    if (!number_take(text, comma, number))
        return false;
    if (number->size == text.size)
        return true;
    const size_t end = numeral_power(text, number->size, &power);
    if (end != text.size || number->size > PLAIN_BYTES - POWER_BYTES - 4)
        return true;
    const int size = snprintf(plain, sizeof plain, "%.*se%d", (int)number->size, text.data, power);
    if (!number_take((struct text){plain, (size_t)size}, comma, number))
        return false;
    number->size = text.size;
    return true;
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
