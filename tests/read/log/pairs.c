/* Pairs of key and value, with any separator: what names a number. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void reads_separators(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 1 loss: 2.5 acc=0.5 lr 1e-3\n",
                    "1: step 1 grain 1: loss=2.5 acc=0.5 lr=0.001\n");
}

static void reads_keys_of_several_words(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        " iteration       10/     100 | lm loss: 1.08E+01 | grad norm: 9.512 | elapsed time per "
        "iteration (ms): 1500.0 |\n",
        "1: step 10/100 grain 1: lm loss=10.8 grad norm=9.512 elapsed time per iteration=1500\n");
}

static void reads_meters_without_their_averages(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch: [1][ 50/5005]\tTime  0.276 ( 1.176)\tLoss 6.9511e+00 "
                    "(7.0623e+00)\tAcc@1   0.78 (  0.14)\n",
                    "1: batch 50 epoch 1 grain 6: Time=0.276 Loss=6.9511 Acc@1=0.78\n");
}

static void places_give_their_words_to_the_value_behind(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Cost after iteration 100: 0.584508\n"
                    "discriminator loss at step 0: 0.68\n"
                    "Loss after 100 iterations: 2.5\n",
                    "1: step 100 grain 1: Cost=0.584508\n"
                    "2: step 0 grain 1: discriminator loss=0.68\n"
                    "3: step 100 grain 1: Loss=2.5\n");
    /* In a sentence; what is named alone would mean something else stays whole. */
    recorder_expect(&format_text, "run.log",
                    "loss at step 100 is 2.5\n"
                    "Score at iteration 100 is 2.5\n",
                    "1: step 100 grain 1: loss=2.5\n"
                    "2: step 100 grain 1: Score at iteration=2.5\n");
}

static void a_name_before_integer_and_float_names_both(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Train loss 10 45.5 Grad Norm 2.5\n",
                    "1: step 10 grain 1: Train loss=45.5 Grad Norm=2.5\n");
}

static void words_behind_name_what_nothing_names_before(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "1: 1123.4, 1100.2 avg, 0.001 rate, 3.5 seconds, 64 images\n",
                    "1: step 1 grain 1: loss=1123.4 avg=1100.2 rate=0.001 seconds=3.5 images=64\n");
}

static void changes_are_named_by_their_verb(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss 2\n"
                    "reducing loss scale to 32768.0\n"
                    "Adjusting learning rate of group 0 to 5.0000e-04.\n"
                    "val_loss improved from inf to 0.8\n"
                    "Validation loss decreased (inf --> 0.610000).  Saving model ...\n",
                    "1: step 5 grain 1: loss=2\n"
                    "2: step 5 grain 8: loss scale=32768\n"
                    "3: step 5 grain 8: learning rate=0.0005\n"
                    "4: step 5 grain 8: val_loss[v]=0.8\n"
                    "5: event 2\n"
                    "5: step 5 grain 8: Validation loss[v]=0.61\n");
}

static void a_rate_decays_by_a_factor(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss 2\n"
                    "decayed learning rate by a factor 0.97 to 0.00194\n"
                    "dropped 3 frames to 30\n",
                    "1: step 5 grain 1: loss=2\n"
                    "2: step 5 grain 8: learning rate=0.00194\n");
}

/* A name that nothing sets off from a fraction, and units that look like one. */
static void a_name_may_be_glued_to_a_fraction(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss=2.5 tf=0.00lr=0.001\n"
                    "step 6 acc=0.5loss: 2.25 time: 0.5s mem: 3.5gb\n",
                    "1: step 5 grain 1: loss=2.5 tf=0 lr=0.001\n"
                    "2: step 6 grain 1: acc=0.5 loss=2.25 time=0.5 mem=3.5\n");
}

/* Of times and bytes; a name may begin with as short a word. */
static void a_unit_may_be_set_off_by_a_blank(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 time 3 s loss: 2\n"
                    "step 6 mem: 3.5 GB loss: 2\n"
                    "step 7 t loss: 3 s loss: 2\n",
                    "1: step 5 grain 1: time=3 loss=2\n"
                    "2: step 6 grain 1: mem=3.5 loss=2\n"
                    "3: step 7 grain 1: t loss=3 s loss=2\n");
}

