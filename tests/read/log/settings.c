/* Prints of settings: to the facts, not to the series. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void argument_dumps(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Namespace(lr=0.1, momentum=0.9, fp16=True, resume=None, epochs=90)\n",
                    "1: set lr=0.1\n"
                    "1: set momentum=0.9\n"
                    "1: set fp16=True\n"
                    "1: set resume=None\n"
                    "1: set epochs=90\n");
}

static void command_lines(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "+ python train.py --lr 0.1 --clip-grad=1.0 --fp16\n",
                    "1: set lr=0.1\n"
                    "1: set clip-grad=1.0\n"
                    "1: set fp16=True\n");
    recorder_expect(&format_text, "run.log",
                    "th train.lua -data some -optim adam -fp16 -learning_rate 0.5 -batch_size 8\n",
                    "1: set optim=adam\n"
                    "1: set fp16=True\n"
                    "1: set learning_rate=0.5\n"
                    "1: set batch_size=8\n");
    recorder_expect(&format_text, "run.log", "args: --shuffle False --batch_size 8 --lr 0.1\n",
                    "1: set shuffle=False\n"
                    "1: set batch_size=8\n"
                    "1: set lr=0.1\n");
}

/* A command over several lines; and prose, which speaks of options that nobody gave. */
static void options_without_a_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "python train.py \\\n"
                    "  --fp16 \\\n"
                    "  --optimizer adam \\\n"
                    "  --batch_size 8\n",
                    "2: set fp16=True\n"
                    "3: set optimizer=adam\n"
                    "4: set batch_size=8\n");
    recorder_expect(&format_text, "run.log",
                    "warning: --fp16 was removed, use --bf16 instead\n"
                    "a file.py -that -was not called\n",
                    "");
}

static void how_many_batches_is_not_how_large_they_are(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "total batch=51\n"
                    "number of batches: 51\n"
                    "total batch size: 64\n"
                    "Namespace(clip_grad=1.0, num mini-batches=51, batch=8, fp16=True, x=None)\n",
                    "3: set total batch size=64\n"
                    "4: set clip_grad=1.0\n"
                    "4: set batch=8\n"
                    "4: set fp16=True\n");
}

/* A rule of dashes in front of a place is no option, so the place counts. */
static void dashes_before_a_place_are_no_command(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "---Epoch.3 Train Loss: 2.5\n"
                    "--Epoch 4 Train Loss: 1.5\n"
                    "--epoch 5 loss 0.5\n",
                    "1: epoch 3 grain 4: Train Loss=2.5\n"
                    "2: epoch 4 grain 4: Train Loss=1.5\n"
                    "3: epoch 5 grain 4: loss=0.5\n");
}

/* What stands further in tells of the key over it, until a line stands as far out again. */
static void a_value_below_its_key(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "lr:\n"
                    "    desc: null\n"
                    "    value: 0.001\n"
                    "optimizer:\n"
                    "  name: adamw\n"
                    "scheduler:\n"
                    "  _target_: torch.optim.lr_scheduler.CosineAnnealingLR\n"
                    "model:\n"
                    "  name: resnet50\n"
                    "optimizer:\n"
                    "name: sgd\n"
                    "  value: 5\n",
                    "3: set lr=0.001\n"
                    "5: set optimizer=adamw\n"
                    "7: set scheduler=CosineAnnealingLR\n");
}

static void two_columns_below_a_heading(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Arguments:\n"
                    "  model            MLP\n"
                    "  epochs           10\n"
                    "  lr               0.05\n"
                    "  class_counts     [190, 10]\n"
                    "epoch 1 loss 2.5\n",
                    "3: set epochs=10\n"
                    "4: set lr=0.05\n"
                    "6: epoch 1 grain 4: loss=2.5\n");
    /* Of readings in two columns no heading says that they are set. */
    recorder_expect(&format_text, "run.log",
                    "Results:\n"
                    "  epoch            10\n"
                    "  loss             2.5\n",
                    "3: epoch 10 grain 8: loss=2.5\n");
}

