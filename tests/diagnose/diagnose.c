/* diagnose: status, exit code, headline, what changed before, how the run ended. */
/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "made_tensor.h"
#include "used.h"

#include "stalldoc/diagnosis.h"

static struct used used;
static struct arena arena;
static const struct rules *rules;
static struct source sources[2];
static struct collection collection;
static struct diagnosis diagnosis;
static struct diagnose_options options;
static double values[1000], others[1000];

static int open_run(void **state)
{
    (void)state;
    used_begin(&used);
    memset(sources, 0, sizeof(sources));
    memset(&options, 0, sizeof(options));
    options.fail_confidence = 0.7;
    static const uint32_t inputs[] = {1};
    sources[0] = (struct source){.path = TEXT("run.log"), .named = true, .counts.lines = 412};
    used.run.inputs = inputs;
    used.run.input_count = 1;
    used.run.first_step = 1;
    used.run.last_step = 200;
    used.run.step_count = 200;
    used.run.collection = &collection;
    collection = (struct collection){
        .sources = sources, .source_count = 1, .runs = &used.run, .run_count = 1};
    struct error error = {0};
    if (!rules)
        rules = rules_load(&arena, NULL, &error);
    return rules ? 0 : -1;
}

static int close_run(void **state)
{
    (void)state;
    used_end(&used);
    return 0;
}

static const struct verdict *run_it(void)
{
    struct error error = {0};
    assert_true(diagnose(&collection, rules, &options, &used.arena, &diagnosis, &error));
    return &diagnosis.verdicts[0];
}

static void falling(double from, double to)
{
    for (size_t i = 0; i < 200; i++)
        values[i] = to + (from - to) * exp(-(double)i / 60) + 0.02 * sin((double)i * 1.7);
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
}

static void a_run_that_falls_is_healthy(void **state)
{
    (void)state;
    falling(10.8, 2.31);
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->status, STATUS_HEALTHY);
    assert_int_equal(diagnosis.exit_code, 0);
    assert_null(diagnosis.reason);
    assert_int_equal(verdict->end, END_UNKNOWN);
    assert_true(text_starts(verdict->headline, "loss 10.8 to 2.6"));
    assert_true(text_ends(verdict->headline, " over 200 steps, still falling"));
}

static void a_loss_of_nan_is_failing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++)
        values[i] = i < 150 ? 9 * exp(-(double)i / 90) : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->status, STATUS_FAILING);
    assert_int_equal(verdict->worst, SEVERITY_ERROR);
    assert_int_equal(verdict->errors, 1);
    assert_int_equal(verdict->last_good_step, 150);
    assert_int_equal(diagnosis.exit_code, 1);
    assert_string_equal(diagnosis.reason, "1 finding at or over --fail-on=error");
    assert_true(text_starts(verdict->headline, "loss turned NaN at step 151"));
    assert_true(verdict->cause_count > 0);
}

static void options_decide_what_fails(void **state)
{
    static const char *const none[] = {"none", NULL}, *const id[] = {"loss-zero", "nan-loss", NULL};
    (void)state;
    a_loss_of_nan_is_failing(state);
    options.fail_on = none;
    run_it();
    assert_int_equal(diagnosis.exit_code, 0);
    options.fail_on = id;
    run_it();
    assert_int_equal(diagnosis.exit_code, 1);
    assert_string_equal(diagnosis.reason, "1 finding at or over --fail-on=loss-zero,nan-loss");
    options.exit_zero = true;
    run_it();
    assert_int_equal(diagnosis.exit_code, 0);
}

static void an_unsure_error_counts_as_a_warning(void **state)
{
    (void)state;
    options.fail_confidence = 1.01;
    for (size_t i = 0; i < 200; i++)
        values[i] = i < 150 ? 9 * exp(-(double)i / 90) : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->status, STATUS_SUSPECT);
    assert_int_equal(diagnosis.exit_code, 0);
}