static void of_a_value_and_what_it_becomes_the_latter_is_in_force(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "step 5 loss 2\n"
        "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 64, reducing to 32\n"
        "Attempted loss scale: 32 after 5, reducing to 16\n",
        "1: step 5 grain 1: loss=2\n"
        "2: set loss scale=64\n"
        "2: step 5 grain 8: Attempted loss scale=32\n"
        "3: step 5 grain 8: Attempted loss scale=32\n");
}

static void bars_around_a_word_name_a_norm(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 | loss 2.5 | |grad| 31.5\n"
                    "step 6 | loss 2.4 | 31.25 | s\n",
                    "1: step 5 grain 1: loss=2.5 grad=31.5\n"
                    "2: step 6 grain 1: loss=2.4\n");
}

static void a_hint_at_a_change_is_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss 2\n"
                    "Consider reducing learning rate to 1e-5\n"
                    "You should try setting lr to 0.001\n",
                    "1: step 5 grain 1: loss=2\n");
}

static void notes_behind_a_record_are_not_read(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 1 loss 0.5  <-- spike at step 10\n"
                    "{'loss': 0.4, 'epoch': 1.5} <== NaN soon\n"
                    "step 2 loss 0.3 <---\n",
                    "1: step 1 grain 1: loss=0.5\n"
                    "2: at 1.5 grain 4: loss=0.4\n"
                    "3: step 2 grain 1: loss=0.3\n");
}

static void signs_of_unicode_are_no_words(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "\xF0\x9F\x9A\x80 Epoch 1/10 | \xF0\x9F\x93\x89 loss: 0.5 | \xE2\x9C\x85 acc: 0.75\n"
        "step 3 \xE2\x80\x93 loss \xE2\x80\x94 0.5\xE2\x86\x93 acc\xC2\xA0"
        "0.75\xE2\x86\x91\n"
        "step 4 lr 1e-3 \xE2\x86\x92 5e-4\n",
        "1: epoch 1/10 grain 4: loss=0.5 acc=0.75\n"
        "2: step 3 grain 1: loss=0.5 acc=0.75\n"
        "3: step 4 grain 1: lr=0.0005\n");
}

static void what_did_not_happen_has_no_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss 2\n"
                    "val_loss did not improve from 0.5\n"
                    "val acc has not improved since 0.9\n",
                    "1: step 5 grain 1: loss=2\n");
}

static void a_place_behind_a_number_opens_a_record(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 1 - loss: 2.5 - val_loss: 0.6Epoch 00001: val_loss improved from inf to "
                    "0.6, saving\n"
                    "Step 3 loss: 0.5Step [4/10] loss: 0.25\n"
                    "step 5 loss: 0.5s Step\n",
                    "1: epoch 1 grain 4: loss=2.5 val_loss[v]=0.6\n"
                    "1: epoch 1 grain 4: val_loss[v]=0.6\n"
                    "2: step 3 grain 1: loss=0.5\n"
                    "2: step 4/10 grain 1: loss=0.25\n"
                    "3: step 5 grain 1: loss=0.5\n");
}

static void numbers_with_units_are_no_places(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step: 3  loss: 2.5  memory: 29.90GiB(95.36%)  tps: 26,556  mfu: 5.79%\n",
                    "1: step 3 grain 1: loss=2.5 memory=29.9 tps=26556 mfu=5.79\n");
}

static void nan_is_a_number_where_a_value_stands(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 1 | loss   nan | number of nan iterations:   0 |\n"
                    "step 2 | loss: -nan lr: inf\n"
                    "step 3 loss: nanxxx, lr: 1\n",
                    "1: step 1 grain 1: loss=nan number of nan iterations=0\n"
                    "2: step 2 grain 1: loss=-nan lr=inf\n"
                    "3: step 3 grain 1: loss=nan lr=1\n");
}

