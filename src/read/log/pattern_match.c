/* A line held against a pattern slot by slot, and what its numbers and its time are. Pure: any
   thread may do it. */
/* SPDX-License-Identifier: MIT */
#include "read/log/pattern_form.h"

#include "read/log/bytes.h"
#include "read/log/digits.h"

#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WORD_BYTES = 40 };

/* ---- Numbers ---- */

const uint64_t number_tens[] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
};

const double number_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double number_scaled(uint64_t digits, int exponent)
{
    /* Exact in double, and so is the power: one rounding. */
    if (digits <= UINT64_C(1) << 53 && exponent >= -POWERS_EXACT && exponent <= POWERS_EXACT)
        return exponent < 0 ? (double)digits / number_powers[-exponent]
                            : (double)digits * number_powers[exponent];
    return number_scale(digits, exponent);
}

int shape_power(const char *text, const struct shape_of *shape)
{
    int power = shape->power ? (int)digits_value(text + shape->power_end, shape->power) : 0;
    return shape->power_negative ? -power : power;
}

double number_make(const char *text, const struct shape_of *shape, int16_t *places)
{
    const char *end = text + shape->end;
    uint64_t digits = digits_value(end, shape->fraction);
    const int power = shape_power(text, shape);
    if (shape->whole) {
        const char *point = end - shape->fraction - (shape->fraction > 0);
        digits += digits_value(point, shape->whole) * number_tens[shape->fraction];
    }
    double value = number_scaled(digits, power - shape->fraction);
    *places = (int16_t)(shape->fraction - power);
    return shape->negative ? -value : value;
}

/* Digits from `at` on, and those behind a point after them; more than DIGITS_MAX in all where they
   are not counted to their end. The bytes are readable. */
#ifdef __SSE2__
static void digits_around(const char *at, unsigned *whole, unsigned *fraction)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    const __m128i a = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), zero);
    const __m128i b = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(at + 16)), zero);
    const uint64_t low = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(a, nine), a));
    const uint64_t high = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(b, nine), b));
    const uint64_t others = ~(low | high << 16);
    *whole = (unsigned)__builtin_ctzll(others);
    *fraction = (unsigned)__builtin_ctzll(others & (others - 1)) - *whole - 1;
}
#else
static void digits_around(const char *at, unsigned *whole, unsigned *fraction)
{
    *whole = digits_count(at, DIGITS_MAX + 1);
    *fraction = digits_count(at + *whole + 1, DIGITS_MAX + 1);
}
#endif

bool pattern_shape(const char *text, size_t at, struct shape_of *shape, size_t *end)
{
    size_t i = at;
    *shape = (struct shape_of){.negative = text[i] == '-'};
    i += text[i] == '-' || text[i] == '+';
    unsigned whole, fraction;
    digits_around(text + i, &whole, &fraction);
    i += whole;
    if (whole == 0)
        return false;
    if (text[i] == '.') {
        if (fraction == 0)
            return false;
        i += fraction + 1;
    } else {
        fraction = 0;
    }
    if (whole + fraction > DIGITS_MAX - 1)
        return false;
    shape->whole = (uint8_t)whole;
    shape->fraction = (uint8_t)fraction;
    shape->end = (uint16_t)i;
    if ((text[i] | 32) == 'e') {
        size_t k = i + 1;
        bool negative = text[k] == '-';
        k += text[k] == '-' || text[k] == '+';
        unsigned power = digits_count(text + k, 5);
        if (power > 4)
            return false;
        if (power > 0) {
            i = k + power;
            shape->power = (uint8_t)power;
            shape->power_end = (uint16_t)i;
            shape->power_negative = negative;
        }
    }
    *end = i;
    return text[i] != '.' && !(text[i] == ',' && byte_is_digit(text[i + 1]));
}

/* ---- The image and its slots ---- */

