/* Arrays of samples: told by their names, or offered, and whose run they belong to. */
/* SPDX-License-Identifier: MIT */
#include "collect/collector.h"
#include "tape.h"

#include <stdio.h>

static enum tensor_role role(const char *name)
{
    return role_of_name(text_of(name));
}

static void names_tell_what_an_array_is(void **unused)
{
    (void)unused;
    static const char *const inputs[] = {"x",        "X_train",       "train_x",      "inputs",
                                         "features", "val.x",         "trainX",       "x_test_1",
                                         "images",   "test_features", "pixel_values", NULL};
    static const char *const targets[] = {"y",       "Y_train", "labels", "train-labels",
                                          "targets", "yTrain",  NULL};
    static const char *const neither[] = {"",
                                          "features.0.weight",
                                          "input.weight",
                                          "x_mask",
                                          "inputs_and_labels",
                                          "x_y",
                                          "weight",
                                          "data",
                                          "train",
                                          "arr_0",
                                          "classifier.bias",
                                          "label_embedding",
                                          "optimizer.state.0.exp_avg",
                                          NULL};
    for (size_t i = 0; inputs[i]; i++)
        assert_int_equal(role(inputs[i]), ROLE_INPUTS);
    for (size_t i = 0; targets[i]; i++)
        assert_int_equal(role(targets[i]), ROLE_TARGETS);
    for (size_t i = 0; neither[i]; i++)
        assert_int_equal(role(neither[i]), ROLE_WEIGHTS);
}

static const struct format fed_arrays = {.name = "npz", .group = FORMAT_CHECKPOINT};
static const float values[] = {1, 2, 3, 4, 5, 6};

struct sent {
    struct input *input;
    size_t count;
};

/* An input that holds arrays of three rows and two columns with these names. */
static void arrays_begin(struct fed *fed, const char *path, struct sent *sent)
{
    struct error error = {0};
    *sent = (struct sent){0};
    assert_true(input_memory((struct span){(const uint8_t *)values, sizeof(values)}, path, 9,
                             &sent->input, &error));
    fed_begin(fed, path, "runs", &fed_arrays);
}

static void array_send(struct fed *fed, const struct sent *sent, const char *name)
{
    const struct tensor_view view = {.name = text_of(name),
                                     .dtype = DTYPE_FLOAT32,
                                     .rank = 2,
                                     .shape = {3, 2},
                                     .stride = {2, 1},
                                     .input = sent->input,
                                     .size = sizeof(values)};
    assert_true(fed->sink->tensor(fed->sink, &view, NULL));
}

static void log_send(struct fed *fed, const char *path)
{
    fed_begin(fed, path, "runs", &fed_log);
    const uint32_t shape =
        fed_bind(fed, &(struct fed_shape){.names = {"loss"}, .grain = GRAIN_STEP});
    for (int64_t i = 0; i < 20; i++)
        fed_step(fed, shape, i, 2.5 - 0.03 * (double)i);
    fed_end(fed);
}

static void arrays_beside_a_log_are_measured_and_weights_are_not(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent;
    fed_open(&fed, RUN_AUTO);
    log_send(&fed, "runs/run.log");
    arrays_begin(&fed, "runs/data.npz", &sent);
    array_send(&fed, &sent, "x_train");
    array_send(&fed, &sent, "y_train");
    array_send(&fed, &sent, "dense.weight");
    fed_end(&fed);
    input_close(sent.input);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->tensor_count, 3);
    assert_int_equal(run->tensors[0].role, ROLE_INPUTS);
    assert_int_equal(run->tensors[1].role, ROLE_TARGETS);
    assert_int_equal(run->tensors[2].role, ROLE_WEIGHTS);
    assert_int_equal(run->tensors[0].samples->features.width, 2);
    assert_true(run->tensors[0].samples->features.features[1].mean == 4);
    assert_int_equal(run->tensors[0].samples->labels.count, 0);
    assert_int_equal(run->tensors[1].samples->labels.distinct, 6);
    assert_null(run->tensors[2].samples);
    fed_close(&fed);
}

static void a_bare_array_is_told_by_its_file(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent;
    fed_open(&fed, RUN_AUTO);
    arrays_begin(&fed, "runs/X_train.npy", &sent);
    array_send(&fed, &sent, "(array)");
    fed_end(&fed);
    input_close(sent.input);
    const struct run *run = fed_finish(&fed);
    assert_text(run->tensors[0].name, "(array)");
    assert_int_equal(run->tensors[0].role, ROLE_INPUTS);
    assert_text(run->tensors[0].samples->name, "X_train");
    fed_close(&fed);
}

