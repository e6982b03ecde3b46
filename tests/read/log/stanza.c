/* Records of several lines whose place stands behind the values. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static const char dictionaries[] = "{\n"
                                   "  \"loss\": 2.5,\n"
                                   "  \"step\": 10,\n"
                                   "  \"acc\": 0.25\n"
                                   "}\n"
                                   "{'loss': 2.25,\n"
                                   " 'acc': 0.5,\n"
                                   " 'step': 20}\n";

static void a_dictionary_has_its_place_anywhere(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log", dictionaries,
                    "2: step 10 grain 8: loss=2.5\n"
                    "4: step 10 grain 8: acc=0.25\n"
                    "6: step 20 grain 8: loss=2.25\n"
                    "7: step 20 grain 8: acc=0.5\n");
}

static void groups_of_a_dictionary_are_phases(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "{\n"
                    "  \"train\": {\n"
                    "    \"loss\": 2.5\n"
                    "  },\n"
                    "  \"val\": {\n"
                    "    \"loss\": 2.75\n"
                    "  },\n"
                    "  \"gnorm\": 1.5,\n"
                    "  \"step\": 10\n"
                    "}\n",
                    "3: step 10 grain 8: loss=2.5\n"
                    "6: step 10 grain 8: loss[v]=2.75\n"
                    "8: step 10 grain 8: gnorm=1.5\n");
}

static void list_items_and_documents_end_where_the_next_begins(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "- loss: 2.5\n"
                    "  acc: 0.25\n"
                    "  step: 10\n"
                    "- loss: 2.25\n"
                    "  acc: 0.5\n"
                    "  step: 20\n"
                    "---\n"
                    "loss: 2.0\n"
                    "step: 30\n"
                    "---\n"
                    "loss: 1.5\n"
                    "step: 40\n",
                    "1: step 10 grain 8: loss=2.5\n"
                    "2: step 10 grain 8: acc=0.25\n"
                    "4: step 20 grain 8: loss=2.25\n"
                    "5: step 20 grain 8: acc=0.5\n"
                    "8: step 30 grain 8: loss=2\n"
                    "11: step 40 grain 8: loss=1.5\n");
}

static void pairs_below_a_heading_are_one_record(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "[INFO] metrics:\n"
                    "  loss: 2.5\n"
                    "  step: 10\n"
                    "[INFO] metrics:\n"
                    "  loss: 2.25\n"
                    "  step: 20\n"
                    "***** Eval results *****\n"
                    "  eval_loss = 2.0\n"
                    "  global_step = 25\n",
                    "2: step 10 grain 8: loss=2.5\n"
                    "5: step 20 grain 8: loss=2.25\n"
                    "8: step 25 grain 8: eval_loss[v]=2\n");
}

static void pairs_below_a_place_keep_it(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 10\n"
                    "  loss: 2.5\n"
                    "step 20\n"
                    "  loss: 2.25\n"
                    "loss: 2.0\n"
                    "step: 30\n"
                    "loss: 1.5\n",
                    "2: step 10 grain 8: loss=2.5\n"
                    "4: step 20 grain 8: loss=2.25\n"
                    "5: step 20 grain 8: loss=2\n"
                    "7: step 30 grain 8: loss=1.5\n");
}

static void what_holds_several_places_is_no_record(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "log:\n"
                    "  step: 10\n"
                    "  loss: 2.5\n"
                    "  step: 20\n"
                    "  loss: 2.25\n",
                    "3: step 10 grain 8: loss=2.5\n"
                    "5: step 20 grain 8: loss=2.25\n");
    recorder_expect(&format_text, "run.log",
                    "step 5\n"
                    "log:\n"
                    "  loss: 2.5\n"
                    "  loss: 2.25\n"
                    "  step: 10\n",
                    "3: step 5 grain 8: loss=2.5\n"
                    "4: step 5 grain 8: loss=2.25\n");
}

static void more_than_a_record_holds_goes_on_as_it_stands(void **state)
{
    (void)state;
    static struct recorder recorder;
    static char log[16 << 10];
    size_t used = (size_t)snprintf(log, sizeof(log), "step 1\n{\n");
    for (int i = 0; i < 80; i++)
        used += (size_t)snprintf(log + used, sizeof(log) - used, "\"loss\": 2.5,\n");
    snprintf(log + used, sizeof(log) - used, "\"step\": 9\n}\n");
    struct error error = {0};
    assert_true(recorder_read(&recorder, &format_text, "run.log", log, strlen(log), 0, &error));
    assert_non_null(strstr(recorder.text, "3: step 1 grain 8: loss=2.5\n4: step 1 "));
    assert_non_null(strstr(recorder.text, "82: step 1 grain 8: loss=2.5\n"));
}

static void cut_and_starved_records_break_nothing(void **state)
{
    (void)state;
    recorder_cut(&format_text, "run.log", dictionaries, false);
    recorder_starve(&format_text, "run.log", dictionaries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dictionary_has_its_place_anywhere),
        cmocka_unit_test(groups_of_a_dictionary_are_phases),
        cmocka_unit_test(list_items_and_documents_end_where_the_next_begins),
        cmocka_unit_test(pairs_below_a_heading_are_one_record),
        cmocka_unit_test(pairs_below_a_place_keep_it),
        cmocka_unit_test(what_holds_several_places_is_no_record),
        cmocka_unit_test(more_than_a_record_holds_goes_on_as_it_stands),
        cmocka_unit_test(cut_and_starved_records_break_nothing),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
