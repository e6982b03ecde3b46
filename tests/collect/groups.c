/* Which inputs become one run. */
/* SPDX-License-Identifier: MIT */
#include "tape.h"

static const struct fed_shape by_step = {.names = {"loss"}, .grain = GRAIN_STEP};

static void fed_file(struct fed *fed, const char *path, int64_t from, int64_t to, double start)
{
    fed_begin(fed, path, "runs", &fed_log);
    const uint32_t shape = fed_bind(fed, &by_step);
    for (int64_t i = from; i < to; i++)
        fed_step(fed, shape, i, start / (1 + 0.01 * (double)i) + 0.125);
    fed_end(fed);
}

static void reads_files_that_go_on_as_parts(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_file(&fed, "runs/slurm-9.out", 0, 100, 3);
    fed_file(&fed, "runs/slurm-11.out", 190, 300, 3);
    fed_file(&fed, "runs/slurm-10.out", 90, 200, 3);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->input_count, 3);
    assert_int_equal(run->segment_count, 3);
    const struct series *loss = run_main(run, KIND_LOSS);
    assert_int_equal(loss->whole.points, 300);
    assert_int_equal(loss->whole.last.step, 299);
    assert_int_equal(loss->segments[1].first.step, 90);
    assert_int_equal(loss->segments[2].first.step, 190);
    assert_text(run->id, "runs");
    fed_close(&fed);
}

static void reads_a_sweep_as_runs_of_their_own(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_file(&fed, "runs/run1.log", 0, 100, 3);
    fed_file(&fed, "runs/run2.log", 0, 120, 4);
    fed_file(&fed, "runs/run3.log", 0, 80, 5);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 3);
    assert_text(runs[2].id, "runs/run3.log");
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(fed.collection.sources[i].run, i);
    fed_close(&fed);
}

static void lets_the_lowest_full_rank_speak(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_file(&fed, "runs/rank0.log", 0, 20, 3);
    fed_file(&fed, "runs/rank1.log", 0, 95, 3);
    fed_file(&fed, "runs/rank2.log", 0, 100, 3);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->speaking_rank, 1);
    assert_int_equal(run->series_count, 3);
    assert_int_equal(run_main(run, KIND_LOSS)->rank, 1);
    assert_null(run_series(run, KIND_LOSS, 1));
    fed_close(&fed);
}

static void joins_a_log_with_its_twin(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_file(&fed, "runs/job.err", 0, 0, 1);
    fed_file(&fed, "runs/job.out", 0, 50, 3);
    fed_file(&fed, "runs/other.out", 0, 50, 3);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(fed.collection.runs[0].input_count, 2);
    fed_close(&fed);
}

static void does_as_the_mode_says(void **unused)
{
    (void)unused;
    static const enum run_mode modes[] = {RUN_FILE, RUN_DIR, RUN_ALL};
    static const size_t counts[] = {3, 2, 1};
    for (size_t i = 0; i < 3; i++) {
        struct fed fed;
        fed_open(&fed, modes[i]);
        fed_file(&fed, "runs/a/1.out", 0, 50, 3);
        fed_file(&fed, "runs/a/2.out", 50, 99, 3);
        fed_file(&fed, "runs/b/1.out", 0, 50, 3);
        fed_finish(&fed);
        assert_int_equal(fed.collection.run_count, counts[i]);
        fed_close(&fed);
    }
}

static void keeps_what_could_not_be_read(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    const struct error damage = {.kind = ERROR_IO, .message = "gone"};
    assert_true(collector_note(fed.collector, "gone.log", TEXT(""), true, STATUS_UNREADABLE,
                               &damage, NULL));
    fed.input++;
    fed_file(&fed, "runs/a.log", 0, 50, 3);
    fed_finish(&fed);
    assert_int_equal(fed.collection.source_count, 2);
    assert_int_equal(fed.collection.sources[0].status, STATUS_UNREADABLE);
    assert_int_equal(fed.collection.sources[0].run, RUN_NONE);
    assert_int_equal(fed.collection.sources[1].run, 0);
    fed_close(&fed);
}

/* A text with two settings and no reading. */
static void fed_words(struct fed *fed, const char *path, const char *rate)
{
    fed_begin(fed, path, "runs", &fed_log);
    fed_setting(fed, "lr", rate, SETTING_DUMP);
    fed_end(fed);
}

static void takes_settings_beside_a_run_as_its_configuration(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_words(&fed, "runs/a/.hydra/config.yaml", "0.25");
    fed_words(&fed, "runs/a/args.txt", "0.5");
    fed_file(&fed, "runs/a/train.log", 0, 50, 3);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    const struct run *run = &fed.collection.runs[0];
    assert_int_equal(run->input_count, 3);
    assert_int_equal(run->inputs[0], 3);
    const struct fact *fact = run_fact(run, "lr", STEP_NONE);
    assert_non_null(fact);
    assert_int_equal(fact->source, FACT_CONFIG);
    fed_close(&fed);
}

