/* Training or validation: in the key, earlier in the line, in the last heading. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void in_the_key(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log", "epoch 1 train_loss=1 val_loss=2 testAcc=0.5 eval/ppl=3\n",
        "1: epoch 1 grain 4: train_loss=1 val_loss[v]=2 testAcc[v]=0.5 eval/ppl[v]=3\n");
}

static void resuming_is_no_heading(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Training starts\n"
                    "Loading validation data\n"
                    "loss: 0.5 acc: 0.75\n"
                    "Validation\n"
                    "Resume training from checkpoint\n"
                    "loss: 0.25 acc: 0.5\n",
                    "3: grain 8: loss=0.5 acc=0.75\n"
                    "5: event 0\n"
                    "6: grain 8: loss[v]=0.25 acc[v]=0.5\n");
}

/* A callback names a loss of validation, and training goes on; a heading names the phase alone. */
static void a_measure_is_no_heading(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "val_loss did not improve\n"
                    "loss: 0.5 acc: 0.75\n"
                    "val results\n"
                    "loss: 0.25 acc: 0.5\n",
                    "2: grain 8: loss=0.5 acc=0.75\n"
                    "4: grain 8: loss[v]=0.25 acc[v]=0.5\n");
}

static void a_free_word_goes_on(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[Valid] [Epoch: 1] loss: 0.5 acc: 0.75\n",
                    "1: epoch 1 grain 4: loss[v]=0.5 acc[v]=0.75\n");
}

static void a_word_that_opens_the_first_key_goes_on(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch 1 val Loss: 0.5 Acc: 0.75\n",
                    "1: epoch 1 grain 4: val Loss[v]=0.5 Acc[v]=0.75\n");
}

static void a_key_that_is_a_phase_marks_itself(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[Epoch 1] train=0.65 val=0.64 loss=1.45\n",
                    "1: epoch 1 grain 4: train=0.65 val[v]=0.64 loss=1.45\n");
}

static void in_the_place(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Validation result at epoch 6, step 1000: loss: 0.5\n",
                    "1: step 1000 epoch 6 grain 5: loss[v]=0.5\n");
}

static void in_the_heading(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Training epoch 1\n"
                    "loss=0.9\n"
                    "Evaluating epoch 1\n"
                    "loss=0.6\n",
                    "2: epoch 1 grain 8: loss=0.9\n"
                    "3: event 3\n"
                    "4: epoch 1 grain 8: loss[v]=0.6\n");
}

static void a_heading_ends_at_the_next_place(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Test Error: \n"
                    " Avg loss: 2.5\n"
                    "epoch 2 loss 0.5\n",
                    "2: grain 8: Avg loss[v]=2.5\n"
                    "3: epoch 2 grain 4: loss=0.5\n");
}

static void measures_of_evaluation_need_no_word(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Steps: 10\tLoss: 63616.5\tPPL: 106.5\tbleu: 0.5\n",
                    "1: step 10 grain 1: Loss[v]=63616.5 PPL[v]=106.5 bleu[v]=0.5\n");
}

static void quoted_modes(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{\"mode\": \"val\", \"epoch\": 1, \"loss\": 0.5}\n"
                    "{\"mode\": \"train\", \"epoch\": 1, \"loss\": 0.5}\n",
                    "1: epoch 1 grain 4: loss[v]=0.5\n"
                    "2: epoch 1 grain 4: loss=0.5\n");
}

static void saved_dicts_are_evaluations(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "INFO:tensorflow:Saving dict for global step 1000: accuracy = 0.5, loss = 0.25\n",
        "1: step 1000 grain 1: accuracy[v]=0.5 loss[v]=0.25\n");
}

static void each_key_that_opens_with_one_goes_on(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch  1 | Train Loss: 0.5 Acc: 0.75 | Test Loss: 0.25 Acc: 0.875\n",
                    "1: epoch 1 grain 4: Train Loss=0.5 Acc=0.75 Test Loss[v]=0.25 Acc[v]=0.875\n");
}

/* It stands where training stopped; the last of its records replaces those before. */
static void a_shorter_count_behind_a_heading_is_evaluation(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 1/2\n"
                    "step 4/8 - loss: 3.5\n"
                    "step 8/8 - loss: 2.5\n"
                    "Eval begin...\n"
                    "step 1/2 - loss: 2.75\n"
                    "step 2/2 - loss: 3\n"
                    "Epoch 2/2\n"
                    "step 4/8 - loss: 1.5\n",
                    "2: step 4/8 epoch 1/2 grain 1: loss=3.5\n"
                    "3: step 8/8 epoch 1/2 grain 1: loss=2.5\n"
                    "5: step 8/8 epoch 1/2 grain 1: loss[v]=2.75\n"
                    "6: step 8/8 epoch 1/2 grain 1: loss[v]=3\n"
                    "8: step 4/8 epoch 2/2 grain 1: loss=1.5\n");
}

