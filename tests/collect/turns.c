/* Restarts in one input: new runs, resumed ones, and what is neither. */
/* SPDX-License-Identifier: MIT */
#include "tape.h"

static const struct fed_shape by_step = {.names = {"loss"}, .grain = GRAIN_STEP};

static double falling(int64_t step)
{
    return 1 + 2.25 / (1 + 0.02 * (double)step);
}

static void fed_stretch(struct fed *fed, uint32_t shape, int64_t from, int64_t to, double shift)
{
    for (int64_t i = from; i < to; i++)
        fed_step(fed, shape, i, falling(i) + shift);
}

static void begins_a_new_run_where_the_loss_is_back_at_its_start(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    fed_stretch(&fed, shape, 1, 101, 0);
    fed_setting(&fed, "learning_rate", "0.5", SETTING_DUMP);
    fed_stretch(&fed, shape, 1, 51, 0);
    fed_end(&fed);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_text(runs[0].id, "run.log#1");
    assert_text(runs[1].id, "run.log#2");
    assert_int_equal(run_main(&runs[0], KIND_LOSS)->whole.points, 100);
    assert_int_equal(run_main(&runs[1], KIND_LOSS)->whole.points, 50);
    assert_int_equal(runs[1].segments[0].place.line, 102);
    assert_null(run_fact(&runs[0], "lr", STEP_NONE));
    assert_true(run_fact(&runs[1], "lr", STEP_NONE)->number == 0.5);
    fed_close(&fed);
}

/* `{'loss': 2.5, 'epoch': 0.25}`: no steps at all. */
static void fed_parts(struct fed *fed, uint32_t shape, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        struct position at = fed_nowhere;
        const double value = falling(i);
        at.epoch_fraction = (double)i / 64;
        fed_row(fed, shape, &at, &value, 1);
    }
}

static void begins_a_new_run_where_parts_of_epochs_do(void **unused)
{
    (void)unused;
    static const struct fed_shape by_epoch = {.names = {"loss"}, .grain = GRAIN_EPOCH};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_epoch);
    fed_parts(&fed, shape, 0, 100);
    fed_parts(&fed, shape, 60, 200); /* resumed: of that its loss says nothing */
    fed_parts(&fed, shape, 0, 50);
    fed_end(&fed);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    assert_int_equal(run_main(&runs[0], KIND_LOSS)->whole.points, 240);
    assert_int_equal(run_main(&runs[1], KIND_LOSS)->whole.points, 50);
    fed_close(&fed);
}

/* `Epoch 3` with no value, under it the losses of its batches. */
static void fed_headed(struct fed *fed, uint32_t shape, int64_t from, int64_t to)
{
    for (int64_t i = 4 * from; i < 4 * to; i++) {
        struct position at = fed_nowhere;
        const double value = falling(i);
        at.epoch = i / 4;
        at.generation = (uint32_t)(i / 4 + 1);
        fed_row(fed, shape, &at, &value, 1);
    }
}

static void begins_a_new_run_where_headings_of_epochs_do(void **unused)
{
    (void)unused;
    static const struct fed_shape headed = {
        .names = {"loss"}, .grain = GRAIN_CARRIED, .origin = ORIGIN_LINE};
    static const struct fed_shape bar = {
        .names = {"s/it"}, .grain = GRAIN_BATCH, .origin = ORIGIN_BAR};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &headed), pace = fed_bind(&fed, &bar);
    const double seconds = 0.5;
    for (int run = 0; run < 3; run++)
        for (int64_t epoch = 0; epoch < 20; epoch++) {
            struct position at = fed_nowhere;
            at.epoch = epoch;
            at.batch = at.batch_total = 4;
            fed_row(&fed, pace, &at, &seconds, 1);
            fed_headed(&fed, shape, epoch, epoch + 1);
        }
    fed_headed(&fed, shape, 12, 13); /* the best one is named at the end */
    fed_end(&fed);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 3);
    assert_int_equal(run_main(&runs[0], KIND_LOSS)->whole.points, 80);
    assert_int_equal(run_main(&runs[1], KIND_LOSS)->whole.points, 80);
    assert_int_equal(run_main(&runs[2], KIND_LOSS)->whole.points, 84);
    fed_close(&fed);
}

