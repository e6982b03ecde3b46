/* Lines of one image. The quick forms use the instructions that the machine has; the plain ones say
   what they have to give. */
/* SPDX-License-Identifier: MIT */
#include "read/log/image.h"

#include "read/log/bytes.h"
#include "read/log/digits.h"
#include "read/log/quick.h"

#include <math.h>

/* The last sixteen bytes of a number, its digits behind one another in the half that is its own. */
static void two_add(struct image *image, size_t number, const struct shape_of *shape)
{
    const bool second = image->two_count % 2 != 0;
    struct image_two *two = &image->twos[image->two_count / 2];
    if (!second) {
        memset(two, 0, sizeof *two);
        memset(two->pick, 0x80, sizeof two->pick);
        two->scale[0] = two->scale[1] = 1;
        two->number[1] = UINT8_MAX;
    }
    two->number[second] = (uint8_t)number;
    two->load[second] = (int16_t)(shape->end - 16);
    const unsigned point = shape->fraction > 0, count = shape->whole + shape->fraction;
    for (unsigned i = 0; i < count; i++)
        two->pick[second][(second ? 15 : 7) - i] =
            (uint8_t)(15 - i - (i >= shape->fraction ? point : 0));
    two->scale[second] = shape->power ? 1 : number_powers[shape->fraction];
    if (shape->negative)
        two->scale[second] = -two->scale[second];
    if (!second)
        two->load[1] = two->load[0];
    image->two_count++;
}

void image_make(const struct pattern *pattern, struct image *image)
{
    image->size = pattern->size;
    memcpy(image->bytes, pattern->image, pattern->size);
    memset(image->bytes + pattern->size, 0, IMAGE_BLOCK);
    memcpy(image->digits, pattern->digits, pattern->size);
    memset(image->digits + pattern->size, 0, IMAGE_BLOCK);
    for (size_t i = 0; i < IMAGE_BLOCK; i++)
        image->beyond[i] = i >= pattern->size % IMAGE_BLOCK ? 0xff : 0;
    image->two_count = image->powered_count = image->exact_count = image->plain_count = 0;
    image->shapes = pattern->shapes;
    for (size_t i = 0; i < pattern->number_count; i++) {
        const struct shape_of *shape = &pattern->shapes[i];
        if (shape->whole + shape->fraction > DIGITS_HALF) {
            image->plain[image->plain_count++] = (uint8_t)i;
            continue;
        }
        two_add(image, i, shape);
        if (shape->power)
            image->powered[image->powered_count++] = (uint8_t)i;
        else
            image->exact[image->exact_count++] = (uint8_t)i;
    }
}

/* ---- Plain ---- */

static bool is_image(const struct image *image, const char *text)
{
    for (size_t i = 0; i < image->size; i++)
        if (image->digits[i] ? !byte_is_digit(text[i]) : (uint8_t)text[i] != image->bytes[i])
            return false;
    return true;
}

static size_t lines_plain(const struct image *image, const char *text, size_t most)
{
    size_t count = 0;
    while (count < most && is_image(image, text + count * image->size))
        count++;
    return count;
}

static void places_raise(int16_t *places, int more)
{
    if (more > *places)
        *places = (int16_t)more;
}

static void number_plain(const struct image *image, const char *text, size_t count, double *out,
                         size_t number, int16_t *places)
{
    int16_t most;
    for (size_t i = 0; i < count; i++) {
        out[i] = number_make(text + i * image->size, &image->shapes[number], &most);
        places_raise(&places[number], most);
    }
}

static void numbers_plain(const struct image *image, const char *text, size_t count, double *out,
                          size_t room, int16_t *places)
{
    for (size_t i = 0; i < image->two_count; i++) {
        const size_t number = image->twos[i / 2].number[i % 2];
        number_plain(image, text, count, out + number * room, number, places);
    }
    for (size_t i = 0; i < image->plain_count; i++) {
        const size_t number = image->plain[i];
        number_plain(image, text, count, out + number * room, number, places);
    }
}

/* ---- Quick ---- */

