/* The text log reader end to end: lines in, rows out. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void reads_pairs(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 1 loss: 3.5 lr=0.1\nstep 2 loss: 3.25 lr=0.1\n",
                    "1: step 1 grain 1: loss=3.5 lr=0.1\n2: step 2 grain 1: loss=3.25 lr=0.1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_pairs),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