static void gives_no_verdict_on_words_beside_several_runs(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_words(&fed, "runs/notes.txt", "0.5");
    fed_file(&fed, "runs/red.log", 0, 50, 3);
    fed_file(&fed, "runs/blue.log", 0, 50, 3);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(fed.collection.sources[0].status, STATUS_SKIPPED);
    assert_int_equal(fed.collection.sources[0].run, RUN_NONE);
    assert_null(run_fact(&fed.collection.runs[0], "lr", STEP_NONE));
    fed_close(&fed);
}

static void fed_results(struct fed *fed, const char *path, double loss)
{
    static const struct format document = {.name = "json", .group = FORMAT_DOCUMENT};
    fed_begin(fed, path, "runs", &document);
    fed_step(fed, fed_bind(fed, &by_step), 100, loss);
    fed_end(fed);
}

static void takes_final_results_for_no_run(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_file(&fed, "runs/train.log", 0, 50, 3);
    fed_results(&fed, "runs/results.json", 0.5);
    fed_results(&fed, "runs/broken.json", (double)NAN);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(fed.collection.runs[0].series_count, 1);
    assert_int_equal(run_main(&fed.collection.runs[0], KIND_LOSS)->whole.last.step, 49);
    assert_text(fed.collection.runs[1].id, "runs/broken.json");
    fed_close(&fed);
}

static void keeps_words_that_stand_alone(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_words(&fed, "runs/a.txt", "0.5");
    fed_words(&fed, "runs/b.txt", "0.5");
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(fed.collection.sources[0].status, STATUS_OK);
    fed_close(&fed);
}

/* A loss by epoch in an event file; "train" and "validation" are folders of one run. */
static void fed_epochs(struct fed *fed, const char *path, int64_t from, int64_t to)
{
    fed_begin(fed, path, "runs", &fed_events);
    const struct fed_shape shape = {
        .names = {"epoch_loss"}, .grain = GRAIN_STEP, .origin = ORIGIN_EVENT};
    const uint32_t id = fed_bind(fed, &shape);
    for (int64_t i = from; i < to; i++)
        fed_step(fed, id, i, 3.0 / (1 + (double)i));
    fed_end(fed);
}

static void a_validation_folder_goes_beside_and_not_behind(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_epochs(&fed, "runs/train/events.1", 0, 20);
    fed_epochs(&fed, "runs/train/events.2", 20, 40);
    fed_epochs(&fed, "runs/validation/events.1", 0, 20);
    fed_epochs(&fed, "runs/validation/events.2", 20, 40);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->segment_count, 2);
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        assert_int_equal(series->segments[0].points, 20);
        assert_int_equal(series->segments[1].points, 20);
    }
    fed_close(&fed);
}

static void fed_history(struct fed *fed, const char *path, int64_t to, double start)
{
    fed_begin(fed, path, "runs", &fed_document);
    const uint32_t shape = fed_bind(fed, &by_step);
    for (int64_t i = 0; i < to; i++)
        fed_step(fed, shape, i, start / (1 + 0.01 * (double)i) + 0.125);
    fed_end(fed);
}

static void a_history_that_is_told_again_is_no_run_of_its_own(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_history(&fed, "runs/checkpoint-20/trainer_state.json", 20, 3);
    fed_history(&fed, "runs/checkpoint-40/trainer_state.json", 40, 3);
    fed_history(&fed, "runs/trainer_state.json", 40, 3);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->input_count, 3);
    assert_int_equal(run->series_count, 1);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 40);
    assert_text(run->id, "runs");
    fed_close(&fed);
}

static void histories_that_differ_are_runs(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_history(&fed, "runs/checkpoint-20/trainer_state.json", 20, 3);
    fed_history(&fed, "runs/checkpoint-40/trainer_state.json", 40, 3.5);
    fed_history(&fed, "runs/other/trainer_state.json", 40, 3);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 3);
    fed_close(&fed);
}

static void a_folder_a_parameter_is_one_checkpoint(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"runs/global_step20_universal/zero/fc.weight/fp32.pt",
                                        "runs/global_step20_universal/zero/fc.bias/fp32.pt",
                                        "runs/global_step20_universal/mp_rank_00_model_states.pt",
                                        "runs/other/zero/fc.bias/fp32.pt"};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        fed_begin(&fed, paths[i], "runs", &fed_checkpoint);
        fed_end(&fed);
    }
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(run->input_count, 3);
    fed_close(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_that_is_told_again_is_no_run_of_its_own),
        cmocka_unit_test(a_folder_a_parameter_is_one_checkpoint),
        cmocka_unit_test(histories_that_differ_are_runs),
        cmocka_unit_test(a_validation_folder_goes_beside_and_not_behind),
        cmocka_unit_test(reads_files_that_go_on_as_parts),
        cmocka_unit_test(reads_a_sweep_as_runs_of_their_own),
        cmocka_unit_test(lets_the_lowest_full_rank_speak),
        cmocka_unit_test(joins_a_log_with_its_twin),
        cmocka_unit_test(does_as_the_mode_says),
        cmocka_unit_test(keeps_what_could_not_be_read),
        cmocka_unit_test(takes_settings_beside_a_run_as_its_configuration),
        cmocka_unit_test(gives_no_verdict_on_words_beside_several_runs),
        cmocka_unit_test(takes_final_results_for_no_run),
        cmocka_unit_test(keeps_words_that_stand_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