static void wrapped_values_are_read(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 1 eval_loss=tensor(1.5, device=0) reward=np.float64(0.25)\n",
                    "1: epoch 1 grain 4: eval_loss[v]=1.5 device=0 reward=0.25\n");
}

static void keys_in_brackets_name_what_follows(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[R0] | iter[ 14/ 15] | [Loss] nan | [step]  1574 |\n",
                    "1: step 1574 batch 14 grain 3: Loss=nan\n");
}

static void deviations_are_passed_over(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch: 1 | loss: 0.5 +/- 0.02 | val loss: 0.6\302\2610.03 acc: 0.7+0.1\n",
                    "1: epoch 1 grain 4: loss=0.5 val loss[v]=0.6 acc=0.7\n");
}

static void a_sum_is_its_result(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 1 loss is -0.5 + -0.25 = -0.75\n",
                    "1: step 1 grain 1: loss=-0.75\n");
}

static void a_threshold_is_part_of_the_name(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 1: mAP@.5: 0.5 mAP@.5:.95 0.25 mAP@0.5:0.95=0.125\n"
                    "epoch 2: mAP@0.5:0.4\n",
                    "1: epoch 1 grain 4: mAP@.5[v]=0.5 mAP@.5:.95[v]=0.25 mAP@0.5:0.95[v]=0.125\n"
                    "2: epoch 2 grain 4: mAP@0.5[v]=0.4\n");
}

static void sentences_are_no_names(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 2: this is a very long sentence which ends in the number of 5\n"
                    "step 3 W core/ctc_loss_calculator.cc:144] No valid path found.\n"
                    "step 4 loss.py:12 has been read\n",
                    "");
}

static void both_ways_to_print_a_speed_are_one_series(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 1 loss 2.5 4.00it/s\nstep 2 loss 2.25 2.00s/it\n",
                    "1: step 1 grain 1: loss=2.5 s/it=0.25\n"
                    "2: step 2 grain 1: loss=2.25 s/it=2\n");
}

static void sentences_say_what_is_measured(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "Average objective function for 'output' for minibatches 50-59 is -0.48 over 640 "
        "frames.\n"
        "Average objective function for 'output' for minibatches 60-69 is -0.4 + -0.1 = "
        "-0.5 over 640 frames.\n"
        "the loss for 'x' is\n"
        "Val epoch 2 has acc 0.25 and loss 1.5\n",
        "1: batch 59 grain 2: Average objective function output=-0.48 over=640\n"
        "2: batch 69 grain 2: Average objective function output=-0.5 over=640\n"
        "4: epoch 2 grain 4: acc[v]=0.25 loss[v]=1.5\n");
}

static void glued_records_are_two(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 4 loss 2.5 step 5 loss 2.25\n",
                    "1: step 4 grain 1: loss=2.5\n"
                    "1: step 5 grain 1: loss=2.25\n");
}

/* What another writer left in front, or a line that had no end. */
static void a_record_glued_to_a_number(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch: 12  loss: 0.5\n"
                    "0epoch: 13  loss: 0.25\n"
                    "epoch: 14  loss: 0.75epoch: 15  loss: 0.125\n",
                    "1: epoch 12 grain 4: loss=0.5\n"
                    "2: epoch 13 grain 4: loss=0.25\n"
                    "3: epoch 14 grain 4: loss=0.75\n"
                    "3: epoch 15 grain 4: loss=0.125\n");
    recorder_expect(&format_text, "run.log", "1epoch: 3/4 loss: 0.5\n",
                    "1: batch 3 epoch 1 grain 6: loss=0.5\n");
}

static void decimal_commas_are_learnt(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 1 loss: 0,693 acc: 0,51\n"
                    "epoch 2 loss: 0,593 acc: 0,6\n",
                    "1: epoch 1 grain 4: loss=0.693 acc=0.51\n"
                    "2: epoch 2 grain 4: loss=0.593 acc=0.6\n");
}

