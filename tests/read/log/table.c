/* Tables under a head, boxes, and rows without a head. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void aligned_columns(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch  train_loss  valid_loss  time\n"
                    "0      0.51        0.61        00:12\n"
                    "1      0.41        0.55        00:11\n",
                    "2: epoch 0 grain 4: train_loss=0.51 valid_loss[v]=0.61\n"
                    "3: epoch 1 grain 4: train_loss=0.41 valid_loss[v]=0.55\n");
}

static void names_with_blanks(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  SCORE \n"
        "---  ------  ------------  --------  ------  ------\n"
        "  0       0          0.00     12.50    0.00    0.00\n"
        "  0     200         80.50    600.25   12.50    0.12\n",
        "3: step 0 epoch 0 grain 5: LOSS TOK2VEC=0 LOSS NER=12.5 ENTS_F=0 SCORE=0\n"
        "4: step 200 epoch 0 grain 5: LOSS TOK2VEC=80.5 LOSS NER=600.25 ENTS_F=12.5 SCORE=0.12\n");
}

static void tabs(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch\tTrain Loss\tVal Loss\n"
                    "1\t0.5\t0.75\n"
                    "2\t0.25\t0.5\n",
                    "2: epoch 1 grain 4: Train Loss=0.5 Val Loss[v]=0.75\n"
                    "3: epoch 2 grain 4: Train Loss=0.25 Val Loss[v]=0.5\n");
}

static void names_at_commas_over_rows_at_tabs(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "epoch,step,tr_loss\n1\t16\t0.5\n1\t32\t0.25\n",
                    "2: step 16 epoch 1 grain 5: tr_loss=0.5\n"
                    "3: step 32 epoch 1 grain 5: tr_loss=0.25\n");
}

static void names_that_begin_with_a_digit(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "2d_loss\t3d_loss\tepoch\n"
                    "0.5\t1.75\t1\n"
                    "0.25\t1.5\t2\n",
                    "2: epoch 1 grain 4: 2d_loss=0.5 3d_loss=1.75\n"
                    "3: epoch 2 grain 4: 2d_loss=0.25 3d_loss=1.5\n");
    recorder_expect(&format_text, "run.log",
                    "epoch  loss  2d_iou\n"
                    "1  0.5  0.75\n",
                    "2: epoch 1 grain 4: loss=0.5 2d_iou=0.75\n");
}

static void pipes(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "| epoch | train_loss | val_loss |\n"
                    "|-------|------------|----------|\n"
                    "| 1 | 0.5 | 0.75 |\n"
                    "| 2 | 0.25 | 0.5 |\n",
                    "3: epoch 1 grain 4: train_loss=0.5 val_loss[v]=0.75\n"
                    "4: epoch 2 grain 4: train_loss=0.25 val_loss[v]=0.5\n");
}

static void phases_as_columns(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "            Training |  Validation\n"
                    "loss     |     0.510  |     0.543\n"
                    "accuracy |     0.721  |       N/A\n",
                    "2: grain 8: loss=0.51 loss[v]=0.543\n"
                    "3: grain 8: accuracy=0.721\n");
}

static void rows_with_a_bar_behind(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "      Epoch    GPU_mem   box_loss   cls_loss   Size\n"
                    "        1/3      2.5G      1.5      1.25        640: 100%|####| 8/8 "
                    "[00:03<00:00,  2.50it/s]\n",
                    "2: epoch 1/3 grain 4: GPU_mem=2.5 box_loss=1.5 cls_loss=1.25\n");
}

/* Detectors print a second head under each row, with the bar of the validation behind it. */
static void heads_with_a_bar_behind(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "    Epoch  GPU_mem  box_loss  cls_loss  Instances     Size\n"
        "      1/3     2.5G       1.5      1.25         17      640: 100%|####| 8/8 "
        "[00:01<00:00,  7.04it/s]\n"
        "     Class  Images  Instances  Box(P      R  mAP@.5  mAP@.5:.95): 100%|####| 2/2 "
        "[00:01<00:00,  1.79it/s]\n"
        "       all    1049       1164   0.75    0.5    0.25       0.125\n"
        "      2/3     2.5G      1.25       1.0         16      640: 100%|####| 8/8 "
        "[00:01<00:00,  7.04it/s]\n"
        "       all    1049       1164   0.75    0.5     0.5        0.25\n",
        "2: epoch 1/3 grain 4: GPU_mem=2.5 box_loss=1.5 cls_loss=1.25 Instances=17\n"
        "3: batch 2 epoch 1/3 grain 2: s/it=0.558659\n"
        "3: batch 2 epoch 1/3 grain 2: s/it=0.558659\n"
        "4: epoch 1/3 grain 8: Images=1049 Instances=1164 Box(P=0.75 R=0.5 mAP@.5=0.25 "
        "mAP@.5:.95=0.125\n"
        "5: epoch 2/3 grain 4: GPU_mem=2.5 box_loss=1.25 cls_loss=1 Instances=16\n"
        "6: epoch 2/3 grain 8: Images=1049 Instances=1164 Box(P=0.75 R=0.5 mAP@.5=0.5 "
        "mAP@.5:.95=0.25\n");
}

