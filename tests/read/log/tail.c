/* Logs whose last line was not ended. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

/* `last` behind five lines of `line`; what is said of it. */
static void last_line(const char *line, const char *last, const char *expected)
{
    static struct recorder recorder;
    char log[1024] = "";
    struct error error = {0};
    for (int i = 0; i < 5; i++)
        strcat(log, line);
    strcat(log, last);
    assert_true(recorder_read(&recorder, &format_text, "run.log", log, strlen(log), 0, &error));
    const char *said = strstr(recorder.text, "6: ");
    assert_string_equal(said ? said : "", expected);
}

static void a_number_that_was_cut_is_not_read(void **state)
{
    (void)state;
    last_line("step 10 loss 0.5125\n", "step 20 loss 0.25", "");
    last_line("step 10 loss 0.5125\n", "step 20 loss 0", "");
    last_line("step 10 lr 2.5e-04 loss 0.5125\n", "step 20 lr 2.5", "");
    last_line("step 10 lr 2.5e-04 loss 0.5125\n", "step 20 lr 2.5e-04",
              "6: step 20 grain 1: lr=0.00025\n");
    last_line("step 10 acc 0.5125 loss 0.5125\n", "step 20 acc 0.5125 loss 0.",
              "6: step 20 grain 1: acc=0.5125\n");
}

/* Whole, of no fixed form, or ended: it is what it says. */
static void a_number_that_may_be_whole_is(void **state)
{
    (void)state;
    last_line("step 10 loss 0.5125\n", "step 20 loss 0.2525", "6: step 20 grain 1: loss=0.2525\n");
    last_line("step 10 loss 0.5125\n", "step 20 loss 0.25\n", "6: step 20 grain 1: loss=0.25\n");
    last_line("step 10 loss 0.5125\nstep 10 loss 0.51\n", "step 20 loss 0.25",
              "6: step 10 grain 1: loss=0.51\n"
              "7: step 10 grain 1: loss=0.5125\n"
              "8: step 10 grain 1: loss=0.51\n"
              "9: step 10 grain 1: loss=0.5125\n"
              "10: step 10 grain 1: loss=0.51\n"
              "11: step 20 grain 1: loss=0.25\n");
    last_line("step 10 loss 125\n", "step 20 loss 2", "6: step 20 grain 1: loss=2\n");
    last_line("step 10 acc 0.5125\n", "step 20 loss 0.25", "6: step 20 grain 1: loss=0.25\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_that_was_cut_is_not_read),
        cmocka_unit_test(a_number_that_may_be_whole_is),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