static void a_qualifier_is_part_of_the_name(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "epoch 1 loss 0.5\n"
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.327\n"
        " Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = 0.473\n"
        " Average Precision  (AP) @[ IoU=0.75      | area=   all | maxDets=100 ] = 0.324\n"
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = 0.155\n"
        " Average Recall     (AR) @[ IoU=0.50:0.95 | area=   all | maxDets=  1 ] = 0.206\n"
        " Average Recall     (AR) @[ IoU=0.50:0.95 | area=   all | maxDets= 10 ] = 0.336\n"
        "AP @ [ IoU=0.50 ] = 0.5\n",
        "1: epoch 1 grain 4: loss=0.5\n"
        "2: epoch 1 grain 8: Average Precision @[IoU=0.50:0.95|area=all|maxDets=100]=0.327\n"
        "3: epoch 1 grain 8: Average Precision @[IoU=0.50|area=all|maxDets=100]=0.473\n"
        "4: epoch 1 grain 8: Average Precision @[IoU=0.75|area=all|maxDets=100]=0.324\n"
        "5: epoch 1 grain 8: Average Precision @[IoU=0.50:0.95|area=small|maxDets=100]=0.155\n"
        "6: epoch 1 grain 8: Average Recall @[IoU=0.50:0.95|area=all|maxDets=1]=0.206\n"
        "7: epoch 1 grain 8: Average Recall @[IoU=0.50:0.95|area=all|maxDets=10]=0.336\n"
        "8: epoch 1 grain 8: AP @[IoU=0.50]=0.5\n");
}

static void a_pair_under_a_name_is_step_and_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "loss: (100, 2.5)\n"
                    "loss: [110, 2.25]\n",
                    "1: step 100 grain 1: loss=2.5\n"
                    "2: step 110 grain 1: loss=2.25\n");
}

static void dots_lead_to_a_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 3\n"
                    "  loss ........ 0.25\n"
                    "  grad norm...: 0.5\n",
                    "2: epoch 3 grain 8: loss=0.25\n"
                    "3: epoch 3 grain 8: grad norm=0.5\n");
}

static void a_rate_set_off_is_the_unit_of_the_number_before(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step: 3  total_loss: 7.5  speed: 103.5 samples/s lr: 1.00e-04\n"
                    "step: 4 loss: 2 tok/s: 31 avg: 5\n",
                    "1: step 3 grain 1: total_loss=7.5 speed=103.5 lr=0.0001\n"
                    "2: step 4 grain 1: loss=2 tok/s=31 avg=5\n");
}

/* Of a whole number behind a name and a fraction behind it the second has a name of its own where
   its unit tells it. */
static void a_rate_behind_a_whole_value_is_no_second_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss 2.5 scale 65536  0.25 s/it\n"
                    "step 6 loss 2.5 loss_scale 1024 0.25 sec/step\n",
                    "1: step 5 grain 1: loss=2.5 scale=65536 s/it=0.25\n"
                    "2: step 6 grain 1: loss=2.5 loss_scale=1024 sec/step=0.25\n");
    recorder_expect(&format_text, "run.log", "loss 50 2.5\n", "1: step 50 grain 1: loss=2.5\n");
}

static void fractions_glued_to_the_name_of_a_series(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "EPOCH[5/1000] loss0.5-|Sample:9.5|\n"
                    "EPOCH[6/1000] loss12.25-|Sample:9.5| top5.1 loss2.5.pth\n",
                    "1: epoch 5/1000 grain 4: loss=0.5 Sample=9.5\n"
                    "2: epoch 6/1000 grain 4: loss=12.25 Sample=9.5\n");
}

static void numbers_of_a_remark_are_no_values(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 loss 2.5 # comment 3\n"
                    "epoch 3 loss 2.5 # 4 acc 0.5\n",
                    "1: epoch 3 grain 4: loss=2.5\n"
                    "2: epoch 3 grain 4: loss=2.5 acc=0.5\n");
}

/* A print of tensors says the type and the size behind the name; a size beside values names none.
 */
static void a_description_stands_between_name_and_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 3 Tensor loss of type float. Dims: (): 0.5\n"
                    "step 5 Tensor loss of type float. Dims: (1): 0.25\n"
                    "step 6 loss 0.5 Dims: (): 0.25\n",
                    "1: step 3 grain 1: Tensor loss=0.5\n"
                    "2: step 5 grain 1: Tensor loss=0.25\n"
                    "3: step 6 grain 1: loss=0.5\n");
}

