/* Numbers at known places are the numbers that the library reads there. */
/* SPDX-License-Identifier: MIT */
#include "read/log/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LINES = 150, SPARE = 64, ROOM = 256 };

static uint64_t drawn = 7;

static uint64_t draw(void)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return drawn >> 33;
}

/* `#` stands for any digit. */
static void fill(const char *form, char *line)
{
    for (; *form; form++, line++)
        *line = *form == '#' ? (char)('0' + draw() % 10) : *form;
    *line = '\n';
}

/* A pattern with a number behind each blank. */
static void pattern_of(const char *line, size_t size, struct pattern *pattern, size_t *starts)
{
    memset(pattern, 0, sizeof *pattern);
    pattern->size = size;
    memcpy(pattern->image, line, size);
    for (size_t i = 0; i + 1 < size; i++) {
        size_t end = i + 1;
        struct shape_of shape;
        if (line[i] == ' ' && pattern_shape(line, i + 1, &shape, &end)) {
            starts[pattern->number_count] = i + 1;
            pattern->shapes[pattern->number_count++] = shape;
        }
        for (size_t k = i + 1; k < end; k++)
            pattern->digits[k] = line[k] >= '0' && line[k] <= '9' ? 0xff : 0;
    }
}

static void check(const char *form)
{
    static char text[SPARE + LINES * 200 + SPARE];
    static struct pattern pattern;
    static struct image image;
    static double values[SLOTS * ROOM];
    size_t starts[SLOTS];
    const size_t size = strlen(form) + 1;
    char *lines = text + SPARE;
    for (size_t i = 0; i < LINES; i++)
        fill(form, lines + i * size);
    pattern_of(lines, size, &pattern, starts);
    image_make(&pattern, &image);
    assert_true(pattern.number_count > 0);
    assert_int_equal(image_lines(&image, lines, IMAGE_LINES), IMAGE_LINES);
    int16_t places[SLOTS];
    for (size_t n = 0; n < SLOTS; n++)
        places[n] = INT16_MIN;
    image_numbers(&image, lines, IMAGE_LINES, values, ROOM, places);
    for (size_t n = 0; n < pattern.number_count; n++) {
        int16_t most = INT16_MIN, here;
        for (size_t i = 0; i < IMAGE_LINES; i++) {
            const double wanted = strtod(lines + i * size + starts[n], NULL);
            assert_memory_equal(&values[n * ROOM + i], &wanted, sizeof wanted);
            number_make(lines + i * size, &pattern.shapes[n], &here);
            most = here > most ? here : most;
        }
        assert_int_equal(places[n], most);
    }
    for (size_t k = 0; k < size; k++) { /* another byte anywhere ends the lines */
        char *at = &lines[5 * size + k], was = *at;
        *at = was == '/' ? ';' : '/';
        assert_int_equal(image_lines(&image, lines, IMAGE_LINES), 5);
        *at = was;
    }
}

static void reads_what_the_library_reads(void **state)
{
    (void)state;
    check("a #");
    check("loss -#.#### and ##.####### or ########");
    check("loss #.###### lr #.###e-0# and -#.#e+## then ######.#### with ############ at the end");
    check("tiny #.####e-2# #.####e-3# -#.##e+2# huge #.###e+30# #.###e-31# ok #");
    check("'grad_norm': #.#### "
          "key= ###.##### -#.################ #.############### 0.0##");
    check("a line of one block!!!!!!!! -#.#");
    check("a line of one block and one b -#.#");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_the_library_reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
