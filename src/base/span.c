/* Borrowed bytes and borrowed text. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/span.h"

#include <string.h>

struct text text_of(const char *string)
{
    return (struct text){string, string ? strlen(string) : 0};
}

static int compare_bytes(const char *a, const char *b, size_t size)
{
    return size ? memcmp(a, b, size) : 0; /* an empty text may have no address */
}

bool text_equal(struct text a, struct text b)
{
    return a.size == b.size && compare_bytes(a.data, b.data, a.size) == 0;
}

bool text_is(struct text a, const char *string)
{
    return text_equal(a, text_of(string));
}

bool text_starts(struct text a, const char *prefix)
{
    size_t size = strlen(prefix);
    return a.size >= size && compare_bytes(a.data, prefix, size) == 0;
}

bool text_ends(struct text a, const char *suffix)
{
    size_t size = strlen(suffix);
    return a.size >= size && (!size || memcmp(a.data + (a.size - size), suffix, size) == 0);
}

size_t text_behind(struct text a, char byte)
{
    size_t at = a.size;
    while (at > 0 && a.data[at - 1] != byte)
        at--;
    return at;
}

int text_compare(struct text a, struct text b)
{
    int order = compare_bytes(a.data, b.data, a.size < b.size ? a.size : b.size);
    if (order)
        return order < 0 ? -1 : 1;
    return (a.size > b.size) - (a.size < b.size);
}

struct text text_cut(struct text a, size_t start, size_t size)
{
    if (start >= a.size)
        return (struct text){a.size ? a.data + a.size : a.data, 0};
    size_t rest = a.size - start;
    return (struct text){a.data + start, size < rest ? size : rest};
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct text text_trim(struct text a)
{
    while (a.size && is_blank(a.data[a.size - 1]))
        a.size--;
    while (a.size && is_blank(a.data[0])) {
        a.data++;
        a.size--;
    }
    return a;
}

size_t text_find(struct text a, struct text part)
{
    if (!part.size)
        return 0;
    size_t at = 0;
    while (a.size - at >= part.size) {
        size_t room = a.size - at - part.size + 1;
        const char *first = memchr(a.data + at, part.data[0], room);
        if (!first)
            return a.size;
        at = (size_t)(first - a.data);
        if (memcmp(first, part.data, part.size) == 0)
            return at;
        at++;
    }
    return a.size;
}

size_t text_count(struct text a, char byte)
{
    size_t count = 0;
    for (size_t i = 0; i < a.size; i++)
        count += a.data[i] == byte;
    return count;
}

static uint64_t load_le(const char *data, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)(uint8_t)data[i] << (8 * i);
    return word;
}

