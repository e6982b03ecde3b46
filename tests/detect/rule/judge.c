/* judge: the order of evaluation, from uses to findings. */
/* SPDX-License-Identifier: MIT */
#include "files.h"
#include "used.h"

#include "stalldoc/rule.h"

#include <sys/stat.h>

#define TEXTS                                                                                      \
    "\"texts\": {\"meaning\": \"a\", \"evidence\": \"b\", \"looks-like\": \"c\", \"do\": \"d\"}"
#define HEAD(id) "{\"id\": \"" id "\", \"group\": \"user\", \"title\": \"t\", "
#define USE_LEVEL                                                                                  \
    "\"detect\": [{\"detector\": \"level\", \"form\": \"high\", \"series\": [\"grad-norm\"], "     \
    "\"points\": 20, \"parameters\": {\"ratio\": 10}}], "
#define REST                                                                                       \
    "\"severity\": [{\"is\": \"error\", \"when\": {\"value\": \"ratio\", \"at-least\": 50}}, "     \
    "{\"is\": \"warning\"}], \"confidence\": [{\"is\": 0.8}], "                                    \
    "\"message\": {\"high\": \"{series} is high\"}, " TEXTS "}"

struct judging_test {
    struct files *files;
    struct used used;
    struct arena arena;
    struct judgement judgement;
    double values[200];
};
static struct judging_test test;

static int open_test(void **state)
{
    memset(&test, 0, sizeof(test));
    void *files = NULL;
    if (files_open(&files) != 0)
        return -1;
    test.files = files;
    mkdir(file_at(test.files, "symptoms"), 0755);
    used_begin(&test.used);
    test.used.run.first_step = 1;
    test.used.run.last_step = 200;
    test.used.run.step_count = 200;
    *state = files;
    return 0;
}

static int close_test(void **state)
{
    used_end(&test.used);
    arena_free(&test.arena);
    return files_close(state);
}

static void rule(const char *name, const char *text)
{
    file_put(test.files, name, text, strlen(text));
}

/* A norm of 1 that stands at `end` from the 160th reading on. */
static void norm(double end)
{
    for (size_t i = 0; i < 200; i++)
        test.values[i] = i < 160 ? 1 + 0.01 * (double)(i % 7) : end;
    used_series(&test.used, KIND_GRAD_NORM, "grad_norm", test.values, 200, 4);
}

static void judge_with(const struct detect_options *options)
{
    struct error error = {0};
    const struct rules *rules = rules_load(&test.arena, test.files->folder, &error);
    assert_string_equal(error.message, "");
    assert_true(judge(&test.used.run, rules, options, &test.arena, &test.judgement, &error));
}

static void judge_users(void)
{
    static const char *const users[] = {"user-*", NULL};
    judge_with(&(struct detect_options){.select = users});
}

static const struct finding *found(const char *id)
{
    for (size_t i = 0; i < test.judgement.finding_count; i++)
        if (strcmp(test.judgement.findings[i].symptom->id, id) == 0)
            return &test.judgement.findings[i];
    return NULL;
}

static void the_first_true_severity_wins(void **state)
{
    (void)state;
    rule("symptoms/user-high.json", HEAD("user-high") USE_LEVEL REST);
    norm(20);
    judge_users();
    assert_int_equal(test.judgement.finding_count, 1);
    assert_int_equal(found("user-high")->severity, SEVERITY_WARNING);
    assert_text(found("user-high")->message, "grad_norm is high");
    test.used.run.series_count = 0;
    norm(100);
    judge_users();
    assert_int_equal(found("user-high")->severity, SEVERITY_ERROR);
}