static void rows_between_pipes_may_have_names(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "| Trial name          | status  | loc          | iter | time (s) |   ts | reward |\n"
        "|---------------------+---------+--------------+------+----------+------+--------|\n"
        "| PPO_Pole_a1b2_00000 | RUNNING | 10.0.0.1:123 |    3 |    12.25 | 4000 |  12.50 |\n",
        "3: step 3 grain 1: ts=4000 reward=12.5\n");
}

static void boxes_are_records(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "----------------------\n"
                    "| rollout/    |      |\n"
                    "|    ep_rew   | 21.5 |\n"
                    "| train/      |      |\n"
                    "|    loss     | 0.25 |\n"
                    "| time/iters  | 3    |\n"
                    "| step        | 512  |\n"
                    "----------------------\n",
                    "2: step 512 grain 1: rollout/ep_rew=21.5 train/loss=0.25 time/iters=3\n");
}

static void a_rounded_step_orders_only(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "---------------------\n"
                    "| loss | 0.5      |\n"
                    "| step | 2.06e+04 |\n"
                    "---------------------\n",
                    "2: grain 1: loss=0.5\n");
}

static void lists_in_cells_are_parts_of_a_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Step      Train loss              Test metric   \n"
                    "0         [1.5e+00, 2.5e-01]      [0.5]    \n"
                    "1000      [0.5e+00, 2.5e-01]      [0.25, 0.5]    \n"
                    "2000      [nan, 2.5e-01]      []    \n"
                    "3000      [a, 2.5e-01]      [0.5]    \n",
                    "2: step 0 grain 1: Train loss=1.75 Test metric[v]=0.5\n"
                    "3: step 1000 grain 1: Train loss=0.75\n"
                    "4: step 2000 grain 1: Train loss=nan\n"
                    "5: step 3000 grain 1: Test metric[v]=0.5\n");
}

static void rows_without_a_head(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "10 2.5 0.1\n"
                    "20 2.25 0.2\n"
                    "30 2.125 0.3\n"
                    "40 2 0.4\n",
                    "1: step 10 grain 1: =2.5 column 3=0.1\n"
                    "2: step 20 grain 1: =2.25 column 3=0.2\n"
                    "3: step 30 grain 1: =2.125 column 3=0.3\n"
                    "4: step 40 grain 1: =2 column 3=0.4\n");
}