static void nothing_to_judge_is_no_verdict(void **state)
{
    (void)state;
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->status, STATUS_UNKNOWN);
    assert_text(verdict->headline, "no training series, no tensors, no known message in 412 lines");
    assert_int_equal(diagnosis.exit_code, 2);
    assert_non_null(diagnosis.reason);
}

/* Arrays that are named by a file beside them, say, and stand in a form that is not read. */
static void tensors_without_values_are_no_verdict(void **state)
{
    (void)state;
    struct tensor tensors[] = {made_tensor("fc.weight", 4, 4, 1), made_tensor("fc.bias", 4, 1, 1)};
    tensors[0].measured = tensors[1].measured = false;
    used.run.tensors = tensors;
    used.run.tensor_count = 2;
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->status, STATUS_UNKNOWN);
    assert_text(verdict->headline,
                "no training series, and the values of no tensor (2 named) were read");
    tensors[1].measured = true;
    verdict = run_it();
    assert_int_equal(verdict->status, STATUS_HEALTHY);
    assert_text(verdict->headline, "1 tensor, nothing wrong with it");
    used.run.tensor_count = 0;
}

static void an_unreadable_input_is_outranked_by_a_finding(void **state)
{
    (void)state;
    sources[1] = (struct source){
        .path = TEXT("gone.log"), .named = true, .status = STATUS_UNREADABLE, .run = RUN_NONE};
    collection.source_count = 2;
    falling(10.8, 2.31);
    run_it();
    assert_int_equal(diagnosis.exit_code, 2);
    assert_string_equal(diagnosis.reason, "gone.log could not be read");
    used.run.series_count = 0;
    a_loss_of_nan_is_failing(state);
}

static void tells_what_changed_before(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        values[i] = i < 150 ? 9 * exp(-(double)i / 90) : (double)NAN;
        others[i] = i < 147 ? 0.001 : 0.01;
    }
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    used_series(&used, KIND_LEARNING_RATE, "lr", others, 200, 4);
    used_fact(&used, "batch_size", "64", 64);
    used.facts[0].step = 146;
    used_fact(&used, "sequence_length", "64", 64);
    used.facts[1].step = 20;
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->before_count, 2);
    assert_text(verdict->before[0].text, "batch_size became 64");
    assert_text(verdict->before[1].text, "the learning rate went from 0.001 to 0.01");
    assert_int_equal(verdict->before[1].step, 148);
}

static void tells_moves_in_one_with_what_held_before(void **state)
{
    (void)state;
    /* A thousand readings share buckets: the move is told once, at the line where it began. */
    for (size_t i = 0; i < 1000; i++) {
        values[i] = i < 950 ? 9 * exp(-(double)i / 400) : (double)NAN;
        others[i] = i < 930 ? 65536 : 16384;
    }
    used_series(&used, KIND_LOSS, "loss", values, 1000, 4);
    used_series(&used, KIND_LOSS_SCALE, "loss_scale", others, 1000, 0);
    used_fact(&used, "batch_size", "32", 32);
    used_fact(&used, "batch_size", "64", 64);
    used.facts[1].step = 946;
    used.run.last_step = (int64_t)(used.run.step_count = 1000);
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->before_count, 2);
    assert_text(verdict->before[0].text, "the loss scale went from 65536 to 16384");
    assert_int_equal(verdict->before[0].step, 931);
    assert_text(verdict->before[1].text, "batch_size went from 32 to 64");
}

static void tells_the_end_of_a_warm_up_and_of_an_epoch(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        values[i] = i < 104 ? 9 * exp(-(double)i / 90) : (double)NAN;
        others[i] = i < 100 ? 1e-5 * (double)(i + 1) : 1e-3;
    }
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    used_series(&used, KIND_LEARNING_RATE, "lr", others, 200, 5);
    used_fact(&used, "steps_per_epoch", "51", 51);
    const struct verdict *verdict = run_it();
    assert_int_equal(verdict->before_count, 2);
    assert_text(verdict->before[0].text, "the learning rate reached its peak of 0.001");
    assert_int_equal(verdict->before[0].step, 100);
    assert_text(verdict->before[1].text, "epoch 2 ended at step 102");
    /* Epochs of five steps end all the time. */
    used.facts[0].number = 5;
    assert_int_equal(run_it()->before_count, 1);
}

