/* JSON lines as readings. */
/* SPDX-License-Identifier: MIT */
#include "recorder.h"

extern const struct format format_jsonl;

static void reads_steps_and_values(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.jsonl",
                    "{\"step\": 1, \"loss\": 2.5, \"lr\": 1e-3}\n"
                    "{\"step\": 2, \"loss\": NaN, \"lr\": 1e-3}\r\n"
                    "\n"
                    "{\"step\": 2, \"val_loss\": -Infinity}\n",
                    "1: step 1 grain 1: loss=2.5 lr=0.001\n"
                    "2: step 2 grain 1: loss=nan lr=0.001\n"
                    "4: step 2 grain 1: val_loss[v]=-inf\n");
}

static void the_mode_tells_the_phase(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "x.log.json",
                    "{\"env_info\": \"sys.platform: linux\\nPython: 3\", \"seed\": 0}\n"
                    "{\"mode\": \"train\", \"epoch\": 1, \"iter\": 50, \"loss\": 1.5, \"d\": [1]}\n"
                    "{\"mode\": \"val\", \"epoch\": 1, \"iter\": 9, \"mAP\": 0.25}\n",
                    "1: set env_info=sys.platform: linux\nPython: 3\n"
                    "1: set seed=0\n"
                    "2: step 50 epoch 1 grain 5: loss=1.5\n"
                    "3: step 9 epoch 1 grain 5: mAP[v]=0.25\n");
}

static void values_named_by_a_member(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.jsonl",
                    "{\"metric\": \"train/loss\", \"step\": 1, \"value\": 2.5}\n"
                    "{\"metric\": \"val/loss\", \"step\": 1, \"value\": 2.75}\n"
                    "{\"step\": 2, \"value\": 1}\n",
                    "1: step 1 grain 1: train/loss=2.5\n"
                    "2: step 1 grain 1: val/loss[v]=2.75\n"
                    "3: step 2 grain 1: value=1\n");
}

static void strings_are_numbers(void **state)
{
    (void)state;
    recorder_expect(
        &format_jsonl, "a.jsonl",
        "{\"epoch\": 1, \"loss\": \"12.25\", \"num_updates\": \"100\"}\n"
        "{\"loss\": \"1.5\", \"epoch\": \"0.51\", \"global_step/max_steps\": \"9/20\"}\n",
        "1: step 100 epoch 1 grain 5: loss=12.25\n"
        "2: step 9/20 at 0.51 grain 1: loss=1.5\n");
}

static void nested_names_are_paths(void **state)
{
    (void)state;
    recorder_expect(
        &format_jsonl, "result.json",
        "{\"info\": {\"a\": {\"total_loss\": 3}, \"b\": {}}, \"training_iteration\": 1, "
        "\"timesteps_total\": 400, \"config\": {\"lr\": 0.1, \"m\": {\"x\": true}}, \"z\": [{}]}\n"
        "{\"info\": {\"a\": {\"total_loss\": 2}, \"b\": {}}, \"training_iteration\": 2, "
        "\"timesteps_total\": 800, \"config\": {\"lr\": 0.1, \"m\": {\"x\": true}}, \"z\": [{}]}\n",
        "1: set config/lr=0.1\n1: set config/m/x=true\n"
        "1: step 400 grain 1: info/a/total_loss=3\n"
        "2: step 800 grain 1: info/a/total_loss=2\n");
}

static void broken_lines_are_passed_over(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.jsonl",
                    "{\"step\": 1, \"loss\": 2}\n"
                    "{\"step\": 2, \"loss\n"
                    "Traceback (most recent call last):\n"
                    "{\"step\": 3, \"loss\": 1}}\n"
                    "{\"step\": 4, \"loss\": 1} {\"step\": 5}\n"
                    "{\"step\": 6, \"loss\": \"\\ud83d\\ude00\\\"\", \"lr\": 3}\n"
                    "{\"step\": 7, \"loss\": 123456789012345678901234567890, \"loss\": 4}",
                    "1: step 1 grain 1: loss=2\n"
                    "6: step 6 grain 1: lr=3\n"
                    "7: step 7 grain 1: loss=4\n");
}

static void what_stands_between_records_is_a_log(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.jsonl",
                    "{\"step\": 1, \"loss\": 2}\n"
                    "eval step 1 acc 0.5\n"
                    "{\"step\": 2, \"loss\": 1}\n"
                    "Traceback (most recent call last):\n"
                    "  File \"train.py\", line 3, in <module>\n"
                    "RuntimeError: CUDA error: uncorrectable ECC error encountered\n",
                    "2: step 1 grain 1: acc[v]=0.5\n"
                    "1: step 1 grain 1: loss=2\n"
                    "3: step 2 grain 1: loss=1\n");
}

static void a_record_may_name_its_value(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.jsonl",
                    "\xEF\xBB\xBF{\"name\": \"val_loss\", \"value\": 2.5, \"step\": 10}\n"
                    "{\"name\": \"lr\", \"value\": 0.5, \"step\": 10}\n",
                    "1: step 10 grain 1: val_loss[v]=2.5\n2: step 10 grain 1: lr=0.5\n");
}

