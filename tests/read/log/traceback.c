/* Tracebacks: what ended a program is told, what it survived is not. */
/* SPDX-License-Identifier: MIT */
#include "../../../src/read/log/traceback.h"
#include "stalldoc/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static const struct message_table *table;

static int load(void **state)
{
    (void)state;
    const struct rule_file *file = rule_files_embedded;
    while (file->name && strcmp(file->name, "messages.json") != 0)
        file++;
    struct error error = {0};
    table = message_table_load(&arena, file->text, file->path, &error);
    return table ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

struct told { /* "id:line id:line" */
    struct sink sink;
    char text[512];
};

static void tell(struct told *told, uint32_t row, uint64_t line)
{
    const size_t used = strlen(told->text);
    snprintf(told->text + used, sizeof told->text - used, "%s%s:%d", used ? " " : "",
             table->rows[row].id, (int)line);
}

static bool take_message(struct sink *sink, const struct message_seen *seen, struct error *error)
{
    (void)error;
    tell((struct told *)sink, seen->message, seen->place.line);
    return true;
}

struct met {
    uint32_t rows[16];
    size_t count;
};

static void add_row(void *context, uint32_t row, size_t column)
{
    (void)column;
    struct met *met = context;
    if (met->count < 16)
        met->rows[met->count++] = row;
}

/* Reads lines as the driver does. "*" is a record, "**" one at step 2, "0" at step 0, "DONE" the
   end of the run, "AGAIN" a new start; "N| " before a line is a prefix. */
static const char *read_lines(const char *text)
{
    static struct told told;
    told = (struct told){.sink = {.message = take_message}};
    struct traceback *t = traceback_open(&arena, table);
    assert_non_null(t);
    uint64_t number = 0;
    int64_t step = 100;
    for (const char *at = text; *at;) {
        const size_t size = strcspn(at, "\n");
        const struct text line = {at, size};
        number++;
        at += size + (at[size] == '\n');
        if (text_starts(line, "*") || text_is(line, "0")) {
            step = text_is(line, "0") ? 0 : size > 1 ? (int64_t)size : step + 1;
            const struct position position = {.step = step, .epoch = STEP_NONE, .batch = STEP_NONE};
            traceback_progress(t, &position);
        } else if (text_is(line, "DONE")) {
            traceback_done(t);
        } else if (text_is(line, "AGAIN")) {
            assert_true(traceback_restart(t, &told.sink, NULL));
        } else {
            const size_t content = size > 3 && line.data[1] == '|' ? 3 : 0;
            struct met met = {.count = 0};
            message_search(table, line, content, add_row, &met);
            const struct message_seen seen = {.place = {1, number, 0}, .line = line, .step = step};
            if (traceback_wants(t, met.rows, met.count))
                met.count = traceback_line(t, line, content, &seen, met.rows, met.count);
            for (size_t i = 0; i < met.count; i++)
                if (table->rows[met.rows[i]].strength != STRENGTH_HARMLESS)
                    tell(&told, met.rows[i], number);
        }
    }
    assert_true(traceback_finish(t, &told.sink, NULL));
    return told.text;
}

#define HEAD                                                                                       \
    "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\n"

static void names_the_exception_that_ended_the_run(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\n" HEAD "KeyError: 'image'\n"), "python-exception:5");
    assert_string_equal(
        read_lines("3| Traceback (most recent call last):\n3|   File \"a.py\", line 1\n"
                   "3|     x = y[0]\n3| TypeError: 'int' is not subscriptable\n"),
        "python-exception:4");
    assert_string_equal(read_lines(HEAD "my.package.Mishap: no such thing\n"),
                        "python-exception:4");
}

static void knows_an_exception_by_its_module(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\nmy.package.exceptions.LimitHit: no more of them\n"),
                        "python-exception:2");
    assert_string_equal(read_lines("*\nmy.package.exceptions: no more of them\n"), "");
    assert_string_equal(read_lines("*\nmy.package.LimitHit: no more of them\n"), "");
}

static void hears_no_words_of_the_source(void **state)
{
    (void)state;
    assert_string_equal(
        read_lines("KeyboardInterrupt      Traceback (most recent call last)\n"
                   "----> 1 fit(model)\n   2275     # if loss is nan we leave it out\n"
                   "-> 2276 warn(\"loss is nan\")\nKeyboardInterrupt: \n"),
        "interrupted:5");
    assert_string_equal(read_lines(HEAD "    log(\"loss is nan\")\nKeyError: 'image'\n"),
                        "python-exception:5");
    assert_string_equal(read_lines("1| " HEAD "    stop(\"loss is nan\")\nKeyError: 'image'\n"),
                        "python-exception:5");
    assert_string_equal(read_lines(HEAD "loss is nan\nKeyError: 'image'\n"),
                        "loss-nan-stop:4 python-exception:5");
    assert_string_equal(read_lines("    loss is nan\n"), "loss-nan-stop:1");
}

