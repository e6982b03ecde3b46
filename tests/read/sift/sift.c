/* Lines are told apart by what they hold, and every tier says what the plain one says. */
/* SPDX-License-Identifier: MIT */
#include "../src/read/sift/tier.h"

#include "stalldoc/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BYTES = 48 << 10, ROUNDS = 60 };

static struct keywords keywords;
static char window[BYTES + LIMIT_WINDOW_SPARE];
static struct sift sift, wanted;

static int fill(void **state)
{
    (void)state;
    keywords_add(&keywords, TEXT("loss"), KEYWORD_VALUE);
    keywords_add(&keywords, TEXT("accuracy"), KEYWORD_VALUE);
    keywords_add(&keywords, TEXT("epoch"), KEYWORD_ALONE);
    keywords_add(&keywords, TEXT("it"), KEYWORD_ALONE);
    keywords_add(&keywords, TEXT("lr"), KEYWORD_KEY);
    keywords_add(&keywords, TEXT("parameter"), KEYWORD_KEY);
    return 0;
}

/* The flags of the only line. */
static unsigned flags_of(const char *line)
{
    const int size = snprintf(window, sizeof window, "%s\n", line);
    sift.keywords = &keywords;
    sift.messages = NULL;
    sift.text = (struct text){window, (size_t)size};
    sift_run(&sift);
    assert_int_equal(sift.count, 1);
    assert_int_equal(sift.lines[0].end, size);
    return sift.lines[0].flags & (SIFTED_SPEAKS | SIFTED_CLOCK | SIFTED_NUMBERS);
}

static void lines_that_say_nothing(void **state)
{
    (void)state;
    assert_int_equal(flags_of(""), 0);
    assert_int_equal(flags_of("Collecting wheel (from somewhere)"), 0);
    assert_int_equal(flags_of("src/abc/d.h:12:7: unused parameter 'x' [-Wx-parameter]"),
                     SIFTED_NUMBERS);
    assert_int_equal(flags_of("glossy lossy 12 lossless"), SIFTED_NUMBERS);
    assert_int_equal(flags_of("loss without a number"), 0);
    assert_int_equal(flags_of("its bits 4 lrs"), SIFTED_NUMBERS);
    assert_int_equal(flags_of("say \xE2\x80\x9Cthis\xE2\x80\x9D"), 0);
    assert_int_equal(flags_of("12:34:56 nothing of use"), SIFTED_NUMBERS | SIFTED_CLOCK);
}

static void lines_that_speak(void **state)
{
    (void)state;
    assert_int_equal(flags_of("the loss is 2"), SIFTED_SPEAKS | SIFTED_NUMBERS);
    assert_int_equal(flags_of("trainLoss 2"), SIFTED_SPEAKS | SIFTED_NUMBERS);
    assert_int_equal(flags_of("IOULoss 2"), SIFTED_SPEAKS | SIFTED_NUMBERS);
    assert_int_equal(flags_of("an epoch ends"), SIFTED_SPEAKS);
    assert_int_equal(flags_of("3 it/s"), SIFTED_SPEAKS | SIFTED_NUMBERS);
    assert_int_equal(flags_of("lr: none"), SIFTED_SPEAKS);
    assert_int_equal(flags_of("'parameter' = much"), SIFTED_SPEAKS);
    assert_int_equal(flags_of("parameter ..... much"), SIFTED_SPEAKS);
    assert_int_equal(flags_of("run --the-lr high"), SIFTED_SPEAKS);
    assert_int_equal(flags_of("loss accuracy"), SIFTED_SPEAKS);               /* a head */
    assert_int_equal(flags_of("1 2 3 word"), SIFTED_SPEAKS | SIFTED_NUMBERS); /* a row */
    assert_int_equal(flags_of("  | cell |"), SIFTED_SPEAKS);
    assert_int_equal(flags_of("\xD0\xBF\xD0\xBE"), SIFTED_SPEAKS);
}

