/* Metrics of MLflow's file store. */
/* SPDX-License-Identifier: MIT */
#include "recorder.h"

extern const struct format format_mlflow;

static const char sample[] = "1628697792090 332.5 0\n1628697795789 nan 1\n";

static void the_file_names_the_series(void **state)
{
    (void)state;
    recorder_expect(&format_mlflow, "val_loss", sample,
                    "1: step 0 grain 1: val_loss[v]=332.5 t=1628697792\n"
                    "2: step 1 grain 1: val_loss[v]=nan t=1628697796\n");
    recorder_expect(&format_mlflow, "loss", "1628697792090 332.5\n1628697792990 2\n",
                    "1: step 1 grain 1: loss=332.5 t=1628697792\n"
                    "2: step 2 grain 1: loss=2 t=1628697793\n");
}

static void knows_its_own(void **state)
{
    (void)state;
    assert_true(recorder_probe(&format_mlflow, "loss", sample) > 80);
    assert_int_equal(recorder_probe(&format_mlflow, "loss", "1 2 3\n"), 0);
    assert_int_equal(recorder_probe(&format_mlflow, "loss", "1628697792090 a\n"), 0);
    assert_int_equal(recorder_probe(&format_mlflow, "loss", ""), 0);
}

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_mlflow, "loss", sample, false);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_mlflow, "loss", sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_names_the_series),
        cmocka_unit_test(knows_its_own),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