static void lets_a_fixed_text_name_the_exception(void **state)
{
    (void)state;
    assert_string_equal(
        read_lines(HEAD "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB\n"),
        "cuda-out-of-memory:4");
    assert_string_equal(read_lines(HEAD "KeyboardInterrupt\n"), "interrupted:4");
    assert_string_equal(read_lines(HEAD "BrokenPipeError: [Errno 32] Broken pipe\n"),
                        "nccl-socket-closed:4");
    assert_string_equal(read_lines(HEAD "EOFError\n"), "exception-peer:4");
}

static void takes_what_an_exception_says_below_it(void **state)
{
    (void)state;
    const char *const open = HEAD "lib.errors.InvalidArgumentError: Graph execution error:\n\n"
                                  "Detected at node 'conv' defined at (most recent call last):\n"
                                  "    File \"train.py\", line 9, in <module>\n";
    static const struct {
        const char *below, *told;
    } cases[] = {
        {"failed to allocate memory\n\t [[{{node conv}}]]\n", "python-exception:4"},
        {"OOM when allocating tensor with shape[8,64,64]\n\t [[{{node conv}}]]\n",
         "tf-out-of-memory:8"},
        {"!!! Detected Infinity or NaN in output 0 of graph op \"Log\" (# of outputs: 1) !!!\n",
         "numerics-domain:8 numerics-op:8"},
        {"!!! Detected Infinity or NaN in output 0 of eagerly-executing op \"MatMul\" (# of "
         "outputs: 1) !!!\n",
         "numerics-op:8"},
        {"loss is nan\n", "loss-nan-stop:8 python-exception:4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", open, cases[i].below);
        assert_string_equal(read_lines(text), cases[i].told);
    }
    /* One that says what it is has said it: what follows is another failure. */
    assert_string_equal(read_lines(HEAD "KeyError: 'image'\nloss is nan\n"),
                        "loss-nan-stop:5 python-exception:4");
}

static void says_that_the_program_stopped_itself(void **state)
{
    (void)state;
    assert_string_equal(read_lines(HEAD "ValueError: got inf in layer 3\n"),
                        "exception-nonfinite:4");
    assert_string_equal(read_lines(HEAD "RuntimeError: Loss became NaN\n"),
                        "loss-nan-stop:4 exception-nonfinite:4");
    assert_string_equal(read_lines(HEAD "ValueError: financial information is missing\n"),
                        "python-exception:4");
}

static void keeps_the_first_block_of_a_chain(void **state)
{
    (void)state;
    assert_string_equal(
        read_lines(HEAD "KeyError: 'image'\n\nDuring handling of the above exception, another "
                        "exception occurred:\n\n" HEAD "AttributeError: no such attribute\n"),
        "python-exception:4");
    assert_string_equal(
        read_lines(HEAD "KeyError: 'image'\n\nThe above exception was the direct cause of the "
                        "following exception:\n\n" HEAD "AttributeError: no such attribute\n"),
        "python-exception:11");
}

static void takes_the_inner_exception_of_a_loader(void **state)
{
    (void)state;
    assert_string_equal(
        read_lines(HEAD "KeyError: Caught KeyError in DataLoader worker process 0.\nOriginal "
                        "Traceback (most recent call last):\n  File \"d.py\", line 3, in get\n"
                        "KeyError: 'label'\n"),
        "python-exception:7");
}

static void is_silent_about_what_the_run_survived(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\n" HEAD "OSError: nvidia-smi has failed\n*\n*\n*\n"), "");
    assert_string_equal(read_lines("*\n" HEAD "OSError: nvidia-smi has failed\n*\n*\n"),
                        "python-exception:5");
    /* A table of ranks behind the end is no progress. */
    assert_string_equal(read_lines("*\n" HEAD "OSError: nvidia-smi has failed\n0\n0\n0\n0\n"),
                        "python-exception:5");
    assert_string_equal(read_lines("*\nDONE\n" HEAD "RuntimeError: cannot join the thread\n"), "");
    /* A loop that never trained was not done. */
    assert_string_equal(read_lines("DONE\n" HEAD "ValueError: cannot read record 0\n"),
                        "python-exception:5");
    assert_string_equal(
        read_lines("Exception ignored in: <function Pool.__del__>\n" HEAD "OSError: bad handle\n"),
        "");
    assert_string_equal(read_lines("--- Logging error ---\n" HEAD "UnicodeError: bad byte\n"), "");
}

static void tells_of_a_crash_before_a_new_start(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\n" HEAD "OSError: disk is away\nAGAIN\n*\n*\n*\n*\n"),
                        "python-exception:5");
}

static void holds_other_ends_until_the_run_goes_on(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\nSegmentation fault (core dumped)\n"), "segfault:2");
    assert_string_equal(read_lines("Segmentation fault (core dumped)\n*\n*\n*\n"), "");
    assert_string_equal(read_lines("*\nSegmentation fault (core dumped)\n**\n***\n*\n*\n*\n"),
                        "segfault:2");
    assert_string_equal(read_lines("*\n" HEAD "KeyError: 'a'\n" HEAD "KeyError: 'a'\n"),
                        "python-exception:5");
}