/* As people write them; `2 x 10` is no power. */
static void powers_of_ten_are_written_out(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 3 loss 2.5 lr 1.5 x 10^-3\n"
                    "step 3 loss 2.5 lr: 1.5*10**(-3)\n"
                    "step 3 loss 2.5 lr: 1.5\xC3\x97"
                    "10\xE2\x81\xBB\xC2\xB3, acc 0.5\n"
                    "step 3 loss 2.5 lr=5 x 10^-4 acc 0.5\n"
                    "step 3 loss 2.5 size 2 x 10 acc 0.5\n",
                    "1: step 3 grain 1: loss=2.5 lr=0.0015\n"
                    "2: step 3 grain 1: loss=2.5 lr=0.0015\n"
                    "3: step 3 grain 1: loss=2.5 lr=0.0015 acc=0.5\n"
                    "4: step 3 grain 1: loss=2.5 lr=0.0005 acc=0.5\n"
                    "5: step 3 grain 1: loss=2.5 x=10 acc=0.5\n");
}

/* What `{x=}` prints of a place in a dictionary: its text names the value, its index is none. */
static void subscripts_name_values(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 3 optimizer.param_groups[0]['lr']=0.5 loss=2.5\n"
                    "step 3 history['loss'][-1]=2.5, logs[\"acc\"] = 0.5\n"
                    "step 3 weights[0]=2.5 loss=2.5\n",
                    "1: step 3 grain 1: lr=0.5 loss=2.5\n"
                    "2: step 3 grain 1: loss=2.5 acc=0.5\n"
                    "3: step 3 grain 1: weights=2.5 loss=2.5\n");
}

/* Julia writes the power of a short number with f; behind a whole number it is a unit. */
static void powers_written_with_f(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "(epoch = 3, loss = 2.5f0, lr = 1.5f-3)\n"
                    "(epoch = 3, loss = 2.5, size = 2f16)\n",
                    "1: epoch 3 grain 4: loss=2.5 lr=0.0015\n"
                    "2: epoch 3 grain 4: loss=2.5\n");
}

/* Of a metric; a loss of so many is none, and what counts steps stays a place. */
static void so_many_right_of_so_many_are_a_share(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Test set: Average loss: 0.0561, Accuracy: 9806/10000 (98%)\n"
                    "step 3/8 Correct: 30/40 loss: 0.5\n",
                    "1: grain 8: Average loss[v]=0.0561 Accuracy[v]=0.9806\n"
                    "2: step 3/8 grain 1: Correct=0.75 loss=0.5\n");
}

/* Names and numbers that take turns at commas; where one has no name, or two follow, they are no
   pairs. */
static void commas_between_name_and_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch,3,train_loss,2.5,lr,0.5\n"
                    "epoch, 4, train loss, 2.25\n"
                    "loss,2.5,0.5,lr\n"
                    "step 5, loss 2.5, acc 0.5\n",
                    "1: epoch 3 grain 4: train_loss=2.5 lr=0.5\n"
                    "2: epoch 4 grain 4: train loss=2.25\n"
                    "4: step 5 grain 1: loss=2.5 acc=0.5\n");
}

/* How many a mean was taken over is neither the value nor a place. */
static void a_mean_over_so_many(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "epoch 3: avg train loss over 500 batches = 2.5; val loss over 50 samples: 2.75\n"
        "epoch 3: hand over 500 = 2.5; loss = 2.25\n",
        "1: epoch 3 grain 4: avg train loss=2.5 val loss[v]=2.75\n"
        "2: epoch 3 grain 4: hand over=500 loss=2.25\n");
}

