/* Tables as readings. */
/* SPDX-License-Identifier: MIT */
#include "recorder.h"

extern const struct format format_csv;

static void reads_sparse_rows(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "metrics.csv",
                    "epoch,step,train_loss_step,train_loss_epoch,val_loss\r\n"
                    "0,49,2.5,,\r\n"
                    "0,99,,,nan\r\n"
                    "0,99,,2.25,\r\n",
                    "2: step 49 epoch 0 grain 5: train_loss_step=2.5\n"
                    "3: step 99 epoch 0 grain 5: val_loss[v]=nan\n"
                    "4: step 99 epoch 0 grain 5: train_loss_epoch=2.25\n");
}

static void rows_without_a_place_are_counted(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "log.csv", "val_loss,loss\n2.5,2\n2.25,1\n",
                    "2: step 1 grain 1: val_loss[v]=2.5 loss=2\n"
                    "3: step 2 grain 1: val_loss[v]=2.25 loss=1\n");
}

static void names_may_be_padded_and_quoted(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "results.csv",
                    "               epoch,      train/box_loss, \"metrics/mAP_0.5:0.95\"\n"
                    "                   0,              0.0625,                 0.25\n",
                    "2: epoch 0 grain 4: train/box_loss=0.0625 metrics/mAP_0.5:0.95=0.25\n");
}

static void reads_tabs_semicolons_and_decimal_commas(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "learn_error.tsv", "iter\tRMSE\n0\t14.5\n1\t13.5\n",
                    "2: step 0 grain 1: RMSE=14.5\n3: step 1 grain 1: RMSE=13.5\n");
    recorder_expect(&format_csv, "a.csv",
                    "\xEF\xBB\xBF"
                    "step;loss;lr\n1;2,5;0,125\n2;1,5;0,125\n",
                    "2: step 1 grain 1: loss=2.5 lr=0.125\n"
                    "3: step 2 grain 1: loss=1.5 lr=0.125\n");
}

static void a_header_that_comes_again_is_a_start(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "a.csv", "step,loss\n1,2\nstep,loss\n1,3\nstep,loss,lr\n2,3,4\n",
                    "2: step 1 grain 1: loss=2\n"
                    "3: event 1\n"
                    "4: step 1 grain 1: loss=3\n"
                    "6: step 2 grain 1: loss=3 lr=4\n");
}

static void reads_clocks_and_suffixes(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "a.csv", "epoch,loss,time,samples\n0,#na#,01:10,2K\n",
                    "2: epoch 0 grain 4: time=70 samples=2000\n");
}

/* Its index counts the rows where nothing else does. */
static void the_index_of_pandas_begins_at_zero(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "log.csv", ",loss\n0,2.5\n1,2\n",
                    "2: step 0 grain 1: loss=2.5\n3: step 1 grain 1: loss=2\n");
    recorder_expect(&format_csv, "log.csv", ",loss\n7,2.5\n8,2\n",
                    "2: step 1 grain 1: loss=2.5\n3: step 2 grain 1: loss=2\n");
}

static void reads_what_tools_export(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "run-x-tag-train_loss.csv",
                    "Wall time,Step,Value\n1620000000.5,10,2.5\n",
                    "2: step 10 grain 1: train_loss=2.5 t=1620000000\n");
    recorder_expect(&format_csv, "a.csv",
                    "Unnamed: 0,time,epoch,loss\n0,2021-05-03 00:00:01,1,2.5\n",
                    "2: epoch 1 grain 4: loss=2.5 t=1620000001\n");
    recorder_expect(&format_csv, "progress.csv",
                    "config/lr,training_iteration,loss,config/opt\n0.5,1,2.5,adam\n",
                    "2: set config/lr=0.5\n2: set config/opt=adam\n"
                    "2: step 1 grain 1: loss=2.5\n");
}

