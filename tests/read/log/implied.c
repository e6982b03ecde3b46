/* Names that only the rest of the line makes clear. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void bare_phases_are_losses(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch 3 train 1.9 | valid 2.1\n",
                    "1: epoch 3 grain 4: train loss=1.9 valid loss[v]=2.1\n");
    recorder_expect(&format_text, "run.log", "epoch 3: trlast = 1.5  val = 2.5\n",
                    "1: epoch 3 grain 4: trlast loss=1.5 val loss[v]=2.5\n");
}

static void bare_phases_that_may_be_shares_are_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch 3 train 0.5 | valid 0.25\n",
                    "1: epoch 3 grain 4: train=0.5 valid[v]=0.25\n");
    recorder_expect(&format_text, "run.log", "epoch 3 train 10.5 | valid 9.75\n",
                    "1: epoch 3 grain 4: train=10.5 valid[v]=9.75\n");
}

/* Where the accuracy has a name of its own, or the file is called after the loss, they are. */
static void bare_phases_beside_an_accuracy_are_losses(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 train 0.5 | valid 0.25 | acc 0.75\n"
                    "epoch 3 train 0.5 | valid 0.25 | f1 0.75\n",
                    "1: epoch 3 grain 4: train loss=0.5 valid loss[v]=0.25 acc=0.75\n"
                    "2: epoch 3 grain 4: train=0.5 valid[v]=0.25 f1=0.75\n");
    recorder_expect(&format_text, "loss.txt", "epoch 3 train 0.5 | valid 0.25\n",
                    "1: epoch 3 grain 4: train loss=0.5 valid loss[v]=0.25\n");
}

static void a_word_in_front_names_bare_phases(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch 3 Acc: train 0.5 val 0.25\n",
                    "1: epoch 3 grain 4: train Acc=0.5 val Acc[v]=0.25\n");
}

static void a_total_beside_its_parts_is_the_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 10 total: 2.5 rec: 2.25 reg: 0.25\n",
                    "1: step 10 grain 1: total loss=2.5 rec=2.25 reg=0.25\n");
    recorder_expect(&format_text, "run.log", "[epoch: 1/5, iter: 25/489] total: 2.5\n",
                    "1: step 25/489 epoch 1/5 grain 5: total loss=2.5\n");
    recorder_expect(&format_text, "run.log", "step 10 total: 2.5\n",
                    "1: step 10 grain 1: total=2.5\n");
    recorder_expect(&format_text, "run.log", "step 10 total: 2.5 pde: 0.25 data: 2.25\n",
                    "1: step 10 grain 1: total loss=2.5 pde=0.25 data loss=2.25\n");
    recorder_expect(&format_text, "run.log", "step 10 total: 2.5 data: 2.25 time: 0.25\n",
                    "1: step 10 grain 1: total=2.5 data=2.25 time=0.25\n");
}

/* The pace that every bar has behind it is no duration beside the total. */
static void a_total_in_front_of_a_bar_is_the_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Tot:2.5 rec:2.25 reg:0.25: 100%|####| 8/8 [00:04<00:00,  2.50it/s]\n",
                    "1: batch 8 grain 2: Tot loss=2.5 rec=2.25 reg=0.25 s/it=0.4\n"
                    "1: batch 8 grain 2: Tot loss=2.5 rec=2.25 reg=0.25 s/it=0.4\n");
    recorder_expect(&format_text, "run.log", "step 10 tot: 2.5 rec: 2.25 0.25 sec/batch\n",
                    "1: step 10 grain 1: tot=2.5 rec=2.25 sec/batch=0.25\n");
}

static void the_v_of_v_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch 3 loss 1.5 v_loss 2.5\n",
                    "1: epoch 3 grain 4: loss=1.5 val loss[v]=2.5\n");
    recorder_expect(&format_text, "run.log", "epoch 3 pi_loss 0.5 loss 1.5 v_loss 2.5\n",
                    "1: epoch 3 grain 4: pi_loss=0.5 loss=1.5 v_loss=2.5\n");
}

static void learnt_and_tested_are_both_losses(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "10:\tlearn: 0.5\ttest: 0.25\n",
                    "1: step 10 grain 1: learn=0.5 test loss[v]=0.25\n");
}

static void parts_in_brackets_yield_to_a_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 10 losses: [2.5, 1.5, 0.5], sum_loss: 4.5\n",
                    "1: step 10 grain 1: sum_loss=4.5\n");
}

static void what_an_optimiser_makes_less_of(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "iter 10 value 120.5\n"
                    "At iterate 5  f= 1.25  |proj g|= 2.5\n"
                    "epoch 3 P: 0.5 R: 0.25 F: 0.375\n",
                    "1: step 10 grain 1: objective value=120.5\n"
                    "2: step 5 grain 1: objective value=1.25\n"
                    "3: epoch 3 grain 4: P=0.5 R=0.25 F=0.375\n");
}

static void a_phase_behind_a_name_goes_on(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch 3 LOSS train 0.5 valid 0.75\n",
                    "1: epoch 3 grain 4: LOSS train=0.5 valid LOSS[v]=0.75\n");
}

