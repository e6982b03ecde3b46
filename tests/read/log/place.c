/* Places: steps, batches, epochs, counters, indices, and what is none. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void the_strongest_step_word_wins(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "--> STEP: 3/90 -- GLOBAL_STEP: 7 loss: 2\n",
                    "1: step 7 batch 3 grain 3: loss=2\n");
}

static void a_step_without_total_beats_one_with(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "iter[ 14/ 15] [step] 100 loss: 2\n",
                    "1: step 100 batch 14 grain 3: loss=2\n");
}

static void indices_in_brackets(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[3][50/7330] loss: 1\n"
                    "[15]\ttrain-rmse:0.5\n"
                    "[1,  2000] loss: 2.173\n",
                    "1: batch 50 epoch 3 grain 6: loss=1\n"
                    "2: step 15 grain 1: train-rmse=0.5\n"
                    "3: batch 2000 epoch 1 grain 6: loss=2.173\n");
}

static void an_index_at_the_epoch_counts_its_batches(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch: [3][50]  Time 0.5 (0.6)  Loss 2.5 (2.6)\n"
                    "Epoch [3/90] [50] Loss 2.5\n"
                    "Epoch: [3] [50/97]  Loss 2.5 (2.6)\n",
                    "1: batch 50 epoch 3 grain 6: Time=0.5 Loss=2.5\n"
                    "2: batch 50 epoch 3/90 grain 6: Loss=2.5\n"
                    "3: batch 50 epoch 3 grain 6: Loss=2.5\n");
}

static void steps_printed_rounded_go_on_by_their_stride(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step:800 smpl:998K loss:2.5\n"
                    "step:900 smpl:999K loss:2.4\n"
                    "step:1K smpl:1M loss:2.3\n"
                    "step:1K smpl:1M loss:2.2\n"
                    "step:1K val_loss:2.6\n"
                    "step:1K smpl:1M loss:2.1\n"
                    "step:4K smpl:1M loss:2.0\n",
                    "1: step 800 grain 1: smpl=998 loss=2.5\n"
                    "2: step 900 grain 1: smpl=999 loss=2.4\n"
                    "3: step 1000 grain 1: smpl=1 loss=2.3\n"
                    "4: step 1100 grain 1: smpl=1 loss=2.2\n"
                    "5: step 1100 grain 1: val_loss[v]=2.6\n"
                    "6: step 1200 grain 1: smpl=1 loss=2.1\n"
                    "7: step 4000 grain 1: smpl=1 loss=2\n");
}

static void rows_printed_once_give_no_stride(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step:0 val_loss:2.9\n"
                    "step:800 loss:2.5\n"
                    "step:900 loss:2.4\n"
                    "step:1K loss:2.3\n"
                    "step:1K loss:2.2\n",
                    "1: step 0 grain 1: val_loss[v]=2.9\n"
                    "2: step 800 grain 1: loss=2.5\n"
                    "3: step 900 grain 1: loss=2.4\n"
                    "4: step 1000 grain 1: loss=2.3\n"
                    "5: step 1100 grain 1: loss=2.2\n");
}

static void two_counters_are_epoch_and_batch(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "[1/200][100/391] loss: 2.5\n",
                    "1: batch 100 epoch 1/200 grain 6: loss=2.5\n");
    recorder_expect(&format_text, "run.log",
                    "Train:  2/80 (  2%) [ 50/3712 (  1%)]  Loss: 2.5 (2.6)\n",
                    "1: batch 50 epoch 2/80 grain 6: Loss=2.5\n");
}

static void a_counter_in_front_of_an_epoch_word_is_its_own(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "2/100 * Epoch 2 (train): loss=0.5\n",
                    "1: epoch 2/100 grain 4: loss=0.5\n");
}

static void a_phase_word_names_the_epoch_before_a_counter(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Train: 3 [  50/1251 (  4%)]  Loss: 6.5 (6.6)\n",
                    "1: batch 50 epoch 3 grain 6: Loss=6.5\n");
}

static void glued_places(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch1/300|Iter0(1/1849)| loss:1.5\n"
                    "1epoch:train:91-180batch: loss=92.5\n",
                    "1: step 0 batch 1 epoch 1/300 grain 7: loss=1.5\n"
                    "2: batch 180 epoch 1 grain 6: loss=92.5\n");
}

static void fractions_of_an_epoch_identify_nothing(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "{'loss': 0.5, 'epoch': 0.51}\n",
                    "1: at 0.51 grain 4: loss=0.5\n");
}

static void words_beside_a_place_word_spoil_it(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "max epoch: 10 loss 2\n"
                    "steps per epoch 100 loss 2\n",
                    "1: grain 8: max epoch=10 loss=2\n"
                    "2: grain 8: steps per epoch=100 loss=2\n");
}

static void integers_that_open_a_line(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "100: train loss 2.5\n"
                    "7 | loss 2.25\n",
                    "1: step 100 grain 1: train loss=2.5\n"
                    "2: step 7 grain 1: loss=2.25\n");
}

/* How large the batch is stands behind the readings; how far it is, before them. */
static void a_batch_size_behind_the_readings_is_no_place(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[000500/50000] faces | loss 0.5 | ETA 260 min | batch 16\n"
                    "[000500/50000] batch 16 | loss 0.5\n",
                    "1: batch 500 grain 2: loss=0.5\n"
                    "2: batch 16 grain 2: loss=0.5\n");
}

