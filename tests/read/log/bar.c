/* Progress bars: redraws, and the point when they end. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void the_end_of_a_bar_is_its_point(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 1/2\n"
                    "1/3 [==>...] - ETA: 1s - loss: 3.5\r"
                    "2/3 [====>.] - ETA: 1s - loss: 2.5\r"
                    "3/3 [======] - 1s 30ms/step - loss: 1.5 - val_loss: 2\n",
                    "2: batch 1 epoch 1/2 grain 2: loss=3.5\n"
                    "2: batch 2 epoch 1/2 grain 2: loss=2.5\n"
                    "2: batch 3 epoch 1/2 grain 2: ms/step=30 loss=1.5 val_loss[v]=2\n" /* redraw */
                    "2: batch 3 epoch 1/2 grain 2: ms/step=30 loss=1.5 val_loss[v]=2\n");
}

/* Once among the redraws, once as the end; drawn again it is the end alone. */
static void a_full_bar_ends_its_redraws_too(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "1/2 [==>...] - loss: 3\r"
                    "2/2 [======] - loss: 2\r"
                    "2/2 [======] - loss: 1\n",
                    "1: batch 1 grain 2: loss=3\n"
                    "1: batch 2 grain 2: loss=2\n"
                    "1: batch 2 grain 2: loss=2\n"
                    "1: batch 2 grain 2: loss=1\n");
}

static void both_rates_are_one_series(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "50%|#####     | 5/10 [00:01<00:01,  4.00it/s, loss=0.5]\n"
                    "60%|######    | 6/10 [00:01<00:01,  2.00s/it, loss=0.25]\n",
                    "1: batch 5 grain 2: s/it=0.25 loss=0.5\n"
                    "2: batch 6 grain 2: s/it=2 loss=0.25\n"
                    "2: batch 6 grain 2: s/it=2 loss=0.25\n");
}

static void a_bar_without_a_counter_ends_at_100(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 1/5 [=====>    ] 50% loss: 0.5\n"
                    "epoch 1/5 [==========] 100% loss: 0.25\n",
                    "1: epoch 1/5 grain 4: loss=0.5\n"
                    "2: epoch 1/5 grain 4: loss=0.25\n" /* redraw */
                    "2: epoch 1/5 grain 4: loss=0.25\n");
}

/* A running mean has no step; what each drawing says of its own step is a reading. */
static void drawings_with_a_step_of_their_own(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Iter:  25%|#   | 1/4 [00:01<00:03, loss=2.5, global_step=5]\r"
                    "Iter:  50%|##  | 2/4 [00:02<00:02, loss=2.25, global_step=6]\r"
                    "Iter:  75%|### | 3/4 [00:03<00:01, loss=2, global_step=7]\n",
                    "1: step 5 batch 1 grain 3: loss=2.5\n"
                    "1: step 6 batch 2 grain 3: loss=2.25\n"
                    "1: step 7 batch 3 grain 3: loss=2\n");
}

static void a_bar_without_a_total(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "29948it [35:34,  7.00s/it]\n",
                    "1: batch 29948 grain 2: s/it=7\n");
}

static void equal_bars_of_training_and_validation(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Training: 100%|####| 4/4 [00:01<00:00, 4.00it/s, loss=0.5]\n"
                    "Validation: 100%|####| 4/4 [00:01<00:00, 4.00it/s, loss=0.75]\n",
                    "1: batch 4 grain 2: s/it=0.25 loss=0.5\n" /* redraw */
                    "1: batch 4 grain 2: s/it=0.25 loss=0.5\n"
                    "2: batch 4 grain 2: s/it[v]=0.25 loss[v]=0.75\n" /* redraw */
                    "2: batch 4 grain 2: s/it[v]=0.25 loss[v]=0.75\n");
}

