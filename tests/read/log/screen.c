/* Prose is passed over by its bytes; what stands in it is read all the same. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

enum { PROSE_LINES = 1500 };

/* Lines of a build, all of them different, with `last` behind them; expects `wanted`. */
static void expect_behind_prose(const char *last, const char *wanted)
{
    static char text[PROSE_LINES * 96];
    size_t size = 0;
    for (unsigned i = 0; i < PROSE_LINES; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "src/%c%c%c/%cfoo.h:%u:%u: warning: unused thing 'q%u' [-Wx]\n",
                                 'a' + i % 26, 'f' + i / 26 % 20, 'k' + i % 7, 'b' + i % 24, i + 3,
                                 i % 90, i);
    snprintf(text + size, sizeof text - size, "%s", last);
    recorder_expect(&format_text, "run.log", text, wanted);
}

static void prose_alone_gives_nothing(void **state)
{
    (void)state;
    expect_behind_prose("", "");
}

static void reads_a_single_nan_behind_prose(void **state)
{
    (void)state;
    expect_behind_prose("loss: nan\n", "1501: grain 8: loss=nan\n");
}

static void reads_steps_behind_prose(void **state)
{
    (void)state;
    expect_behind_prose("step 7 trainLoss 0.5\nnothing here\nstep 8 trainLoss 0.25\n",
                        "1501: step 7 grain 1: trainLoss=0.5\n"
                        "1503: step 8 grain 1: trainLoss=0.25\n");
}

static void reads_a_table_behind_prose(void **state)
{
    (void)state;
    expect_behind_prose("E    LOSS TOK  LOSS NER  SCORE\n---  --------  --------  -----\n"
                        "  0   0.5   1.5  0.25\n",
                        "1503: epoch 0 grain 4: LOSS TOK=0.5 LOSS NER=1.5 SCORE=0.25\n");
}

/* What a build of many megabytes says, with a line that tells something here and there; short lines
   and empty ones among them. */
static void reads_the_same_with_a_thread_beside(void **state)
{
    (void)state;
    enum { LINES = 60000, EVERY = 700 };
    static char text[LINES * 64], wanted[LINES / EVERY * 64];
    size_t size = 0, told = 0;
    for (unsigned i = 1; i <= LINES; i++) {
        const unsigned mixed = i * 2654435761u >> 8;
        if (i > PROSE_LINES && i % EVERY == 0) {
            size += (size_t)snprintf(text + size, sizeof text - size, "step %u loss 0.5\n", i);
            told += (size_t)snprintf(wanted + told, sizeof wanted - told,
                                     "%u: step %u grain 1: loss=0.5\n", i, i);
        } else if (i / 4000 % 4 == 3) {
            size += (size_t)snprintf(text + size, sizeof text - size, "%s", i % 3 ? "\n" : "ok\n");
        } else {
            size += (size_t)snprintf(text + size, sizeof text - size,
                                     "CC src/%c%x/%c%x.o -O2 -g -fPIC 'q%u' [-Wx]\n",
                                     'a' + mixed % 26, mixed % 4093, 'k' + i % 7, mixed, i);
        }
    }
    recorder_expect(&format_text, "run.log", text, wanted);
    recorder_threads = true;
    recorder_expect(&format_text, "run.log", text, wanted);
    recorder_threads = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prose_alone_gives_nothing),
        cmocka_unit_test(reads_a_single_nan_behind_prose),
        cmocka_unit_test(reads_steps_behind_prose),
        cmocka_unit_test(reads_a_table_behind_prose),
        cmocka_unit_test(reads_the_same_with_a_thread_beside),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