static void resumes_where_the_loss_goes_on(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    fed_stretch(&fed, shape, 1, 101, 0);
    fed_stretch(&fed, shape, 81, 151, 0);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->segment_count, 2);
    const struct series *loss = run_main(run, KIND_LOSS);
    assert_int_equal(loss->whole.points, 150);
    assert_int_equal(loss->segment_count, 2);
    assert_int_equal(loss->segments[0].points, 100);
    assert_int_equal(loss->segments[1].points, 70);
    assert_int_equal(run->segments[1].first_step, 81);
    assert_int_equal(run->segments[1].place.line, 101);
    assert_false(run->segments[1].resumed);
    fed_close(&fed);
}

static void resumes_where_a_message_says_so(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    fed_stretch(&fed, shape, 1, 101, 0);
    fed_life(&fed, EVENT_RESUME);
    fed_stretch(&fed, shape, 51, 151, 3);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->segment_count, 2);
    assert_true(run->segments[1].resumed);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 150);
    fed_close(&fed);
}

/* Of step 90 or so: a resume. Of long ago, or of what is to come: of another run. */
static void resumes_where_its_own_state_is_loaded(void **unused)
{
    (void)unused;
    static const int64_t states[] = {100, 90, 20, 5000};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const uint32_t shape = fed_bind(&fed, &by_step);
        fed_stretch(&fed, shape, 1, 101, 0);
        fed_load(&fed, states[i]);
        fed_stretch(&fed, shape, 101, 151, 3);
        fed_end(&fed);
        const struct run *run = fed_finish(&fed);
        assert_int_equal(run->segment_count, i < 2 ? 2 : 1);
        fed_close(&fed);
    }
}

/* The launcher starts what had begun once more: what is back at the start of the loss is lost. A
   person who resumes a run there begins another one. */
static void loses_what_a_job_that_is_started_again_does(void **unused)
{
    (void)unused;
    for (int restarted = 0; restarted < 2; restarted++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const uint32_t shape = fed_bind(&fed, &by_step);
        fed_stretch(&fed, shape, 1, 101, 0);
        fed_life(&fed, restarted ? EVENT_RESTART : EVENT_RESUME);
        fed_stretch(&fed, shape, 1, 51, 0);
        fed_end(&fed);
        const struct run *runs = fed_finish(&fed);
        assert_int_equal(fed.collection.run_count, restarted ? 1 : 2);
        assert_int_equal(runs[0].segment_count, restarted ? 2 : 1);
        fed_close(&fed);
    }
}

static void goes_on_where_a_banner_changes_nothing(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 0; i < 10; i++) {
        fed_stretch(&fed, shape, i * 30, i * 30 + 30, 0);
        fed_life(&fed, i % 2 ? EVENT_START : EVENT_RESUME);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->segment_count, 1);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 300);
    fed_close(&fed);
}

static void drops_nothing_where_two_write_into_one_file(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 0; i < 30; i++) {
        fed_stretch(&fed, shape, 10 * i, 10 * i + 10, 0);
        fed_stretch(&fed, shape, 400 + 10 * i, 410 + 10 * i, 0);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 600);
    assert_int_equal(run->segment_count, 1);
    fed_close(&fed);
}

