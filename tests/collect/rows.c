/* Rows to steps and points: what is printed again, what comes back, what is in an epoch. */
/* SPDX-License-Identifier: MIT */
#include "tape.h"

static const struct fed_shape by_step = {.names = {"loss"}, .grain = GRAIN_STEP};
static const struct fed_shape by_batch = {.names = {"loss"}, .grain = GRAIN_BATCH | GRAIN_EPOCH};

static struct position batch_at(int64_t epoch, int64_t batch, int64_t total)
{
    struct position at = fed_nowhere;
    at.epoch = epoch;
    at.batch = batch;
    at.batch_total = total;
    return at;
}

static void takes_steps_as_printed(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 1; i <= 100; i++)
        fed_step(&fed, shape, i * 10, 3 - 0.01 * (double)i);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    const struct series *loss = run_main(run, KIND_LOSS);
    assert_non_null(loss);
    assert_int_equal(loss->whole.points, 100);
    assert_int_equal(loss->whole.first.step, 10);
    assert_int_equal(loss->whole.last.step, 1000);
    assert_int_equal(run->segment_count, 1);
    assert_ptr_equal(loss->segments, &loss->whole);
    assert_int_equal(run->step_count, 100);
    assert_int_equal(run->segments[0].last_step, 1000);
    assert_text(run->id, "run.log");
    fed_close(&fed);
}

static void counts_a_step_printed_again_once(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 0; i < 40; i++) {
        fed_step(&fed, shape, i, 5);
        fed_step(&fed, shape, i, 3 - 0.01 * (double)i);
    }
    fed_end(&fed);
    const struct series *loss = run_main(fed_finish(&fed), KIND_LOSS);
    assert_int_equal(loss->whole.points, 40);
    assert_true(loss->whole.high.value < 4);
    assert_int_equal(loss->whole.last.line, 80);
    fed_close(&fed);
}

static void keeps_every_record_of_an_event_file(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "runs/a/events.out.tfevents.1", "runs", &fed_events);
    struct fed_shape shape = by_step;
    shape.origin = ORIGIN_EVENT;
    const uint32_t id = fed_bind(&fed, &shape);
    for (int64_t i = 0; i < 20; i++)
        fed_step(&fed, id, i / 2, 3);
    fed_step(&fed, id, 4, 3);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 21);
    assert_text(run->id, "runs/a");
    fed_close(&fed);
}

/* Each overflow halves the scale; no step is taken in between. */
static void keeps_every_loss_scale_of_one_step(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t loss = fed_bind(&fed, &by_step);
    const struct fed_shape change = {.names = {"loss scale"}, .grain = GRAIN_CARRIED};
    const uint32_t scale = fed_bind(&fed, &change);
    fed_step(&fed, loss, 40, 2.5);
    for (int i = 0; i < 6; i++)
        fed_step(&fed, scale, 40, ldexp(1, 10 - i));
    fed_end(&fed);
    const struct series *series = run_main(fed_finish(&fed), KIND_LOSS_SCALE);
    assert_non_null(series);
    assert_int_equal(series->whole.points, 6);
    fed_close(&fed);
}

static void counts_batches_through_the_epochs(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_batch);
    for (int64_t epoch = 1; epoch <= 3; epoch++)
        for (int64_t batch = 0; batch < 500; batch += 100) {
            const struct position at = batch_at(epoch, batch, 500);
            const double value = 3.5 - 0.1 * (double)epoch;
            fed_row(&fed, shape, &at, &value, 1);
        }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    const struct series *loss = run_main(run, KIND_LOSS);
    assert_int_equal(loss->whole.points, 15);
    assert_int_equal(loss->whole.last.step, 2 * 500 + 400);
    assert_int_equal(run_fact(run, "steps_per_epoch", STEP_NONE)->number, 500);
    fed_close(&fed);
}