/* The speed alone is new: the bar was drawn once more, on a line of its own. */
static void a_full_bar_drawn_again(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "loss: 0.5 ||:  98%|###9| 39/40 [00:09<00:00, 4.00it/s]\n"
                    "loss: 0.5 ||: 100%|####| 40/40 [00:09<00:00, 4.00it/s]\n"
                    "loss: 0.5 ||: 100%|####| 40/40 [00:09<00:00, 5.00it/s]\n",
                    "1: batch 39 grain 2: loss=0.5 s/it=0.25\n"
                    "2: batch 40 grain 2: loss=0.5 s/it=0.25\n" /* redraw */
                    "2: batch 40 grain 2: loss=0.5 s/it=0.25\n");
    /* Passes that came out alike, each printed whole. */
    recorder_expect(&format_text, "run.log",
                    "40/40 [====] - 9s 4ms/step - loss: 0.5\n"
                    "40/40 [====] - 9s 5ms/step - loss: 0.5\n",
                    "1: batch 40 grain 2: ms/step=4 loss=0.5\n" /* redraw */
                    "1: batch 40 grain 2: ms/step=4 loss=0.5\n"
                    "2: batch 40 grain 2: ms/step=5 loss=0.5\n" /* redraw */
                    "2: batch 40 grain 2: ms/step=5 loss=0.5\n");
}

/* A bar that was seen to grow, or stands in an epoch, is drawn at its end again with other values:
   no second redraw begins, it is the same. */
static void a_full_bar_drawn_again_with_other_values(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "val:  50%|##  | 2/4 [00:09<00:00, 4.00it/s, loss=0.75]\n"
                    "val: 100%|####| 4/4 [00:09<00:00, 4.00it/s, loss=0.5]\n"
                    "val: 100%|####| 4/4 [00:09<00:00, 4.00it/s, loss=0.25]\n",
                    "1: batch 2 grain 2: s/it[v]=0.25 loss[v]=0.75\n"
                    "2: batch 4 grain 2: s/it[v]=0.25 loss[v]=0.5\n" /* redraw */
                    "2: batch 4 grain 2: s/it[v]=0.25 loss[v]=0.5\n"
                    "3: batch 4 grain 2: s/it[v]=0.25 loss[v]=0.25\n");
    recorder_expect(&format_text, "run.log",
                    "4/4 [====] - 9s 4ms/step - loss: 0.5\n"
                    "4/4 [====] - 9s 4ms/step - loss: 0.25 - acc: 0.75\n",
                    "1: batch 4 grain 2: ms/step=4 loss=0.5\n" /* redraw */
                    "1: batch 4 grain 2: ms/step=4 loss=0.5\n"
                    "2: batch 4 grain 2: ms/step=4 loss=0.25 acc=0.75\n" /* redraw */
                    "2: batch 4 grain 2: ms/step=4 loss=0.25 acc=0.75\n");
}

/* Its columns are those of the whole bar before it, but for the speed. */
static void a_short_bar_whose_speed_is_not_said_yet(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "40/40 [====] - 9s 4ms/step - loss: 0.5\n"
                    "4/8 [==..] - ETA: 1s - loss: 0.75\n"
                    "40/40 [====] - 9s 4ms/step - loss: 0.5\n"
                    "4/8 [==..] - ETA: 1s - acc: 0.75\n",
                    "1: batch 40 grain 2: ms/step=4 loss=0.5\n" /* redraw */
                    "1: batch 40 grain 2: ms/step=4 loss=0.5\n"
                    "2: batch 4 grain 2: loss[v]=0.75\n"
                    "3: batch 40 grain 2: ms/step=4 loss=0.5\n" /* redraw */
                    "3: batch 40 grain 2: ms/step=4 loss=0.5\n"
                    "4: batch 4 grain 2: acc=0.75\n");
}

/* No word tells a pass of validation from one of training, but its length and place do; a data set
   that shrinks by half is none. */
