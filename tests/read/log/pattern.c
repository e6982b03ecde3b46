/* Lines of a known form say the same whether they are matched as bytes or cut into tokens. */
/* SPDX-License-Identifier: MIT */
#include "read/log/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../heard.h"

extern const struct format format_text;

enum { LINES = 3000, LINE_ROOM = 400, LOG_ROOM = LINES * 160, SAID_MOST = 4 * LINES };

/* A row that was said: of which line, and the words for it. */
struct said {
    uint64_t line;
    char text[LINE_ROOM];
};

struct ear {
    struct heard heard; /* first; binds the columns */
    struct said rows[SAID_MOST];
    size_t count;
    struct line_counts counts;
};

static int said_compare(const void *a, const void *b)
{
    const struct said *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return strcmp(left->text, right->text);
}

static void said_add(struct ear *ear, uint64_t line, const char *text)
{
    assert_true(ear->count < SAID_MOST);
    struct said *said = &ear->rows[ear->count++];
    said->line = line;
    memcpy(said->text, text, strlen(text) + 1);
}

static bool ear_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    struct ear *ear = (struct ear *)sink;
    (void)error;
    assert_true(rows->shape < 64);
    for (size_t row = 0; row < rows->count; row++) {
        const struct position *p = &rows->positions[row];
        char text[LINE_ROOM];
        int at = snprintf(text, sizeof(text),
                          "at %" PRIu64 " step %" PRId64 "/%" PRId64 " batch %" PRId64
                          " epoch %" PRId64 " %.17g time %.17g",
                          rows->offsets[row], p->step, p->step_total, p->batch, p->epoch,
                          p->epoch_fraction, rows->times ? rows->times[row] : 0.0);
        for (size_t i = 0; i < 16 && ear->heard.columns[rows->shape][i].name[0]; i++)
            if (!value_missing(rows->values[i][row]))
                at += snprintf(text + at, sizeof(text) - (size_t)at, " %d %s=%.17g",
                               (int)ear->heard.columns[rows->shape][i].phase,
                               ear->heard.columns[rows->shape][i].name, rows->values[i][row]);
        said_add(ear, rows->lines[row], text);
    }
    return true;
}

static bool ear_time(struct sink *sink, double time, const struct place *place, int32_t rank,
                     struct error *error)
{
    (void)error;
    char text[64];
    snprintf(text, sizeof(text), "time %.17g rank %d", time, (int)rank);
    said_add((struct ear *)sink, place->line, text);
    return true;
}

static bool ear_counts(struct sink *sink, const struct line_counts *counts, struct error *error)
{
    (void)error;
    ((struct ear *)sink)->counts = *counts;
    return true;
}

static struct arena words;
static const struct vocabulary *vocabulary;

/* By the reader of the format, or line by line, which never matches bytes. */
static void ear_read(struct ear *ear, const char *log, size_t size, bool by_line)
{
    struct arena scratch = {0};
    struct error error = {0};
    struct input *input;
    ear->count = 0;
    heard_init(&ear->heard);
    ear->heard.sink.rows = ear_rows;
    ear->heard.sink.time = ear_time;
    ear->heard.sink.counts = ear_counts;
    assert_true(
        input_memory((struct span){(const uint8_t *)log, size}, "a.log", 1, &input, &error));
    const struct reading reading = {
        .input = input,
        .scratch = &scratch,
        .sink = &ear->heard.sink,
        .vocabulary = vocabulary,
        .max_line = LIMIT_LINE_MESSAGE,
    };
    if (!by_line) {
        assert_true(format_text.read(&reading, &error));
    } else {
        struct log_feed *feed = log_open(&reading, &error);
        assert_non_null(feed);
        struct place place = {.input = 1, .line = 1};
        while (place.offset < size) {
            const char *start = log + place.offset, *end = memchr(start, '\n', size - place.offset);
            size_t line = end ? (size_t)(end - start) : size - place.offset;
            assert_true(log_line(feed, (struct text){start, line}, place, &error));
            place.offset += line + 1;
            place.line++;
        }
        assert_true(log_close(feed, &error));
    }
    input_close(input);
    arena_free(&scratch);
    qsort(ear->rows, ear->count, sizeof(ear->rows[0]), said_compare);
}

