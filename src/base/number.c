/* Numbers in text: decimal to double and back, without the locale. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_FAST = 19,      /* always fit 64 bits */
    DIGITS_EXACT = 770,    /* more never decide how a double is rounded, but for not being 0 */
    EXPONENT_MOST = 100000 /* beyond any double, within any int */
};

struct scan { /* a walk over the digits of one number */
    struct text text;
    size_t at;
    uint64_t digits;  /* the first DIGITS_FAST significant ones */
    int kept, behind; /* of them; digits behind the point */
    int dropped;      /* digits of the integer part that did not fit */
    int lost;         /* digits behind the point that did not fit */
    bool inexact;     /* one that did not fit is not 0 */
    size_t start;     /* of the first significant digit */
    bool point, any;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char byte_at(struct text text, size_t at)
{
    return at < text.size ? text.data[at] : '\0';
}

static void scan_digits(struct scan *scan)
{
    for (; scan->at < scan->text.size && is_digit(scan->text.data[scan->at]); scan->at++) {
        unsigned digit = (unsigned)(scan->text.data[scan->at] - '0');
        scan->any = true;
        scan->behind += scan->point && scan->behind < EXPONENT_MOST;
        if (!scan->kept && !digit)
            continue;
        if (!scan->kept)
            scan->start = scan->at;
        if (scan->kept < DIGITS_FAST) {
            scan->digits = scan->digits * 10 + digit;
            scan->kept++;
        } else {
            scan->inexact = scan->inexact || digit;
            if (scan->point)
                scan->lost += scan->lost < EXPONENT_MOST;
            else
                scan->dropped += scan->dropped < EXPONENT_MOST;
        }
    }
}

/* Exactly three digits behind the comma at `at`. */
static bool is_group(struct text text, size_t at)
{
    return byte_at(text, at) == ',' && is_digit(byte_at(text, at + 1)) &&
           is_digit(byte_at(text, at + 2)) && is_digit(byte_at(text, at + 3)) &&
           !is_digit(byte_at(text, at + 4));
}

static void scan_groups(struct scan *scan, size_t first)
{
    size_t size = scan->at - first;
    if (size < 1 || size > 3 || scan->text.data[first] == '0')
        return;
    while (is_group(scan->text, scan->at)) {
        scan->at++;
        scan_digits(scan);
    }
}

static bool is_point(const struct scan *scan, enum comma comma)
{
    char c = byte_at(scan->text, scan->at);
    char next = byte_at(scan->text, scan->at + 1);
    if (c == ',' && comma == COMMA_DECIMAL)
        return is_digit(next);
    /* "3." is a number as numpy prints it; "3.." is text. */
    return c == '.' && (is_digit(next) || (scan->any && next != '.'));
}

/* The exponent at the walk's place, 0 where there is none. */
static int scan_exponent(struct scan *scan, bool *found)
{
    size_t at = scan->at;
    *found = false;
    if ((byte_at(scan->text, at) | 0x20) != 'e')
        return 0;
    char sign = byte_at(scan->text, ++at);
    if (sign == '+' || sign == '-')
        at++;
    if (!is_digit(byte_at(scan->text, at)))
        return 0;
    int exponent = 0;
    for (; is_digit(byte_at(scan->text, at)); at++)
        if (exponent < EXPONENT_MOST)
            exponent = exponent * 10 + (scan->text.data[at] - '0');
    scan->at = at;
    *found = true;
    return sign == '-' ? -exponent : exponent;
}

static double read_exact(const char *digits, int exponent, char *end)
{
    /* No point is written, so no locale can be met. */
    snprintf(end, 16, "e%d", exponent);
    return strtod(digits, NULL);
}

/* More digits than fit 64 bits: all that can decide go through the C library. */
static double scan_long(const struct scan *scan, size_t end, int exponent)
{
    char digits[DIGITS_EXACT + 32];
    size_t count = 0;
    bool point = false, rest = false;
    for (size_t i = scan->start; i < end; i++) {
        char c = scan->text.data[i];
        if (!is_digit(c)) {
            point = point || c == '.' || !is_group(scan->text, i);
        } else if (count < DIGITS_EXACT) {
            digits[count++] = c;
            exponent -= point && exponent > -2 * EXPONENT_MOST;
        } else {
            rest = rest || c != '0';
            exponent += !point && exponent < 2 * EXPONENT_MOST;
        }
    }
    if (rest) {
        digits[count++] = '1';
        exponent--;
    }
    return read_exact(digits, exponent, digits + count);
}

static int16_t places_of(int behind, int power)
{
    int places = behind - power;
    if (places > INT16_MAX)
        return INT16_MAX;
    return (int16_t)(places < INT16_MIN ? INT16_MIN : places);
}

static bool word_at(struct text text, size_t at, const char *word)
{
    size_t size = strlen(word);
    if (text.size < at || text.size - at < size)
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text.data[at + i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + ('a' - 'A'));
        if (c != word[i])
            return false;
    }
    char next = byte_at(text, at + size);
    bool closed = word[size - 1] == ')';
    return closed || !((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                       is_digit(next) || next == '_');
}

/* NaN and infinity as C, Python, Java, Fortran, Scheme and old Windows write them. */
static bool take_word(struct text text, size_t at, bool negative, struct number *number)
{
    static const struct {
        const char *word;
        bool infinite;
    } words[] = {
        {"nan(ind)", false}, {"nan(snan)", false}, {"nan.0", false},   {"nan", false},
        {"nanq", false},     {"nans", false},      {"infinity", true}, {"inf.0", true},
        {"inf", true},       {"1.#qnan", false},   {"1.#snan", false}, {"1.#nan", false},
        {"1.#ind00", false}, {"1.#ind", false},    {"1.#inf00", true}, {"1.#inf", true},
        {"1.#j", true},      {"1.#r", false},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!word_at(text, at, words[i].word))
            continue;
        double value = words[i].infinite ? INFINITY : NAN;
        *number =
            (struct number){.value = negative ? -value : value, .size = at + strlen(words[i].word)};
        return true;
    }
    return false;
}

