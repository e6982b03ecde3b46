/* What stands in front of lines: ranks, times, levels, locations. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void loggers(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "2021-02-22 19:54:49,757 - mmdet - INFO - Epoch [1][50/100]\tloss: 0.5\n"
                    "[11/18 18:14:12] d2.utils.events INFO:  iter: 19  loss: 0.5\n"
                    "I0412 03:04:05.678901 1234 solver.cpp:228] Iteration 10, loss = 0.5\n"
                    "2022-01-01 10:00:00.123 | INFO     | core.trainer:254 - epoch: 1, loss: 0.5\n",
                    "1: batch 50 epoch 1 grain 6: loss=0.5 t=1614023690\n"
                    "2: step 19 grain 1: loss=0.5 t=27800052\n"
                    "3: step 10 grain 1: loss=0.5 t=11046\n"
                    "4: epoch 1 grain 4: loss=0.5 t=1641031200\n");
}

static void who_prints(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "LOG (nnet-train:EvalStep():nnet-training.cc:121) step 5 loss = 2.5\n"
                    "VLOG[1] (train:TestParallel():loss.cc:12) step 6 loss = 2.5\n"
                    "LOSS (step:7) 2.5\n",
                    "1: step 5 grain 1: loss=2.5\n"
                    "2: step 6 grain 1: loss=2.5\n"
                    "3: step 7 grain 1: =2.5\n");
}

static void ranks(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[rank1]: step 1 loss 2\n"
                    "[default0]:step 1 loss 3\n"
                    "[1,3]<stdout>:step 1 loss 4\n"
                    "[rank: 2] step 1 loss 5\n",
                    "1: step 1 grain 1: loss=2\n"
                    "2: step 1 grain 1: loss=3\n"
                    "3: step 1 grain 1: loss=4\n"
                    "4: step 1 grain 1: loss=5\n");
}

static void learnt_ranks(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0: step 1 loss 2.5\n"
                    "1: step 1 loss 2.25\n"
                    "0: step 2 loss 2.5\n"
                    "1: step 2 loss 2.25\n"
                    "0: step 3 loss 2.5\n"
                    "1: step 3 loss 2.25\n",
                    "1: step 1 grain 1: loss=2.5\n"
                    "2: step 1 grain 1: loss=2.25\n"
                    "3: step 2 grain 1: loss=2.5\n"
                    "4: step 2 grain 1: loss=2.25\n"
                    "5: step 3 grain 1: loss=2.5\n"
                    "6: step 3 grain 1: loss=2.25\n");
}

static void hosts_stand_before_their_devices(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "node0.local gpu0: it 5 loss 2.5\n"
                    "node1.local gpu2: it 5 loss 2.25\n"
                    "node0.local gpu0: it 10 loss 2.5\n"
                    "node1.local gpu2: it 10 loss nan\n"
                    "node0.local gpu0: it 15 loss 2.5\n"
                    "node1.local gpu2: it 15 loss 2.25\n",
                    "1: step 5 grain 1: loss=2.5\n"
                    "2: step 5 grain 1: loss=2.25\n"
                    "3: step 10 grain 1: loss=2.5\n"
                    "4: step 10 grain 1: loss=nan\n"
                    "5: step 15 grain 1: loss=2.5\n"
                    "6: step 15 grain 1: loss=2.25\n");
}

static void steps_in_front_are_no_ranks(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "1: loss 2.5\n"
                    "2: loss 2.25\n"
                    "3: loss 2.125\n"
                    "4: loss 2\n"
                    "5: loss 2\n"
                    "6: loss 2\n",
                    "1: step 1 grain 1: loss=2.5\n"
                    "2: step 2 grain 1: loss=2.25\n"
                    "3: step 3 grain 1: loss=2.125\n"
                    "4: step 4 grain 1: loss=2\n"
                    "5: step 5 grain 1: loss=2\n"
                    "6: step 6 grain 1: loss=2\n");
}

static void numbers_of_a_viewer(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[11] step 1 loss 3\n"
                    "[12] hello there\n"
                    "[13] {'loss': 2.5}\n"
                    "[14] done\n",
                    "1: step 1 grain 1: loss=3\n"
                    "3: step 1 grain 8: loss=2.5\n");
}

static void launchers_in_front_of_ranks(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0: [default0]:[rank0]: step 1 loss 2.5\n"
                    "0:   exitcode  : 1\n",
                    "1: step 1 grain 1: loss=2.5\n");
}

static void comments(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "# step 1 loss: 2.5\n"
                    "> step 2 loss: 2.25\n",
                    "1: step 1 grain 1: loss=2.5\n"
                    "2: step 2 grain 1: loss=2.25\n");
}

static void escapes(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "\033[32mstep: 1\033[0m  \033[38;2;180;60;0mloss: 2.5\033[39m\n",
                    "1: step 1 grain 1: loss=2.5\n");
}

static void full_width_signs(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "epoch 3 "
        "loss\357\274\232\357\274\222\357\274\216\357\274\225\357\274\214acc\357\274\2320.5\n",
        "1: epoch 3 grain 4: loss=2.5 acc=0.5\n");
}

static void dates_that_open_with_the_month(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[Mar 29, 22:22:23] step 5 loss: 0.5\n"
                    "May 2 10:00:00 step 6 loss: 0.25\n",
                    "1: step 5 grain 1: loss=0.5 t=7597343\n"
                    "2: step 6 grain 1: loss=0.25 t=10490400\n");
}

static void loggers_of_one_word(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "INFO:root:Epoch 3 loss 0.5\n"
                    "INFO:my.net:[2.5, 1.5]: loss 0.5\n"
                    "INFO:loss: 0.25\n",
                    "1: epoch 3 grain 4: loss=0.5\n"
                    "2: epoch 3 grain 8: loss=0.5\n"
                    "3: epoch 3 grain 8: loss=0.25\n");
}

static void dates_with_dashed_clocks(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "2019-04-18-10-05: epoch: 3 |loss 2.5 |\n"
                    "2019-04-18_10-06-11 epoch: 4 |loss 2.25 |\n",
                    "1: epoch 3 grain 4: loss=2.5 t=1555581900\n"
                    "2: epoch 4 grain 4: loss=2.25 t=1555581971\n");
}

static void pairs_in_brackets_are_no_prefix(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[epoch:1/10] [loss:2.5] [lr:0.25] [total time:0:02:28]\n"
                    "[epoch:2/10] [loss:2.25] [lr:0.125] [total time:0:02:28]\n",
                    "1: epoch 1/10 grain 4: loss=2.5 lr=0.25\n"
                    "2: epoch 2/10 grain 4: loss=2.25 lr=0.125\n");
}

/* A line that is one text in quotes, as R prints it; one word or a list of texts is none. */
static void a_whole_line_in_quotes(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[1] \"epoch 3 loss: 2.5\"\n"
                    "\"epoch 4 loss: 2.25\"\n"
                    "\"epoch 5\", \"loss: 2\"\n"
                    "\"top5\"\n"
                    "[1] 2.5\n",
                    "1: epoch 3 grain 4: loss=2.5\n"
                    "2: epoch 4 grain 4: loss=2.25\n"
                    "5: step 1 grain 1: =2.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loggers),
        cmocka_unit_test(dates_that_open_with_the_month),
        cmocka_unit_test(who_prints),
        cmocka_unit_test(ranks),
        cmocka_unit_test(learnt_ranks),
        cmocka_unit_test(hosts_stand_before_their_devices),
        cmocka_unit_test(steps_in_front_are_no_ranks),
        cmocka_unit_test(numbers_of_a_viewer),
        cmocka_unit_test(launchers_in_front_of_ranks),
        cmocka_unit_test(comments),
        cmocka_unit_test(escapes),
        cmocka_unit_test(full_width_signs),
        cmocka_unit_test(loggers_of_one_word),
        cmocka_unit_test(dates_with_dashed_clocks),
        cmocka_unit_test(pairs_in_brackets_are_no_prefix),
        cmocka_unit_test(a_whole_line_in_quotes),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
