/* Lines walked many at once say what each says alone, and end where one is of another form. */
/* SPDX-License-Identifier: MIT */
#include "read/log/walk.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LINES = 4000, LINE_ROOM = 200, SPARE = 64, ROOM = 8, TEXT_ROOM = LINES * LINE_ROOM };

static char memory[SPARE + TEXT_ROOM + SPARE];
static char *const text = memory + SPARE;
static struct pattern pattern;
static double cells[SLOTS * ROOM];
static int16_t places[SLOTS];
static struct text texts[ROOM];
static uint64_t drawn;

static uint64_t draw(uint64_t count)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (drawn >> 33) % count;
}

static size_t digits_put(char *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at[i] = (char)('0' + draw(10));
    return count;
}

/* A number of any shape that a pattern knows. */
static size_t number_put(char *at)
{
    size_t size = 0, whole = draw(4) ? 1 + draw(3) : 1 + draw(9);
    if (draw(4) == 0)
        at[size++] = draw(4) ? '-' : '+';
    size += digits_put(at + size, whole);
    if (draw(8)) {
        at[size++] = '.';
        size += digits_put(at + size, 1 + draw(18 - whole));
    }
    if (draw(4) == 0)
        size += (size_t)sprintf(at + size, draw(2) ? "e%s%02d" : "E%s%d", draw(2) ? "-" : "",
                                (int)draw(draw(8) ? 24 : 340));
    return size;
}

/* Literals of a pattern, each but the last with a number behind it. */
static void pattern_make(const char *const *literals)
{
    memset(&pattern, 0, sizeof pattern);
    for (size_t i = 0; literals[i]; i++) {
        const size_t size = strlen(literals[i]);
        memcpy(pattern.image + pattern.size, literals[i], size);
        pattern.slots[i] = (struct slot){.kind = literals[i + 1] ? SLOT_NUMBER : SLOT_END,
                                         .literal = (uint16_t)pattern.size,
                                         .literal_size = (uint16_t)size,
                                         .value = (int16_t)i};
        for (size_t k = 0; k < size; k++)
            pattern.digits[pattern.size + k] = literals[i][k] == '#' ? 0xff : 0;
        pattern.size += size;
        pattern.slot_count++;
        pattern.number_count += literals[i + 1] != NULL;
    }
}

static size_t line_make(const char *const *literals, char *at)
{
    size_t size = 0;
    for (size_t i = 0; literals[i]; i++) {
        for (const char *c = literals[i]; *c; c++)
            at[size++] = *c == '#' ? (char)('0' + draw(10)) : *c;
        if (literals[i + 1])
            size += number_put(at + size);
    }
    return size;
}

static struct walk walk_begin(void)
{
    for (size_t n = 0; n < SLOTS; n++)
        places[n] = INT16_MIN;
    return (struct walk){
        .pattern = &pattern, .cells = cells, .room = ROOM, .texts = texts, .places = places};
}

/* The line alone, by both forms of the walk. */
static void check_alone(struct text line)
{
    struct shape_of shapes[SLOTS];
    struct walk walk = walk_begin();
    const size_t size = pattern_walk(NULL, &pattern, line.data, line.size, shapes);
    assert_int_equal(walk_lines(&walk, line, 1), size > 0);
    if (size == 0)
        return;
    assert_int_equal(texts[0].size, size - 1);
    for (size_t n = 0; n < pattern.number_count; n++) {
        int16_t most;
        const double wanted = number_make(line.data, &shapes[n], &most);
        assert_memory_equal(&cells[n * ROOM], &wanted, sizeof wanted);
        assert_int_equal(places[n], most);
    }
}

static const char *const short_ones[] = {"{'loss': ", ", 'lr': ", ", 'epoch': ", "}\n", NULL};
static const char *const long_ones[] = {
    "####-##-## ##:##:## INFO a literal of more than thirty-two bytes, and then some: ",
    " ",
    "=",
    " of exactly thirty-two bytes here",
    " thirty-three bytes are a block, x",
    "\n",
    NULL};

