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
                    "2  2  2.25\n"
                    "3  1.75  2.125  # strange\n",
                    "2: epoch 0 grain 4: loss=2.5 val_loss[v]=2.75\n"
                    "3: epoch 1 grain 4: loss=2.25 val_loss[v]=2.5\n"
                    "4: epoch 2 grain 4: loss=2 val_loss[v]=2.25\n"
                    "5: epoch 3 grain 4: loss=1.75 val_loss[v]=2.125\n");
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

static void a_dash_between_name_and_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0 10 loss - 7.5\n"
                    "epoch 3 - val loss - 2.5 - 4 images\n",
                    "1: step 10 epoch 0 grain 5: loss=7.5\n"
                    "2: epoch 3 grain 4: val loss[v]=2.5 images[v]=4\n");
}

static void a_number_behind_the_time_is_the_step(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "2021-01-01 10:00:00 - 500 - loss: 2.5\n",
                    "1: step 500 grain 1: loss=2.5 t=1609495200\n");
}

static void signs_glued_to_place_words(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step#: 30  average loss: 2.5\n",
                    "1: step 30 grain 1: average loss=2.5\n");
}

static void one_letter_counts_to_a_total(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "i = 10 / 200, loss = 2.5\n",
                    "1: batch 10 grain 2: loss=2.5\n");
}

static void rows_named_by_their_phase(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 1\n"
                    "|            |  loss |  acc |\n"
                    "| Training   |   2.5 |  0.5 |\n"
                    "| Validation |  2.75 |  0.25 |\n",
                    "3: epoch 1 grain 8: loss=2.5 acc=0.5\n"
                    "4: epoch 1 grain 8: loss[v]=2.75 acc[v]=0.25\n");
}

static void a_number_and_its_share_in_brackets(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "0m 10s (- 14m 0s) (500 6%) 2.5\n",
                    "1: step 500 grain 1: =2.5\n");
}

static void lines_of_a_head_one_below_the_other(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "|  Epoch  |  Mini-batch  |  Validation  |\n"
                    "|         |     Loss     |     Loss     |\n"
                    "|    1    |     2.5      |     2.75     |\n",
                    "3: epoch 1 grain 4: Mini-batch Loss=2.5 Validation Loss[v]=2.75\n");
}

static void tabs_written_by_syslog(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[3]#011train-loss:0.5#011validation-loss:0.75\n",
                    "1: step 3 grain 1: train-loss=0.5 validation-loss[v]=0.75\n");
}

static void the_number_of_a_thread_is_no_step(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "INFO 140131111111111] epoch 3 loss: 2.5\n",
                    "1: epoch 3 grain 4: loss=2.5\n");
}

static void a_bar_between_name_and_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Step 100: train loss |  2.5\n"
                    "Step 100: eval    Accuracy |  0.5\n",
                    "1: step 100 grain 1: train loss=2.5\n"
                    "2: step 100 grain 1: Accuracy[v]=0.5\n");
}

static void a_column_of_totals_among_parts(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch  box  obj  total  labels\n"
                    "1  0.25  0.5  0.75  20\n"
                    "2  0.25  0.25  0.5  30\n",
                    "2: epoch 1 grain 4: box=0.25 obj=0.5 total loss=0.75 labels=20\n"
                    "3: epoch 2 grain 4: box=0.25 obj=0.25 total loss=0.5 labels=30\n");
}

/* Words in a drawn rule or in the edge of a panel are a heading; without words it is a rule, and a
   thick one is a bar. */
static void headings_between_drawn_lines(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "\u2500\u2500\u2500\u2500\u2500 Epoch 3 \u2500\u2500\u2500\u2500\u2500\n"
                    "loss 2.5\n"
                    "\u2550\u2550\u2550\u2550\u2550\u2550\u2550\n"
                    "\u256d\u2500\u2500\u2500\u2500 Epoch 4 \u2500\u2500\u2500\u2500\u256e\n"
                    "\u2502 loss 2.25 \u2502\n"
                    "\u2570\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u256f\n"
                    "Epoch 5 \u2501\u2501\u2501\u2501\u2501\u2501 2/4 loss 2\n",
                    "2: epoch 3 grain 8: loss=2.5\n"
                    "5: epoch 4 grain 8: loss=2.25\n"
                    "7: batch 2 epoch 5 grain 6: loss=2\n"
                    "7: batch 2 epoch 5 grain 6: loss=2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_behind_a_number_is_its_value),
        cmocka_unit_test(a_dash_between_place_and_number),
        cmocka_unit_test(a_mark_behind_a_row_is_no_cell),
        cmocka_unit_test(bars_counted_in_thousands),
        cmocka_unit_test(minutes_are_no_memory),
        cmocka_unit_test(a_dash_between_name_and_value),
        cmocka_unit_test(a_number_behind_the_time_is_the_step),
        cmocka_unit_test(signs_glued_to_place_words),
        cmocka_unit_test(one_letter_counts_to_a_total),
        cmocka_unit_test(rows_named_by_their_phase),
        cmocka_unit_test(a_number_and_its_share_in_brackets),
        cmocka_unit_test(lines_of_a_head_one_below_the_other),
        cmocka_unit_test(tabs_written_by_syslog),
        cmocka_unit_test(the_number_of_a_thread_is_no_step),
        cmocka_unit_test(a_bar_between_name_and_value),
        cmocka_unit_test(a_column_of_totals_among_parts),
        cmocka_unit_test(headings_between_drawn_lines),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
