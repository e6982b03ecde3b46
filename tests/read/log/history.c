/* Whole histories, in one line or several. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

#define ROWS                                                                                       \
    "2: epoch 1 grain 4: loss=0.9 acc=0.25\n"                                                      \
    "2: epoch 2 grain 4: loss=0.75 acc=0.5\n"                                                      \
    "2: epoch 3 grain 4: loss=nan acc=0.5\n"

static void each_place_of_its_lists_is_an_epoch(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "{'loss': [0.9, 0.75, nan], 'acc': [0.25, 0.5, 0.5]}\n",
                    ROWS);
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "history = {\"loss\": [0.9, 0.75, nan], \"acc\": [0.25, 0.5, 0.5]}\n",
                    ROWS);
}

static void numbers_may_be_wrapped(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "{'loss': [np.float64(0.9), array(0.75, dtype=float32), array(nan)], "
                    "'acc': [tensor(0.25, device='cuda:0'), 0.5, tensor(0.5)]}\n",
                    ROWS);
}

static void what_is_evaluated_seldom_is_left_out(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "{'loss': [0.9, 0.75, nan], 'val_loss': [0.8], 'acc': [0.25, 0.5, 0.5]}\n",
                    ROWS);
}

static void readings_told_before_are_not_told_again(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "epoch 1 loss 0.9\n"
                    "{'loss': [0.9, 0.75, 0.5]}\n",
                    "1: epoch 1 grain 4: loss=0.9\n");
}

static void other_lists_are_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{'shape': [3, 224, 224]}\n"
                    "{'loss': [0.9, 'x', 0.5]}\n"
                    "{'loss': [0.9, 0.75\n"
                    "{'loss': [], 'acc': []}\n"
                    "{'loss': [0.9, 0.75, 0.5]} and more\n",
                    "");
}

/* One list of a history; of few numbers it is a reading of parts, and other lists are settings. */
static void a_list_alone_is_a_history(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "val_losses = [2.5, 2.25, 2, 1.75, 1.5, 1.25, 1, 0.75]\n"
                    "train losses: [2.5, 2.25, 2]\n"
                    "thresholds = [2.5, 2.25, 2, 1.75, 1.5, 1.25, 1, 0.75]\n",
                    "2: epoch 1 grain 4: val_losses[v]=2.5\n"
                    "2: epoch 2 grain 4: val_losses[v]=2.25\n"
                    "2: epoch 3 grain 4: val_losses[v]=2\n"
                    "2: epoch 4 grain 4: val_losses[v]=1.75\n"
                    "2: epoch 5 grain 4: val_losses[v]=1.5\n"
                    "2: epoch 6 grain 4: val_losses[v]=1.25\n"
                    "2: epoch 7 grain 4: val_losses[v]=1\n"
                    "2: epoch 8 grain 4: val_losses[v]=0.75\n"
                    "3: grain 8: train losses=2.5\n");
}

#define GATHERED                                                                                   \
    "2: epoch 1 grain 4: loss=0.9 acc=0.25\n"                                                      \
    "2: epoch 2 grain 4: loss=0.75 acc=0.5\n"                                                      \
    "2: epoch 3 grain 4: loss=0.5 acc=0.5\n"

/* A list of a metric alone may be of classes. */
static void names_and_calls_around_a_list(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "AP per class: [0.5, 0.25, 0.5, 0.75, 0.5, 0.25, 0.5, 0.75]\n"
                    "Train losses:\n"
                    "[0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.25]\n"
                    "acc = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75])\n"
                    "words\n"
                    "[0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.25]\n",
                    "3: epoch 1 grain 4: Train losses=0.9\n"
                    "3: epoch 2 grain 4: Train losses=0.8\n"
                    "3: epoch 3 grain 4: Train losses=0.7\n"
                    "3: epoch 4 grain 4: Train losses=0.6\n"
                    "3: epoch 5 grain 4: Train losses=0.5\n"
                    "3: epoch 6 grain 4: Train losses=0.4\n"
                    "3: epoch 7 grain 4: Train losses=0.3\n"
                    "3: epoch 8 grain 4: Train losses=0.25\n"
                    "4: epoch 1 grain 4: acc=0.1\n"
                    "4: epoch 2 grain 4: acc=0.2\n"
                    "4: epoch 3 grain 4: acc=0.3\n"
                    "4: epoch 4 grain 4: acc=0.4\n"
                    "4: epoch 5 grain 4: acc=0.5\n"
                    "4: epoch 6 grain 4: acc=0.6\n"
                    "4: epoch 7 grain 4: acc=0.7\n"
                    "4: epoch 8 grain 4: acc=0.75\n");
}

static void lists_may_be_broken_into_lines(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "{'loss': [0.9,\n"
                    "  0.75,\n"
                    "  np.float64(0.5)],\n"
                    " 'acc': [0.25, 0.5, 0.5]}\n",
                    GATHERED);
    recorder_expect(&format_text, "run.log",
                    "done\n"
                    "history: {\n"
                    "    \"loss\": [\n"
                    "        0.9,\n        0.75,\n        0.5\n"
                    "    ],\n"
                    "    \"acc\": [\n"
                    "        0.25,\n        0.5,\n        0.5\n"
                    "    ]\n"
                    "}\n",
                    GATHERED);
}

static void other_records_of_several_lines_stay_what_they_are(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{'loss': [0.9,\n"
                    "  0.75,\n"
                    "  0.5],\n"
                    " 'lr': 0.1}\n"
                    "step 1 loss: 2.5\n"
                    "{'shape': [3,\n  224,\n  224]}\n"
                    "{\n  \"step\": 2,\n  \"loss\": 2.25\n}\n"
                    "step 3 loss: 2\n"
                    "{'loss': [2.5,\n  2.25,\n  2]}\n",
                    "4: set lr=0.1\n"
                    "4: grain 8: lr=0.1\n"
                    "5: step 1 grain 1: loss=2.5\n"
                    "11: step 2 grain 8: loss=2.25\n"
                    "13: step 3 grain 1: loss=2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_of_its_lists_is_an_epoch),
        cmocka_unit_test(numbers_may_be_wrapped),
        cmocka_unit_test(what_is_evaluated_seldom_is_left_out),
        cmocka_unit_test(readings_told_before_are_not_told_again),
        cmocka_unit_test(other_lists_are_none),
        cmocka_unit_test(a_list_alone_is_a_history),
        cmocka_unit_test(names_and_calls_around_a_list),
        cmocka_unit_test(lists_may_be_broken_into_lines),
        cmocka_unit_test(other_records_of_several_lines_stay_what_they_are),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
