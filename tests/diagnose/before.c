/* What changed just before: each kind of change, and what is none. */
/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "used.h"

#include "stalldoc/diagnosis.h"

enum { POINTS = 200, BREAK = 150 };

static struct used used;
static struct arena arena;
static const struct rules *rules;
static struct source source;
static struct collection collection;
static struct segment segments[2];
static struct track tracks[2];
static double loss[POINTS], others[POINTS];

/* Another series that stands on one value up to reading `at`, then on another. */
static void stands(enum kind kind, const char *tag, double before, double after, size_t at)
{
    for (size_t i = 0; i < POINTS; i++)
        others[i] = i < at ? before : after;
    used_series(&used, kind, tag, others, POINTS, 5);
}

static struct fact *told(const char *key, const char *value, double number, int64_t step)
{
    used_fact(&used, key, value, number);
    struct fact *fact = &used.facts[used.run.fact_count - 1];
    fact->step = step;
    return fact;
}

static void a_fact_that_changed(void)
{
    told("batch_size", "32", 32, STEP_NONE);
    told("batch_size", "64", 64, 146);
}

static void a_fact_that_was_told(void)
{
    told("dataset", "part two", (double)NAN, 147);
}

static void a_fact_that_was_switched_off(void)
{
    told("clip", "1.0", 1, STEP_NONE);
    told("clip", "", (double)NAN, 149)->state = FACT_NONE;
}

static void a_fact_of_long_before(void)
{
    told("batch_size", "32", 32, STEP_NONE);
    told("batch_size", "64", 64, 60);
}

static void a_restart(bool resumed)
{
    segments[0] = (struct segment){1, 147, {1, 1, 0}, false};
    segments[1] = (struct segment){148, POINTS, {1, 148, 14800}, resumed};
    used.run.segments = segments;
    used.run.segment_count = 2;
    tracks[0] = tracks[1] = used.series[0].whole;
    used.series[0].segments = tracks;
    used.series[0].segment_count = 2;
}

static void a_resume(void)
{
    a_restart(true);
}

static void a_new_beginning(void)
{
    a_restart(false);
}

static void a_rate_that_jumped(void)
{
    stands(KIND_LEARNING_RATE, "lr", 0.001, 0.01, 147);
}

static void a_rate_that_fell(void)
{
    stands(KIND_LEARNING_RATE, "lr", 0.001, 0.0001, 147);
}

static void a_rate_that_jumped_long_before(void)
{
    stands(KIND_LEARNING_RATE, "lr", 0.001, 0.01, 60);
}

static void a_warm_up_that_ended(void)
{
    for (size_t i = 0; i < POINTS; i++)
        others[i] = 1e-5 * (double)(i < 148 ? i + 1 : 148);
    used_series(&used, KIND_LEARNING_RATE, "lr", others, POINTS, 5);
}

static void a_rate_that_decays(void)
{
    for (size_t i = 0; i < POINTS; i++)
        others[i] = 1e-3 * exp(-(double)i / 100);
    used_series(&used, KIND_LEARNING_RATE, "lr", others, POINTS, 7);
}

static void a_scale_that_was_halved(void)
{
    stands(KIND_LOSS_SCALE, "loss_scale", 65536, 16384, 147);
}

static void a_setting_printed_with_every_reading(void)
{
    stands(KIND_OTHER, "seq_len", 512, 2048, 147);
}

static void a_reading_that_moves_all_the_time(void)
{
    for (size_t i = 0; i < POINTS; i++)
        others[i] = sin((double)i);
    used_series(&used, KIND_OTHER, "phase", others, POINTS, 5);
}

static void an_epoch_that_ended(void)
{
    told("steps_per_epoch", "74", 74, STEP_NONE);
}

static const struct change {
    void (*make)(void);
    const char *text; /* NULL: nothing is told */
    int64_t step;
} changes[] = {
    {a_fact_that_changed, "batch_size went from 32 to 64", 146},
    {a_fact_that_was_told, "dataset became part two", 147},
    {a_fact_that_was_switched_off, "clip went from 1.0 to off", 149},
    {a_fact_of_long_before, NULL, 0},
    {a_resume, "the run was resumed", 148},
    {a_new_beginning, "the run began anew", 148},
    {a_rate_that_jumped, "the learning rate went from 0.001 to 0.01", 148},
    {a_rate_that_fell, "the learning rate went from 0.001 to 0.0001", 148},
    {a_rate_that_jumped_long_before, NULL, 0},
    {a_warm_up_that_ended, "the learning rate reached its peak of 0.00148", 148},
    {a_rate_that_decays, NULL, 0},
    {a_scale_that_was_halved, "the loss scale went from 65536 to 16384", 148},
    {a_setting_printed_with_every_reading, "seq_len went from 512 to 2048", 148},
    {a_reading_that_moves_all_the_time, NULL, 0},
    {an_epoch_that_ended, "epoch 2 ended at step 148", 148},
};

static const struct verdict *verdict_of(const struct change *change, struct diagnosis *diagnosis)
{
    static const uint32_t inputs[] = {1};
    static const struct diagnose_options options = {.fail_confidence = 0.7};
    struct error error = {0};
    used_begin(&used);
    source = (struct source){.path = TEXT("run.log"), .named = true, .counts.lines = POINTS};
    used.run.inputs = inputs;
    used.run.input_count = 1;
    used.run.first_step = 1;
    used.run.last_step = POINTS;
    used.run.step_count = POINTS;
    used.run.collection = &collection;
    collection = (struct collection){
        .sources = &source, .source_count = 1, .runs = &used.run, .run_count = 1};
    used_series(&used, KIND_LOSS, "loss", loss, POINTS, 4);
    change->make();
    if (!rules)
        rules = rules_load(&arena, NULL, &error);
    assert_non_null(rules);
    assert_true(diagnose(&collection, rules, &options, &used.arena, diagnosis, &error));
    return &diagnosis->verdicts[0];
}

static void tells_each_kind_of_change_and_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < POINTS; i++)
        loss[i] = i < BREAK ? 9 * exp(-(double)i / 90) : (double)NAN;
    for (size_t c = 0; c < sizeof(changes) / sizeof(changes[0]); c++) {
        struct diagnosis diagnosis;
        const struct verdict *verdict = verdict_of(&changes[c], &diagnosis);
        if (verdict->before_count != (changes[c].text != NULL))
            fail_msg("row %zu: %zu changes are told", c, verdict->before_count);
        if (changes[c].text) {
            assert_text(verdict->before[0].text, changes[c].text);
            assert_int_equal(verdict->before[0].step, changes[c].step);
        }
        used_end(&used);
    }
}

/* A loss that rises where a setting changed is a remark; the change stands beside it. */
static void tells_the_change_that_held_a_finding_back(void **state)
{
    (void)state;
    struct diagnosis diagnosis;
    for (size_t i = 0; i < POINTS; i++)
        loss[i] = (i < BREAK ? 1 + 2 * exp(-(double)i / 40) : 4) + 0.02 * sin((double)i * 1.7);
    const struct verdict *verdict = verdict_of(&changes[0], &diagnosis);
    assert_int_equal(verdict->worst, SEVERITY_INFO);
    assert_int_equal(verdict->before_count, 1);
    assert_text(verdict->before[0].text, changes[0].text);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_each_kind_of_change_and_no_other),
        cmocka_unit_test(tells_the_change_that_held_a_finding_back),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