static void a_sum_written_out_is_the_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 3 [2.5s]: train==[2.5=2.0 + 0.5]\n"
                    "Epoch 3 [2.5s]: train==[2.5, 2.0 + 0.5]\n",
                    "1: epoch 3 grain 4: train loss=2.5\n"
                    "2: epoch 3 grain 4: train=2.5\n");
}

static void entropies_of_both_sets_are_losses(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Iter: 3 TRAIN entropy: 9.5 VALID entropy: 9.25\n"
                    "Iter: 3 TRAIN entropy: 9.5 reward: 9.25\n",
                    "1: step 3 grain 1: train cross entropy=9.5 valid cross entropy[v]=9.25\n"
                    "2: step 3 grain 1: TRAIN entropy=9.5 reward=9.25\n");
}

static void a_base_rate_beside_a_loss_is_read(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 3 loss: 2.5 base lr: 0.001\n"
                    "step 3 loss: 2.5 base lr: 0.001 lr: 0.002\n"
                    "step 3 base lr: 0.001\n",
                    "1: step 3 grain 1: loss=2.5 learning rate=0.001\n"
                    "2: step 3 grain 1: loss=2.5 base lr=0.001 lr=0.002\n"
                    "3: step 3 grain 1: base lr=0.001\n");
}

static void the_size_of_the_gradient(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 3 loss: 2.5 |g|: 1.5\n"
                    "step 3 loss: 2.5 |w|: 1.5\n"
                    "step 3 loss: 2.5 ||grad||=1.5\n"
                    "step 3 |loss: 2.5|lr: 0.5|\n",
                    "1: step 3 grain 1: loss=2.5 grad norm=1.5\n"
                    "2: step 3 grain 1: loss=2.5 |w|=1.5\n"
                    "3: step 3 grain 1: loss=2.5 grad norm=1.5\n"
                    "4: step 3 grain 1: loss=2.5 lr=0.5\n");
}

/* What nvidia-smi prints into the log; of two amounts none is told, other shares are none. */
static void a_device_between_the_lines(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 1 loss 2.5\n"
                    "2024/05/01 12:00:00.000, 3 %, 9378 MiB\n"
                    "0, 98 %, 9378 MiB\n"
                    "4 %, 0 %, 9378 MiB, 40960 MiB\n"
                    "5 %, 20 files\n",
                    "1: step 1 grain 1: loss=2.5\n"
                    "2: step 1 grain 8: gpu util=3 gpu memory=9378 t=1714564800\n"
                    "3: step 1 grain 8: gpu util=98 gpu memory=9378\n"
                    "4: step 1 grain 8: gpu util=4\n");
}

/* `s` is the unit of the number before it, no step. */
static void a_unit_before_a_bracket_names_nothing(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "batch 7 ctc 15.5 29.0 s  (9 utt/s)\n"
                    "batch 8 ctc 15.0 s (9)\n",
                    "1: batch 7 grain 2: ctc=15.5 utt/s=9\n"
                    "2: batch 8 grain 2: ctc=15\n");
}

/* By what is printed of an agent besides; a lone `ret` is what a call returned. */
static void the_return_of_an_agent(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "t=   3000 ret=   350.5 q1=3.125 pi=-9.5\n"
                    "ep 3 ret 21 len 21 eps 0.5\n"
                    "job 3 finished ret=0 loss 2.5\n"
                    "t=3s loss 2.5\n"
                    "epoch 3 loss 2.5 t=12\n",
                    "1: step 3000 grain 1: episode return=350.5 q1=3.125 pi=-9.5\n"
                    "2: epoch 3 grain 4: episode return=21 len=21 eps=0.5\n"
                    "3: epoch 3 grain 8: job=3 finished ret=0 loss=2.5\n"
                    "4: epoch 3 grain 8: t=3 loss=2.5\n"
                    "5: epoch 3 grain 4: loss=2.5 t=12\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_phases_are_losses),
        cmocka_unit_test(bare_phases_that_may_be_shares_are_none),
        cmocka_unit_test(bare_phases_beside_an_accuracy_are_losses),
        cmocka_unit_test(a_word_in_front_names_bare_phases),
        cmocka_unit_test(a_total_beside_its_parts_is_the_loss),
        cmocka_unit_test(a_total_in_front_of_a_bar_is_the_loss),
        cmocka_unit_test(the_v_of_v_loss),
        cmocka_unit_test(learnt_and_tested_are_both_losses),
        cmocka_unit_test(parts_in_brackets_yield_to_a_loss),
        cmocka_unit_test(what_an_optimiser_makes_less_of),
        cmocka_unit_test(a_phase_behind_a_name_goes_on),
        cmocka_unit_test(a_sum_written_out_is_the_loss),
        cmocka_unit_test(entropies_of_both_sets_are_losses),
        cmocka_unit_test(a_base_rate_beside_a_loss_is_read),
        cmocka_unit_test(the_size_of_the_gradient),
        cmocka_unit_test(the_return_of_an_agent),
        cmocka_unit_test(a_device_between_the_lines),
        cmocka_unit_test(a_unit_before_a_bracket_names_nothing),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