static void gates_turn_off_lower_and_cap(void **state)
{
    (void)state;
    norm(100);
    rule("symptoms/user-high.json", HEAD("user-high") USE_LEVEL
         "\"gates\": [{\"if\": {\"value\": \"ratio\", \"above\": 1}, \"then\": 0.4, \"why\": \"a "
         "cap\"}, "
         "{\"if\": {\"form\": \"high\"}, \"then\": \"info\", \"why\": \"a remark\"}], " REST);
    judge_users();
    assert_int_equal(found("user-high")->severity, SEVERITY_INFO);
    assert_true(found("user-high")->confidence == 0.4);
    assert_int_equal(test.judgement.gated_count, 2);
    assert_string_equal(test.judgement.gated[0].gate, "ratio");
    assert_text(test.judgement.gated[0].text, "a cap: grad_norm is high");
    rule("symptoms/user-high.json",
         HEAD("user-high") USE_LEVEL "\"gates\": [{\"if\": {\"gate\": \"unfinished\"}, \"then\": "
                                     "\"off\", \"why\": \"too soon\"}], " REST);
    judge_users();
    assert_non_null(found("user-high")); /* the plan is unknown */
    test.used.run.planned_steps = 1000;
    judge_users();
    assert_null(found("user-high"));
    assert_string_equal(test.judgement.gated[0].gate, "unfinished");
    assert_int_equal(test.judgement.ran_count, 1);
}

static void gates_set_parameters_before_detection(void **state)
{
    (void)state;
    norm(20);
    rule("symptoms/user-high.json",
         HEAD("user-high") USE_LEVEL "\"gates\": [{\"if\": {\"fact\": \"optimizer\", \"is\": "
                                     "\"sgd\"}, \"set\": {\"ratio\": 40}}], " REST);
    judge_users();
    assert_non_null(found("user-high"));
    used_fact(&test.used, "optimizer", "sgd", NAN);
    judge_users();
    assert_null(found("user-high"));
}

static void parameters_follow_the_number_of_points(void **state)
{
    (void)state;
    norm(20);
    rule("symptoms/user-high.json",
         HEAD("user-high") "\"detect\": [{\"detector\": \"level\", \"form\": \"high\", \"series\": "
                           "[\"grad-norm\"], \"parameters\": {\"ratio\": {\"from-points\": {\"6\": "
                           "10, \"100\": 40}}}}], " REST);
    judge_users();
    assert_null(found("user-high"));
}

static void a_specific_finding_absorbs_another(void **state)
{
    (void)state;
    norm(100);
    rule("symptoms/user-high.json", HEAD("user-high") USE_LEVEL
         "\"absorbs\": [{\"symptom\": \"user-same\", \"within\": 0.1}], " REST);
    rule("symptoms/user-same.json",
         HEAD("user-same") USE_LEVEL "\"absorbs\": [{\"symptom\": \"user-third\"}], " REST);
    rule("symptoms/user-third.json", HEAD("user-third") USE_LEVEL REST);
    judge_users();
    assert_ptr_equal(found("user-same")->absorbed_by, found("user-high"));
    /* What is absorbed itself absorbs nothing. */
    assert_null(found("user-third")->absorbed_by);
    static const char *const users[] = {"user-*", NULL}, *const ignored[] = {"user-high", NULL};
    judge_with(&(struct detect_options){.select = users, .ignore = ignored});
    assert_ptr_equal(found("user-third")->absorbed_by, found("user-same"));
}

/* What is only a remark takes no alarm away. */
static void a_remark_absorbs_no_alarm(void **state)
{
    (void)state;
    norm(100);
    rule("symptoms/user-small.json", HEAD("user-small") USE_LEVEL
         "\"absorbs\": [{\"symptom\": \"user-same\"}], "
         "\"severity\": [{\"is\": \"info\"}], \"confidence\": [{\"is\": 0.8}], "
         "\"message\": {\"high\": \"{series} is high\"}, " TEXTS "}");
    rule("symptoms/user-same.json", HEAD("user-same") USE_LEVEL REST);
    judge_users();
    assert_null(found("user-same")->absorbed_by);
}

static void options_hide_fix_and_switch_off(void **state)
{
    static const char *const users[] = {"user-*", NULL};
    (void)state;
    norm(100);
    rule("symptoms/user-high.json", HEAD("user-high") USE_LEVEL REST);
    judge_with(&(struct detect_options){.select = users, .min_confidence = 0.9});
    assert_int_equal(test.judgement.finding_count, 0);
    assert_int_equal(test.judgement.weak_count, 1);
    assert_string_equal(test.judgement.weak[0].symptom->id, "user-high");
    judge_with(&(struct detect_options){
        .select = users, .severities = {{"user-high", SEVERITY_INFO}}, .severity_count = 1});
    assert_int_equal(found("user-high")->severity, SEVERITY_INFO);
    judge_with(&(struct detect_options){
        .select = users, .severities = {{"user-high", SEVERITY_NONE}}, .severity_count = 1});
    assert_int_equal(test.judgement.ran_count, 0);
}

