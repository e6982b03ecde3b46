/* What the cells of a notebook printed. */
/* SPDX-License-Identifier: MIT */
#include "recorder.h"

extern const struct format format_notebook;

static const char sample[] =
    "{\n"
    " \"cells\": [\n"
    "  {\n"
    "   \"cell_type\": \"code\",\n"
    "   \"outputs\": [\n"
    "    {\"name\": \"stdout\", \"output_type\": \"stream\", \"text\": [\n"
    "     \"step 1 loss 2.5\\n\",\n"
    "     \"step 2 loss\",\n"
    "     \" 2.25\\n\",\n"
    "     \"step 3 loss 2.125\"]}\n"
    "   ],\n"
    "   \"source\": [\"print('step 9 loss 9')\"]\n"
    "  },\n"
    "  {\"cell_type\": \"code\", \"outputs\": [{\"data\": {\n"
    "   \"image/png\": \"iVBORw0KGgo=\",\n"
    "   \"text/html\": [\"<table border=\\\"1\\\">\\n <thead><tr><th>epoch</th>\\n\",\n"
    "    \"<th>train_loss</th></tr></thead><tr><td>0</td><td>4.5</td></tr>\\n\",\n"
    "    \"<tr><td>1</td><td>3.5</td></tr></table>\"],\n"
    "   \"text/plain\": [\"<IPython.core.display.HTML object>\"]}, \"output_type\": "
    "\"display_data\"}]}\n"
    " ],\n"
    " \"metadata\": {}, \"nbformat\": 4\n"
    "}\n";

static void reads_streams_and_tables(void **state)
{
    (void)state;
    recorder_expect(&format_notebook, "a.ipynb", sample,
                    "7: step 1 grain 1: loss=2.5\n"
                    "8: step 2 grain 1: loss=2.25\n"
                    "10: step 3 grain 1: loss=2.125\n"
                    "14: event 1\n"
                    "17: epoch 0 grain 4: train_loss=4.5\n"
                    "18: epoch 1 grain 4: train_loss=3.5\n");
}

static void reads_old_worksheets(void **state)
{
    (void)state;
    recorder_expect(&format_notebook, "a.ipynb",
                    "{\"metadata\": {}, \"nbformat\": 3, \"worksheets\": [{\"cells\": [\n"
                    "{\"cell_type\": \"code\", \"input\": \"x\", \"outputs\": [\n"
                    "{\"output_type\": \"stream\", \"text\": \"step 1 loss 2.5\\nstep 2 loss "
                    "2.0\\n\"}]}]}]}",
                    "3: step 1 grain 1: loss=2.5\n"
                    "3: step 2 grain 1: loss=2\n");
}

static void knows_its_own(void **state)
{
    (void)state;
    assert_true(recorder_probe(&format_notebook, "a.ipynb", sample) > 90);
    assert_true(recorder_probe(&format_notebook, "a", sample) > 90);
    assert_int_equal(recorder_probe(&format_notebook, "a.json", "{\"cells\": [1]}"), 0);
    assert_int_equal(recorder_probe(&format_notebook, "a", "{}"), 0);
}

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_notebook, "a.ipynb", sample, false);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_notebook, "a.ipynb", sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_streams_and_tables),
        cmocka_unit_test(reads_old_worksheets),
        cmocka_unit_test(knows_its_own),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