static void k_of_zero_is_epoch_and_batch(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "TRAIN Batch 0/0 loss 4\n"
                    "TRAIN Batch 0/100 loss 3\n",
                    "1: batch 0 epoch 0 grain 6: loss=4\n"
                    "2: batch 100 epoch 0 grain 6: loss=3\n");
}

static void rates_are_no_steps(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0: TRAIN [0][10/1938]\tTok/s 11990 (11990)\tLoss 10.5 (10.5)\n",
                    "1: batch 10 epoch 0 grain 6: Tok/s=11990 Loss=10.5\n");
}

static void places_are_inherited(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 3/10\n"
                    "Train Loss: 0.5\n"
                    "Valid Loss: 0.6\n"
                    "step 12\n"
                    "loss: 0.25\n",
                    "2: epoch 3/10 grain 8: Train Loss=0.5\n"
                    "3: epoch 3/10 grain 8: Valid Loss[v]=0.6\n"
                    "5: step 12 epoch 3/10 grain 8: loss=0.25\n");
}

static void counters_take_the_epoch_of_the_heading(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch 2\n"
                    "loss: 2.5  [   64/60000]\n",
                    "2: batch 64 epoch 2 grain 2: loss=2.5\n");
}

static void a_heading_in_words_only(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[0]:\n"
                    "loss: 2.5\n",
                    "2: grain 8: loss=2.5\n");
}

static void ordinals_count_the_word_behind(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "current step: 2th step\n"
                    "batch loss:4.5\n"
                    "3rd epoch, loss: 0.5\n",
                    "2: step 2 grain 8: batch loss=4.5\n"
                    "3: epoch 3 grain 4: loss=0.5\n");
}

static void numbers_glued_to_ideographs(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "第3轮训练损失为0.95, 验证损失: 1.5\n",
                    "1: epoch 3 grain 4: 轮训练损失为=0.95 验证损失=1.5\n");
}

static void a_glued_counter_keeps_its_total(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch2/10:\n"
                    "train_loss:1.5\n",
                    "2: epoch 2/10 grain 8: train_loss=1.5\n");
}

static void an_index_counts_the_word_in_front(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "batch i:7, loss:1.5\n",
                    "1: batch 7 grain 2: loss=1.5\n");
}

static void an_episode_counts_its_steps(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Episode 004/900 | Reward: -9.5 | Steps: 104\n",
                    "1: step 4/900 grain 1: Reward=-9.5\n");
}

static void a_value_named_before_two_places(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Aux Loss at epoch 1 and iteration 500 is -0.5\n",
                    "1: step 500 epoch 1 grain 5: Aux Loss=-0.5\n");
}

static void the_counts_behind_a_share_are_no_place(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 2\n"
                    "accuracy: 21.5%, (43/200)\n",
                    "2: epoch 2 grain 8: accuracy=21.5\n");
}