/* Wherever the word stands: blocks end anywhere. */
static void words_across_blocks(void **state)
{
    (void)state;
    static const char *const words[] = {"trainLoss", "IOULoss", "loss", "val_accuracy"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (size_t before = 1; before < 200; before++) {
            char line[256];
            memset(line, '/', before);
            snprintf(line + before, sizeof line - before, "%s x 0.5", words[w]);
            assert_int_equal(flags_of(line), SIFTED_SPEAKS | SIFTED_NUMBERS);
        }
}

static void goes_on_behind_a_long_line(void **state)
{
    (void)state;
    size_t size = 0;
    for (; size < LIMIT_LINE_PART + 3000; size += 4)
        memcpy(window + size, "and ", 4);
    size += (size_t)snprintf(window + size, sizeof window - size, "\nnothing\nloss 3\n");
    sift.keywords = &keywords;
    sift.text = (struct text){window, size};
    sift_run(&sift);
    assert_int_equal(sift.count, 3);
    assert_int_equal(sift.lines[0].flags & SIFTED_SPEAKS, SIFTED_SPEAKS);
    assert_int_equal(sift.lines[0].end, LIMIT_LINE_PART + 3001);
    assert_int_equal(sift.lines[1].flags & SIFTED_SPEAKS, 0);
    assert_int_equal(sift.lines[2].flags & SIFTED_SPEAKS, SIFTED_SPEAKS);
    assert_int_equal(sift.lines[2].end, size);
}

static void stops_where_there_is_no_more_room(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIFT_LINES + 100; i++)
        memcpy(window + 4 * i, "the\n", 4);
    sift.keywords = &keywords;
    sift.text = (struct text){window, 4 * (SIFT_LINES + 100)};
    sift_run(&sift);
    assert_int_equal(sift.count, SIFT_LINES);
    assert_int_equal(sift.lines[SIFT_LINES - 1].end, 4 * SIFT_LINES);
}

static uint64_t drawn = 11;

static uint64_t draw(uint64_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (drawn >> 33) % below;
}

static size_t fill_randomly(void)
{
    static const char *const parts[] = {"loss",      "Loss",     "LOSS",
                                        "epoch",     "lr",       "it",
                                        "parameter", "accuracy", "0",
                                        "17",        "12:34",    " ",
                                        "  ",        ": ",       "=",
                                        "--",        "-",        "..",
                                        "a",         "B",        "camelCase",
                                        "|",         ",",        "(",
                                        "[",         "\t",       "\xE2\x80\x93",
                                        "\xC3\xA9",  "\xFF",     "\x80",
                                        "_"};
    size_t size = 0;
    while (size < BYTES - 16) {
        const char *part = parts[draw(sizeof parts / sizeof *parts)];
        const bool ends = draw(40) == 0 && draw(1 + size % 7) < 3;
        if (draw(30) == 0)
            window[size++] = (char)draw(256);
        else
            size += (size_t)snprintf(window + size, 16, "%s", ends ? "\n" : part);
    }
    window[size++] = '\n';
    return size;
}

static void every_tier_says_the_same(void **state)
{
    (void)state;
    size_t plain = 0;
    while (sift_tiers[plain + 1])
        plain++;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t size = fill_randomly();
        sift.keywords = wanted.keywords = &keywords;
        sift.text = wanted.text = (struct text){window, size};
        sift_by(sift_tiers[plain], &wanted);
        assert_true(wanted.count > 100);
        for (size_t i = 0; i < plain; i++) {
            if (!sift_tiers[i]->runs_here())
                continue;
            sift_by(sift_tiers[i], &sift);
            assert_int_equal(sift.count, wanted.count);
            assert_memory_equal(sift.lines, wanted.lines, wanted.count * sizeof *wanted.lines);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_say_nothing),
        cmocka_unit_test(lines_that_speak),
        cmocka_unit_test(words_across_blocks),
        cmocka_unit_test(goes_on_behind_a_long_line),
        cmocka_unit_test(stops_where_there_is_no_more_room),
        cmocka_unit_test(every_tier_says_the_same),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
