/* condition_truth: three values, and what each subject compares. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"
#include "check.h"
#include "used.h"

static struct used used;
static double values[100];
static struct finding findings[3];
static const struct symptom nan_loss = {.id = "nan-loss"}, spike = {.id = "grad-explosion"};

static int open_run(void **state)
{
    (void)state;
    used_begin(&used);
    for (size_t i = 0; i < 100; i++)
        values[i] = 0.01;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 100, 4);
    used.run.first_step = 1;
    used.run.last_step = 100;
    used.run.step_count = 100;
    used_fact(&used, "optimizer", "adamw", NAN);
    used_fact(&used, "weight_decay", "0.1", 0.1);
    used_fact(&used, "clip", "", NAN);
    used.facts[2].state = FACT_NONE;
    findings[0] = (struct finding){.symptom = &spike, .form = "spike"};
    findings[0].candidate.onset = (struct point){.step = 50, .line = 50, .input = 1};
    findings[0].candidate.values[0] = (struct value){"ratio", 120, {0}};
    findings[0].candidate.values[1] = (struct value){"part", NAN, TEXT("iou")};
    findings[0].candidate.value_count = 2;
    findings[1] = (struct finding){.symptom = &nan_loss, .form = "after-rise"};
    findings[1].candidate.onset = (struct point){.step = 54, .line = 54, .input = 1};
    findings[2] = (struct finding){.symptom = &nan_loss, .form = "message"};
    findings[2].candidate.onset = (struct point){.step = STEP_NONE, .line = 3, .input = 2};
    for (size_t i = 0; i < 3; i++)
        findings[i].candidate.time = NAN;
    return 0;
}

static int close_run(void **state)
{
    (void)state;
    used_end(&used);
    return 0;
}

static struct condition plain(enum subject subject, const char *name)
{
    return (struct condition){
        .subject = subject,
        .name = name,
        .within = NAN,
        .comparison = {.above = NAN, .below = NAN, .at_least = NAN, .at_most = NAN}};
}

static enum truth truth(const struct condition *condition)
{
    const struct context context = {
        .run = &used.run, .all = findings, .all_count = 3, .at = &findings[0]};
    return condition_truth(condition, &context);
}

static struct condition is(const char *fact, const char *const *words, const double *numbers,
                           size_t count)
{
    struct condition condition = plain(SUBJECT_FACT, fact);
    condition.comparison.words = words;
    condition.comparison.numbers = numbers;
    condition.comparison.count = count;
    return condition;
}

static void compares_facts_by_word_and_number(void **state)
{
    static const char *const optimizers[] = {"adam", "adamw"}, *const off[] = {"none", ""};
    static const double no_numbers[] = {NAN, NAN}, off_or_zero[] = {NAN, 0};
    (void)state;
    struct condition condition = is("optimizer", optimizers, no_numbers, 2);
    assert_int_equal(truth(&condition), TRUE_);
    condition = is("optimizer", optimizers, no_numbers, 1);
    assert_int_equal(truth(&condition), FALSE_);
    condition = is("clip", off, off_or_zero, 2);
    assert_int_equal(truth(&condition), TRUE_);
    condition = plain(SUBJECT_FACT, "weight_decay");
    condition.comparison.at_least = 0.1;
    assert_int_equal(truth(&condition), TRUE_);
    condition.comparison.below = 0.1;
    assert_int_equal(truth(&condition), FALSE_);
    condition = plain(SUBJECT_FACT, "lr"); /* the series' value */
    condition.comparison.at_least = 0.01;
    assert_int_equal(truth(&condition), TRUE_);
}

static void never_concludes_from_silence(void **state)
{
    static const char *const words[] = {"none"};
    static const double numbers[] = {NAN};
    (void)state;
    struct condition unknown = is("precision", words, numbers, 1);
    assert_int_equal(truth(&unknown), UNKNOWN);
    const struct condition *const parts[] = {&unknown};
    struct condition negated = {.subject = SUBJECT_NOT, .parts = parts, .part_count = 1};
    assert_int_equal(truth(&negated), UNKNOWN);
    struct condition known = plain(SUBJECT_FACT, "precision");
    known.comparison.ask = ASK_KNOWN;
    assert_int_equal(truth(&known), FALSE_);
    known.comparison.ask = ASK_UNKNOWN;
    assert_int_equal(truth(&known), TRUE_);
}