#ifdef __SSE2__
bool pattern_image(const struct pattern *pattern, const char *text)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    size_t blocks = pattern->size / BLOCK;
    __m128i same = _mm_set1_epi8(-1);
    for (size_t i = 0;; i++) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(text + i * BLOCK));
        const __m128i image =
            _mm_loadu_si128((const __m128i *)(const void *)(pattern->image + i * BLOCK));
        const __m128i mask =
            _mm_loadu_si128((const __m128i *)(const void *)(pattern->digits + i * BLOCK));
        const __m128i t = _mm_sub_epi8(c, zero);
        const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(t, nine), t);
        const __m128i here = _mm_or_si128(_mm_and_si128(digit, mask), _mm_cmpeq_epi8(c, image));
        if (i == blocks) {
            unsigned bits = (unsigned)_mm_movemask_epi8(_mm_and_si128(same, here)) |
                            0xffffu << pattern->size % BLOCK;
            return (bits & 0xffff) == 0xffff && _mm_movemask_epi8(same) == 0xffff;
        }
        same = _mm_and_si128(same, here);
    }
}
#else
bool pattern_image(const struct pattern *pattern, const char *text)
{
    for (size_t i = 0; i < pattern->size; i++)
        if (pattern->digits[i] ? !byte_is_digit(text[i]) : (uint8_t)text[i] != pattern->image[i])
            return false;
    return true;
}
#endif

#ifdef __SSE2__
static bool literal_same(const struct pattern *pattern, const struct slot *slot, const char *text)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    const uint8_t *image = pattern->image + slot->literal,
                  *digits = pattern->digits + slot->literal;
    for (size_t i = 0; i < slot->literal_size; i += BLOCK) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        const __m128i known = _mm_loadu_si128((const __m128i *)(const void *)(image + i));
        const __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(digits + i));
        const __m128i t = _mm_sub_epi8(c, zero);
        const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(t, nine), t);
        const __m128i here = _mm_or_si128(_mm_and_si128(digit, mask), _mm_cmpeq_epi8(c, known));
        const size_t left = slot->literal_size - i;
        const unsigned wrong = ~(unsigned)_mm_movemask_epi8(here) & 0xffff;
        if (left >= BLOCK ? wrong : wrong & ((1U << left) - 1))
            return false;
    }
    return true;
}
#else
static bool literal_same(const struct pattern *pattern, const struct slot *slot, const char *text)
{
    const uint8_t *image = pattern->image + slot->literal,
                  *digits = pattern->digits + slot->literal;
    for (size_t i = 0; i < slot->literal_size; i++)
        if ((uint8_t)text[i] != image[i] && !(digits[i] && byte_is_digit(text[i])))
            return false;
    return true;
}
#endif

/* A word that says something by itself is no mere filling. */
static bool word_plain(const struct wording *wording, struct text word)
{
    return vocabulary_is_filling(wording->vocabulary, word) &&
           (!(wording->lengths[first_letters(word)] >> word.size & 1) || !life_word(word));
}

bool pattern_word(const struct wording *wording, const char *text, size_t at, size_t *end)
{
    while (byte_is_letter(text[*end]))
        ++*end;
    const size_t size = *end - at;
    return size > 0 && size <= WORD_BYTES && word_plain(wording, (struct text){text + at, size});
}

bool pattern_tells(const struct pattern *pattern, const struct message_table *messages,
                   struct text line)
{
    if (!pattern->wild || !messages)
        return false;
    size_t end = pattern->word_at;
    while (pattern->lone && end < line.size && byte_is_letter(line.data[end]))
        end++;
    if (pattern->lone && !message_near(messages, line, pattern->word_at, end))
        return false;
    return message_possible(messages, line);
}

size_t pattern_walk(const struct wording *wording, const struct pattern *pattern, const char *text,
                    size_t size, struct shape_of *shapes)
{
    size_t at = 0;
    for (size_t i = 0; i < pattern->slot_count; i++) {
        const struct slot *slot = &pattern->slots[i];
        if (at + slot->literal_size > size || !literal_same(pattern, slot, text + at))
            return 0;
        at += slot->literal_size;
        if (slot->kind == SLOT_END)
            return at;
        if (slot->blanks) {
            size_t before = at;
            while (text[at] == ' ')
                at++;
            if (at == before)
                return 0;
        }
        size_t end = at;
        if (!(slot->kind == SLOT_WORD ? pattern_word(wording, text, at, &end)
                                      : pattern_shape(text, at, &shapes[slot->value], &end)))
            return 0;
        at = end;
        if (at >= size || at >= LINE_BYTES)
            return 0;
    }
    return 0;
}

