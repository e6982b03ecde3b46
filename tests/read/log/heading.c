/* Headings within a line. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void words_in_front_of_a_sign_qualify_what_follows(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "step 3 | loss 2.5 | grad norms | L1 0.25 L2 0.5 | weights | L1 1.5\n"
        "step 3 loss 2.5; lr: enc 0.25 dec 0.5; acc 0.75\n"
        "  grad norms: enc 0.25 dec 0.5\n",
        "1: step 3 grain 1: loss=2.5 grad norm L1=0.25 grad norm L2=0.5 weights L1=1.5\n"
        "2: step 3 grain 1: loss=2.5 lr enc=0.25 lr dec=0.5 acc=0.75\n"
        "3: step 3 grain 8: grad norm enc=0.25 grad norm dec=0.5\n");
}

static void names_that_say_enough_stay(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 3 | weights | loss 2.5 acc 0.5\n"
                    "step 3 | results | L1 0.5 L2 0.25\n"
                    "step 3 | grad norm 0.5 | L1 0.25\n",
                    "1: step 3 grain 1: loss=2.5 acc=0.5\n"
                    "2: step 3 grain 1: L1=0.5 L2=0.25\n"
                    "3: step 3 grain 1: grad norm=0.5 L1=0.25\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_in_front_of_a_sign_qualify_what_follows),
        cmocka_unit_test(names_that_say_enough_stay),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