static void a_total_behind_its_parts(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0/9 11.8G 0.5 0.25 0.125 0.875 30\n"
                    "1/9 11.8G 0.25 0.25 0.25 0.75 31\n"
                    "2/9 11.8G 0.25 0.125 0.25 0.625 32\n",
                    "1: step 0/9 grain 1: column 2=11.8 column 3=0.5 column 4=0.25 column 5=0.125 "
                    "loss=0.875 column 7=30\n"
                    "2: step 1/9 grain 1: column 2=11.8 column 3=0.25 column 4=0.25 column 5=0.25 "
                    "loss=0.75 column 7=31\n"
                    "3: step 2/9 grain 1: column 2=11.8 column 3=0.25 column 4=0.125 column 5=0.25 "
                    "loss=0.625 column 7=32\n");
}

/* Numbers alone say nothing, but the file is called after them. */
static void numbers_that_the_file_is_called_after(void **state)
{
    (void)state;
    const char *numbers = "0.75\n0.5\n\nnan\n2\n";
    recorder_expect(&format_text, "train_loss.txt", numbers,
                    "1: grain 0: train_loss=0.75\n"
                    "2: grain 0: train_loss=0.5\n"
                    "4: grain 0: train_loss=nan\n"
                    "5: grain 0: train_loss=2\n");
    recorder_expect(&format_text, "numbers.txt", numbers, "");
    recorder_expect(&format_text, "loss_weight.txt", numbers, "");
    recorder_expect(&format_text, "val_loss.log", "7.5e-01 0.25\n5e-01 0.125\n0.25\n",
                    "1: grain 0: val_loss[v]=0.75\n"
                    "2: grain 0: val_loss[v]=0.5\n");
    recorder_expect(&format_text, "loss.txt", "0.5 0.25\nnan nan\n",
                    "1: grain 0: loss=0.5\n"
                    "2: grain 0: loss=nan\n");
    recorder_expect(&format_text, "loss.txt", "settings of today\n0.5\n0.25\n", "");
    recorder_expect(&format_text, "loss.txt", "3\n2\n1\n", "");
    recorder_expect(&format_text, "run.log",
                    "% mean class accuracy (train set)\t\n 77.5\t\n 93.25\t\n",
                    "2: grain 0: mean class accuracy (train set)=77.5\n"
                    "3: grain 0: mean class accuracy (train set)=93.25\n");
    recorder_expect(&format_text, "run.log", "% the numbers of today\n 77.5\n 93.25\n", "");
}

/* Steps in the print of numpy.savetxt count where they are exact. */
static void steps_with_an_exponent(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.dat",
                    "# step, loss_train\n"
                    "0.000e+00 2.5e+00 4e+00\n1.000e+03 1.5e+00 4e+00\n2.000e+03 5e-01 4e+00\n",
                    "2: step 0 grain 1: loss_train=2.5\n"
                    "3: step 1000 grain 1: loss_train=1.5\n"
                    "4: step 2000 grain 1: loss_train=0.5\n");
    recorder_expect(
        &format_text, "run.dat",
        "# of today\n"
        "0.000e+00 2.5e+00 4.5e+00\n1.000e+03 1.5e+00 4.5e+00\n2.000e+03 5e-01 4.5e+00\n",
        "2: step 0 grain 1: =2.5 column 3=4.5\n"
        "3: step 1000 grain 1: =1.5 column 3=4.5\n"
        "4: step 2000 grain 1: =0.5 column 3=4.5\n");
    recorder_expect(&format_text, "run.dat", "1e+03 2.5\n2e+03 1.5\n3e+03 0.5\n", "");
    recorder_expect(&format_text, "run.dat", "1.5e+00 2.5\n2.5e+00 1.5\n3.5e+00 0.5\n", "");
}