/* The walked line becomes the image: its widths are likelier to come again. */
void pattern_renew(struct pattern *pattern, const char *text, size_t size,
                   const struct shape_of *shapes)
{
    uint8_t digits[LINE_BYTES] = {0};
    size_t at = 0;
    for (size_t i = 0; i < pattern->slot_count; i++) {
        struct slot *slot = &pattern->slots[i];
        size_t end = 0;
        struct shape_of shape;
        memcpy(digits + at, pattern->digits + slot->literal, slot->literal_size);
        slot->literal = (uint16_t)at;
        at += slot->literal_size;
        if (slot->kind != SLOT_NUMBER)
            break;
        while (slot->blanks && text[at] == ' ')
            at++;
        if (!pattern_shape(text, at, &shape, &end))
            return; /* cannot be: it was walked */
        for (; at < end; at++)
            digits[at] = byte_is_digit(text[at]) ? 0xff : 0;
    }
    memcpy(pattern->image, text, size);
    memcpy(pattern->digits, digits, size);
    memcpy(pattern->shapes, shapes, pattern->number_count * sizeof *shapes);
    pattern->size = size;
}

/* ---- The time in front ---- */

/* The minute of the hour that is remembered, where only digits behind it changed. */
static bool minute_move(struct pattern *pattern, const char *clock)
{
    const size_t head = pattern->second_at - pattern->clock_at;
    if (head < 3 || head > sizeof pattern->minute || !pattern->hour_known ||
        memcmp(clock, pattern->minute, head - 3) != 0)
        return false;
    const uint64_t minute = digits_value(clock + head - 1, 2);
    if (minute > 59)
        return false;
    memcpy(pattern->minute, clock, head);
    pattern->minute_time = pattern->hour_time + 60 * (double)minute;
    return true;
}

static void minute_keep(struct pattern *pattern, const char *clock, double seconds)
{
    const size_t head = pattern->second_at - pattern->clock_at;
    if (!head || head > sizeof pattern->minute)
        return;
    memcpy(pattern->minute, clock, head);
    pattern->minute_time = floor(seconds / 60) * 60;
    pattern->hour_time = pattern->minute_time;
    pattern->hour_known = false;
    if (head >= 3) {
        const uint64_t minute = digits_value(clock + head - 1, 2);
        pattern->hour_time -= 60 * (double)minute;
        pattern->hour_known = minute <= 59;
    }
}

/* The seconds behind the minute that is remembered. */
static double second_read(const struct pattern *pattern, const char *text)
{
    const char *second = text + pattern->second_at;
    const unsigned fraction = pattern->second_places;
    if (!fraction)
        return (double)digits_value(second + 2, 2);
    const char *end = second + 3 + fraction;
    const uint64_t behind =
        fraction <= 8 ? digits_eight(end, fraction) : digits_value(end, fraction);
    return (double)(digits_eight(second + 2, 2) * number_tens[fraction] + behind) /
           number_powers[fraction]; /* both exact */
}

/* Eight bytes at a time: a call costs more than the minute of a time has bytes. */
static inline bool bytes_same(const char *a, const char *b, size_t size)
{
    uint64_t x, y, differ = 0;
    if (size < sizeof x)
        return memcmp(a, b, size) == 0;
    for (size_t i = 0; i + sizeof x < size; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        differ |= x ^ y;
    }
    memcpy(&x, a + size - sizeof x, sizeof x);
    memcpy(&y, b + size - sizeof y, sizeof y);
    return (differ | (x ^ y)) == 0;
}

static bool clock_read(struct pattern *pattern, const char *text, double *time)
{
    struct moment moment;
    const char *clock = text + pattern->clock_at;
    const size_t head = pattern->second_at - pattern->clock_at;
    if (head && minute_move(pattern, clock)) {
        *time = pattern->minute_time + second_read(pattern, text);
        return true;
    }
    size_t n = time_take((struct text){text, pattern->clock_at + pattern->clock_size},
                         pattern->clock_at, &moment);
    if (n != pattern->clock_size || moment.kind != TIME_DATE || isnan(moment.seconds))
        return false;
    *time = moment.seconds;
    minute_keep(pattern, clock, moment.seconds);
    return true;
}

bool pattern_time(struct pattern *pattern, const char *text, double *time)
{
    const size_t head = pattern->second_at - pattern->clock_at;
    if (!head || !bytes_same(text + pattern->clock_at, pattern->minute, head))
        return clock_read(pattern, text, time);
    *time = pattern->minute_time + second_read(pattern, text);
    return true;
}

size_t pattern_times(struct pattern *pattern, const struct text *texts, size_t count, double *times)
{
    for (size_t i = 0; i < count; i++) {
        times[i] = (double)NAN;
        if (pattern->clock_size && !pattern_time(pattern, texts[i].data, &times[i]))
            return i;
    }
    return count;
}