static void says_why_a_rule_could_not_run(void **state)
{
    (void)state;
    rule("symptoms/user-high.json", HEAD("user-high") USE_LEVEL REST);
    rule("symptoms/user-val.json",
         HEAD("user-val") "\"detect\": [{\"detector\": \"level\", \"form\": \"high\", \"series\": "
                          "[\"data-time\"]}, {\"detector\": \"level\", \"form\": \"high\", "
                          "\"series\": "
                          "[\"utilisation\"]}], " REST);
    used_series(&test.used, KIND_GRAD_NORM, "grad_norm", test.values, 12, 4);
    judge_users();
    assert_int_equal(test.judgement.ran_count, 0);
    assert_int_equal(test.judgement.skipped_count, 2);
    assert_text(test.judgement.skipped[0].reason, "too few gradient norm readings (12 of 20)");
    assert_text(test.judgement.skipped[1].reason, "no data-time or utilisation series");
}

static void a_trend_of_an_earlier_segment_is_a_remark(void **state)
{
    (void)state;
    rule("symptoms/user-high.json", HEAD("user-high") USE_LEVEL REST);
    norm(100);
    struct series *series = &test.used.series[0];
    static struct track tracks[2];
    static struct made calm;
    static double values[40];
    for (size_t i = 0; i < 40; i++)
        values[i] = 1;
    make_track(&calm, values, 40, 4, 1);
    tracks[0] = series->whole;
    tracks[1] = calm.track;
    series->segments = tracks;
    series->segment_count = 2;
    static const struct segment segments[2] = {{.first_step = 1}, {.first_step = 200}};
    test.used.run.segments = segments;
    test.used.run.segment_count = 2;
    judge_users();
    assert_int_equal(test.judgement.finding_count, 1);
    assert_int_equal(found("user-high")->severity, SEVERITY_INFO);
    assert_true(found("user-high")->info_segment);
}

/* Each row was met once, on lines 10 and on, whose text is its id. */
static void met(struct message *messages, const struct message_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        messages[i] = (struct message){.row = &rows[i],
                                       .count = 1,
                                       .place = {1, 10 + i, 0},
                                       .line = text_of(rows[i].id),
                                       .step = STEP_NONE,
                                       .last_step = STEP_NONE,
                                       .time = NAN};
    test.used.run.messages = messages;
    test.used.run.message_count = count;
}

static void a_message_makes_a_candidate(void **state)
{
    static const char *const symptoms[] = {"crash", NULL}, *const none[] = {NULL};
    static const char *const forms[] = {"traceback"};
    static const struct message_row rows[] = {
        {.id = "later",
         .strength = STRENGTH_CONSEQUENCE,
         .symptoms = symptoms,
         .forms = forms,
         .causes = none},
        {.id = "root",
         .strength = STRENGTH_SUPPORTS,
         .symptoms = symptoms,
         .forms = forms,
         .causes = none},
        {.id = "harmless",
         .strength = STRENGTH_HARMLESS,
         .symptoms = symptoms,
         .forms = forms,
         .causes = none},
    };
    struct message messages[3];
    (void)state;
    met(messages, rows, 3);
    rule(
        "symptoms/crash.json",
        HEAD(
            "crash") "\"detect\": [], \"severity\": [{\"is\": \"error\"}], "
                     "\"confidence\": [{\"is\": 1}], \"message\": {\"message\": \"{text}\"}, " TEXTS
                     "}");
    static const char *const crash[] = {"crash", NULL};
    judge_with(&(struct detect_options){.select = crash});
    assert_int_equal(test.judgement.finding_count, 1);
    /* The first that is no mere consequence is the root; the other is evidence beside it. */
    assert_text(test.judgement.findings[0].message, "root");
    assert_string_equal(test.judgement.findings[0].form, "traceback");
    assert_int_equal(test.judgement.findings[0].candidate.onset.line, 11);
    assert_int_equal(test.judgement.findings[0].candidate.evidence_count, 2);
    test.used.run.message_count = 0;
    judge_with(&(struct detect_options){.select = crash});
    assert_int_equal(test.judgement.finding_count, 0);
    assert_int_equal(test.judgement.ran_count, 1);
}

