/* Lists of numbers without names: parts of a loss behind a training heading. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void its_integer_is_the_step(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Train Epoch: 1 [0%]\n"
                    "[2.5, nan, 0.25, 200, 0.0002]\n",
                    "2: step 200 epoch 1 grain 1: list 1=2.5 list 2=nan list 3=0.25 "
                    "list lr=0.0002\n");
}

static void without_a_heading_it_says_nothing(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[2.5, 1.5, 0.25, 200, 0.0002]\n", "");
}

static void shapes_and_words_are_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Train Epoch: 1 [0%]\n"
                    "[3, 224, 224]\n"
                    "[0.5, cat, 0.25]\n"
                    "[0.5, 0.25\n"
                    "[]\n"
                    "[\n",
                    "");
}

static void validation_is_left_out(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Train Epoch: 1 [0%]\n"
                    "Validation\n"
                    "[2.5, 1.5, 0.25, 200, 0.0002]\n",
                    "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_integer_is_the_step),
        cmocka_unit_test(without_a_heading_it_says_nothing),
        cmocka_unit_test(shapes_and_words_are_none),
        cmocka_unit_test(validation_is_left_out),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