static uint64_t stir(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

uint64_t text_hash(struct text a)
{
    uint64_t hash = stir(a.size + UINT64_C(0x9e3779b97f4a7c15));
    size_t at = 0;
    for (; a.size - at >= 8; at += 8)
        hash = stir(hash ^ load_le(a.data + at, 8)) + UINT64_C(0x9e3779b97f4a7c15);
    if (at < a.size)
        hash = stir(hash ^ load_le(a.data + at, a.size - at)) + UINT64_C(0x9e3779b97f4a7c15);
    return stir(hash);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits at *at, without leading zeros; *at moves behind them. */
static struct text digits_at(struct text a, size_t *at)
{
    size_t start = *at;
    while (*at < a.size && is_digit(a.data[*at]))
        ++*at;
    while (start < *at && a.data[start] == '0')
        start++;
    return text_cut(a, start, *at - start);
}

static int compare_runs(struct text a, struct text b)
{
    if (a.size != b.size)
        return a.size < b.size ? -1 : 1;
    return text_compare(a, b);
}

int text_compare_natural(struct text a, struct text b)
{
    size_t i = 0, j = 0;
    while (i < a.size && j < b.size) {
        int order;
        if (is_digit(a.data[i]) && is_digit(b.data[j]))
            order = compare_runs(digits_at(a, &i), digits_at(b, &j));
        else
            order = (int)(uint8_t)a.data[i++] - (int)(uint8_t)b.data[j++];
        if (order)
            return order < 0 ? -1 : 1;
    }
    if ((i < a.size) != (j < b.size))
        return i < a.size ? 1 : -1;
    return text_compare(a, b); /* "01" and "1": equal as numbers, yet one order */
}

size_t text_distance(struct text a, struct text b, size_t most)
{
    enum { LONGEST = 128 }; /* names; longer ones are not worth a suggestion */
    size_t apart = a.size > b.size ? a.size - b.size : b.size - a.size;
    if (apart > most || a.size > LONGEST || b.size > LONGEST)
        return text_equal(a, b) ? 0 : most + 1;
    uint8_t row[LONGEST + 1];
    for (size_t j = 0; j <= b.size; j++)
        row[j] = (uint8_t)j;
    for (size_t i = 1; i <= a.size; i++) {
        uint8_t diagonal = row[0];
        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= b.size; j++) {
            uint8_t above = row[j];
            uint8_t best = (uint8_t)(diagonal + (a.data[i - 1] != b.data[j - 1]));
            if (above + 1 < best)
                best = (uint8_t)(above + 1);
            if (row[j - 1] + 1 < best)
                best = (uint8_t)(row[j - 1] + 1);
            row[j] = best;
            diagonal = above;
        }
    }
    return row[b.size] <= most ? row[b.size] : most + 1;
}

static char lower(char c, bool fold)
{
    return fold && c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Does the set that opens at pattern[*at] hold c? *at moves behind it. An unclosed [ is itself. */
static bool set_holds(struct text pattern, size_t *at, char c, bool fold)
{
    size_t i = *at + 1;
    bool negated = i < pattern.size && (pattern.data[i] == '!' || pattern.data[i] == '^');
    if (negated)
        i++;
    bool held = false;
    for (size_t first = i; i < pattern.size; i++) {
        if (pattern.data[i] == ']' && i > first) {
            *at = i + 1;
            return held != negated;
        }
        uint8_t low = (uint8_t)lower(pattern.data[i], fold), high = low;
        if (i + 2 < pattern.size && pattern.data[i + 1] == '-' && pattern.data[i + 2] != ']') {
            i += 2;
            high = (uint8_t)lower(pattern.data[i], fold);
        }
        held = held || ((uint8_t)c >= low && (uint8_t)c <= high);
    }
    ++*at;
    return c == '[';
}

bool text_glob(struct text pattern, struct text text, bool fold)
{
    size_t p = 0, t = 0, star = SIZE_MAX, back = 0;
    for (;;) {
        if (p < pattern.size && pattern.data[p] == '*') {
            star = ++p;
            back = t;
            continue;
        }
        if (t == text.size && p == pattern.size)
            return true;
        bool held = false;
        size_t next = p + 1;
        if (t < text.size && p < pattern.size) {
            char c = lower(text.data[t], fold);
            if (pattern.data[p] == '?')
                held = true;
            else if (pattern.data[p] == '[')
                held = set_holds(pattern, (next = p, &next), c, fold);
            else
                held = lower(pattern.data[p], fold) == c;
        }
        if (held) {
            p = next;
            t++;
        } else {
            if (star == SIZE_MAX || back >= text.size)
                return false;
            p = star;
            t = ++back;
        }
    }
}

struct span take_bytes(struct cursor *cursor, uint64_t count)
{
    if (cursor->overrun || count > cursor->rest.size) {
        cursor->overrun = true;
        return (struct span){NULL, 0};
    }
    struct span taken = {cursor->rest.data, (size_t)count};
    if (count) {
        cursor->rest.data += count;
        cursor->rest.size -= (size_t)count;
        cursor->place.offset += count;
    }
    return taken;
}

static uint64_t take_le(struct cursor *cursor, size_t size)
{
    struct span bytes = take_bytes(cursor, size);
    return load_le((const char *)bytes.data, bytes.size);
}

static uint64_t take_be(struct cursor *cursor, size_t size)
{
    struct span bytes = take_bytes(cursor, size);
    uint64_t word = 0;
    for (size_t i = 0; i < bytes.size; i++)
        word = word << 8 | bytes.data[i];
    return word;
}

uint8_t take_u8(struct cursor *cursor)
{
    return (uint8_t)take_le(cursor, 1);
}

uint16_t take_u16le(struct cursor *cursor)
{
    return (uint16_t)take_le(cursor, 2);
}

uint32_t take_u32le(struct cursor *cursor)
{
    return (uint32_t)take_le(cursor, 4);
}

uint64_t take_u64le(struct cursor *cursor)
{
    return take_le(cursor, 8);
}

uint16_t take_u16be(struct cursor *cursor)
{
    return (uint16_t)take_be(cursor, 2);
}

uint32_t take_u32be(struct cursor *cursor)
{
    return (uint32_t)take_be(cursor, 4);
}

uint64_t take_u64be(struct cursor *cursor)
{
    return take_be(cursor, 8);
}

bool size_product(uint64_t a, uint64_t b, uint64_t *result)
{
    if (a && b > UINT64_MAX / a)
        return false;
    *result = a * b;
    return true;
}

bool size_sum(uint64_t a, uint64_t b, uint64_t *result)
{
    if (b > UINT64_MAX - a)
        return false;
    *result = a + b;
    return true;
}