static void short_bars_behind_long_ones(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "loss: 0.5 ||: 100%|####| 40/40 [00:09<00:00, 4.00it/s]\n"
                    "loss: 0.75 ||: 100%|####| 8/8 [00:01<00:00, 4.00it/s]\n"
                    "loss: 0.4 ||: 100%|####| 40/40 [00:09<00:00, 4.00it/s]\n"
                    "loss: 0.3 ||: 100%|####| 20/20 [00:05<00:00, 4.00it/s]\n",
                    "1: batch 40 grain 2: loss=0.5 s/it=0.25\n" /* redraw */
                    "1: batch 40 grain 2: loss=0.5 s/it=0.25\n"
                    "2: batch 8 grain 2: loss[v]=0.75 s/it[v]=0.25\n"
                    "2: batch 8 grain 2: loss[v]=0.75 s/it[v]=0.25\n"
                    "3: batch 40 grain 2: loss=0.4 s/it=0.25\n"
                    "3: batch 40 grain 2: loss=0.4 s/it=0.25\n"
                    "4: batch 20 grain 2: loss=0.3 s/it=0.25\n"
                    "4: batch 20 grain 2: loss=0.3 s/it=0.25\n");
}

/* An evaluation within the bar of a training: what has nothing but its speed. The bar of steps
   within that of epochs is none. */
static void short_bars_of_speed_alone(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "  1%|    | 1/400 [00:00<01:00, 4.00it/s]\r"
                    " 25%|#   | 100/400 [00:25<01:00, 4.00it/s]\n"
                    "100%|####| 20/20 [00:10<00:00, 2.00s/it]\n"
                    " 26%|#   | 101/400 [00:25<01:00, 4.00it/s]\n",
                    "1: batch 1 grain 2: s/it=0.25\n"
                    "1: batch 100 grain 2: s/it=0.25\n"
                    "2: batch 20 grain 2: s/it[v]=2\n"
                    "2: batch 20 grain 2: s/it[v]=2\n"
                    "3: batch 101 grain 2: s/it=0.25\n");
    recorder_expect(&format_text, "run.log",
                    " 0%|    | 1/400 [00:10<01:00, 10.00s/it]\n"
                    "100%|####| 20/20 [00:10<00:00, 2.00s/it]\n",
                    "1: batch 1 grain 2: s/it=10\n"
                    "2: batch 20 grain 2: s/it=2\n"
                    "2: batch 20 grain 2: s/it=2\n");
}

static void a_bar_drawn_in_strides(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "1/5 [=>....] - loss: 3\r"
                    "4/5 [====>.] - loss: 2\n"
                    "Epoch 2/2\n"
                    "1/5 [=>....] - loss: 1\n",
                    "1: batch 1 grain 2: loss=3\n"
                    "1: batch 4 grain 2: loss=2\n"
                    "1: batch 4 grain 2: loss=2\n"
                    "3: batch 1 epoch 2/2 grain 2: loss=1\n");
}

static void the_only_redraw_counts(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Steps:   2%|#    | 9/500 [01:43<18:02,  1.00it/s, loss=nan]\n",
                    "1: batch 9 grain 2: s/it=1 loss=nan\n"
                    "1: batch 9 grain 2: s/it=1 loss=nan\n");
}

static void a_bar_that_runs_past_its_end(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "50/100 [==>..] - loss: 3\n"
                    "100/100 [====] - loss: 2\n"
                    "120/100 [====] - loss: 1\n",
                    "1: batch 50 grain 2: loss=3\n"
                    "2: batch 100 grain 2: loss=2\n"
                    "2: batch 100 grain 2: loss=2\n");
}

static void a_bar_that_is_not_drawn(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "loss=2.5: 50% 5/10 [00:01<00:01, 5.00it/s]\rloss=1.5: 100% 10/10 "
                    "[00:02<00:00, 5.00it/s]\n",
                    "1: batch 5 grain 2: loss=2.5 s/it=0.2\n"
                    "1: batch 10 grain 2: loss=1.5 s/it=0.2\n"
                    "1: batch 10 grain 2: loss=1.5 s/it=0.2\n");
}