/* However the lines are read: one by one, by their form, or many in one go. */
static void steps_take_the_epoch_of_the_heading(void **state)
{
    (void)state;
    char text[2048] = "", told[4096] = "";
    for (int epoch = 1, line = 0; epoch <= 3; epoch++) {
        sprintf(text + strlen(text), "Epoch: %04d\n", epoch);
        line++;
        for (int step = 10; step <= 90; step += 10) {
            sprintf(text + strlen(text), "iter:%04d loss_train: 2.5 acc: 0.5\n", step);
            sprintf(told + strlen(told), "%d: step %d epoch %d grain 1: loss_train=2.5 acc=0.5\n",
                    ++line, step, epoch);
        }
    }
    recorder_expect(&format_text, "run.log", text, told);
}

static void a_point_glues_a_place(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "---Epoch.3 Train Loss per event: 4.5\n",
                    "1: epoch 3 grain 4: Train Loss per event=4.5\n");
}

static void a_short_place_word_opens_the_line(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "E104 loss 2.5\n"
                    "e12 loss 2.25\n",
                    "1: epoch 104 grain 4: loss=2.5\n"
                    "2: epoch 104 grain 8: e12 loss=2.25\n");
}

static void iterations_counted_in_thousands(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "120it loss 2.5\n"
                    "10.5kit, loss: 2.25\n",
                    "1: step 120 grain 1: loss=2.5\n"
                    "2: step 10500 grain 1: loss=2.25\n");
}

static void what_was_seen_is_counted(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epochs seen: 3\n"
                    "loss: 2.5\n",
                    "2: epoch 3 grain 8: loss=2.5\n");
}

static void counts_of_epochs_in_chinese(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "训练轮次：1/10，损失：2.5\n"
                    "轮数: 2 loss: 2.25\n",
                    "1: epoch 1/10 grain 4: 损失=2.5\n"
                    "2: epoch 2 grain 4: loss=2.25\n");
}

static void brackets_and_glue_of_any_kind(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[Epoch {0}/{9}] loss: 0.5\n"
                    "Epoch<4> loss 0.5\n"
                    "E3/10 B20/400 loss 0.5\n"
                    "Ep3 It20 loss 0.5\n"
                    "Epoch_3 loss 0.5\n"
                    "loss at step_5: 0.5\n",
                    "1: epoch 0/9 grain 4: loss=0.5\n"
                    "2: epoch 4 grain 4: loss=0.5\n"
                    "3: batch 20 epoch 3/10 grain 6: loss=0.5\n"
                    "4: step 20 epoch 3 grain 5: loss=0.5\n"
                    "5: epoch 3 grain 4: loss=0.5\n"
                    "6: step 5 grain 1: loss=0.5\n");
}

static void a_share_behind_the_counter_is_no_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "100/10000 = 1.0%, loss: 2.5\n"
                    "correct 75/100 = 0.75 loss: 2.5\n",
                    "1: batch 100 grain 2: loss=2.5\n"
                    "2: grain 8: correct=0.75 loss=2.5\n");
}

static void phase_and_counter_in_one_bracket(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[train: 2, 50 / 2600] loss: 2.5\n"
                    "[rate: 2, 50 / 2600] loss: 2.5\n",
                    "1: batch 50 epoch 2 grain 6: loss=2.5\n"
                    "2: batch 50 epoch 2 grain 2: rate=2 loss=2.5\n");
}

static void steps_to_a_total_beat_episodes(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "40/50000: episode: 2, episode steps: 20, loss: 2.5\n"
                    "episode: 2, 40/50000 loss: 2.5\n",
                    "1: batch 40 grain 2: episode steps=20 loss=2.5\n"
                    "2: step 2 batch 40 grain 3: loss=2.5\n");
}

static void what_is_done_is_counted(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "iterations_done: 235 loss: 2.5\n"
                    "epochs_done: 3 loss: 2.5\n"
                    "work_done: 3 loss: 2.5\n",
                    "1: step 235 grain 1: loss=2.5\n"
                    "2: epoch 3 grain 4: loss=2.5\n"
                    "3: epoch 3 grain 8: work_done=3 loss=2.5\n");
}

static void a_number_joined_to_what_it_counts(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "3-epoch (50/1251): loss 2.5, lr 0.5\n"
                    "100-step mean loss: 2.5\n",
                    "1: batch 50 epoch 3 grain 6: loss=2.5 lr=0.5\n"
                    "2: batch 50 epoch 3 grain 8: step mean loss=2.5\n");
}

static void what_is_counted_in_the_epoch(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch: 2, step_in_epoch: 5, loss: 2.5\n",
                    "1: batch 5 epoch 2 grain 6: loss=2.5\n");
}