static void believes_a_resume_where_there_are_no_places(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape bare = {.names = {"loss"}, .grain = GRAIN_CARRIED};
    const uint32_t shape = fed_bind(&fed, &bare);
    for (int64_t i = 0; i < 20; i++) {
        const double value = 3.5 - 0.1 * (double)i;
        if (i == 10)
            fed_life(&fed, EVENT_RESUME);
        fed_row(&fed, shape, &fed_nowhere, &value, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run->segment_count, 2);
    const struct series *loss = run_main(run, KIND_LOSS);
    assert_int_equal(loss->whole.points, 20);
    assert_int_equal(loss->segments[1].points, 10);
    fed_close(&fed);
}

/* Without places the state that was saved last is the run's own, any other is not. */
static void resumes_where_the_state_saved_last_is_loaded(void **unused)
{
    (void)unused;
    static const int64_t saved[] = {6000, 500, 0};
    for (size_t k = 0; k < sizeof saved / sizeof *saved; k++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape bare = {.names = {"loss"}, .grain = GRAIN_CARRIED};
        const uint32_t shape = fed_bind(&fed, &bare);
        for (int64_t i = 0; i < 20; i++) {
            const double value = 3.5 - 0.1 * (double)i;
            if (i == 10)
                fed_said(&fed, EVENT_SAVE, saved[k]);
            if (i == 12)
                fed_load(&fed, 6000);
            fed_row(&fed, shape, &fed_nowhere, &value, 1);
        }
        fed_end(&fed);
        assert_int_equal(fed_finish(&fed)->segment_count, k == 0 ? 2 : 1);
        fed_close(&fed);
    }
}

static void lets_validation_count_for_itself(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    struct fed_shape checked = by_step;
    checked.phase = PHASE_VALIDATION;
    const uint32_t shape = fed_bind(&fed, &by_step), second = fed_bind(&fed, &checked);
    for (int64_t i = 0; i < 5; i++) {
        fed_stretch(&fed, shape, i * 30, i * 30 + 30, 0);
        fed_stretch(&fed, second, 1, 10, 0);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    assert_int_equal(run->segment_count, 1);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 150);
    assert_non_null(run_main(run, KIND_VAL_LOSS));
    fed_close(&fed);
}

static void puts_each_name_into_the_run_it_belongs_to(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape speed = {.names = {"tokens per second"}, .grain = GRAIN_CARRIED};
    const uint32_t shape = fed_bind(&fed, &by_step), other = fed_bind(&fed, &speed);
    for (int64_t run = 0; run < 2; run++)
        for (int64_t i = 1; i <= 40; i++) {
            fed_step(&fed, shape, i, falling(i * 3));
            struct position at = fed_nowhere;
            at.step = i;
            at.generation = (uint32_t)i;
            const double value = 100 + (double)i;
            fed_row(&fed, other, &at, &value, 1);
        }
    fed_end(&fed);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(fed_series(&runs[i], "tokens per second")->whole.points, 40);
    fed_close(&fed);
}

/* `epoch: 3 step: 625`: the last step of each epoch, once an epoch. Back to the first or to a later
   one where the loss goes on. */
static void goes_back_by_its_epochs_where_the_step_stands(void **unused)
{
    (void)unused;
    static const struct fed_shape both = {.names = {"loss"}, .grain = GRAIN_STEP | GRAIN_EPOCH};
    for (int resumed = 0; resumed < 2; resumed++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const uint32_t shape = fed_bind(&fed, &both);
        for (int64_t i = 0; i < 45; i++) {
            struct position at = fed_nowhere;
            at.epoch = i < 30 ? i + 1 : i - 29 + (resumed ? 25 : 0);
            at.step = 625;
            const double value = falling(50 * at.epoch);
            fed_row(&fed, shape, &at, &value, 1);
        }
        fed_end(&fed);
        const struct run *runs = fed_finish(&fed);
        assert_int_equal(fed.collection.run_count, resumed ? 1 : 2);
        const struct track *last = &run_main(&runs[resumed ? 0 : 1], KIND_LOSS)->whole;
        assert_int_equal(last->last.step, (resumed ? 40 : 15) * 625);
        assert_int_equal(last->points, resumed ? 40 : 15);
        fed_close(&fed);
    }
}

enum { TURNS = 3, EPOCHS = 2, STEPS = 10, ROWS = TURNS * EPOCHS * STEPS };

/* Three starts of two epochs, whose steps count anew in each. */
static void feed_starts(struct fed *fed, size_t at_once)
{
    static const struct fed_shape both = {.names = {"loss"}, .grain = GRAIN_STEP | GRAIN_EPOCH};
    struct position positions[ROWS];
    double values[ROWS];
    uint64_t lines[ROWS], offsets[ROWS];
    const uint32_t shape = fed_bind(fed, &both);
    for (size_t i = 0; i < ROWS; i++) {
        positions[i] = fed_nowhere;
        positions[i].step = (int64_t)(i % STEPS);
        positions[i].epoch = (int64_t)(i / STEPS % EPOCHS) + 1;
        values[i] = falling((int64_t)(i % (EPOCHS * STEPS)));
        lines[i] = i + 1;
        offsets[i] = 50 * i;
    }
    for (size_t i = 0; i < ROWS; i += at_once) {
        const double *column = values + i;
        const int16_t places = 4;
        const struct rows rows = {.shape = shape,
                                  .count = at_once < ROWS - i ? at_once : ROWS - i,
                                  .values = &column,
                                  .places = &places,
                                  .positions = positions + i,
                                  .lines = lines + i,
                                  .offsets = offsets + i};
        assert_true(fed->sink->rows(fed->sink, &rows, NULL));
    }
}

static void cuts_rows_alike_however_many_come_at_once(void **unused)
{
    (void)unused;
    static const size_t at_once[] = {1, 7, STEPS, EPOCHS * STEPS, ROWS};
    for (size_t i = 0; i < sizeof(at_once) / sizeof(at_once[0]); i++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        feed_starts(&fed, at_once[i]);
        fed_end(&fed);
        const struct run *runs = fed_finish(&fed);
        assert_int_equal(fed.collection.run_count, TURNS);
        for (size_t r = 0; r < TURNS; r++) {
            const struct track *loss = &run_main(&runs[r], KIND_LOSS)->whole;
            assert_int_equal(loss->points, EPOCHS * STEPS);
            assert_int_equal(loss->first.step, 0);
            assert_int_equal(loss->last.step, EPOCHS * STEPS - 1);
        }
        fed_close(&fed);
    }
}

/* `Early stopping, best iteration is: [41] ...`, with the readings of step 41; another value there
   is a resume. */
static void a_record_told_once_more_is_no_restart(void **unused)
{
    (void)unused;
    for (int other = 0; other < 2; other++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const uint32_t shape = fed_bind(&fed, &by_step);
        fed_stretch(&fed, shape, 1, 101, 0);
        fed_stretch(&fed, shape, 41, 42, 0.001 * other);
        fed_end(&fed);
        const struct run *run = fed_finish(&fed);
        assert_int_equal(fed.collection.run_count, 1);
        const struct series *loss = run_main(run, KIND_LOSS);
        assert_int_equal(loss->whole.points, other ? 41 : 100);
        assert_int_equal(loss->whole.last.step, other ? 41 : 100);
        fed_close(&fed);
    }
}

/* A term that joins the loss late has no reading in a run that ended before. */
static void begins_a_new_run_where_a_part_is_missing(void **unused)
{
    (void)unused;
    static const struct fed_shape brief = {.names = {"avg_loss_a"}, .grain = GRAIN_STEP};
    static const struct fed_shape whole = {.names = {"avg_loss_a", "box_loss_a"},
                                           .grain = GRAIN_STEP};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t early = fed_bind(&fed, &brief), late = fed_bind(&fed, &whole);
    for (int64_t run = 0; run < 2; run++) {
        fed_stretch(&fed, early, 0, 9, 0);
        for (int64_t i = 9; run == 0 && i < 100; i++) {
            struct position at = fed_nowhere;
            at.step = i;
            const double values[] = {falling(i), 1.5};
            fed_row(&fed, late, &at, values, 2);
        }
    }
    fed_end(&fed);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 2);
    fed_close(&fed);
}