/* What a value was taken over is no name and no place; what stands before the value may be one. */
static void a_count_inside_a_name_is_passed_over(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 5 loss 2\n"
                    "Accuracy of the network on the 10000 test images: 55 %\n"
                    "average loss over 100 steps = 2.25\n"
                    "Loss after 100 batches: 0.5\n"
                    "accuracy 0.5 images: 64\n",
                    "1: step 5 grain 1: loss=2\n"
                    "2: step 5 grain 8: Accuracy of the network on the test images[v]=55\n"
                    "3: step 5 grain 8: average loss=2.25\n"
                    "4: batch 100 grain 2: Loss=0.5\n"
                    "5: batch 100 grain 8: accuracy=0.5 images=64\n");
}

static void averages_in_brackets_where_the_line_says_so(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Averaged stats: lr: 0.001  loss: 2.5 (2.75)  f1: 0.5 (0.625)  n: 3 (2.5, 1)\n"
                    "Epoch 3 Averaged loss: 2.5 (2.75)\n",
                    "1: grain 8: lr=0.001 loss=2.75 f1=0.625 n=3\n"
                    "2: epoch 3 grain 4: Averaged loss=2.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_in_brackets_where_the_line_says_so),
        cmocka_unit_test(reads_separators),
        cmocka_unit_test(reads_keys_of_several_words),
        cmocka_unit_test(reads_meters_without_their_averages),
        cmocka_unit_test(places_give_their_words_to_the_value_behind),
        cmocka_unit_test(a_name_before_integer_and_float_names_both),
        cmocka_unit_test(words_behind_name_what_nothing_names_before),
        cmocka_unit_test(changes_are_named_by_their_verb),
        cmocka_unit_test(a_rate_decays_by_a_factor),
        cmocka_unit_test(a_name_may_be_glued_to_a_fraction),
        cmocka_unit_test(a_unit_may_be_set_off_by_a_blank),
        cmocka_unit_test(of_a_value_and_what_it_becomes_the_latter_is_in_force),
        cmocka_unit_test(bars_around_a_word_name_a_norm),
        cmocka_unit_test(a_hint_at_a_change_is_none),
        cmocka_unit_test(notes_behind_a_record_are_not_read),
        cmocka_unit_test(signs_of_unicode_are_no_words),
        cmocka_unit_test(what_did_not_happen_has_no_value),
        cmocka_unit_test(a_place_behind_a_number_opens_a_record),
        cmocka_unit_test(numbers_with_units_are_no_places),
        cmocka_unit_test(nan_is_a_number_where_a_value_stands),
        cmocka_unit_test(wrapped_values_are_read),
        cmocka_unit_test(keys_in_brackets_name_what_follows),
        cmocka_unit_test(deviations_are_passed_over),
        cmocka_unit_test(a_sum_is_its_result),
        cmocka_unit_test(a_threshold_is_part_of_the_name),
        cmocka_unit_test(sentences_are_no_names),
        cmocka_unit_test(both_ways_to_print_a_speed_are_one_series),
        cmocka_unit_test(sentences_say_what_is_measured),
        cmocka_unit_test(glued_records_are_two),
        cmocka_unit_test(a_record_glued_to_a_number),
        cmocka_unit_test(decimal_commas_are_learnt),
        cmocka_unit_test(a_qualifier_is_part_of_the_name),
        cmocka_unit_test(a_pair_under_a_name_is_step_and_value),
        cmocka_unit_test(dots_lead_to_a_value),
        cmocka_unit_test(a_rate_set_off_is_the_unit_of_the_number_before),
        cmocka_unit_test(a_rate_behind_a_whole_value_is_no_second_value),
        cmocka_unit_test(fractions_glued_to_the_name_of_a_series),
        cmocka_unit_test(numbers_of_a_remark_are_no_values),
        cmocka_unit_test(a_description_stands_between_name_and_value),
        cmocka_unit_test(powers_of_ten_are_written_out),
        cmocka_unit_test(subscripts_name_values),
        cmocka_unit_test(powers_written_with_f),
        cmocka_unit_test(so_many_right_of_so_many_are_a_share),
        cmocka_unit_test(commas_between_name_and_value),
        cmocka_unit_test(a_mean_over_so_many),
        cmocka_unit_test(a_count_inside_a_name_is_passed_over),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