static void expect_same(const char *log, size_t size)
{
    struct ear *quick = calloc(2, sizeof(*quick)), *slow = quick + 1;
    assert_non_null(quick);
    ear_read(quick, log, size, false);
    ear_read(slow, log, size, true);
    for (size_t i = 0; i < quick->count && i < slow->count; i++) {
        assert_string_equal(quick->rows[i].text, slow->rows[i].text);
        assert_int_equal(quick->rows[i].line, slow->rows[i].line);
    }
    assert_int_equal(quick->count, slow->count);
    assert_true(quick->count >= LINES / 2); /* else nothing was compared */
    free(quick);
}

/* `make` writes the line `i` without its end. */
static void expect_lines(void (*make)(char *out, size_t room, unsigned i), const char *end,
                         bool last_ends)
{
    char *log = malloc(LOG_ROOM);
    size_t size = 0;
    assert_non_null(log);
    for (unsigned i = 0; i < LINES; i++) {
        make(log + size, LOG_ROOM - size, i);
        size += strlen(log + size);
        if (i + 1 < LINES || last_ends)
            size += (size_t)snprintf(log + size, LOG_ROOM - size, "%s", end);
        assert_true(size + 200 < LOG_ROOM);
    }
    expect_same(log, size);
    free(log);
}

/* Numbers that look random and are the same in each run. */
static unsigned mix(unsigned i)
{
    i = (i ^ (i >> 16)) * 0x45d9f3bu;
    i = (i ^ (i >> 16)) * 0x45d9f3bu;
    return i ^ (i >> 16);
}

static double fraction(unsigned i)
{
    return mix(i) / 4294967296.0;
}

static void fixed_line(char *out, size_t room, unsigned i)
{
    snprintf(out, room, "step %06u loss: %.4f lr: %.3e", i, 1 + fraction(i), 0.001 + i * 1e-7);
}

static void reads_fixed_widths(void **state)
{
    (void)state;
    expect_lines(fixed_line, "\n", true);
}

static void reads_carriage_returns(void **state)
{
    (void)state;
    expect_lines(fixed_line, "\r\n", true);
}

static void reads_a_last_line_without_an_end(void **state)
{
    (void)state;
    expect_lines(fixed_line, "\n", false);
}

static void changing_line(char *out, size_t room, unsigned i)
{
    snprintf(out, room, "Epoch %u/%u step %u/9000 | loss %.*f | grad_norm %.*g", i / 900 + 1, 4u,
             i * 3, (int)(i % 7), 100 * fraction(i), (int)(i % 5 + 2), 2000 * fraction(i + 9));
}

static void reads_changing_widths(void **state)
{
    (void)state;
    expect_lines(changing_line, "\n", true);
}

static void exponent_line(char *out, size_t room, unsigned i)
{
    snprintf(out, room, "iter %u loss=%.5e lr=%.2e scale=%.0e", i, fraction(i) * 1e-5,
             1 / (1.0 + i), 65536.0 * (1 + i % 3));
}

static void reads_exponents(void **state)
{
    (void)state;
    expect_lines(exponent_line, "\n", true);
}

static void negative_line(char *out, size_t room, unsigned i)
{
    snprintf(out, room, "step: %u, reward: %.3f, loss: %+.4f, kl: %.6f", i, fraction(i) * 20 - 10,
             fraction(i + 1) - 0.5, i % 2 ? -fraction(i + 2) : fraction(i + 2));
}

static void reads_negative_numbers(void **state)
{
    (void)state;
    expect_lines(negative_line, "\n", true);
}

/* From shortly before midnight, a line every two seconds and a third. */
static void dated_line(char *out, size_t room, unsigned i)
{
    unsigned thousandths = i * 2333, second = 86400 - 600 + thousandths / 1000;
    snprintf(out, room, "2024-02-%02u %02u:%02u:%02u,%03u INFO step %u loss %.4f",
             28 + second / 86400, second / 3600 % 24, second / 60 % 60, second % 60,
             thousandths % 1000, i, fraction(i));
}

static void reads_dates_over_a_minute_and_a_day(void **state)
{
    (void)state;
    expect_lines(dated_line, "\n", true);
}

static void growing_line(char *out, size_t room, unsigned i)
{
    if (i % 500 < 250)
        snprintf(out, room, "step %u loss %u epoch %u", i, mix(i) % 10, i / 500);
    else
        snprintf(out, room, "step %u loss %.3f epoch %.2f", i, fraction(i), i / 500.0);
}