static void tells_the_folds_of_many_subjects_apart(void **unused)
{
    (void)unused;
    enum { FOLDS = 120, PASSES = 4 };
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int fold = 0; fold < FOLDS; fold++)
        fed_stretch(&fed, shape, 1, PASSES + 1, 0.01 * fold);
    fed_end(&fed);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, FOLDS);
    assert_int_equal(run_main(&runs[FOLDS - 1], KIND_LOSS)->whole.points, PASSES);
    fed_close(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_a_new_run_where_the_loss_is_back_at_its_start),
        cmocka_unit_test(begins_a_new_run_where_parts_of_epochs_do),
        cmocka_unit_test(begins_a_new_run_where_headings_of_epochs_do),
        cmocka_unit_test(resumes_where_the_loss_goes_on),
        cmocka_unit_test(resumes_where_a_message_says_so),
        cmocka_unit_test(loses_what_a_job_that_is_started_again_does),
        cmocka_unit_test(goes_on_where_a_banner_changes_nothing),
        cmocka_unit_test(drops_nothing_where_two_write_into_one_file),
        cmocka_unit_test(resumes_where_its_own_state_is_loaded),
        cmocka_unit_test(believes_a_resume_where_there_are_no_places),
        cmocka_unit_test(resumes_where_the_state_saved_last_is_loaded),
        cmocka_unit_test(lets_validation_count_for_itself),
        cmocka_unit_test(puts_each_name_into_the_run_it_belongs_to),
        cmocka_unit_test(goes_back_by_its_epochs_where_the_step_stands),
        cmocka_unit_test(cuts_rows_alike_however_many_come_at_once),
        cmocka_unit_test(a_record_told_once_more_is_no_restart),
        cmocka_unit_test(begins_a_new_run_where_a_part_is_missing),
        cmocka_unit_test(tells_the_folds_of_many_subjects_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
