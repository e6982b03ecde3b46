/* JSON documents of several shapes. */
/* SPDX-License-Identifier: MIT */
#include "recorder.h"

extern const struct format format_json;

static void reads_lists_of_records(void **state)
{
    (void)state;
    recorder_expect(&format_json, "log",
                    "[\n"
                    "  {\n"
                    "    \"main/loss\": 1.5,\n"
                    "    \"validation/main/loss\": 2.5,\n"
                    "    \"epoch\": 1,\n"
                    "    \"iteration\": 600\n"
                    "  },\n"
                    "  {\"main/loss\": NaN, \"validation/main/loss\": 2, \"epoch\": 2, "
                    "\"iteration\": 1200}\n"
                    "]\n",
                    "2: step 600 epoch 1 grain 5: main/loss=1.5 validation/main/loss[v]=2.5\n"
                    "8: step 1200 epoch 2 grain 5: main/loss=nan validation/main/loss[v]=2\n");
}

static void reads_histories(void **state)
{
    (void)state;
    recorder_expect(&format_json, "history.json",
                    "{\"loss\": [2.5, 1.5],\n \"val_loss\": [3,\n4], \"lr\": [0.1]}",
                    "1: epoch 1 grain 4: loss=2.5\n1: epoch 2 grain 4: loss=1.5\n"
                    "2: epoch 1 grain 4: val_loss[v]=3\n3: epoch 2 grain 4: val_loss[v]=4\n"
                    "3: set lr=0.1\n");
}

static void reads_records_below_a_name(void **state)
{
    (void)state;
    recorder_expect(&format_json, "catboost_training.json",
                    "{\n\"meta\": {\"test_sets\": [], \"learn_metrics\": [{\"name\": \"RMSE\"}]},\n"
                    "\"iterations\": [\n"
                    "{\"learn\": [14.5], \"iteration\": 0, \"passed_time\": 1},\n"
                    "{\"learn\": [13.5, 2], \"iteration\": 1, \"passed_time\": 2}\n]}",
                    "4: step 0 grain 1: learn/RMSE=14.5 passed_time=1\n"
                    "5: step 1 grain 1: learn=13.5 learn/1=2 passed_time=2\n");
    recorder_expect(
        &format_json, "catboost_training.json",
        "{\n\"meta\": {\"learn_metrics\": [{\"name\": \"RMSE\"}, {\"name\": \"R2\"}],\n"
        "\"test_metrics\": [{\"name\": \"RMSE\", \"of\": {\"name\": \"no\"}}]},\n"
        "\"iterations\": [\n"
        "{\"learn\": [2.5, 0.5], \"iteration\": 0, \"test\": [3.5], \"other\": [7]}\n]}",
        "5: step 0 grain 1: learn/RMSE=2.5 learn/R2=0.5 test/RMSE[v]=3.5 other=7\n");
}

static void reads_columns_of_pandas(void **state)
{
    (void)state;
    recorder_expect(&format_json, "history.json",
                    "{\"loss\": {\"0\": 2.5, \"1\": 1.5}, \"acc\": {\"0\": 0.5}}",
                    "1: epoch 0 grain 4: loss=2.5\n1: epoch 1 grain 4: loss=1.5\n"
                    "1: epoch 0 grain 4: acc=0.5\n");
}

static void reads_exports_of_tensorboard(void **state)
{
    (void)state;
    recorder_expect(&format_json, "run-a-tag-val_loss.json",
                    "[[1700000000.5, 10, 2.5], [1700000001.5, 20, NaN], [1, 2]]",
                    "1: step 10 grain 1: val_loss[v]=2.5 t=1700000000\n"
                    "1: step 20 grain 1: val_loss[v]=nan t=1700000002\n");
}

static void last_values_are_one_record(void **state)
{
    (void)state;
    recorder_expect(&format_json, "metrics.json",
                    "{\n  \"epoch\": 3,\n  \"training_loss\": 0.5,\n  \"validation_loss\": 0.25,\n"
                    "  \"config\": {\"lr\": 1}\n}\n",
                    "5: set config/lr=1\n"
                    "1: epoch 3 grain 4: training_loss=0.5 validation_loss[v]=0.25\n");
}

static void what_holds_no_reading_is_settings(void **state)
{
    (void)state;
    recorder_expect(&format_json, "config.json",
                    "{\"vocab_size\": 50257, \"torch_dtype\": \"bfloat16\", \"tied\": true}",
                    "1: set vocab_size=50257\n1: set torch_dtype=bfloat16\n1: set tied=true\n");
}

static void says_where_a_document_breaks(void **state)
{
    (void)state;
    static struct recorder recorder;
    struct error error = {0};
    static const char text[] = "[{\"epoch\": 1, \"loss\": 2},\n{\"epoch\": 2, \"loss\": oops}]";
    assert_false(recorder_read(&recorder, &format_json, "log", text, strlen(text), 0, &error));
    assert_string_equal(recorder.text, "1: epoch 1 grain 4: loss=2\n");
    assert_int_equal(error.kind, ERROR_MALFORMED);
    assert_int_equal(error.place.line, 2);
}

static void bounds_the_nesting(void **state)
{
    (void)state;
    static struct recorder recorder;
    struct error error = {0};
    char text[200];
    memset(text, '[', sizeof(text));
    assert_false(recorder_read(&recorder, &format_json, "log", text, sizeof(text), 0, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
}

static void probes_single_documents(void **state)
{
    (void)state;
    assert_true(recorder_probe(&format_json, "log", "[\n{\"a\": 1}\n]\n") > 0);
    assert_true(recorder_probe(&format_json, "x.json", "{\"a\": 1}\n") > 60);
    assert_true(recorder_probe(&format_json, "x", "[\n{\"a\": 1},\n{\"a\"") > 0);
    assert_int_equal(recorder_probe(&format_json, "x", "{\"a\": 1}\n{\"a\": 1}\n"), 0);
    assert_int_equal(recorder_probe(&format_json, "x", "[1,  2000] loss: 2.3\n"), 0);
    assert_int_equal(recorder_probe(&format_json, "x", "{\n\"a\": 1\n}\nstep 1 loss 2\n"), 0);
    assert_int_equal(recorder_probe(&format_json, "x", "12\n"), 0);
    assert_int_equal(recorder_probe(&format_json, "x", ""), 0);
}

static const char sample[] =
    "{\"iterations\": [{\"iteration\": 1, \"loss\": [2.5, 1], \"x\": {\"y\": "
    "\"a\\u00e9\"}}, {\"iteration\": 2, \"loss\": 1}], \"acc\": [1, 2]}";

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_json, "a.json", sample, true);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_json, "a.json", sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_lists_of_records),
        cmocka_unit_test(reads_histories),
        cmocka_unit_test(reads_records_below_a_name),
        cmocka_unit_test(reads_columns_of_pandas),
        cmocka_unit_test(reads_exports_of_tensorboard),
        cmocka_unit_test(last_values_are_one_record),
        cmocka_unit_test(what_holds_no_reading_is_settings),
        cmocka_unit_test(says_where_a_document_breaks),
        cmocka_unit_test(bounds_the_nesting),
        cmocka_unit_test(probes_single_documents),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
