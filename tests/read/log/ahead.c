/* Lines of one form over many windows: every one is read once, in order, in its place, whether or
   not a thread reads ahead. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

#include <inttypes.h>

extern const struct format format_text;

enum { LINES = 60000, LINE_BYTES = 96, OTHER = 7001 };

#define HEAD "INFO trainer: step="

struct listener {
    struct recorder recorder; /* first */
    const char *text;
    int64_t step; /* of the next row */
    uint64_t others;
};

static double loss_at(int64_t step)
{
    return (double)(100000 + step % 9973) / 10000;
}

static bool rows_hear(struct sink *sink, const struct rows *rows, struct error *error)
{
    struct listener *listener = (struct listener *)sink;
    (void)error;
    if (listener->recorder.shapes[rows->shape].column_count == 1) {
        listener->others += rows->count;
        return true;
    }
    for (size_t i = 0; i < rows->count; i++, listener->step++) {
        listener->step += listener->step % OTHER == 0;
        const char *line = listener->text + rows->offsets[i];
        assert_int_equal(rows->positions[i].step, listener->step);
        assert_int_equal(rows->lines[i], listener->step);
        assert_int_equal(strtol(line + strlen(HEAD), NULL, 10), listener->step);
        assert_true(rows->values[0][i] == loss_at(listener->step));
        assert_true(rows->values[1][i] == (double)(listener->step % 13));
    }
    return true;
}

/* Every OTHER line is of another form; the line `odd` holds a byte that windows are cleaned of. */
static char *lines_make(int64_t odd)
{
    char *text = malloc((size_t)LINES * LINE_BYTES);
    size_t size = 0;
    assert_non_null(text);
    for (int64_t i = 1; i <= LINES; i++)
        size +=
            (size_t)(i % OTHER == 0 ? snprintf(text + size, LINE_BYTES, "valid acc 0.5\n")
                                    : snprintf(text + size, LINE_BYTES,
                                               HEAD "%" PRId64 " loss=%.4f aux=%" PRId64
                                                    " of the run that goes on and on%s\n",
                                               i, loss_at(i), i % 13, i == odd ? "\033[0m" : ""));
    return text;
}

static void expect_all(const char *text, bool threads)
{
    static struct listener listener;
    char path[] = "/tmp/stalldoc-test-XXXXXX";
    struct error error = {0};
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    struct input *input = NULL;
    assert_true(input_open(path, 1, &input, &error));
    recorder_open(&listener.recorder);
    listener.recorder.sink.rows = rows_hear;
    listener.text = text;
    listener.step = 1;
    listener.others = 0;
    struct arena scratch = {.limit = 0};
    const struct reading reading = {.input = input,
                                    .scratch = &scratch,
                                    .sink = &listener.recorder.sink,
                                    .vocabulary = recorder_vocabulary,
                                    .threads = threads,
                                    .max_line = 1 << 20};
    assert_true(format_text.read(&reading, &error));
    assert_int_equal(listener.step, LINES + 1);
    assert_int_equal(listener.others, LINES / OTHER);
    input_close(input);
    arena_free(&scratch);
    arena_free(&listener.recorder.arena);
    unlink(path);
}

static void reads_every_line_once(void **state)
{
    (void)state;
    const int64_t odds[] = {0, 30000, LINES};
    for (size_t i = 0; i < sizeof odds / sizeof odds[0]; i++) {
        char *text = lines_make(odds[i]);
        expect_all(text, false);
        for (int round = 0; round < 2; round++)
            expect_all(text, true);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_line_once),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