static size_t take_sign(struct text text, bool *negative)
{
    char c = byte_at(text, 0);
    *negative = c == '-';
    if (c == '-' || c == '+')
        return 1;
    if (text_starts(text, "\xe2\x88\x92")) { /* U+2212, the minus sign of typesetting */
        *negative = true;
        return 3;
    }
    return 0;
}

/* "0.0000e+00" is no value rounded away: an exponent would have told of it. */
static int16_t places_told(double value, bool exponent_found, int behind, int power)
{
    enum { PLACES_OF_NOTHING = 30 };
    if (!isfinite(value))
        return 0;
    return value == 0 && exponent_found ? PLACES_OF_NOTHING : places_of(behind, power);
}

/* What most numbers are: digits, a point and digits, an exponent; no comma, at most 19 digits. */
static bool take_plain(struct text text, size_t first, bool negative, struct number *number)
{
    const char *data = text.data;
    size_t at = first, end = text.size;
    uint64_t digits = 0;
    for (; at < end && is_digit(data[at]); at++)
        digits = digits * 10 + (unsigned)(data[at] - '0');
    size_t count = at - first, behind = 0;
    bool integer = true;
    if (at < end && data[at] == '.') {
        size_t point = at++;
        for (; at < end && is_digit(data[at]); at++)
            digits = digits * 10 + (unsigned)(data[at] - '0');
        behind = at - point - 1;
        count += behind;
        integer = false;
        if (!behind)
            return false;
    }
    if (!count || count > DIGITS_FAST || (at < end && data[at] == ','))
        return false;
    struct scan scan = {.text = text, .at = at};
    bool exponent_found = false;
    int power = at < end && (data[at] | 0x20) == 'e' ? scan_exponent(&scan, &exponent_found) : 0;
    double value = number_scale(digits, power - (int)behind);
    *number = (struct number){
        .value = negative ? -value : value,
        .size = scan.at,
        .places = places_told(value, exponent_found, (int)behind, power),
        .integer = integer && !exponent_found,
        .finite = isfinite(value),
    };
    return true;
}

bool number_take(struct text text, enum comma comma, struct number *number)
{
    bool negative;
    size_t first = take_sign(text, &negative);
    char c = byte_at(text, first);
    if (!is_digit(c) && c != '.' && c != ',')
        return take_word(text, first, negative, number);
    if (c == '1' && byte_at(text, first + 1) == '.' && byte_at(text, first + 2) == '#')
        return take_word(text, first, negative, number);
    if (take_plain(text, first, negative, number))
        return true;
    struct scan scan = {.text = text, .at = first};
    scan_digits(&scan);
    if (comma == COMMA_GROUPS)
        scan_groups(&scan, first);
    if (is_point(&scan, comma)) {
        scan.point = true;
        scan.at++;
        scan_digits(&scan);
    }
    if (!scan.any)
        return false;
    size_t end = scan.at;
    bool exponent_found;
    int power = scan_exponent(&scan, &exponent_found);
    int exponent = power + scan.dropped - scan.behind + scan.lost;
    double value = number_scale(scan.digits, exponent);
    if (scan.inexact && value != number_scale(scan.digits + 1, exponent))
        value = scan_long(&scan, end, power);
    *number = (struct number){
        .value = negative ? -value : value,
        .size = scan.at,
        .places = places_told(value, exponent_found, scan.behind, power),
        .integer = !scan.point && !exponent_found,
        .finite = isfinite(value),
    };
    return true;
}

bool number_parse(struct text text, struct number *number)
{
    struct number taken;
    if (!number_take(text, COMMA_GROUPS, &taken) || taken.size != text.size)
        return false;
    *number = taken;
    return true;
}

bool number_whole(struct text text, uint64_t *value)
{
    struct number number;
    if (!number_parse(text, &number) || !number.integer || number.value < 0 ||
        number.value > NUMBER_WHOLE_MOST)
        return false;
    *value = (uint64_t)number.value;
    return true;
}

static size_t print_nonfinite(double value, char *out)
{
    const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    memcpy(out, word, strlen(word) + 1);
    return strlen(word);
}

size_t number_print(double value, char *out)
{
    enum { ROOM = 32, DIGITS_MOST = 17 };
    if (!isfinite(value))
        return print_nonfinite(value, out);
    /* 15 digits name every normal number they can print; subnormal ones may need fewer. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15;; digits++) {
        int size = snprintf(out, ROOM, "%.*g", digits, value);
        if (digits == DIGITS_MOST || strtod(out, NULL) == value)
            return (size_t)size;
    }
}

size_t number_print_short(double value, char *out)
{
    enum { ROOM = 32 };
    if (!isfinite(value))
        return print_nonfinite(value, out);
    /* 72880 reads better than 7.288e+04; from 1e7 on the digits would have to be counted. */
    double size = fabs(value);
    if (size < 9999.5 || size >= 9999500)
        return (size_t)snprintf(out, ROOM, "%.4g", value);
    double unit = size < 99995 ? 10 : size < 999950 ? 100 : 1000;
    return (size_t)snprintf(out, ROOM, "%.0f", rint(value / unit) * unit);
}