static void of_an_array_that_was_not_unpacked_the_head_tells(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent;
    fed_open(&fed, RUN_AUTO);
    arrays_begin(&fed, "runs/data.npz", &sent);
    const struct tensor_view view = {.name = TEXT("x_train"),
                                     .dtype = DTYPE_FLOAT32,
                                     .rank = 2,
                                     .absent = true,
                                     .head = true,
                                     .shape = {1000, 2},
                                     .stride = {2, 1},
                                     .input = sent.input,
                                     .size = 20}; /* two samples and a half */
    assert_true(fed.sink->tensor(fed.sink, &view, NULL));
    fed_end(&fed);
    input_close(sent.input);
    const struct run *run = fed_finish(&fed);
    assert_false(run->tensors[0].measured);
    assert_int_equal(run->tensors[0].shape[0], 1000);
    assert_int_equal(run->tensors[0].stats.count, 4);
    assert_int_equal(run->tensors[0].samples->features.rows, 2);
    assert_true(run->tensors[0].samples->features.features[1].mean == 3);
    fed_close(&fed);
}

static void arrays_of_a_folder_without_a_log_are_one_run(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent[3];
    static const char *const paths[] = {"runs/x.npy", "runs/y.npy", "runs/model.npz"};
    fed_open(&fed, RUN_AUTO);
    for (size_t i = 0; i < 3; i++) {
        arrays_begin(&fed, paths[i], &sent[i]);
        array_send(&fed, &sent[i], i < 2 ? "(array)" : "dense.weight");
        fed_end(&fed);
        input_close(sent[i].input);
    }
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(run->tensor_count, 2);
    assert_int_equal(run->checkpoint_count, 0);
    assert_int_equal(run->tensors[0].role, ROLE_INPUTS);
    assert_int_equal(run->tensors[1].role, ROLE_TARGETS);
    fed_close(&fed);
}

static void so_many_arrays_are_kept_and_no_more(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent;
    size_t kept = 0;
    fed_open(&fed, RUN_AUTO);
    arrays_begin(&fed, "runs/data.npz", &sent);
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof(name), "x_%d", i);
        array_send(&fed, &sent, name);
    }
    fed_end(&fed);
    input_close(sent.input);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run->tensor_count, 100);
    for (size_t i = 0; i < run->tensor_count; i++) {
        assert_int_equal(run->tensors[i].role, ROLE_INPUTS);
        kept += run->tensors[i].samples != NULL;
    }
    assert_int_equal(kept, 32);
    fed_close(&fed);
}

static void what_is_offered_goes_with_every_run(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent;
    struct error why;
    fed_open(&fed, RUN_FILE);
    log_send(&fed, "runs/a.log");
    log_send(&fed, "runs/b.log");
    arrays_begin(&fed, "elsewhere.npz", &sent);
    collector_offer(fed.collector, ROLE_INPUTS, TEXT("table"));
    array_send(&fed, &sent, "index");
    array_send(&fed, &sent, "table");
    fed_end(&fed);
    assert_true(collector_offered(fed.collector, &why));
    input_close(sent.input);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(runs[i].input_count, 2);
        assert_int_equal(runs[i].tensor_count, 1);
        assert_text(runs[i].tensors[0].name, "table");
        assert_int_equal(runs[i].tensors[0].role, ROLE_INPUTS);
    }
    fed_close(&fed);
}

static void says_which_arrays_there_are_where_none_is_meant(void **unused)
{
    (void)unused;
    struct fed fed;
    struct sent sent;
    struct error why;
    fed_open(&fed, RUN_AUTO);
    for (int named = 0; named < 2; named++) {
        arrays_begin(&fed, "elsewhere.npz", &sent);
        collector_offer(fed.collector, ROLE_TARGETS, named ? TEXT("prices") : TEXT(""));
        array_send(&fed, &sent, "arr_0");
        array_send(&fed, &sent, "arr_1");
        fed_end(&fed);
        assert_false(collector_offered(fed.collector, &why));
        assert_non_null(strstr(why.message, named ? "no array of that name" : "FILE:NAME"));
        assert_non_null(strstr(why.message, "arr_0, arr_1"));
        input_close(sent.input);
    }
    arrays_begin(&fed, "elsewhere.npz", &sent);
    collector_offer(fed.collector, ROLE_TARGETS, TEXT(""));
    array_send(&fed, &sent, "features");
    array_send(&fed, &sent, "labels");
    fed_end(&fed);
    assert_true(collector_offered(fed.collector, &why));
    input_close(sent.input);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->tensor_count, 1);
    assert_text(run->tensors[0].name, "labels");
    fed_close(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_what_an_array_is),
        cmocka_unit_test(arrays_beside_a_log_are_measured_and_weights_are_not),
        cmocka_unit_test(a_bare_array_is_told_by_its_file),
        cmocka_unit_test(of_an_array_that_was_not_unpacked_the_head_tells),
        cmocka_unit_test(arrays_of_a_folder_without_a_log_are_one_run),
        cmocka_unit_test(so_many_arrays_are_kept_and_no_more),
        cmocka_unit_test(what_is_offered_goes_with_every_run),
        cmocka_unit_test(says_which_arrays_there_are_where_none_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