static void a_consequence_is_a_detail_of_the_first_failure(void **state)
{
    static const char *const symptoms[] = {"crash", NULL}, *const none[] = {NULL};
    static const char *const forms[] = {"traceback"}, *const signals[] = {"signal"};
    static const struct message_row rows[] = {
        {.id = "root",
         .strength = STRENGTH_SUPPORTS,
         .symptoms = symptoms,
         .forms = forms,
         .causes = none},
        {.id = "later",
         .strength = STRENGTH_CONSEQUENCE,
         .symptoms = symptoms,
         .forms = signals,
         .causes = none},
    };
    struct message messages[2];
    (void)state;
    met(messages, rows, 2);
    static const char *const crash[] = {"crash", NULL};
    judge_with(&(struct detect_options){.select = crash});
    assert_int_equal(test.judgement.finding_count, 2);
    assert_null(test.judgement.findings[0].absorbed_by);
    assert_ptr_equal(test.judgement.findings[1].absorbed_by, &test.judgement.findings[0]);
    messages[1].place.line = 5; /* nothing stands before it */
    judge_with(&(struct detect_options){.select = crash});
    assert_null(test.judgement.findings[0].absorbed_by);
    assert_null(test.judgement.findings[1].absorbed_by);
}

static void other_ranks_are_searched_for_non_finite_values(void **state)
{
    (void)state;
    rule(
        "symptoms/user-nan.json",
        HEAD(
            "user-nan") "\"detect\": [{\"detector\": \"nonfinite\", \"form\": \"row\", \"series\": "
                        "[\"loss\"]}], \"severity\": [{\"is\": \"error\"}], \"confidence\": "
                        "[{\"is\": 1}], "
                        "\"message\": {\"row\": \"{series}\"}, " TEXTS "}");
    for (size_t i = 0; i < 200; i++)
        test.values[i] = 2;
    used_series(&test.used, KIND_LOSS, "loss", test.values, 200, 4);
    for (size_t i = 100; i < 200; i++)
        test.values[i] = NAN;
    struct series *other = used_series(&test.used, KIND_LOSS, "loss", test.values, 200, 4);
    other->main = other->speaks = false;
    other->rank = 3;
    judge_users();
    assert_int_equal(test.judgement.finding_count, 1);
    assert_ptr_equal(found("user-nan")->candidate.series, other);
    assert_int_equal(found("user-nan")->candidate.onset.step, 101);
}

static void a_users_rule_needs_no_code(void **state)
{
    (void)state;
    if (!detector_named(TEXT("bound")))
        skip();
    char folder[512];
    snprintf(folder, sizeof(folder), "%s/testdata/rules/policy-kl", getenv("SOURCE_ROOT"));
    struct error error = {0};
    const struct rules *rules = rules_load(&test.arena, folder, &error);
    assert_string_equal(error.message, "");
    for (size_t i = 0; i < 200; i++)
        test.values[i] = 0.08 + 0.01 * (double)(i % 5);
    used_series(&test.used, KIND_OTHER, "train/approx_kl", test.values, 200, 4);
    const struct detect_options options = {.min_confidence = 0};
    assert_true(judge(&test.used.run, rules, &options, &test.arena, &test.judgement, &error));
    assert_non_null(found("user-policy-kl"));
    assert_int_equal(found("user-policy-kl")->severity, SEVERITY_WARNING);
    assert_text(found("user-policy-kl")->message, "train/approx_kl has a median of 0.1");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_test, close_test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_first_true_severity_wins),
        CASE(gates_turn_off_lower_and_cap),
        CASE(gates_set_parameters_before_detection),
        CASE(parameters_follow_the_number_of_points),
        CASE(a_specific_finding_absorbs_another),
        CASE(a_remark_absorbs_no_alarm),
        CASE(options_hide_fix_and_switch_off),
        CASE(says_why_a_rule_could_not_run),
        CASE(a_trend_of_an_earlier_segment_is_a_remark),
        CASE(a_message_makes_a_candidate),
        CASE(a_consequence_is_a_detail_of_the_first_failure),
        CASE(other_ranks_are_searched_for_non_finite_values),
        CASE(a_users_rule_needs_no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