/* A bar has no line end: the line of another stream begins right behind it. */
static void what_is_printed_behind_a_bar_is_a_line_of_its_own(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[step=4] loss=3.5\n"
                    "\rrun:  40%|##   | 4/10 [00:01<00:02,  3.00it/s]"
                    "\rrun:  50%|##5  | 5/10 [00:02<00:02,  2.00it/s][step=5] loss=3.25\n"
                    "[step=6] loss=3\n"
                    "\rrun:  70%|###5 | 7/10 [00:02<00:02,  2.00it/s, a=[1, 2]]  [step=7] loss=2\n",
                    "1: step 4 grain 1: loss=3.5\n"
                    "2: batch 4 grain 2: s/it=0.333333\n"
                    "2: batch 5 grain 2: s/it=0.5\n"
                    "2: step 5 grain 1: loss=3.25\n"
                    "3: step 6 grain 1: loss=3\n"
                    "4: batch 7 grain 2: s/it=0.5 a=1\n"
                    "4: step 7 grain 1: loss=2\n");
    recorder_expect(&format_text, "run.log",
                    "\r 40%|##   | 4/10 [00:01<00:02,  2.00s/it]"
                    "\r 50%|##5  | 5/10 [00:02<00:02,  2.00s/it]s]\n",
                    "1: batch 4 grain 2: s/it=2\n"
                    "1: batch 5 grain 2: s/it=2\n" /* redraw */
                    "1: batch 5 grain 2: s/it=2\n");
}

/* The bar of a validation has no epoch of its own: it stands in that of the bar before. */
static void the_epoch_of_a_bar_holds_for_the_next(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Train Epoch 4: 100%|####| 30/30 [00:03<00:00, 4.00it/s, Loss=0.5]\n"
                    "Validate: 100%|####| 8/8 [00:03<00:00, 4.00it/s, Val Loss=0.625]\n"
                    "Train Epoch 5: 100%|####| 30/30 [00:03<00:00, 4.00it/s, Loss=0.25]\n"
                    "Validate: 100%|####| 8/8 [00:03<00:00, 4.00it/s, Val Loss=0.375]\n",
                    "1: batch 30 epoch 4 grain 6: s/it=0.25 Loss=0.5\n" /* redraw */
                    "1: batch 30 epoch 4 grain 6: s/it=0.25 Loss=0.5\n"
                    "2: batch 8 epoch 4 grain 2: s/it[v]=0.25 Val Loss[v]=0.625\n"
                    "2: batch 8 epoch 4 grain 2: s/it[v]=0.25 Val Loss[v]=0.625\n"
                    "3: batch 30 epoch 5 grain 6: s/it=0.25 Loss=0.25\n"
                    "3: batch 30 epoch 5 grain 6: s/it=0.25 Loss=0.25\n"
                    "4: batch 8 epoch 5 grain 2: s/it[v]=0.25 Val Loss[v]=0.375\n"
                    "4: batch 8 epoch 5 grain 2: s/it[v]=0.25 Val Loss[v]=0.375\n");
    recorder_expect(&format_text, "run.log",
                    "step 70 loss=0.5\n"
                    "Epoch 2:  50%|##  | 5/10 [00:01<00:02,  4.00it/s]\n"
                    "val_loss=0.25\n",
                    "1: step 70 grain 1: loss=0.5\n"
                    "2: batch 5 epoch 2 grain 6: s/it=0.25\n"
                    "3: step 70 grain 8: val_loss[v]=0.25\n"
                    "2: batch 5 epoch 2 grain 6: s/it=0.25\n");
}

/* A record that tells a part of an epoch alone stands where the run's bar does; not where that of
   an evaluation does, nor where the bar is of something else. */