static void a_counter_between_rules_heads_what_follows(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "**** EPOCH 001 ****\n"
                    " -- 010 / 437 --\n"
                    "mean loss: 2.5\n"
                    " -- 020 / 437 --\n"
                    "mean loss: 2.25\n"
                    "1 / 3\n"
                    "mean loss: 2\n",
                    "3: batch 10 epoch 1 grain 8: mean loss=2.5\n"
                    "5: batch 20 epoch 1 grain 8: mean loss=2.25\n"
                    "7: batch 20 epoch 1 grain 8: mean loss=2\n");
}

/* The word behind the number that opens a line of training is its place; beside settings, or with
   more words, it is none. */
static void a_count_in_front_of_its_word(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0001000 updates | loss 2.5 | lr 0.5\n"
                    "1000 steps, loss 2.5\n"
                    "[1000 steps] loss: 2.5\n"
                    "3 epochs: loss 2.5\n"
                    "1000 steps, width 2.5\n"
                    "1000 warmup steps, loss 2.5\n",
                    "1: step 1000 grain 1: loss=2.5 lr=0.5\n"
                    "2: step 1000 grain 1: loss=2.5\n"
                    "3: step 1000 grain 1: loss=2.5\n"
                    "4: epoch 3 grain 4: loss=2.5\n"
                    "6: epoch 3 grain 8: warmup steps=1000 loss=2.5\n");
}

/* The sentence goes on behind the place: it names the value. */
static void a_sentence_that_begins_with_its_place(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "After 500 iterations the training loss is 2.5 and the validation loss is 2.75.\n"
        "After 500 steps, loss 2.5\n"
        "after 3 hours the loss is 2.5\n",
        "1: step 500 grain 1: training loss=2.5 validation loss[v]=2.75\n"
        "2: step 500 grain 1: loss=2.5\n"
        "3: step 500 grain 8: hours the loss=2.5\n");
}

/* As short a place word is glued to digits where it opens the line, not within it. */
static void short_words_glued_to_the_place(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "ep003 loss 2.5\n"
                    "it100: loss 2.25\n"
                    "v100 loss 2.25\n"
                    "loss it100 2\n",
                    "1: epoch 3 grain 4: loss=2.5\n"
                    "2: step 100 grain 1: loss=2.25\n"
                    "3: step 100 epoch 3 grain 8: v100 loss=2.25\n"
                    "4: step 100 epoch 3 grain 8: loss it100=2\n");
}

/* A phase word that opens the line counts epochs, in front of named values. */
static void a_phase_word_counts_epochs(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Train 3, loss: 0.5, train acc: 0.25\n"
                    "Test 3, loss: 0.625\n"
                    "iter: 100, loss: 0.5\n"
                    "eval: 20 batches, loss: 0.625\n",
                    "1: epoch 3 grain 4: loss=0.5 train acc=0.25\n"
                    "2: epoch 3 grain 4: loss[v]=0.625\n"
                    "3: step 100 grain 1: loss=0.5\n"
                    "4: step 100 epoch 3 grain 8: eval[v]=20 loss[v]=0.625\n");
}

/* A small letter opens the line where another with its number follows; else it is of a name. */
static void an_epoch_of_one_small_letter(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "e02 s0100 loss 2.5\n"
                    "e12 loss 2.25\n",
                    "1: step 100 epoch 2 grain 5: loss=2.5\n"
                    "2: step 100 epoch 2 grain 8: e12 loss=2.25\n");
}

/* In brackets at the phase, in front of a counter in brackets of its own. */
static void a_phase_counts_epochs_in_brackets(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "TRAIN(3): [100/200] Loss: 2.5\n",
                    "1: batch 100 epoch 3 grain 6: Loss=2.5\n");
}

/* A phase or a series between the step and its value, and nothing else. */
/* What is in use of what there is; a count of the same form is a counter still. */
static void amounts_are_no_counters(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 3 gpu mem 5421/16384 MiB loss 2.5\n"
                    "epoch 3 RAM 5.5/12.75 GB loss 2.5\n"
                    "epoch 3 batch 54/163 loss 2.5\n",
                    "1: epoch 3 grain 4: gpu mem=5421 loss=2.5\n"
                    "2: epoch 3 grain 4: RAM=5.5 loss=2.5\n"
                    "3: batch 54 epoch 3 grain 6: loss=2.5\n");
}