static void reads_an_integer_that_becomes_a_float(void **state)
{
    (void)state;
    expect_lines(growing_line, "\n", true);
}

static void broken_line(char *out, size_t room, unsigned i)
{
    static const char *const odd[] = {"nan", "inf", "-inf", "NaN", "None", "1,234.5", "1.2.3", ""};
    if (i % 97 == 0)
        snprintf(out, room, "step %u loss %s lr 0.001", i, odd[i / 97 % 8]);
    else
        snprintf(out, room, "step %u loss %.4f lr 0.001", i, fraction(i));
}

static void reads_what_is_no_number_in_between(void **state)
{
    (void)state;
    expect_lines(broken_line, "\n", true);
}

static void word_line(char *out, size_t room, unsigned i)
{
    char word[12];
    size_t size = 3 + mix(i) % 8;
    for (size_t k = 0; k < size; k++)
        word[k] = (char)('a' + mix(i * 16 + (unsigned)k) % 26);
    word[size] = 0;
    snprintf(out, room, "step %u loss %.4f (sample %s) lr %.5f", i, fraction(i), word, 0.01);
}

static void reads_a_word_that_changes(void **state)
{
    (void)state;
    expect_lines(word_line, "\n", true);
}

static void ranked_line(char *out, size_t room, unsigned i)
{
    snprintf(out, room, "[rank%u] step %u loss %.4f", i % 4, i / 4, fraction(i));
}

static void reads_ranks(void **state)
{
    (void)state;
    expect_lines(ranked_line, "\n", true);
}

static void mixed_line(char *out, size_t room, unsigned i)
{
    switch (i % 10) {
    case 3:
        snprintf(out, room, "saving the state of %u to disk", i);
        break;
    case 6:
        snprintf(out, room, "eval: step %u val_loss %.4f val_acc %.2f", i, fraction(i),
                 fraction(i));
        break;
    case 9:
        snprintf(out, room, "throughput     %5.1f samples/s", 1000 * fraction(i));
        break;
    default:
        fixed_line(out, room, i);
    }
}

static void reads_forms_in_turn(void **state)
{
    (void)state;
    expect_lines(mixed_line, "\n", true);
}

/* Steps with an end take the epoch of the heading; a shorter count behind one of validation is not
   training's. */
static void counted_line(char *out, size_t room, unsigned i)
{
    unsigned at = i % 60;
    if (at == 0)
        snprintf(out, room, "Epoch %u/9", i / 60 + 1);
    else if (at == 45)
        snprintf(out, room, "Evaluation begins");
    else
        snprintf(out, room, "step %2u/%u - loss: %.4f", at < 45 ? at : at - 45, at < 45 ? 44 : 14,
                 fraction(i));
}

static void reads_steps_of_an_epoch(void **state)
{
    (void)state;
    expect_lines(counted_line, "\n", true);
}

static int setup(void **state)
{
    (void)state;
    vocabulary = embedded_vocabulary(&words, NULL);
    return vocabulary ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&words);
    return 0;
}

/* Kept as seconds, whichever of both is printed. */
static void speed_line(char *out, size_t room, unsigned i)
{
    snprintf(out, room, "[%06u/50000] | loss %.4f | acc %u/64 | %.2f it/s", i, fraction(i), i % 65,
             1 + fraction(i + 3));
}

static void reads_what_is_turned_over(void **state)
{
    (void)state;
    expect_lines(speed_line, "\n", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_fixed_widths),
        cmocka_unit_test(reads_steps_of_an_epoch),
        cmocka_unit_test(reads_carriage_returns),
        cmocka_unit_test(reads_a_last_line_without_an_end),
        cmocka_unit_test(reads_changing_widths),
        cmocka_unit_test(reads_exponents),
        cmocka_unit_test(reads_negative_numbers),
        cmocka_unit_test(reads_dates_over_a_minute_and_a_day),
        cmocka_unit_test(reads_an_integer_that_becomes_a_float),
        cmocka_unit_test(reads_what_is_no_number_in_between),
        cmocka_unit_test(reads_a_word_that_changes),
        cmocka_unit_test(reads_ranks),
        cmocka_unit_test(reads_forms_in_turn),
        cmocka_unit_test(reads_what_is_turned_over),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
