/* trainer_state.json as readings. */
/* SPDX-License-Identifier: MIT */
#include "recorder.h"

extern const struct format format_trainer_state;

static const char sample[] =
    "{\n"
    "  \"best_metric\": null,\n"
    "  \"global_step\": 20,\n"
    "  \"log_history\": [\n"
    "    {\n"
    "      \"epoch\": 0.5,\n"
    "      \"grad_norm\": NaN,\n"
    "      \"learning_rate\": 5e-05,\n"
    "      \"loss\": 2.5,\n"
    "      \"step\": 10\n"
    "    },\n"
    "    {\"epoch\": 1.0, \"eval_loss\": 2.25, \"eval_runtime\": 3.5, \"step\": 10},\n"
    "    {\"epoch\": 1.0, \"step\": 20, \"train_loss\": 2.0, \"train_runtime\": 60.0}\n"
    "  ],\n"
    "  \"max_steps\": 20,\n"
    "  \"num_train_epochs\": 1\n"
    "}\n";

static void reads_the_history_and_not_the_summary(void **state)
{
    (void)state;
    recorder_expect(&format_trainer_state, "trainer_state.json", sample,
                    "5: step 10 at 0.5 grain 1: grad_norm=nan learning_rate=5e-05 loss=2.5\n"
                    "12: step 10 at 1 grain 1: eval_loss[v]=2.25 eval_runtime[v]=3.5\n"
                    "2: set best_metric=none\n"
                    "3: set global_step=20\n"
                    "15: set max_steps=20\n"
                    "16: set num_train_epochs=1\n");
}

static void knows_its_own(void **state)
{
    (void)state;
    assert_true(recorder_probe(&format_trainer_state, "a.json", sample) > 90);
    assert_int_equal(recorder_probe(&format_trainer_state, "a.json", "{\"a\": 1}"), 0);
    assert_int_equal(recorder_probe(&format_trainer_state, "a.jsonl", "{\"a\": 1}\n{}"), 0);
}

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_trainer_state, "trainer_state.json", sample, false);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_trainer_state, "trainer_state.json", sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_history_and_not_the_summary),
        cmocka_unit_test(knows_its_own),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