#ifdef QUICK
QUICK_CODE static size_t lines_quick(const struct image *image, const char *text, size_t most)
{
    const size_t last = image->size / IMAGE_BLOCK * IMAGE_BLOCK;
    const __m256i beyond = load32(image->beyond);
    for (size_t count = 0; count < most; count++, text += image->size) {
        __m256i same = _mm256_or_si256(
            image32(text + last, image->bytes + last, image->digits + last), beyond);
        for (size_t at = 0; at < last; at += IMAGE_BLOCK)
            same =
                _mm256_and_si256(same, image32(text + at, image->bytes + at, image->digits + at));
        if (_mm256_movemask_epi8(same) != -1)
            return count;
    }
    return most;
}

QUICK_CODE static void two_quick(const struct image *image, const struct image_two *two,
                                 const char *text, size_t count, double *first, double *second)
{
    const __m128i zero = _mm_set1_epi8('0'), pick0 = load16(two->pick[0]),
                  pick1 = load16(two->pick[1]);
    const __m128d scale = _mm_loadu_pd(two->scale);
    const char *at0 = text + two->load[0], *at1 = text + two->load[1];
    for (size_t i = 0; i < count; i++, at0 += image->size, at1 += image->size) {
        const __m128i a = _mm_shuffle_epi8(_mm_sub_epi8(load16(at0), zero), pick0);
        const __m128i b = _mm_shuffle_epi8(_mm_sub_epi8(load16(at1), zero), pick1);
        const __m128d values = _mm_div_pd(_mm_cvtepi32_pd(digits_join(_mm_or_si128(a, b))), scale);
        _mm_storel_pd(first + i, values);
        _mm_storeh_pd(second + i, values);
    }
}

/* The digits stand in out[]: they are given their exponents. */
static void powers_apply(const struct image *image, const char *text, size_t count, double *out,
                         const struct shape_of *shape, int16_t *places)
{
    int least = INT16_MAX;
    for (size_t i = 0; i < count; i++) {
        const char *end = text + i * image->size + shape->power_end;
        int power = shape->power == 2 ? (end[-2] - '0') * 10 + end[-1] - '0'
                                      : (int)digits_value(end, shape->power);
        power = (shape->power_negative ? -power : power) - shape->fraction;
        least = power < least ? power : least;
        if (power >= 0 && power <= POWERS_EXACT)
            out[i] *= number_powers[power];
        else if (power < 0 && power >= -POWERS_EXACT)
            out[i] /= number_powers[-power];
        else
            out[i] = copysign(number_scale((uint64_t)fabs(out[i]), power), out[i]);
    }
    places_raise(places, -least);
}

QUICK_CODE static void numbers_quick(const struct image *image, const char *text, size_t count,
                                     double *out, size_t room, int16_t *places)
{
    double unused[IMAGE_LINES];
    for (size_t i = 0; i < image->two_count; i += 2) {
        const struct image_two *two = &image->twos[i / 2];
        double *first = out + two->number[0] * room;
        double *second = i + 1 < image->two_count ? out + two->number[1] * room : unused;
        two_quick(image, two, text, count, first, second);
    }
    for (size_t i = 0; i < image->exact_count; i++)
        places_raise(&places[image->exact[i]], image->shapes[image->exact[i]].fraction);
    for (size_t i = 0; i < image->powered_count; i++) {
        const size_t number = image->powered[i];
        powers_apply(image, text, count, out + number * room, &image->shapes[number],
                     &places[number]);
    }
    for (size_t i = 0; i < image->plain_count; i++) {
        const size_t number = image->plain[i];
        number_plain(image, text, count, out + number * room, number, places);
    }
}

#endif

size_t image_lines(const struct image *image, const char *text, size_t most)
{
#ifdef QUICK
    if (is_quick())
        return lines_quick(image, text, most);
#endif
    return lines_plain(image, text, most);
}

void image_numbers(const struct image *image, const char *text, size_t count, double *out,
                   size_t room, int16_t *places)
{
#ifdef QUICK
    if (is_quick()) {
        numbers_quick(image, text, count, out, room, places);
        return;
    }
#endif
    numbers_plain(image, text, count, out, room, places);
}
