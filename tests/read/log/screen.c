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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prose_alone_gives_nothing),
        cmocka_unit_test(reads_a_single_nan_behind_prose),
        cmocka_unit_test(reads_steps_behind_prose),
        cmocka_unit_test(reads_a_table_behind_prose),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
