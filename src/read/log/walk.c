/* Lines walked slot by slot. The quick form looks at sixty-four bytes at once: they hold the
   literal and the number behind it, so that where the number ends, and with it where the next
   literal begins, comes from one mask of digits. */
/* SPDX-License-Identifier: MIT */
#include "read/log/walk.h"

#include "read/log/bytes.h"
#include "read/log/digits.h"
#include "read/log/quick.h"

/* ---- Plain ---- */

static bool integer_fits(const struct target *target, bool integer)
{
    return !target->place || target->integer == integer;
}

static size_t line_plain(const struct walk *walk, struct text text, size_t row)
{
    const struct pattern *pattern = walk->pattern;
    struct shape_of shapes[SLOTS];
    const size_t size = pattern_walk(walk->wording, pattern, text.data, text.size, shapes);
    for (size_t n = 0; size > 0 && n < pattern->number_count; n++)
        if (!integer_fits(&pattern->targets[n], shape_integer(&shapes[n])))
            return 0;
    for (size_t n = 0; size > 0 && n < pattern->number_count; n++) {
        int16_t places;
        walk->cells[n * walk->room + row] = number_make(text.data, &shapes[n], &places);
        if (places > walk->places[n])
            walk->places[n] = places;
    }
    return size;
}

/* ---- Quick ---- */

#ifdef QUICK
enum { LONG_MOST = 16, EXACT_MOST = 15 }; /* digits read at once; exact in a double */

/* All bits from byte 16 - n on: the last n of sixteen bytes. */
static const uint8_t last_bytes[32] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

struct found {       /* a number in the text */
    const char *end; /* behind its last digit of the mantissa */
    unsigned whole, fraction;
    int power;
    bool negative, powered;
};

/* The rest of a number behind its mantissa: an exponent. `digits` has a bit for each byte from `at`
   on that is a digit. */
QUICK_CODE static inline bool power_find(const char *at, uint64_t digits, struct found *found,
                                         size_t *size)
{
    const bool sign = at[1] == '-' || at[1] == '+';
    const size_t head = 1 + (size_t)sign;
    const unsigned count = (unsigned)_tzcnt_u64(~(digits >> head));
    if (count > 4)
        return false;
    if (count == 0)
        return true;
    const int power = (int)digits_eight(at + head + count, count);
    found->power = at[1] == '-' ? -power : power;
    found->powered = true;
    *size = head + count;
    return true;
}

/* The number at `at`, as pattern_shape finds it; *end is behind it. */
QUICK_CODE static inline bool number_find(const char *at, uint64_t digits, struct found *found,
                                          const char **end)
{
    found->negative = false;
    if (!(digits & 1)) {
        found->negative = *at == '-';
        if (!found->negative && *at != '+')
            return false;
        at++;
        digits >>= 1;
    }
    const uint64_t others = ~digits;
    const unsigned whole = (unsigned)_tzcnt_u64(others);
    unsigned fraction = 0, size = whole;
    if (whole == 0)
        return false;
    if (at[whole] == '.') {
        fraction = (unsigned)_tzcnt_u64(_blsr_u64(others)) - whole - 1;
        if (fraction == 0)
            return false;
        size += 1 + fraction;
    }
    if (whole + fraction > DIGITS_MAX - 1)
        return false;
    size_t power = 0;
    found->whole = whole;
    found->fraction = fraction;
    found->power = 0;
    found->powered = false;
    found->end = at + size;
    if ((at[size] | 32) == 'e' && !power_find(found->end, digits >> size, found, &power))
        return false;
    at += size + power;
    *end = at;
    return *at != '.' && !(*at == ',' && byte_is_digit(at[1]));
}

QUICK_CODE static inline uint64_t sixteen_digits(__m128i digits)
{
    const uint64_t halves = (uint64_t)_mm_cvtsi128_si64(digits_join(digits));
    return (halves & UINT32_MAX) * 100000000 + (halves >> 32);
}

/* Up to sixteen digits: those before the point are moved over it. */
QUICK_CODE static inline uint64_t mantissa_read(const struct found *found)
{
    const __m128i zero = _mm_set1_epi8('0');
    const __m128i behind = load16(last_bytes + found->fraction);
    const __m128i all = load16(last_bytes + found->whole + found->fraction);
    const __m128i fraction = load16(found->end - 16);
    const __m128i whole = load16(found->end - 16 - (found->fraction > 0));
    const __m128i digits = _mm_sub_epi8(_mm_blendv_epi8(whole, fraction, behind), zero);
    return sixteen_digits(_mm_and_si128(digits, all));
}

QUICK_CODE static uint64_t mantissa_long(const struct found *found)
{
    const unsigned fraction = found->fraction, near = fraction < 16 ? fraction : 16;
    const __m128i digits = _mm_sub_epi8(load16(found->end - 16), _mm_set1_epi8('0'));
    uint64_t mantissa = sixteen_digits(_mm_and_si128(digits, load16(last_bytes + near)));
    if (fraction > 16)
        mantissa += digits_value(found->end - 16, fraction - 16) * number_tens[16];
    const char *point = found->end - fraction - (fraction > 0);
    const uint64_t whole =
        found->whole == 1 ? (uint64_t)(point[-1] - '0') : digits_value(point, found->whole);
    return mantissa + whole * number_tens[fraction];
}

