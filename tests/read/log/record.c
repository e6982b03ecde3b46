/* Dictionaries and JSON objects in lines, alone and among other text. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void python_dictionaries(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{'loss': 1.5, 'grad_norm': 0.5, 'learning_rate': 2e-05, 'epoch': 0.25}\n",
                    "1: at 0.25 grain 4: loss=1.5 grad_norm=0.5 learning_rate=2e-05\n");
}

static void quoted_numbers_and_counters(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{'loss': '1.5', 'memory(GiB)': '12.5', 'global_step/max_steps': '96/294'}\n",
                    "1: step 96/294 grain 1: loss=1.5 memory(GiB)=12.5\n");
}

static void groups_give_their_name(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{\"epoch\": 1, \"train\": {\"loss\": 0.5}, \"val\": {\"loss\": 0.75, \"acc\": "
                    "{\"top1\": 50}}}\n",
                    "1: epoch 1 grain 4: train/loss=0.5 val/loss[v]=0.75 val/acc/top1[v]=50\n");
}

static void the_key_in_front_names_the_group(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "Losses {'ner': 1203.5, 'tagger': 2.5}\n"
                    "epoch: 3 logs: {'loss': 0.5}\n",
                    "1: grain 8: Losses/ner=1203.5 Losses/tagger=2.5\n"
                    "2: epoch 3 grain 4: logs/loss=0.5\n");
}

static void lists_of_quoted_keys_are_not_read(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", "{\"step\": 1, \"bbox\": [0.5, 0.25], \"loss\": 2}\n",
                    "1: step 1 grain 1: loss=2\n");
}

static void objects_behind_a_logger(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "2021-01-01 10:00:00 | INFO | train_inner | {\"epoch\": 1, \"loss\": \"9.5\", "
                    "\"num_updates\": \"100\"}\n",
                    "1: step 100 epoch 1 grain 5: loss=9.5 t=1609495200\n");
}

static void a_record_behind_a_bar(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "  1%|1         | 10/1000 [00:10<16:30,  1.00s/it]{'loss': 1.5, 'epoch': 0.01}\n",
        "1: batch 10 grain 2: s/it=1\n"
        "1: step 10 at 0.01 grain 4: loss=1.5\n"
        "1: batch 10 grain 2: s/it=1\n");
}

static void missing_values_are_none(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{'step': 1, 'loss': None, 'acc': 0.5}\n"
                    "{'step': 2, 'loss': 0.5, 'acc': 0.5}\n",
                    "1: step 1 grain 1: acc=0.5\n"
                    "2: step 2 grain 1: loss=0.5 acc=0.5\n");
}

static void a_member_names_the_value(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{\"metric\": \"loss\", \"value\": 2.5, \"step\": 1}\n"
                    "{\"metric\": \"accuracy\", \"value\": 0.5, \"step\": 1}\n"
                    "{\"metric\": \"val_loss\", \"value\": 2.75, \"step\": 2}\n",
                    "1: step 1 grain 1: loss=2.5\n"
                    "2: step 1 grain 1: accuracy=0.5\n"
                    "3: step 2 grain 1: val_loss[v]=2.75\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(python_dictionaries),
        cmocka_unit_test(quoted_numbers_and_counters),
        cmocka_unit_test(groups_give_their_name),
        cmocka_unit_test(the_key_in_front_names_the_group),
        cmocka_unit_test(lists_of_quoted_keys_are_not_read),
        cmocka_unit_test(objects_behind_a_logger),
        cmocka_unit_test(a_record_behind_a_bar),
        cmocka_unit_test(missing_values_are_none),
        cmocka_unit_test(a_member_names_the_value),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