static void reads_lines_as_one_by_one(void **state)
{
    (void)state;
    const char *const *all[] = {short_ones, long_ones};
    for (size_t f = 0; f < 2; f++) {
        pattern_make(all[f]);
        for (size_t i = 0; i < LINES; i++)
            check_alone((struct text){text, line_make(all[f], text)});
    }
}

static void reads_what_the_library_reads(void **state)
{
    (void)state;
    pattern_make(short_ones);
    for (size_t i = 0; i < LINES; i++) {
        struct walk walk = walk_begin();
        const size_t size = line_make(short_ones, text);
        assert_int_equal(walk_lines(&walk, (struct text){text, size}, 1), 1);
        const char *at = text;
        for (size_t n = 0; n < pattern.number_count; n++) {
            char *end;
            at += strlen(short_ones[n]);
            const double wanted = strtod(at, &end);
            assert_memory_equal(&cells[n * ROOM], &wanted, sizeof wanted);
            at = end;
        }
    }
}

/* Another byte anywhere: both forms of the walk agree whether it is still a line of the pattern. */
static void agrees_on_what_is_another_form(void **state)
{
    (void)state;
    static const char bytes[] = "0./,e-+ =E9'\n";
    pattern_make(short_ones);
    for (size_t i = 0; i < LINES; i++) {
        const size_t size = line_make(short_ones, text);
        text[draw(size - 1)] = bytes[draw(sizeof bytes - 1)];
        check_alone((struct text){text, size});
        check_alone((struct text){text, draw(size)});
    }
}

static void ends_at_the_first_other_line(void **state)
{
    (void)state;
    pattern_make(short_ones);
    size_t size = 0, ends[ROOM];
    for (size_t i = 0; i < ROOM; i++)
        ends[i] = size += line_make(short_ones, text + size);
    struct walk walk = walk_begin();
    assert_int_equal(walk_lines(&walk, (struct text){text, size}, ROOM), ROOM);
    assert_int_equal(walk_lines(&walk, (struct text){text, size}, 3), 3);
    text[ends[4]] = '[';
    assert_int_equal(walk_lines(&walk, (struct text){text, size}, ROOM), 5);
    assert_ptr_equal(texts[4].data, text + ends[3]);
}

/* A place that counts whole numbers is none where the number has a point. */
static void keeps_integers_and_others_apart(void **state)
{
    (void)state;
    pattern_make(short_ones);
    pattern.targets[1] = (struct target){.place = true, .integer = true};
    static const char *const lines[] = {"{'loss': 1, 'lr': 2, 'epoch': 3}\n",
                                        "{'loss': 1, 'lr': 2.0, 'epoch': 3}\n",
                                        "{'loss': 1, 'lr': 2e1, 'epoch': 3}\n"};
    for (size_t i = 0; i < 3; i++) {
        struct walk walk = walk_begin();
        memcpy(text, lines[i], strlen(lines[i]));
        assert_int_equal(walk_lines(&walk, (struct text){text, strlen(lines[i])}, 1), i == 0);
    }
}

/* Columns of numbers are padded with blanks, one at least. */
static void passes_over_blanks(void **state)
{
    (void)state;
    static const char *const padded[] = {"step", " loss", "\n", NULL};
    static const char *const lines[] = {"step 7 loss    1.25\n", "step      12 loss -0.5\n",
                                        "step12 loss 1.5\n", "step 12 loss1.5\n"};
    pattern_make(padded);
    pattern.slots[0].blanks = pattern.slots[1].blanks = true;
    for (size_t i = 0; i < 4; i++) {
        memset(text, 0, LINE_ROOM);
        memcpy(text, lines[i], strlen(lines[i]));
        check_alone((struct text){text, strlen(lines[i])});
        struct walk walk = walk_begin();
        assert_int_equal(walk_lines(&walk, (struct text){text, strlen(lines[i])}, 1), i < 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_lines_as_one_by_one),
        cmocka_unit_test(reads_what_the_library_reads),
        cmocka_unit_test(agrees_on_what_is_another_form),
        cmocka_unit_test(ends_at_the_first_other_line),
        cmocka_unit_test(keeps_integers_and_others_apart),
        cmocka_unit_test(passes_over_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
