/* Shapes of lines that scripts of one author print. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void a_tensor_behind_a_number_is_its_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "10 tensor(2.5)\n"
                    "20 tensor(2.25, device='cuda:0', grad_fn=<Back0>)\n",
                    "1: step 10 grain 1: =2.5\n"
                    "2: step 20 grain 1: =2.25\n");
}

static void a_dash_between_place_and_number(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[epochs - 2 - 10/80]loss: 2.5\n",
                    "1: batch 10 epoch 2 grain 6: loss=2.5\n");
}

static void a_mark_behind_a_row_is_no_cell(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch  loss  val_loss\n"
                    "0  2.5  2.75  \xE2\x86\x90 best\n"
                    "1  2.25  2.5 *\n"
                    "2  2  2.25\n",
                    "2: epoch 0 grain 4: loss=2.5 val_loss[v]=2.75\n"
                    "3: epoch 1 grain 4: loss=2.25 val_loss[v]=2.5\n"
                    "4: epoch 2 grain 4: loss=2 val_loss[v]=2.25\n");
}

static void bars_counted_in_thousands(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "train:  50%|#####     | 1.25k/2.50kit [00:01<10:11, 4.00it/s, loss=2.5]\n",
                    "1: batch 1250 grain 2: s/it=0.25 loss=2.5\n"
                    "1: batch 1250 grain 2: s/it=0.25 loss=2.5\n");
}

static void minutes_are_no_memory(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 10 loss: 2.5 total time: 0.5m\n",
                    "1: step 10 grain 1: loss=2.5 total time=0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_behind_a_number_is_its_value),
        cmocka_unit_test(a_dash_between_place_and_number),
        cmocka_unit_test(a_mark_behind_a_row_is_no_cell),
        cmocka_unit_test(bars_counted_in_thousands),
        cmocka_unit_test(minutes_are_no_memory),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