/* A file of one column says in its first line what the numbers are. */
static void numbers_under_the_one_name_of_a_file(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.txt", "loss\n0.75\n0.5\nnan\n",
                    "2: grain 0: loss=0.75\n"
                    "3: grain 0: loss=0.5\n"
                    "4: grain 0: loss=nan\n");
    recorder_expect(&format_text, "run.txt", "validation loss\t\r\n 7.5e-01\t\r\n 5e-01\t\r\n",
                    "2: grain 0: validation loss[v]=0.75\n"
                    "3: grain 0: validation loss[v]=0.5\n");
    recorder_expect(&format_text, "tokyo_loss.csv", "loss\n0.75\n0.5\n", /* more than the name */
                    "2: grain 0: loss=0.75\n"
                    "3: grain 0: loss=0.5\n");
    recorder_expect(&format_text, "run.txt", "loss\n3\n2\n", "");
    recorder_expect(&format_text, "run.txt", "height\n0.75\n0.5\n", "");
    recorder_expect(&format_text, "run.txt", "today\nloss\n0.75\n0.5\n", "");
    recorder_expect(&format_text, "run.txt", "loss\n0.75\ndone\n0.5\n", "2: grain 0: loss=0.75\n");
}

static void bare_rows_among_others(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "0 6.75\n"
                    "\t 0.5 6.25\n"
                    "1 6.5\n"
                    "\t 0.75 5.5\n"
                    "2 6.25\n"
                    "\t 0.25 5.75\n",
                    "1: step 0 grain 1: =6.75\n"
                    "3: step 1 grain 1: =6.5\n"
                    "5: step 2 grain 1: =6.25\n");
}

static void places_one_blank_apart_are_two_columns(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "# Epoch batch     loss   loss_f\n"
                    "      2    10     0.75     0.5\n"
                    "      2    20     0.7      0.45\n",
                    "2: batch 10 epoch 2 grain 6: loss=0.75 loss_f=0.5\n"
                    "3: batch 20 epoch 2 grain 6: loss=0.7 loss_f=0.45\n");
}

static void a_cell_tells_the_phase_of_its_row(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "| epoch | split | loss |\n"
                    "| 1     | train | 0.75 |\n"
                    "| 1     | val   | 0.5  |\n"
                    "step  part   loss\n"
                    "1     train  0.25\n"
                    "1     val    0.375\n",
                    "2: epoch 1 grain 4: loss=0.75\n"
                    "3: epoch 1 grain 4: loss[v]=0.5\n"
                    "5: step 1 grain 1: loss=0.25\n"
                    "6: step 1 grain 1: loss[v]=0.375\n");
}

static void rows_of_data_frames_are_numbered_in_front(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "   epoch  train_loss  val_loss\n"
                    "0      1        2.50      2.75\n"
                    "1      2        2.25      2.50\n"
                    "note\n"
                    "   loss    acc\n"
                    "0  2.50   0.25\n"
                    "1  2.25   0.50\n",
                    "2: epoch 1 grain 4: train_loss=2.5 val_loss[v]=2.75\n"
                    "3: epoch 2 grain 4: train_loss=2.25 val_loss[v]=2.5\n"
                    "6: step 0 grain 1: loss=2.5 acc=0.25\n"
                    "7: step 1 grain 1: loss=2.25 acc=0.5\n");
}

static void seconds_in_front_of_a_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "1 12.5 2.5 0.5\n"
                    "2 12.25 2 0.25\n"
                    "3 12.5 1.5 0.5\n",
                    "1: step 1 grain 1: column 2=12.5 =2.5 column 4=0.5\n"
                    "2: step 2 grain 1: column 2=12.25 =2 column 4=0.25\n"
                    "3: step 3 grain 1: column 2=12.5 =1.5 column 4=0.5\n");
}

static void a_clock_in_bare_rows_is_no_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "10 5.25 0.5\n"
                    "20 10.5 0.75\n"
                    "30 15.5 0.625\n",
                    "1: step 10 grain 1: column 2=5.25 column 3=0.5\n"
                    "2: step 20 grain 1: column 2=10.5 column 3=0.75\n"
                    "3: step 30 grain 1: column 2=15.5 column 3=0.625\n");
}

static void bare_rows_that_rise_are_a_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "10 1.25 12.5\n"
                    "20 1.5 12.75\n"
                    "30 3.5 12.5\n",
                    "1: step 10 grain 1: =1.25 column 3=12.5\n"
                    "2: step 20 grain 1: =1.5 column 3=12.75\n"
                    "3: step 30 grain 1: =3.5 column 3=12.5\n");
}