static void a_record_stands_where_the_bar_does(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "10%|#         | 10/100 [00:10<01:30, 1.00s/it]{'loss': 2.5, 'epoch': 0.5}\n"
                    "20%|##        | 20/100 [00:20<01:20, 1.00s/it]\n"
                    "{'loss': 2.25, 'epoch': 1.0}\n"
                    "100%|##########| 7/7 [00:02<00:00, 2.00it/s]\n"
                    "{'eval_loss': 2.0, 'epoch': 1.0}\n"
                    "{'loss': 1.75, 'epoch': 3.5}\n",
                    "1: batch 10 grain 2: s/it=1\n"
                    "1: step 10 at 0.5 grain 4: loss=2.5\n"
                    "2: batch 20 grain 2: s/it=1\n"
                    "3: step 20 at 1 grain 4: loss=2.25\n"
                    "4: batch 7 grain 2: s/it[v]=0.5\n"
                    "4: batch 7 grain 2: s/it[v]=0.5\n"
                    "5: step 20 at 1 grain 4: eval_loss[v]=2\n"
                    "6: at 3.5 grain 4: loss=1.75\n");
    recorder_expect(&format_text, "run.log",
                    "10%|#         | 10/100 [00:10<01:30, 1.00s/it]\n"
                    "loaded\n"
                    "{'loss': 2.5, 'epoch': 0.5}\n",
                    "1: batch 10 grain 2: s/it=1\n"
                    "3: at 0.5 grain 4: loss=2.5\n"
                    "1: batch 10 grain 2: s/it=1\n");
}

static void a_bar_that_opens_its_line(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch: 4\n"
                    " [=====>......]  Step: 61ms | Tot: 6s8ms | Loss: 1.75 | Acc: 40% 98/391\n"
                    " [===========>]  Step: 62ms | Tot: 9s9ms | Loss: 1.5 | Acc: 50% 391/391\n"
                    " [===========>]  Step: 18ms | Tot: 1s8ms | Loss: 1.25 | Acc: 60% 100/100\n",
                    "2: batch 98 epoch 4 grain 2: Step=61 Loss=1.75 Acc=40\n"
                    "3: batch 391 epoch 4 grain 2: Step=62 Loss=1.5 Acc=50\n"
                    "3: batch 391 epoch 4 grain 2: Step=62 Loss=1.5 Acc=50\n"
                    "4: batch 100 epoch 4 grain 2: Step[v]=18 Loss[v]=1.25 Acc[v]=60\n"
                    "4: batch 100 epoch 4 grain 2: Step[v]=18 Loss[v]=1.25 Acc[v]=60\n");
    recorder_expect(&format_text, "run.log", "[=====>......]\n[=====>......] ETA\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_that_opens_its_line),
        cmocka_unit_test(a_record_stands_where_the_bar_does),
        cmocka_unit_test(the_end_of_a_bar_is_its_point),
        cmocka_unit_test(a_full_bar_ends_its_redraws_too),
        cmocka_unit_test(both_rates_are_one_series),
        cmocka_unit_test(a_bar_without_a_counter_ends_at_100),
        cmocka_unit_test(drawings_with_a_step_of_their_own),
        cmocka_unit_test(a_bar_without_a_total),
        cmocka_unit_test(equal_bars_of_training_and_validation),
        cmocka_unit_test(a_full_bar_drawn_again),
        cmocka_unit_test(a_full_bar_drawn_again_with_other_values),
        cmocka_unit_test(a_short_bar_whose_speed_is_not_said_yet),
        cmocka_unit_test(short_bars_behind_long_ones),
        cmocka_unit_test(short_bars_of_speed_alone),
        cmocka_unit_test(a_bar_drawn_in_strides),
        cmocka_unit_test(the_only_redraw_counts),
        cmocka_unit_test(a_bar_that_runs_past_its_end),
        cmocka_unit_test(a_bar_that_is_not_drawn),
        cmocka_unit_test(the_epoch_of_a_bar_holds_for_the_next),
        cmocka_unit_test(what_is_printed_behind_a_bar_is_a_line_of_its_own),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