static void a_safeguard_that_is_off_is_below_nothing(void **state)
{
    (void)state;
    struct condition above = plain(SUBJECT_FACT, "clip");
    above.comparison.above = 0;
    assert_int_equal(truth(&above), FALSE_);
    const struct condition *const parts[] = {&above};
    struct condition negated = {.subject = SUBJECT_NOT, .parts = parts, .part_count = 1};
    assert_int_equal(truth(&negated), TRUE_);
}

static void joins_three_values(void **state)
{
    (void)state;
    struct condition yes = plain(SUBJECT_VALUE, "ratio");
    yes.comparison.above = 100;
    struct condition no = yes, unknown = plain(SUBJECT_VALUE, "height");
    no.comparison.above = 1000;
    unknown.comparison.above = 1;
    const struct condition *const yes_unknown[] = {&yes, &unknown}, *const no_unknown[] = {
                                                                        &no, &unknown};
    struct condition joined = {.subject = SUBJECT_ALL, .parts = yes_unknown, .part_count = 2};
    assert_int_equal(truth(&joined), UNKNOWN);
    joined.parts = no_unknown;
    assert_int_equal(truth(&joined), FALSE_);
    joined.subject = SUBJECT_ANY;
    assert_int_equal(truth(&joined), UNKNOWN);
    joined.parts = yes_unknown;
    assert_int_equal(truth(&joined), TRUE_);
}

static void reads_values_of_the_candidate(void **state)
{
    static const char *const part[] = {"iou"};
    static const double number[] = {NAN};
    (void)state;
    struct condition condition = plain(SUBJECT_VALUE, "part");
    condition.comparison.words = part;
    condition.comparison.numbers = number;
    condition.comparison.count = 1;
    assert_int_equal(truth(&condition), TRUE_);
}

static void places_onsets_before_and_after(void **state)
{
    static const char *const rise[] = {"after-rise", NULL};
    (void)state;
    struct condition condition = plain(SUBJECT_SYMPTOM, "nan-loss");
    condition.forms = rise;
    condition.when = WHEN_AFTER;
    condition.within = 0.05;
    assert_int_equal(truth(&condition), TRUE_);
    condition.when = WHEN_BEFORE;
    assert_int_equal(truth(&condition), FALSE_);
    condition.when = WHEN_AFTER;
    condition.within = 0.01; /* but never under three readings */
    findings[1].candidate.onset.step = 53;
    assert_int_equal(truth(&condition), TRUE_);
    findings[1].candidate.onset.step = 54;
    assert_int_equal(truth(&condition), FALSE_);
}

static void does_not_know_how_other_streams_compare(void **state)
{
    static const char *const message[] = {"message", NULL};
    (void)state;
    struct condition condition = plain(SUBJECT_SYMPTOM, "nan-loss");
    condition.forms = message;
    assert_int_equal(truth(&condition), TRUE_);
    condition.when = WHEN_AFTER;
    assert_int_equal(truth(&condition), UNKNOWN);
}

static void looks_past_absorbed_findings(void **state)
{
    (void)state;
    struct condition condition = plain(SUBJECT_SYMPTOM, "nan-loss");
    findings[1].absorbed_by = findings[2].absorbed_by = &findings[0];
    struct context context = {.run = &used.run, .all = findings, .all_count = 3, .findings = true};
    assert_int_equal(condition_truth(&condition, &context), FALSE_);
    context.findings = false;
    assert_int_equal(condition_truth(&condition, &context), TRUE_);
}

static void counts_points_of_series(void **state)
{
    (void)state;
    struct condition condition = plain(SUBJECT_SERIES, "learning-rate");
    condition.kind = KIND_LEARNING_RATE;
    condition.points = 100;
    assert_int_equal(truth(&condition), TRUE_);
    condition.points = 101;
    assert_int_equal(truth(&condition), FALSE_);
    condition.kind = KIND_LOSS;
    assert_int_equal(truth(&condition), FALSE_);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(compares_facts_by_word_and_number),
        CASE(never_concludes_from_silence),
        CASE(a_safeguard_that_is_off_is_below_nothing),
        CASE(joins_three_values),
        CASE(reads_values_of_the_candidate),
        CASE(places_onsets_before_and_after),
        CASE(does_not_know_how_other_streams_compare),
        CASE(looks_past_absorbed_findings),
        CASE(counts_points_of_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