static void a_bar_that_is_not_drawn_behind_a_row(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Epoch  GPU_mem  box_loss  Size\n"
                    "0/1  4.5G  2.5  640: 100% 8/8 [00:08<00:00, 1.10s/it]\n"
                    "1/1  4.5G  1.5  640: 100% 8/8 [00:08<00:00, 1.10s/it]\n",
                    "2: epoch 0/1 grain 4: GPU_mem=4.5 box_loss=2.5\n"
                    "3: epoch 1/1 grain 4: GPU_mem=4.5 box_loss=1.5\n");
}

/* Other prints stand between a head and its rows: where it plainly is one, and they fit. */
static void a_head_far_above_its_rows(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch  train_loss  val_loss\n"
                    "one\ntwo words here\nthree words here\nfour words here\nfive words here\n"
                    "1  2.5  2.75\n"
                    "2  2.25  2.5\n",
                    "7: epoch 1 grain 4: train_loss=2.5 val_loss[v]=2.75\n"
                    "8: epoch 2 grain 4: train_loss=2.25 val_loss[v]=2.5\n");
    recorder_expect(&format_text, "run.log",
                    "worker  cores  weight\n"
                    "one\ntwo words here\nthree words here\nfour words here\nfive words here\n"
                    "1  2.5  2.75\n"
                    "2  2.25  2.5\n"
                    "3  2  2.25\n",
                    "7: step 1 grain 1: =2.5 column 3=2.75\n"
                    "8: step 2 grain 1: =2.25 column 3=2.5\n"
                    "9: step 3 grain 1: =2 column 3=2.25\n");
    recorder_expect(&format_text, "run.log",
                    "epoch  train_loss  val_loss\n"
                    "one\ntwo words here\nthree words here\nfour words here\nfive words here\n"
                    "0.5  2.5  2.75\n",
                    "");
}

/* As pandas and people write them: the second of a name is another series. */
static void columns_of_one_name(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step  loss  loss  acc\n"
                    "1  2.5  2.75  0.5\n",
                    "2: step 1 grain 1: loss=2.5 loss#2=2.75 acc=0.5\n");
}

/* Beside a loss it is the rate, where the table has no other. */
static void a_base_rate_in_a_table(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "| Epoch | Loss | Base Learning Rate |\n"
                    "| 1 | 2.5 | 0.5 |\n"
                    "| Epoch | Loss | Base LR | LR |\n"
                    "| 1 | 2.5 | 0.5 | 0.25 |\n",
                    "2: epoch 1 grain 4: Loss=2.5 learning rate=0.5\n"
                    "4: epoch 1 grain 4: Loss=2.5 Base LR=0.5 LR=0.25\n");
}

/* A unit in brackets is a name; a call that a warning cites is none. */
static void a_cited_call_heads_no_table(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "  return nn.pad(returns, **options)  # type: ignore[attr]\n"
                    "100%  31/31\n",
                    "");
    recorder_expect(&format_text, "run.log",
                    "loss(mean)  return(mean)\n"
                    "0.5  31\n",
                    "2: grain 8: loss(mean)=0.5 return(mean)=31\n");
}

/* A bar on another stream: the row of its head is printed behind the head of what comes next. */
static void rows_that_heads_overtake(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "     Epoch  gpu_mem      box     obj     cls    total   labels\n"
        "       2/9      3.1    0.012   0.005     0.5    0.517       25\n"
        "     Class   Images   Labels       P       R   mAP@.5\n"
        "     Epoch  gpu_mem      box     obj     cls    total   labels\n"
        "       all      857      857   0.998   0.994     0.75\n"
        "       3/9      3.1    0.011   0.004     0.5    0.515       23\n",
        "2: epoch 2/9 grain 4: gpu_mem=3.1 box=0.012 obj=0.005 cls=0.5 total loss=0.517 "
        "labels=25\n"
        "5: epoch 2/9 grain 8: Images=857 Labels=857 P=0.998 R=0.994 mAP@.5=0.75\n"
        "6: epoch 3/9 grain 4: gpu_mem=3.1 box=0.011 obj=0.004 cls=0.5 total loss=0.515 "
        "labels=23\n");
}