QUICK_CODE static inline double number_read(const struct found *found)
{
    const unsigned count = found->whole + found->fraction;
    const int power = found->power - (int)found->fraction;
    double value;
    if (count > EXACT_MOST) {
        const uint64_t digits = count > LONG_MOST ? mantissa_long(found) : mantissa_read(found);
        value = number_scale_long(digits, power);
    } else {
        const uint64_t digits = mantissa_read(found);
        if (power <= 0 && power >= -POWERS_EXACT)
            value = (double)(int64_t)digits / number_powers[-power];
        else
            value = number_scaled(digits, power);
    }
    return found->negative ? -value : value;
}

/* A bit for each byte that is a digit. */
QUICK_CODE static inline uint64_t digits_at(const char *at)
{
    const uint64_t low = (uint32_t)_mm256_movemask_epi8(digits32(load32(at)));
    const uint64_t high = (uint32_t)_mm256_movemask_epi8(digits32(load32(at + 32)));
    return low | high << 32;
}

/* A bit for each byte that is as the image has it. */
QUICK_CODE static inline uint32_t bytes_same(const char *at, const uint8_t *image,
                                             const uint8_t *digits)
{
    return (uint32_t)_mm256_movemask_epi8(image32(at, image, digits));
}

/* Behind the literal, with a bit for each digit from there on; NULL where another text stands. */
QUICK_CODE static inline const char *literal_pass(const struct pattern *pattern,
                                                  const struct slot *slot, const char *at,
                                                  uint64_t *digits)
{
    const uint8_t *image = pattern->image + slot->literal, *any = pattern->digits + slot->literal;
    size_t left = slot->literal_size;
    for (; left > 32; left -= 32, at += 32, image += 32, any += 32)
        if (bytes_same(at, image, any) != UINT32_MAX)
            return NULL;
    if (_bzhi_u64(~(uint64_t)bytes_same(at, image, any), (unsigned)left))
        return NULL;
    *digits = digits_at(at) >> left;
    return at + left;
}

/* Where the slot's filling ends, in *at; false where there is none. The literal in front of it ends
   at *at. */
QUICK_CODE static inline bool slot_pass(const struct walk *walk, const struct slot *slot,
                                        struct text text, const char **at, uint64_t digits,
                                        struct found *found)
{
    if (slot->blanks) {
        if (**at != ' ')
            return false;
        ++*at;
        digits >>= 1;
        if (**at == ' ') {
            while (**at == ' ')
                ++*at;
            if (*at >= text.data + text.size)
                return false;
            digits = digits_at(*at);
        }
    }
    if (slot->kind == SLOT_NUMBER)
        return number_find(*at, digits, found, at);
    const size_t start = (size_t)(*at - text.data);
    size_t end = start;
    const bool passed = pattern_word(walk->wording, text.data, start, &end);
    *at = text.data + end;
    return passed;
}

/* The size of the line at the start of the text and its numbers, 0 where it is another's. */
QUICK_CODE static size_t line_find(const struct walk *walk, struct text text, struct found *found)
{
    const struct pattern *pattern = walk->pattern;
    const size_t most = text.size < LINE_BYTES ? text.size : LINE_BYTES;
    const char *at = text.data;
    for (size_t i = 0; i < pattern->slot_count; i++) {
        const struct slot *slot = &pattern->slots[i];
        uint64_t digits;
        if (slot->literal_size > text.size - (size_t)(at - text.data))
            return 0;
        at = literal_pass(pattern, slot, at, &digits);
        if (!at || slot->kind == SLOT_END)
            return at ? (size_t)(at - text.data) : 0;
        if (!slot_pass(walk, slot, text, &at, digits, &found[slot->value]) ||
            (size_t)(at - text.data) >= most)
            return 0;
    }
    return 0;
}

QUICK_CODE static size_t line_quick(const struct walk *walk, struct text text, size_t row)
{
    const struct pattern *pattern = walk->pattern;
    struct found found[SLOTS];
    const size_t size = line_find(walk, text, found);
    if (size == 0)
        return 0;
    for (size_t n = 0; n < pattern->number_count; n++)
        if (!integer_fits(&pattern->targets[n], found[n].fraction == 0 && !found[n].powered))
            return 0;
    for (size_t n = 0; n < pattern->number_count; n++) {
        const int places = (int)found[n].fraction - found[n].power;
        walk->cells[n * walk->room + row] = number_read(&found[n]);
        if (places > walk->places[n])
            walk->places[n] = (int16_t)places;
    }
    return size;
}
#endif

static size_t line_read(const struct walk *walk, struct text text, size_t row)
{
#ifdef QUICK
    if (is_quick())
        return line_quick(walk, text, row);
#endif
    return line_plain(walk, text, row);
}

size_t walk_lines(const struct walk *walk, struct text text, size_t most)
{
    size_t count = 0;
    for (; count < most && text.size > 0; count++) {
        const size_t size = line_read(walk, text, count);
        if (size == 0)
            break;
        walk->texts[count] = (struct text){text.data, size - 1};
        text = (struct text){text.data + size, text.size - size};
    }
    return count;
}