static void tells_that_the_plan_was_reached(void **state)
{
    (void)state;
    falling(10.8, 2.31);
    used.run.planned_steps = 200;
    assert_int_equal(run_it()->end, END_FINISHED);
}

static void proposes_what_would_decide(void **state)
{
    (void)state;
    a_loss_of_nan_is_failing(state);
    const struct verdict *verdict = run_it();
    assert_true(verdict->causes[0].score < 0.5);
    assert_int_equal(verdict->experiment_count, 3);
    assert_text(verdict->experiments[0], "log the learning rate beside the loss");
    assert_true(text_starts(verdict->experiments[1], "log the gradient norm at every step"));
}

/* A plateau alone: what tells the rivals apart depends on who they are. */
static void proposes_what_tells_the_first_three_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        values[i] = 5 + 0.9 * exp(-(double)i / 8) + 0.01 * sin((double)i * 1.7);
        others[i] = 1 + 0.1 * sin((double)i * 2.3);
    }
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", others, 200, 4);
    const struct verdict *verdict = run_it();
    assert_true(verdict->cause_count > 0 && verdict->causes[0].score < 0.5);
    bool still = false, scale = false;
    for (size_t i = 0; i < verdict->cause_count && i < 3; i++) {
        const char *id = verdict->causes[i].cause->id;
        still |= !strcmp(id, "graph-disconnected") || !strcmp(id, "learning-rate-too-low");
        scale |= !strcmp(id, "unscaled-inputs");
    }
    assert_true(still || scale);
    bool checkpoints = false, inputs = false;
    for (size_t i = 0; i < verdict->experiment_count; i++) {
        checkpoints |= text_starts(verdict->experiments[i], "save two checkpoints");
        inputs |= text_starts(verdict->experiments[i], "save a batch as it goes into the model");
    }
    assert_int_equal(checkpoints, still);
    assert_int_equal(inputs, scale);
}

static void fails_softly_without_memory(void **state)
{
    (void)state;
    a_loss_of_nan_is_failing(state);
    for (size_t limit = 1;; limit = limit_after(limit)) {
        struct arena small = {.limit = limit};
        struct error error = {0};
        bool done = diagnose(&collection, rules, &options, &small, &diagnosis, &error);
        arena_free(&small);
        if (done)
            break;
        assert_int_equal(error.kind, ERROR_MEMORY);
    }
}

static void the_worst_run_is_named(void **state)
{
    (void)state;
    static struct run runs[2];
    falling(10.8, 2.31);
    runs[0] = used.run;
    runs[1] = used.run;
    for (size_t i = 0; i < 200; i++)
        others[i] = i < 150 ? 9 * exp(-(double)i / 90) : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", others, 200, 4);
    runs[0].series_count = 1;
    runs[1].series = &used.series[1];
    runs[1].series_count = 1;
    collection.runs = runs;
    collection.run_count = 2;
    run_it();
    assert_int_equal(diagnosis.worst, 1);
    assert_int_equal(diagnosis.verdicts[0].status, STATUS_HEALTHY);
    assert_int_equal(diagnosis.exit_code, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_run_that_falls_is_healthy),
        CASE(a_loss_of_nan_is_failing),
        CASE(options_decide_what_fails),
        CASE(an_unsure_error_counts_as_a_warning),
        CASE(nothing_to_judge_is_no_verdict),
        CASE(an_unreadable_input_is_outranked_by_a_finding),
        CASE(tensors_without_values_are_no_verdict),
        CASE(tells_what_changed_before),
        CASE(tells_moves_in_one_with_what_held_before),
        CASE(tells_the_end_of_a_warm_up_and_of_an_epoch),
        CASE(tells_that_the_plan_was_reached),
        CASE(proposes_what_would_decide),
        CASE(proposes_what_tells_the_first_three_apart),
        CASE(fails_softly_without_memory),
        CASE(the_worst_run_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