/* Rows that leave cells blank: from the left, from the right, and moved by a value too wide. */
static void cells_left_blank(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch  iteration  main/loss  lr       valid/main/loss  valid/main/acc\n"
                    "1      100        3.95       0.001\n"
                    "2      200        3.75       9.5e-0005               3.85             0.25\n"
                    "3      300        3.5        0.001                     0.5\n",
                    "2: step 100 epoch 1 grain 5: main/loss=3.95 lr=0.001\n"
                    "3: step 200 epoch 2 grain 5: main/loss=3.75 lr=9.5e-05 "
                    "valid/main/loss[v]=3.85 valid/main/acc[v]=0.25\n"
                    "4: step 300 epoch 3 grain 5: main/loss=3.5 lr=0.001 valid/main/acc[v]=0.5\n");
    recorder_expect(&format_text, "run.log",
                    "   epoch   iter    loss   val_loss   val_acc\n"
                    "       1    100    2.25\n"
                    "       1    200     2.5     2.1250     0.125\n"
                    "       2    300    2.25                0.250\n",
                    "2: step 100 epoch 1 grain 5: loss=2.25\n"
                    "3: step 200 epoch 1 grain 5: loss=2.5 val_loss[v]=2.125 val_acc[v]=0.125\n"
                    "4: step 300 epoch 2 grain 5: loss=2.25 val_acc[v]=0.25\n");
    recorder_expect(&format_text, "run.log",
                    "epoch  iter   loss   val_loss   val_acc   lr\n"
                    "3 17 400 0.5\n",
                    "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_heads_overtake),
        cmocka_unit_test(cells_left_blank),
        cmocka_unit_test(aligned_columns),
        cmocka_unit_test(names_with_blanks),
        cmocka_unit_test(tabs),
        cmocka_unit_test(names_at_commas_over_rows_at_tabs),
        cmocka_unit_test(names_that_begin_with_a_digit),
        cmocka_unit_test(pipes),
        cmocka_unit_test(phases_as_columns),
        cmocka_unit_test(rows_with_a_bar_behind),
        cmocka_unit_test(heads_with_a_bar_behind),
        cmocka_unit_test(rows_between_pipes_may_have_names),
        cmocka_unit_test(boxes_are_records),
        cmocka_unit_test(a_rounded_step_orders_only),
        cmocka_unit_test(lists_in_cells_are_parts_of_a_loss),
        cmocka_unit_test(rows_without_a_head),
        cmocka_unit_test(a_total_behind_its_parts),
        cmocka_unit_test(numbers_that_the_file_is_called_after),
        cmocka_unit_test(steps_with_an_exponent),
        cmocka_unit_test(numbers_under_the_one_name_of_a_file),
        cmocka_unit_test(bare_rows_among_others),
        cmocka_unit_test(places_one_blank_apart_are_two_columns),
        cmocka_unit_test(a_cell_tells_the_phase_of_its_row),
        cmocka_unit_test(rows_of_data_frames_are_numbered_in_front),
        cmocka_unit_test(seconds_in_front_of_a_loss),
        cmocka_unit_test(a_clock_in_bare_rows_is_no_loss),
        cmocka_unit_test(bare_rows_that_rise_are_a_loss),
        cmocka_unit_test(a_bar_that_is_not_drawn_behind_a_row),
        cmocka_unit_test(a_head_far_above_its_rows),
        cmocka_unit_test(columns_of_one_name),
        cmocka_unit_test(a_base_rate_in_a_table),
        cmocka_unit_test(a_cited_call_heads_no_table),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