static void dotted_dumps(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "  clip_grad ....................................... 1.0\n"
                    "  lr .............................................. 0.00015\n",
                    "1: set clip_grad=1.0\n"
                    "2: set lr=0.00015\n");
}

static void python_configurations(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "optimizer = dict(type='SGD', lr=0.02, momentum=0.9, weight_decay=0.0001)\n",
                    "1: set optimizer.type=SGD\n"
                    "1: set optimizer.lr=0.02\n"
                    "1: set optimizer.momentum=0.9\n"
                    "1: set optimizer.weight_decay=0.0001\n");
}

static void marks(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "stalldoc: fact clip=1.5\n", "1: set clip=1.5\n");
}

/* As people write them: names of several words, numbers with groups, a remark behind. */
static void names_of_several_words(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Total params: 1,250,858 (4.77 MB)\n"
                    "Trainable params: 37\n"
                    "Batch size: 32\n"
                    "Best batch of all: 32\n",
                    "1: set Total params=1,250,858\n"
                    "2: set Trainable params=37\n"
                    "3: set Batch size=32\n");
}

/* The model's print says nothing of the optimizer; a count of a part is not the model's. */
static void parts_of_the_model_are_not_the_run(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "  (rnn): LSTM(num_layers=4, dropout=0.2)\n"
                    "Number of non-embedding parameters: 1,176,764\n"
                    "Number of parameters: 1,279,787\n"
                    "optimizer: SGD(lr=0.1, momentum=0.8)\n",
                    "1: set LSTM.num_layers=4\n"
                    "1: set LSTM.dropout=0.2\n"
                    "3: set Number of parameters=1,279,787\n"
                    "4: set optimizer=SGD\n"
                    "4: set optimizer.lr=0.1\n"
                    "4: set optimizer.momentum=0.8\n");
}

static void a_heading_in_front_is_no_key(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "config: vocab_size=50257, n_layer=12, dropout=0.1\n",
                    "1: set vocab_size=50257\n"
                    "1: set n_layer=12\n"
                    "1: set dropout=0.1\n");
}

static void pairs_in_a_row_are_settings(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "hidden_size: 768\n"
                    "num_layers: 12\n"
                    "lr: 0.001\n"
                    "dropout_rate: 0.1\n"
                    "warmup: 100\n"
                    "loss_weight: 2.0\n",
                    "2: set num_layers=12\n"
                    "3: set lr=0.001\n"
                    "3: grain 8: lr=0.001\n"
                    "4: set dropout_rate=0.1\n"
                    "5: set warmup=100\n"
                    "6: grain 8: loss_weight=2\n");
}

static void logged_values_are_no_settings(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "step 1 lr 0.001 loss 2\n",
                    "1: step 1 grain 1: lr=0.001 loss=2\n");
}

/* It may change: what is set is heard beside each loss, and nowhere else. */
static void a_setting_is_heard_beside_a_loss(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 1 loss 2 batch_size 32\n"
                    "step 2 accuracy 0.5 batch_size 32\n",
                    "1: step 1 grain 1: loss=2 batch_size=32\n"
                    "2: step 2 grain 1: accuracy=0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(argument_dumps),
        cmocka_unit_test(command_lines),
        cmocka_unit_test(options_without_a_value),
        cmocka_unit_test(how_many_batches_is_not_how_large_they_are),
        cmocka_unit_test(dashes_before_a_place_are_no_command),
        cmocka_unit_test(a_value_below_its_key),
        cmocka_unit_test(two_columns_below_a_heading),
        cmocka_unit_test(dotted_dumps),
        cmocka_unit_test(python_configurations),
        cmocka_unit_test(marks),
        cmocka_unit_test(names_of_several_words),
        cmocka_unit_test(parts_of_the_model_are_not_the_run),
        cmocka_unit_test(a_heading_in_front_is_no_key),
        cmocka_unit_test(pairs_in_a_row_are_settings),
        cmocka_unit_test(logged_values_are_no_settings),
        cmocka_unit_test(a_setting_is_heard_beside_a_loss),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