static void finds_a_block_behind_any_prefix(void **state)
{
    (void)state;
    assert_string_equal(
        read_lines("10.0.0.1: [rank4]: Traceback (most recent call last):\n"
                   "10.0.0.1: [rank4]:   File \"a.py\", line 1\n"
                   "localhost: other.thing: loss\n"
                   "10.0.0.1: [rank4]: FileNotFoundError: [Errno 2] no such file\n"),
        "python-exception:4");
}

static void knows_what_the_run_survived_before(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\n" HEAD "OSError: tool 1 has failed\n*\n*\n*\n" HEAD
                                   "OSError: tool 2 has failed\n"),
                        "");
}

static void takes_a_lone_exception_line(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\nValueError: too many values to unpack\n"),
                        "python-exception:2");
    assert_string_equal(read_lines("ReconstructionError: 0.25\n"), "");
    assert_string_equal(read_lines("the ValueError: too many values\n"), "");
    assert_string_equal(read_lines("RuntimeWarning: Error: something odd\n"), "");
}

static void looks_behind_what_a_launcher_puts_before_each_line(void **state)
{
    (void)state;
    assert_string_equal(
        read_lines("10.0.0.1: [rank4]: Traceback (most recent call last):\n"
                   "10.0.0.1: [rank4]:   File \"a.py\", line 1, in <module>\n"
                   "10.0.0.2: loading\n"
                   "10.0.0.1: [rank4]: FileNotFoundError: [Errno 2] No such file\n"),
        "python-exception:4");
}

static void takes_a_block_in_one_text(void **state)
{
    (void)state;
    assert_string_equal(read_lines("2: ['Traceback (most recent call last):\\n', 'ValueError: x']\n"
                                   "loss.mean: 0.5\n"),
                        "python-exception:1");
}

static void tells_of_a_block_that_the_log_ends_in(void **state)
{
    (void)state;
    assert_string_equal(read_lines("*\nTraceback (most recent call last):\n"
                                   "  File \"a.py\", line 7, in <module>\n"),
                        "traceback-cut:2");
    assert_string_equal(read_lines("*\n" HEAD "KeyError: 'x'\nTraceback (most recent call last):\n"
                                   "  File \"b.py\", line 1, in <module>\n"),
                        "python-exception:5");
    /* Broken off where it waits for a loader; an error there is told by itself. */
    assert_string_equal(read_lines("*\n" HEAD "    data = self._data_queue.get(timeout=timeout)\n"
                                   "KeyboardInterrupt\n"),
                        "interrupted:6 stuck-loader:6");
    assert_string_equal(read_lines("*\n" HEAD "    data = self._data_queue.get(timeout=timeout)\n"
                                   "KeyError: 'x'\n"),
                        "python-exception:6");
    /* A notebook names the exception before the block. */
    assert_string_equal(read_lines("KeyboardInterrupt       Traceback (most recent call last)\n"
                                   "<ipython-input-7> in <module>\n----> 1 main()\n"),
                        "interrupted:1");
    assert_string_equal(read_lines("RuntimeError       Traceback (most recent call last)\n"
                                   "<ipython-input-7> in <module>\n----> 1 main()\n"),
                        "traceback-cut:1");
    /* The plainest exception is one. */
    assert_string_equal(read_lines(HEAD "Exception: no such luck\n"), "python-exception:4");
    assert_string_equal(read_lines("Exception ignored in: <function f>\n"
                                   "Traceback (most recent call last):\n"
                                   "  File \"a.py\", line 7, in __del__\n"),
                        "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_exception_that_ended_the_run),
        cmocka_unit_test(knows_an_exception_by_its_module),
        cmocka_unit_test(hears_no_words_of_the_source),
        cmocka_unit_test(lets_a_fixed_text_name_the_exception),
        cmocka_unit_test(takes_what_an_exception_says_below_it),
        cmocka_unit_test(says_that_the_program_stopped_itself),
        cmocka_unit_test(keeps_the_first_block_of_a_chain),
        cmocka_unit_test(takes_the_inner_exception_of_a_loader),
        cmocka_unit_test(is_silent_about_what_the_run_survived),
        cmocka_unit_test(tells_of_a_crash_before_a_new_start),
        cmocka_unit_test(holds_other_ends_until_the_run_goes_on),
        cmocka_unit_test(finds_a_block_behind_any_prefix),
        cmocka_unit_test(knows_what_the_run_survived_before),
        cmocka_unit_test(tells_of_a_block_that_the_log_ends_in),
        cmocka_unit_test(takes_a_lone_exception_line),
        cmocka_unit_test(looks_behind_what_a_launcher_puts_before_each_line),
        cmocka_unit_test(takes_a_block_in_one_text),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
