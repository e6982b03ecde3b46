/* Names that are joined as their values are. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void expect(const char *text, const char *wanted)
{
    recorder_expect(&format_text, "run.log", text, wanted);
}

static void phases_share_a_name(void **state)
{
    (void)state;
    expect("epoch 1 Loss (train/val): 2.5/2.75\n"
           "epoch 2 Loss (train/val): 2.25/nan\n",
           "1: epoch 1 grain 4: Loss train=2.5 Loss val[v]=2.75\n"
           "2: epoch 2 grain 4: Loss train=2.25 Loss val[v]=nan\n");
    expect("epoch 3 Loss (train/val): nan/inf\n",
           "1: epoch 3 grain 4: Loss train=nan Loss val[v]=inf\n");
    expect("epoch 1 train/val loss: 1.5|1.25\n",
           "1: epoch 1 grain 4: train loss=1.5 val loss[v]=1.25\n");
    expect("epoch 1 train/val loss: 1.5/1.25 lr 0.1\n",
           "1: epoch 1 grain 4: train loss=1.5 val loss[v]=1.25 lr=0.1\n");
}

static void series_stand_beside_each_other(void **state)
{
    (void)state;
    expect("step 1 G_loss/D_loss 1.25/-0.5\n", "1: step 1 grain 1: G_loss=1.25 D_loss=-0.5\n");
    expect("step 1 loss/acc: 0.5/0.875\n", "1: step 1 grain 1: loss=0.5 acc=0.875\n");
}

static void letters_stand_behind_the_name(void **state)
{
    (void)state;
    expect("step 1 Loss D/G/GP: 0.5/2.25/0.125 lr 0.1\n",
           "1: step 1 grain 1: Loss D=0.5 Loss G=2.25 Loss GP=0.125 lr=0.1\n");
}

static void tags_units_and_averages_are_one_name(void **state)
{
    (void)state;
    expect("step 1 train/loss: 1.5/1.25\n", "1: step 1 grain 1: train/loss=1.5\n");
    expect("step 1 loss: 1.5/1.25\n", "1: step 1 grain 1: loss=1.5\n");
    expect("step 1 Loss D/G: 1.5 lr 0.1\n", "1: step 1 grain 1: Loss D/G=1.5 lr=0.1\n");
    expect("step 1 Loss D/G: 1.5/0.5/0.25\n", "1: step 1 grain 1: Loss D/G=1.5\n");
}

static void words_are_joined_as_their_values(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 loss train|val 1.5|2.5\n"
                    "epoch 3 train|val loss 1.5|2.5\n"
                    "epoch 3 | train loss 1.5| val loss 2.5\n"
                    "epoch 3 size|val 1.5|2.5\n",
                    "1: epoch 3 grain 4: loss train=1.5 loss val[v]=2.5\n"
                    "2: epoch 3 grain 4: train loss=1.5 val loss[v]=2.5\n"
                    "3: epoch 3 grain 4: train loss=1.5 val loss[v]=2.5\n"
                    "4: epoch 3 grain 4: val[v]=1.5\n");
}

/* `and` joins two names where two values follow; one value keeps all its words. */
static void two_names_and_two_values(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 Train and Val loss: 1.5 2.5\n"
                    "step 3 loss and grad norm: 1.5, 2.5 lr 0.5\n"
                    "step 3 Val and Grad Norm: 1.5 2.5\n"
                    "step 3 forward and backward loss: 1.5 acc 0.5\n",
                    "1: epoch 3 grain 4: Train loss=1.5 Val loss[v]=2.5\n"
                    "2: step 3 grain 1: loss=1.5 grad norm=2.5 lr=0.5\n"
                    "3: step 3 grain 1: Val[v]=1.5 Grad Norm[v]=2.5\n"
                    "4: step 3 grain 1: forward and backward loss=1.5 acc=0.5\n");
}

/* A slash between two values may have a blank on either side; a bar with blanks parts columns. */
static void values_with_a_blank_at_their_slash(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 train/val loss: 1.5 / 2.5 - lr 0.5\n"
                    "epoch 3 loss: 1.5 / val loss: 2.5\n"
                    "epoch 3 loss: 1.5 / 2.5\n",
                    "1: epoch 3 grain 4: train loss=1.5 val loss[v]=2.5 lr=0.5\n"
                    "2: epoch 3 grain 4: loss=1.5 val loss[v]=2.5\n"
                    "3: epoch 3 grain 4: loss=1.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_share_a_name),
        cmocka_unit_test(series_stand_beside_each_other),
        cmocka_unit_test(letters_stand_behind_the_name),
        cmocka_unit_test(tags_units_and_averages_are_one_name),
        cmocka_unit_test(words_are_joined_as_their_values),
        cmocka_unit_test(two_names_and_two_values),
        cmocka_unit_test(values_with_a_blank_at_their_slash),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