static void time_stamps_are_times(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.jsonl",
                    "{\"ts\":1620000000.5,\"msg\":\"step\",\"step\":10,\"loss\":2.1}\n"
                    "{\"timestamp\":1620000000123,\"step\":11,\"loss\":2.1}\n"
                    "{\"time\":\"2021-05-03 00:00:01\",\"step\":12,\"loss\":2}\n"
                    "{\"time\":0.5,\"step\":13,\"loss\":2}\n",
                    "1: step 10 grain 1: loss=2.1 t=1620000000\n"
                    "2: step 11 grain 1: loss=2.1 t=1620000000\n"
                    "3: step 12 grain 1: loss=2 t=1620000001\n"
                    "4: step 13 grain 1: time=0.5 loss=2\n");
}

static void probes_whole_files_of_objects(void **state)
{
    (void)state;
    assert_true(recorder_probe(&format_jsonl, "a.log", "{\"a\": 1}\n{\"a\": 2}\n") > 80);
    assert_true(recorder_probe(&format_jsonl, "a.log", "{\"a\": 1}\n{\"a\": 2}\n{\"a\"") > 80);
    assert_int_equal(recorder_probe(&format_jsonl, "a.log", "{\"a\": 1}\nloss 3\n"), 0);
    assert_int_equal(recorder_probe(&format_jsonl, "a.log", "{'a': 1}\n{'a': 2}\n"), 0);
    assert_int_equal(recorder_probe(&format_jsonl, "a.json", "{\n\"a\": 1}\n"), 0);
    assert_int_equal(recorder_probe(&format_jsonl, "a.log", ""), 0);
}

static const char sample[] =
    "{\"step\": 1, \"loss\": 2.5, \"x\": {\"y\": \"a\\u00e9\"}}\n"
    "{\"step\": 2, \"loss\": 1.5, \"x\": {\"y\": \"b\"}, \"z\": [1, {}]}\n";

static const char printed[] =
    "{\"log\":\"step 1 loss 2.5\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:00.1Z\"}\n"
    "{\"log\":\"step 2 loss nan\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:01.1Z\"}\n";

static void what_a_container_printed_is_a_log(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "a.log", printed,
                    "1: step 1 grain 1: loss=2.5\n"
                    "2: step 2 grain 1: loss=nan\n");
    recorder_cut(&format_jsonl, "a.log", printed, true);
    recorder_starve(&format_jsonl, "a.log", printed);
}

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_jsonl, "a.jsonl", sample, true);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_jsonl, "a.jsonl", sample);
}

static void messages_of_records_are_lines_of_a_log(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "run.log",
                    "{\"severity\":\"INFO\",\"line\":12,\"textPayload\":\"loading 3 files\"}\n"
                    "{\"severity\":\"INFO\",\"line\":40,\"textPayload\":\"step 4 loss 2.5\"}\n"
                    "{\"severity\":\"INFO\",\"line\":40,\"textPayload\":\"step 8 loss 2.25\"}\n",
                    "1: set severity=INFO\n"
                    "1: set line=12\n"
                    "1: set textPayload=loading 3 files\n"
                    "2: step 4 grain 1: loss=2.5\n"
                    "3: step 8 grain 1: loss=2.25\n");
    recorder_expect(&format_jsonl, "run.log",
                    "{\"json\":{\"message\":\"epoch 1 val_loss: 0.5\\n\"},\"ts\":17.5}\n"
                    "{\"json\":{\"message\":\"epoch 2 val_loss: 0.25\\n\"},\"ts\":18.5}\n",
                    "1: epoch 1 grain 4: val_loss[v]=0.5\n"
                    "2: epoch 2 grain 4: val_loss[v]=0.25\n");
}

static void readings_of_a_record_come_before_its_message(void **state)
{
    (void)state;
    recorder_expect(&format_jsonl, "run.jsonl",
                    "{\"msg\":\"train loss 7\",\"step\":1,\"loss\":2.5}\n"
                    "{\"msg\":\"best loss 6\",\"step\":2}\n"
                    "{\"msg\":\"train loss 7\",\"step\":3,\"loss\":2.25}\n",
                    "1: step 1 grain 1: loss=2.5\n"
                    "3: step 3 grain 1: loss=2.25\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_steps_and_values),
        cmocka_unit_test(the_mode_tells_the_phase),
        cmocka_unit_test(values_named_by_a_member),
        cmocka_unit_test(strings_are_numbers),
        cmocka_unit_test(nested_names_are_paths),
        cmocka_unit_test(broken_lines_are_passed_over),
        cmocka_unit_test(what_stands_between_records_is_a_log),
        cmocka_unit_test(a_record_may_name_its_value),
        cmocka_unit_test(time_stamps_are_times),
        cmocka_unit_test(probes_whole_files_of_objects),
        cmocka_unit_test(what_a_container_printed_is_a_log),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
        cmocka_unit_test(messages_of_records_are_lines_of_a_log),
        cmocka_unit_test(readings_of_a_record_come_before_its_message),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