static void a_step_opens_a_triple(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "100 train 2.5\n"
                    "100 val 2.75\n"
                    "101 loss 2.25\n"
                    "102 apples 2.25\n"
                    "103 train 2.25 seconds ago\n",
                    "1: step 100 grain 1: train=2.5\n"
                    "2: step 100 grain 1: val[v]=2.75\n"
                    "3: step 101 grain 1: loss=2.25\n");
}

/* A phase in brackets is no unit: `Epoch(train) [3]` is the third epoch. */
static void an_epoch_with_its_phase(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "Epoch(train)   [3][ 50/100]  loss: 2.5\n",
                    "1: batch 50 epoch 3 grain 6: loss=2.5\n");
    recorder_expect(&format_text, "run.log", "Epoch(val)   [3][50/50]  loss: 2.5\n",
                    "1: batch 50 epoch 3 grain 6: loss[v]=2.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_epoch_with_its_phase),
        cmocka_unit_test(an_epoch_of_one_small_letter),
        cmocka_unit_test(a_phase_counts_epochs_in_brackets),
        cmocka_unit_test(amounts_are_no_counters),
        cmocka_unit_test(a_step_opens_a_triple),
        cmocka_unit_test(a_phase_word_counts_epochs),
        cmocka_unit_test(the_strongest_step_word_wins),
        cmocka_unit_test(a_step_without_total_beats_one_with),
        cmocka_unit_test(indices_in_brackets),
        cmocka_unit_test(an_index_at_the_epoch_counts_its_batches),
        cmocka_unit_test(steps_printed_rounded_go_on_by_their_stride),
        cmocka_unit_test(rows_printed_once_give_no_stride),
        cmocka_unit_test(two_counters_are_epoch_and_batch),
        cmocka_unit_test(a_counter_in_front_of_an_epoch_word_is_its_own),
        cmocka_unit_test(a_phase_word_names_the_epoch_before_a_counter),
        cmocka_unit_test(glued_places),
        cmocka_unit_test(a_point_glues_a_place),
        cmocka_unit_test(the_counts_behind_a_share_are_no_place),
        cmocka_unit_test(a_value_named_before_two_places),
        cmocka_unit_test(an_episode_counts_its_steps),
        cmocka_unit_test(an_index_counts_the_word_in_front),
        cmocka_unit_test(a_glued_counter_keeps_its_total),
        cmocka_unit_test(numbers_glued_to_ideographs),
        cmocka_unit_test(ordinals_count_the_word_behind),
        cmocka_unit_test(fractions_of_an_epoch_identify_nothing),
        cmocka_unit_test(words_beside_a_place_word_spoil_it),
        cmocka_unit_test(integers_that_open_a_line),
        cmocka_unit_test(a_batch_size_behind_the_readings_is_no_place),
        cmocka_unit_test(k_of_zero_is_epoch_and_batch),
        cmocka_unit_test(rates_are_no_steps),
        cmocka_unit_test(places_are_inherited),
        cmocka_unit_test(steps_take_the_epoch_of_the_heading),
        cmocka_unit_test(counters_take_the_epoch_of_the_heading),
        cmocka_unit_test(a_heading_in_words_only),
        cmocka_unit_test(a_short_place_word_opens_the_line),
        cmocka_unit_test(iterations_counted_in_thousands),
        cmocka_unit_test(what_was_seen_is_counted),
        cmocka_unit_test(counts_of_epochs_in_chinese),
        cmocka_unit_test(brackets_and_glue_of_any_kind),
        cmocka_unit_test(a_share_behind_the_counter_is_no_value),
        cmocka_unit_test(phase_and_counter_in_one_bracket),
        cmocka_unit_test(steps_to_a_total_beat_episodes),
        cmocka_unit_test(what_is_done_is_counted),
        cmocka_unit_test(what_is_counted_in_the_epoch),
        cmocka_unit_test(a_number_joined_to_what_it_counts),
        cmocka_unit_test(a_counter_between_rules_heads_what_follows),
        cmocka_unit_test(a_count_in_front_of_its_word),
        cmocka_unit_test(a_sentence_that_begins_with_its_place),
        cmocka_unit_test(short_words_glued_to_the_place),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