/* Long form: every row tells one value and its name. */
static void rows_of_one_value_and_its_name(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "log.csv",
                    "epoch,split,metric,value\n1,train,loss,2.5\n1,val,loss,2.75\n"
                    "1,val,accuracy,0.5\n",
                    "2: epoch 1 grain 4: loss=2.5\n3: epoch 1 grain 4: loss[v]=2.75\n"
                    "4: epoch 1 grain 4: accuracy[v]=0.5\n");
    recorder_expect(&format_csv, "log.csv", "Step,Tag,Value\n10,loss,2.5\n",
                    "2: step 10 grain 1: loss=2.5\n");
}

static void probes_tables_only(void **state)
{
    (void)state;
    assert_true(recorder_probe(&format_csv, "a.csv", "step,loss\n1,2\n") > 80);
    assert_true(recorder_probe(&format_csv, "a.log", "step,loss\n1,2\n2,") > 70);
    assert_int_equal(recorder_probe(&format_csv, "a.log", "step,loss\n1,2\nTraceback\n"), 0);
    assert_int_equal(recorder_probe(&format_csv, "a.log", "Hello, world\nit goes, on\n"), 0);
    assert_int_equal(recorder_probe(&format_csv, "a.log", "loss: 1, acc: 2\nloss: 1, acc: 3\n"), 0);
    assert_int_equal(recorder_probe(&format_csv, "a.log", "1,2\n3,4\n"), 0);
    assert_int_equal(recorder_probe(&format_csv, "a.log",
                                    "epoch 0, loss is 2.5, time 1.5\n"
                                    "epoch 0, loss is 2.4, time 1.4\n"),
                     0);
    assert_int_equal(recorder_probe(&format_csv, "a.log", ""), 0);
}

static const char sample[] =
    "step,loss,\"a b\"\n1,2.5,x\n2,nan,\"1,2\"\n\n3,,4\nstep,loss,\"a b\"\n";

static void bears_being_cut(void **state)
{
    (void)state;
    recorder_cut(&format_csv, "a.csv", sample, false);
}

static void bears_little_memory(void **state)
{
    (void)state;
    recorder_starve(&format_csv, "a.csv", sample);
}

static void a_line_without_end_is_bounded(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    static char text[SIZE + 64];
    static struct recorder recorder;
    struct error error = {0};
    size_t used = (size_t)snprintf(text, sizeof(text), "step,loss\n1,2\n2,");
    memset(text + used, '9', SIZE);
    used += SIZE;
    used += (size_t)snprintf(text + used, sizeof(text) - used, "\n3,4\n");
    assert_true(recorder_read(&recorder, &format_csv, "a.csv", text, used, 0, &error));
    assert_non_null(strstr(recorder.text, "4: step 3 grain 1: loss=4\n"));
}

/* The second column of a name is a series of its own; a place is the same twice. */
static void columns_of_one_name(void **state)
{
    (void)state;
    recorder_expect(&format_csv, "log.csv", "step,loss,loss,step\n1,2.5,2.75,1\n2,2.25,2.5,2\n",
                    "2: step 1 grain 1: loss=2.5 loss#2=2.75\n"
                    "3: step 2 grain 1: loss=2.25 loss#2=2.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_sparse_rows),
        cmocka_unit_test(rows_without_a_place_are_counted),
        cmocka_unit_test(names_may_be_padded_and_quoted),
        cmocka_unit_test(reads_tabs_semicolons_and_decimal_commas),
        cmocka_unit_test(a_header_that_comes_again_is_a_start),
        cmocka_unit_test(reads_clocks_and_suffixes),
        cmocka_unit_test(reads_what_tools_export),
        cmocka_unit_test(rows_of_one_value_and_its_name),
        cmocka_unit_test(probes_tables_only),
        cmocka_unit_test(bears_being_cut),
        cmocka_unit_test(bears_little_memory),
        cmocka_unit_test(a_line_without_end_is_bounded),
        cmocka_unit_test(columns_of_one_name),
        cmocka_unit_test(the_index_of_pandas_begins_at_zero),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