/* Steps go on through the epochs that stand beside them. */
static void measures_epochs_by_the_steps_at_their_borders(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape both = {.names = {"loss"}, .grain = GRAIN_STEP | GRAIN_EPOCH};
    const uint32_t shape = fed_bind(&fed, &both);
    for (int64_t step = 10; step <= 500; step += 10) {
        struct position at = fed_nowhere;
        at.epoch = (step - 1) / 80;
        at.step = step;
        const double value = 2.5 - 0.001 * (double)step;
        fed_row(&fed, shape, &at, &value, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.last.step, 500);
    assert_int_equal(run_fact(run, "steps_per_epoch", STEP_NONE)->number, 80);
    fed_close(&fed);
}

static void takes_a_full_counter_for_the_line_of_an_epoch(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_batch);
    for (int64_t epoch = 1; epoch <= 5; epoch++) {
        struct position at = batch_at(epoch, 391, 391);
        at.epoch_total = 10;
        const double value = 2.5 - 0.1 * (double)epoch;
        fed_row(&fed, shape, &at, &value, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    const struct series *loss = run_main(run, KIND_LOSS);
    assert_int_equal(loss->whole.last.step, 5);
    assert_int_equal(loss->basis, BASIS_EPOCH_MEAN);
    assert_int_equal(run->planned_steps, 10);
    fed_close(&fed);
}

static void carries_a_named_step_over_the_epochs_it_falls_at(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape both = {.names = {"loss"}, .grain = GRAIN_STEP | GRAIN_EPOCH};
    const uint32_t shape = fed_bind(&fed, &both);
    for (int64_t epoch = 0; epoch < 3; epoch++)
        for (int64_t step = 0; step < 100; step += 10) {
            struct position at = fed_nowhere;
            at.epoch = epoch;
            at.step = step;
            const double value = 2.5 - 0.1 * (double)epoch;
            fed_row(&fed, shape, &at, &value, 1);
        }
    fed_end(&fed);
    fed_finish(&fed);
    assert_int_equal(fed.collection.run_count, 1);
    const struct series *loss = run_main(fed.collection.runs, KIND_LOSS);
    assert_int_equal(loss->whole.points, 30);
    assert_int_equal(loss->whole.last.step, 290);
    fed_close(&fed);
}

enum behind { BEHIND_ROW, BEHIND_HEADING, BEHIND_AGAIN };

/* Four passes of 140 steps that count anew, `epoch k: val_loss` or `End of epoch k` behind each; or
   the third begins as the first did and is told to be epoch 1. The runs; the last step of the
   first. */
static size_t passes(enum behind behind, int64_t *last)
{
    static const struct fed_shape evaluation = {.names = {"val_loss"}, .grain = GRAIN_EPOCH};
    static const struct fed_shape under = {.names = {"loss"}, .grain = GRAIN_STEP | GRAIN_EPOCH};
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t train = fed_bind(&fed, behind == BEHIND_HEADING ? &under : &by_step);
    const uint32_t test = fed_bind(&fed, &evaluation);
    for (int64_t pass = 0; pass < 4; pass++) {
        struct position at = fed_nowhere;
        at.step_total = 140;
        if (behind == BEHIND_HEADING && pass > 0)
            at.epoch = pass;
        for (at.step = 10; at.step <= 140; at.step += 10) {
            const double gone = 0.6 * (double)(behind == BEHIND_AGAIN ? pass % 2 : pass);
            const double value = 3 - gone - 0.001 * (double)at.step;
            fed_row(&fed, train, &at, &value, 1);
        }
        at = fed_nowhere;
        at.epoch = behind == BEHIND_AGAIN ? 1 + pass % 2 : 1 + pass;
        const double value = 3.25;
        if (behind != BEHIND_HEADING)
            fed_row(&fed, test, &at, &value, 1);
    }
    fed_end(&fed);
    fed_finish(&fed);
    const size_t runs = fed.collection.run_count;
    *last = run_main(fed.collection.runs, KIND_LOSS)->whole.last.step;
    fed_close(&fed);
    return runs;
}

static void epochs_may_be_told_behind_their_steps(void **unused)
{
    (void)unused;
    int64_t last;
    assert_int_equal(passes(BEHIND_ROW, &last), 1);
    assert_int_equal(last, 560);
    assert_int_equal(passes(BEHIND_HEADING, &last), 1);
    assert_int_equal(last, 560);
    assert_int_equal(passes(BEHIND_AGAIN, &last), 2);
    assert_int_equal(last, 280);
}

/* Lines without a place of their own under one place are points, but for the same value again. */
static void carried_values_are_points_where_they_differ(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape carried = {.names = {"loss"}, .grain = GRAIN_CARRIED};
    const uint32_t shape = fed_bind(&fed, &carried);
    static const double values[] = {2.5, 2.25, 2.25, 2.0, 1.75};
    for (size_t i = 0; i < 5; i++) {
        struct position at = fed_nowhere;
        at.step = i < 4 ? 50 : 100;
        fed_row(&fed, shape, &at, &values[i], 1);
    }
    fed_end(&fed);
    const struct series *loss = run_main(fed_finish(&fed), KIND_LOSS);
    assert_int_equal(loss->whole.points, 4);
    assert_int_equal(loss->whole.last.step, 100);
    fed_close(&fed);
}

/* Records without a place of their own are repeated as a whole or not at all: a rate that stands
   still beside a loss that moves is a point each time. */
static void carried_records_repeat_as_a_whole(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape carried = {.names = {"loss", "lr"}, .grain = GRAIN_CARRIED};
    const uint32_t shape = fed_bind(&fed, &carried);
    static const double values[][2] = {
        {2.5, 0.5}, {2.25, 0.5}, {2.25, 0.5}, {2.0, 0.5}, {1.5, 0.25}};
    for (size_t i = 0; i < 5; i++) {
        struct position at = fed_nowhere;
        at.epoch = i < 4 ? 3 : 4;
        fed_row(&fed, shape, &at, values[i], 2);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 4);
    assert_int_equal(run_main(run, KIND_LEARNING_RATE)->whole.points, 4);
    fed_close(&fed);
}

/* Batches that print their epoch alone are points; the line of an epoch printed twice is one. */
static void batches_of_an_epoch_are_points(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape by_epoch = {.names = {"loss"}, .grain = GRAIN_EPOCH};
    const uint32_t shape = fed_bind(&fed, &by_epoch);
    static const double values[] = {9.5, 8.5, 8.5, 7.5, 6.5};
    for (size_t i = 0; i < 5; i++) {
        struct position at = fed_nowhere;
        at.epoch = i < 4 ? 0 : 1;
        fed_row(&fed, shape, &at, &values[i], 1);
    }
    fed_end(&fed);
    const struct series *loss = run_main(fed_finish(&fed), KIND_LOSS);
    assert_int_equal(loss->whole.points, 4);
    assert_true(loss->whole.first.value == 9.5 && loss->whole.last.value == 6.5);
    fed_close(&fed);
}

/* Of batches that have moved so far one that has not is a point; in a log whose every line is
   printed twice it is not. */
static void batches_may_stand_still(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape by_epoch = {.names = {"loss", "lr"}, .grain = GRAIN_EPOCH};
    const uint32_t shape = fed_bind(&fed, &by_epoch);
    static const double moving[] = {9.5, 8.5, 7.5, 6.5, 6.5, 5.5};
    static const double doubled[] = {9.5, 9.5, 8.5, 8.5, 7.5, 7.5};
    struct position at = fed_nowhere;
    for (at.epoch = 0; at.epoch < 4; at.epoch++)
        for (size_t i = 0; i < 6; i++)
            fed_row(&fed, shape, &at, (double[]){moving[i], 0.125}, 2);
    fed_end(&fed);
    fed_begin(&fed, "twice.log", "", &fed_log);
    const uint32_t twice = fed_bind(&fed, &by_epoch);
    for (at.epoch = 0; at.epoch < 4; at.epoch++)
        for (size_t i = 0; i < 6; i++)
            fed_row(&fed, twice, &at, (double[]){doubled[i], 0.125}, 2);
    fed_end(&fed);
    const struct run *runs = fed_finish(&fed);
    assert_int_equal(run_main(&runs[0], KIND_LOSS)->whole.points, 24);
    assert_int_equal(run_main(&runs[0], KIND_LEARNING_RATE)->whole.points, 24);
    assert_int_equal(run_main(&runs[1], KIND_LOSS)->whole.points, 12);
    fed_close(&fed);
}

/* Points of the rate in an epoch whose losses and rates have lines of their own, `times` each. */
static uint64_t rates_alone(bool moves, int times)
{
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape losses = {.names = {"loss"}, .grain = GRAIN_CARRIED};
    const struct fed_shape rates = {.names = {"lr"}, .grain = GRAIN_CARRIED};
    const uint32_t loss = fed_bind(&fed, &losses), rate = fed_bind(&fed, &rates);
    struct position at = fed_nowhere;
    for (at.epoch = 0; at.epoch < 2; at.epoch++)
        for (int i = 0; i < 10; i++) {
            const double value = moves ? 2.5 - 0.125 * i - (double)at.epoch : 2.5;
            for (int k = 0; k < times; k++)
                fed_row(&fed, loss, &at, &value, 1);
            for (int k = 0; k < times; k++)
                fed_row(&fed, rate, &at, (double[]){0.125}, 1);
        }
    fed_end(&fed);
    const uint64_t points = run_main(fed_finish(&fed), KIND_LEARNING_RATE)->whole.points;
    fed_close(&fed);
    return points;
}

/* A rate that stands still on a line of its own is a point where the losses between have moved, and
   none where all is printed again. */
static void rates_alone_are_points_beside_losses_that_move(void **unused)
{
    (void)unused;
    assert_int_equal(rates_alone(true, 1), 20);
    assert_int_equal(rates_alone(false, 1), 2);
    assert_true(rates_alone(true, 2) <= 20);
}

/* Epochs 1 to 5 and then 4 to 8 under headings, with the total of epochs where `strong`. */
static void epochs_again(bool strong, enum origin origin, uint64_t points, uint64_t segments)
{
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const bool bar = origin == ORIGIN_BAR;
    const struct fed_shape shape = {.names = {"loss"},
                                    .grain = bar ? GRAIN_BATCH | GRAIN_EPOCH : GRAIN_CARRIED,
                                    .origin = origin};
    const uint32_t loss = fed_bind(&fed, &shape);
    for (uint32_t i = 0; i < 10; i++) {
        struct position at = bar ? batch_at(i < 5 ? 1 + i : i - 1, 20, 20) : fed_nowhere;
        at.epoch = i < 5 ? 1 + i : i - 1;
        at.epoch_total = strong ? 8 : STEP_NONE;
        at.strong = strong;
        at.generation = i;
        fed_row(&fed, loss, &at, (double[]){4 - 0.25 * (double)at.epoch - 0.01 * i}, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, points);
    assert_int_equal(run->segment_count, segments);
    fed_close(&fed);
}

/* Without a word of a resume: where the heading is plain, the epochs printed again are a segment.
 */
static void epochs_printed_again_are_a_segment(void **unused)
{
    (void)unused;
    epochs_again(true, ORIGIN_LINE, 8, 2);
    epochs_again(false, ORIGIN_LINE, 10, 1);
    epochs_again(true, ORIGIN_BAR, 8, 2);
    epochs_again(false, ORIGIN_BAR, 10, 1);
}

/* What the same bar drew at its end twice is one point, another bar at the same place another. */
static void a_bar_is_one_point(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape ends = {.names = {"loss"}, .grain = GRAIN_EPOCH, .origin = ORIGIN_BAR};
    const uint32_t shape = fed_bind(&fed, &ends);
    struct position at = fed_nowhere;
    for (at.epoch = 0; at.epoch < 3; at.epoch++)
        for (uint32_t i = 0; i < 4; i++) {
            at.generation = (uint32_t)at.epoch * 2 + i / 2;
            fed_row(&fed, shape, &at, (double[]){4 - (double)at.epoch - 0.125 * i}, 1);
        }
    fed_end(&fed);
    const struct series *loss = run_main(fed_finish(&fed), KIND_LOSS);
    assert_int_equal(loss->whole.points, 6);
    assert_true(loss->whole.first.value == 3.875);
    fed_close(&fed);
}

static void keeps_the_epochs_apart_from_the_steps(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape by_epoch = {.names = {"loss"}, .grain = GRAIN_EPOCH};
    const uint32_t step = fed_bind(&fed, &by_step), epoch = fed_bind(&fed, &by_epoch);
    for (int64_t i = 0; i < 20; i++) {
        fed_step(&fed, step, i, 3.25 - 0.1 * (double)i);
        struct position at = fed_nowhere;
        at.epoch = i / 10;
        const double value = 2.75 - (double)i;
        if (i % 10 == 9)
            fed_row(&fed, epoch, &at, &value, 1);
    }
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run->series_count, 2);
    assert_int_equal(run_main(run, KIND_LOSS)->whole.points, 20);
    assert_int_equal(run_series(run, KIND_LOSS, 1)->whole.points, 2);
    fed_close(&fed);
}

static void looks_only_at_the_window_of_steps(void **unused)
{
    (void)unused;
    struct fed fed = {.time = (double)NAN};
    const struct collector_options options = {
        .vocabulary = embedded_vocabulary(&fed.rules, NULL), .from = 10, .to = 19};
    fed.collector = collector_open(&fed.arena, &options, NULL);
    fed_begin(&fed, "run.log", "", &fed_log);
    const uint32_t shape = fed_bind(&fed, &by_step);
    for (int64_t i = 0; i < 100; i++)
        fed_step(&fed, shape, i, 1 / (double)(i + 1));
    fed_end(&fed);
    const struct series *loss = run_main(fed_finish(&fed), KIND_LOSS);
    assert_int_equal(loss->whole.points, 10);
    assert_int_equal(loss->whole.first.step, 10);
    fed_close(&fed);
}

static void refuses_settings_and_offers_them_as_facts(void **unused)
{
    (void)unused;
    struct fed fed;
    fed_open(&fed, RUN_AUTO);
    fed_begin(&fed, "run.log", "", &fed_log);
    const struct fed_shape dump = {
        .names = {"batch_size"}, .grain = GRAIN_CARRIED, .settings = true};
    const double value = 64;
    fed_row(&fed, fed_bind(&fed, &dump), &fed_nowhere, &value, 1);
    fed_end(&fed);
    const struct run *run = fed_finish(&fed);
    assert_int_equal(run->series_count, 0);
    const struct fact *fact = run_fact(run, "batch_size", STEP_NONE);
    assert_non_null(fact);
    assert_true(fact->number == 64);
    fed_close(&fed);
}

/* `dev | loss 2.1 | acc 0.5` without a place of its own, again and again: a score that stands still
   is one beside a loss that is a series, and a setting alone. */
static void a_score_that_stands_still_goes_with_its_loss(void **unused)
{
    (void)unused;
    for (int alone = 0; alone < 2; alone++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const struct fed_shape own = {.names = {"loss"}, .grain = GRAIN_STEP, .template = 1};
        const struct fed_shape dev = {.names = {alone ? "acc" : "loss", alone ? NULL : "acc"},
                                      .grain = GRAIN_CARRIED,
                                      .phase = PHASE_VALIDATION,
                                      .template = 2};
        const uint32_t trained = fed_bind(&fed, &own), held = fed_bind(&fed, &dev);
        for (int64_t i = 0; i < 20; i++) {
            const double values[] = {2.5 - 0.05 * (double)i, 0.5};
            struct position at = fed_nowhere;
            at.step = i;
            fed_step(&fed, trained, i, 2.5 - 0.06 * (double)i);
            if (i % 10 == 9)
                fed_row(&fed, held, &at, alone ? &values[1] : values, alone ? 1 : 2);
        }
        fed_end(&fed);
        const struct series *metric = run_main(fed_finish(&fed), KIND_VAL_METRIC);
        assert_true(alone ? !metric : metric && metric->whole.points == 2);
        fed_close(&fed);
    }
}

static void bears_the_end_of_memory(void **unused)
{
    (void)unused;
    for (size_t limit = 1;; limit = limit_after(limit)) {
        struct arena arena = {.limit = limit}, rules = {0};
        const struct collector_options options = {
            .vocabulary = embedded_vocabulary(&rules, NULL), .from = STEP_NONE, .to = STEP_NONE};
        struct collector *collector = collector_open(&arena, &options, NULL);
        struct sink *sink = NULL;
        struct error error = {0};
        struct collection collection;
        const bool begun =
            collector != NULL &&
            collector_begin(collector, "a.log", (struct text){"", 0}, &fed_log, 1, &sink, &error);
        bool good = begun;
        const struct column column = {TEXT("loss"), TEXT(""), PHASE_NONE};
        const struct shape shape = {
            .columns = &column, .column_count = 1, .grain = GRAIN_STEP, .rank = -1};
        uint32_t id = 0;
        good = good && sink->bind(sink, &shape, &id, &error);
        for (int64_t i = 0; good && i < 50; i++) {
            struct position at = fed_nowhere;
            at.step = i % 30;
            const double value = 1.5, *values[] = {&value};
            const uint64_t line = (uint64_t)i + 1;
            const struct rows rows = {.shape = id,
                                      .count = 1,
                                      .values = values,
                                      .positions = &at,
                                      .lines = &line,
                                      .offsets = &line};
            good = sink->rows(sink, &rows, &error);
        }
        /* An input is ended whatever became of it: that gives back what it held. */
        good = begun && collector_end(collector, STATUS_OK, 1, NULL, &error) && good &&
               collector_finish(collector, &collection, &error);
        if (!good && collector)
            assert_true(error.kind == ERROR_MEMORY);
        arena_free(&arena);
        arena_free(&rules);
        if (good)
            break;
    }
}

/* `Eval batches [100]`: each is another evaluation, where training has come to meanwhile; what is
   printed twice is one. A place that moves is its own. */
static void batches_of_an_evaluation_are_no_place(void **unused)
{
    (void)unused;
    static const struct fed_shape evaluation = {.names = {"val_loss"}, .grain = GRAIN_STEP};
    for (int64_t moves = 0; moves < 2; moves++) {
        struct fed fed;
        fed_open(&fed, RUN_AUTO);
        fed_begin(&fed, "run.log", "", &fed_log);
        const uint32_t train = fed_bind(&fed, &by_step), test = fed_bind(&fed, &evaluation);
        for (int64_t i = 1; i <= 20; i++) {
            fed_step(&fed, train, i * 500, 3 - 0.01 * (double)i);
            fed_step(&fed, test, 100 + moves * i, 3.5 - 0.01 * (double)i);
            fed_step(&fed, test, 100 + moves * i, 3.5 - 0.01 * (double)i);
        }
        fed_end(&fed);
        const struct series *loss = run_main(fed_finish(&fed), KIND_VAL_LOSS);
        assert_int_equal(loss->whole.points, 20);
        assert_int_equal(loss->whole.last.step, moves ? 120 : 10000);
        fed_close(&fed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_of_an_evaluation_are_no_place),
        cmocka_unit_test(takes_steps_as_printed),
        cmocka_unit_test(counts_a_step_printed_again_once),
        cmocka_unit_test(keeps_every_record_of_an_event_file),
        cmocka_unit_test(keeps_every_loss_scale_of_one_step),
        cmocka_unit_test(counts_batches_through_the_epochs),
        cmocka_unit_test(measures_epochs_by_the_steps_at_their_borders),
        cmocka_unit_test(takes_a_full_counter_for_the_line_of_an_epoch),
        cmocka_unit_test(carries_a_named_step_over_the_epochs_it_falls_at),
        cmocka_unit_test(epochs_may_be_told_behind_their_steps),
        cmocka_unit_test(batches_may_stand_still),
        cmocka_unit_test(keeps_the_epochs_apart_from_the_steps),
        cmocka_unit_test(carried_values_are_points_where_they_differ),
        cmocka_unit_test(carried_records_repeat_as_a_whole),
        cmocka_unit_test(batches_of_an_epoch_are_points),
        cmocka_unit_test(rates_alone_are_points_beside_losses_that_move),
        cmocka_unit_test(epochs_printed_again_are_a_segment),
        cmocka_unit_test(a_bar_is_one_point),
        cmocka_unit_test(looks_only_at_the_window_of_steps),
        cmocka_unit_test(refuses_settings_and_offers_them_as_facts),
        cmocka_unit_test(a_score_that_stands_still_goes_with_its_loss),
        cmocka_unit_test(bears_the_end_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