static void steps_counted_anew_behind_a_heading(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 1 step 200: loss 2.5\n"
                    "Evaluation:\n"
                    "step 1: loss 2.75\n"
                    "Epoch 1 step 300: loss 2.25\n",
                    "1: step 200 epoch 1 grain 5: loss=2.5\n"
                    "3: step 200 epoch 1 grain 1: loss[v]=2.75\n"
                    "4: step 300 epoch 1 grain 5: loss=2.25\n");
}

static void files_of_validation(void **state)
{
    (void)state;
    recorder_expect(&format_text, "val_loss.txt", "epoch 1 loss 2.5\n",
                    "1: epoch 1 grain 4: loss[v]=2.5\n");
    recorder_expect(&format_text, "test.log", "epoch 1 loss 2.5\n",
                    "1: epoch 1 grain 4: loss=2.5\n");
}

static void how_many_steps_say_no_phase(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Train steps: 15 Val steps: 3 loss: 2.5 val_loss: 2.75\n",
                    "1: step 15 grain 1: loss=2.5 val_loss[v]=2.75\n");
}

static void validation_across_folds(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "ITERATION 3: TRAIN LOSS 2.5, CROSSVAL LOSS 2.75\n",
                    "1: step 3 grain 1: TRAIN LOSS=2.5 CROSSVAL LOSS[v]=2.75\n");
}

static void a_phase_glued_to_what_was_measured(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 trainloss 2.5 validloss 2.75 valacc 0.5\n"
                    "epoch 3 closs 2.5\n",
                    "1: epoch 3 grain 4: trainloss=2.5 validloss[v]=2.75 valacc[v]=0.5\n"
                    "2: epoch 3 grain 4: closs=2.5\n");
}

/* A phase cut short keeps its full stop; a sentence ends with a whole word. */
static void a_phase_cut_short(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Эпоха: 3 | Потери: 2.5 | Вал. потери: 2.75\n"
                    "step 3. Training. score: 2.5\n",
                    "1: epoch 3 grain 4: Потери=2.5 Вал потери[v]=2.75\n"
                    "2: step 3 grain 1: score=2.5\n");
}

/* Each phase in brackets is of the value in front of it. */
static void phases_behind_values(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 4 | loss 0.5 (train), 0.75 (dev) | error 0.25 (train), 0.375 (dev)\n",
                    "1: epoch 4 grain 4: loss=0.5 loss[v]=0.75 error=0.25 error[v]=0.375\n");
    recorder_expect(&format_text, "run.log", "epoch 4: loss=0.5 (train) | loss=0.75 (test)\n",
                    "1: epoch 4 grain 4: loss=0.5 loss[v]=0.75\n");
    recorder_expect(&format_text, "run.log", "epoch 4: loss 0.5 (test)\n",
                    "1: epoch 4 grain 4: loss=0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_behind_values),
        cmocka_unit_test(in_the_key),
        cmocka_unit_test(resuming_is_no_heading),
        cmocka_unit_test(a_free_word_goes_on),
        cmocka_unit_test(a_word_that_opens_the_first_key_goes_on),
        cmocka_unit_test(each_key_that_opens_with_one_goes_on),
        cmocka_unit_test(a_key_that_is_a_phase_marks_itself),
        cmocka_unit_test(in_the_place),
        cmocka_unit_test(in_the_heading),
        cmocka_unit_test(a_heading_ends_at_the_next_place),
        cmocka_unit_test(a_shorter_count_behind_a_heading_is_evaluation),
        cmocka_unit_test(measures_of_evaluation_need_no_word),
        cmocka_unit_test(quoted_modes),
        cmocka_unit_test(saved_dicts_are_evaluations),
        cmocka_unit_test(steps_counted_anew_behind_a_heading),
        cmocka_unit_test(files_of_validation),
        cmocka_unit_test(how_many_steps_say_no_phase),
        cmocka_unit_test(validation_across_folds),
        cmocka_unit_test(a_phase_glued_to_what_was_measured),
        cmocka_unit_test(a_measure_is_no_heading),
        cmocka_unit_test(a_phase_cut_short),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
