/* The report as stalldoc/1: it parses, and its members are where the schema has them. */
/* SPDX-License-Identifier: MIT */
#include "report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka asks for the three above. */
#include <cjson/cJSON.h>
#include <cmocka.h>

static cJSON *parse_sample(struct sample *sample, const struct report_options *options)
{
    sample_make(sample);
    const char *output = sample_report(sample, "json", options, true);
    cJSON *report = cJSON_ParseWithOpts(output, NULL, true);
    if (!report)
        print_message("%s\n", output);
    assert_non_null(report);
    return report;
}

static const cJSON *at(const cJSON *node, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(node, name);
    if (!member)
        print_message("no member %s\n", name);
    assert_non_null(member);
    return member;
}

static const char *text_at(const cJSON *node, const char *name)
{
    return cJSON_GetStringValue(at(node, name));
}

static double number_at(const cJSON *node, const char *name)
{
    return cJSON_GetNumberValue(at(node, name));
}

static void holds_the_members_of_the_contract(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    cJSON *report = parse_sample(&sample, &options);
    assert_string_equal(text_at(report, "schema"), "stalldoc/1");
    assert_int_equal(cJSON_GetArraySize(at(report, "inputs")), 1);
    assert_int_equal(cJSON_GetArraySize(at(report, "runs")), 1);
    assert_int_equal(cJSON_GetArraySize(at(report, "findings")), 3);
    assert_int_equal(cJSON_GetArraySize(at(report, "causes")), 2);
    const cJSON *verdict = at(report, "verdict");
    assert_string_equal(text_at(verdict, "status"), "failing");
    assert_string_equal(text_at(verdict, "run"), sample.path);
    assert_true(number_at(verdict, "exit_code") == 1);
    assert_true(number_at(at(verdict, "counts"), "error") == 1);
    const cJSON *run = cJSON_GetArrayItem(at(report, "runs"), 0);
    assert_true(cJSON_IsNull(at(cJSON_GetArrayItem(at(run, "facts"), 1), "value")));
    assert_true(number_at(at(run, "steps"), "count") == 60);
    cJSON_Delete(report);
}

static void tells_series_by_their_ends(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    cJSON *report = parse_sample(&sample, &options);
    const cJSON *series = cJSON_GetArrayItem(at(report, "series"), 0);
    assert_true(cJSON_IsTrue(at(series, "main")));
    assert_string_equal(text_at(series, "kind"), "loss");
    assert_true(number_at(series, "points") == 60);
    assert_true(number_at(series, "nan") == 10);
    assert_true(number_at(at(series, "first"), "value") == 4);
    assert_string_equal(text_at(at(series, "last"), "value"), "nan");
    assert_true(number_at(at(series, "last"), "step") == 60);
    assert_null(cJSON_GetObjectItem(series, "curve"));
    cJSON_Delete(report);
    options.points = 20;
    report = parse_sample(&sample, &options);
    series = cJSON_GetArrayItem(at(report, "series"), 0);
    assert_int_equal(cJSON_GetArraySize(at(series, "curve")), 20);
    cJSON_Delete(report);
}

static void places_findings_by_line_and_code_points(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    cJSON *report = parse_sample(&sample, &options);
    const cJSON *finding = cJSON_GetArrayItem(at(report, "findings"), 0);
    const cJSON *location = at(finding, "location");
    assert_true(number_at(location, "line") == 51);
    assert_true(number_at(location, "step") == 51);
    assert_true(number_at(location, "column") == 1);
    assert_true(number_at(location, "end_column") == 98); /* 99 bytes, one of three bytes */
    assert_true(number_at(at(finding, "values"), "count") == 10);
    assert_null(cJSON_GetObjectItem(at(finding, "values"), "part"));
    assert_string_equal(text_at(at(finding, "words"), "part"), "decoder");
    assert_int_equal(cJSON_GetArraySize(at(finding, "evidence")), 1);
    const cJSON *absorbed = cJSON_GetArrayItem(at(report, "findings"), 2);
    assert_string_equal(text_at(absorbed, "absorbed_by"), "f1");
    cJSON_Delete(report);
}

static void tells_the_time_of_a_line(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    cJSON *report = parse_sample(&sample, &options);
    const cJSON *finding = cJSON_GetArrayItem(at(report, "findings"), 0);
    assert_null(cJSON_GetObjectItem(at(finding, "location"), "time"));
    cJSON_Delete(report);
    sample_make(&sample);
    FILE *file = fopen(sample.path, "r+");
    assert_non_null(file);
    fseek(file, 5000, SEEK_SET); /* line 51 */
    fputs("2026-03-02 04:31:08,250+01:00 step 51", file);
    fclose(file);
    report = cJSON_ParseWithOpts(sample_report(&sample, "json", &options, true), NULL, true);
    finding = cJSON_GetArrayItem(at(report, "findings"), 0);
    assert_string_equal(text_at(at(finding, "location"), "time"), "2026-03-02 04:31:08,250+01:00");
    const cJSON *evidence = cJSON_GetArrayItem(at(finding, "evidence"), 0);
    assert_string_equal(text_at(at(evidence, "location"), "time"), "2026-03-02 04:31:08,250+01:00");
    cJSON_Delete(report);
    sample_make(&sample); /* a pipe: the line that was kept tells */
    static const struct message_row row = {.id = "a-text"};
    struct message message = {.row = &row,
                              .place = {1, 51, 5000},
                              .line = TEXT("2026-03-02 04:31:09 nan"),
                              .step = STEP_NONE};
    sample.findings[0].candidate.message = &message;
    options.stdin_input = 1;
    report = cJSON_ParseWithOpts(sample_report(&sample, "json", &options, true), NULL, true);
    finding = cJSON_GetArrayItem(at(report, "findings"), 0);
    assert_string_equal(text_at(at(finding, "location"), "time"), "2026-03-02 04:31:09");
    cJSON_Delete(report);
}

static size_t times(const char *haystack, const char *needle)
{
    size_t count = 0;
    for (; (haystack = strstr(haystack, needle)) != NULL; haystack += strlen(needle))
        count++;
    return count;
}

static void holds_the_judged_reading_against_its_levels(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    struct candidate *candidate = &sample.findings[0].candidate;
    candidate->onset = (struct point){.step = 51, .line = 51};
    candidate->values[0] = (struct value){.name = "median", .number = 1.5};
    candidate->values[1] = (struct value){.name = "count", .number = 10};
    candidate->values[2] = (struct value){.name = "best", .number = 9};
    candidate->value_count = 3;
    const double values[] = {1, 9};
    for (size_t i = 0; i < 2; i++)
        candidate->evidence[i] = (struct evidence){
            .kind = EVIDENCE_VALUE,
            .place = {.input = 1, .line = 50 + i},
            .step = (int64_t)(50 + i),
            .value = values[i],
            .text = TEXT("a reading"),
        };
    candidate->evidence_count = 2;
    const char *text = sample_report(&sample, "json", &options, true);
    assert_int_equal(times(text, ": {\"") + times(text, ", \""), 0); /* one member a line */
    cJSON *report = cJSON_ParseWithOpts(text, NULL, true);
    const cJSON *finding = cJSON_GetArrayItem(at(report, "findings"), 0);
    const cJSON *evidence = at(finding, "evidence");
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(evidence, 0), "compared"));
    const cJSON *compared = at(cJSON_GetArrayItem(evidence, 1), "compared");
    assert_int_equal(cJSON_GetArraySize(compared), 1); /* neither a count nor itself */
    assert_true(number_at(compared, "median") == 1.5);
    assert_null(cJSON_GetObjectItem(finding, "words"));
    cJSON_Delete(report);
}

static void gives_findings_a_lasting_fingerprint(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    char fingerprint[17];
    cJSON *report = parse_sample(&sample, &options);
    const cJSON *findings = at(report, "findings");
    snprintf(fingerprint, sizeof(fingerprint), "%s",
             text_at(cJSON_GetArrayItem(findings, 0), "fingerprint"));
    assert_int_equal(strlen(fingerprint), 16);
    assert_string_not_equal(fingerprint, text_at(cJSON_GetArrayItem(findings, 1), "fingerprint"));
    cJSON_Delete(report);
    report = parse_sample(&sample, &options);
    assert_string_equal(fingerprint,
                        text_at(cJSON_GetArrayItem(at(report, "findings"), 0), "fingerprint"));
    cJSON_Delete(report);
}

static void parts_arguments_for_and_against(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    cJSON *report = parse_sample(&sample, &options);
    const cJSON *cause = cJSON_GetArrayItem(at(report, "causes"), 0);
    assert_string_equal(text_at(cause, "cause"), "learning-rate-too-high");
    assert_true(number_at(cause, "rank") == 1);
    assert_int_equal(cJSON_GetArraySize(at(cause, "because")), 2);
    assert_int_equal(cJSON_GetArraySize(at(cause, "against")), 1);
    assert_string_equal(text_at(cJSON_GetArrayItem(at(cause, "because"), 0), "finding"), "f1");
    const cJSON *fix = cJSON_GetArrayItem(at(cause, "fixes"), 0);
    assert_int_equal(cJSON_GetArraySize(at(fix, "snippets")), 2);
    cJSON_Delete(report);
}

static void is_sound_where_nothing_was_judged(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    sample.diagnosis.verdict_count = 0;
    sample.collection.run_count = 0;
    sample.diagnosis.exit_code = 2;
    cJSON *report = cJSON_ParseWithOpts(sample_report(&sample, "json", &options, true), NULL, true);
    assert_non_null(report);
    assert_true(cJSON_IsNull(at(at(report, "verdict"), "run")));
    assert_string_equal(text_at(at(report, "verdict"), "status"), "unknown");
    assert_int_equal(cJSON_GetArraySize(at(at(report, "checks"), "ran")), 0);
    cJSON_Delete(report);
}

static void counts_nothing_of_what_was_not_read(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    struct source sources[] = {
        sample.source, {.path = TEXT("a.tflite"), .status = STATUS_UNSUPPORTED, .unread = true}};
    sample.collection.sources = sources;
    sample.collection.source_count = 2;
    cJSON *report = cJSON_ParseWithOpts(sample_report(&sample, "json", &options, true), NULL, true);
    assert_non_null(report);
    const cJSON *inputs = at(report, "inputs");
    assert_true(number_at(cJSON_GetArrayItem(inputs, 0), "bytes") == 6000);
    assert_true(number_at(cJSON_GetArrayItem(inputs, 0), "lines") == 60);
    assert_null(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(inputs, 1), "bytes"));
    assert_true(cJSON_IsNull(at(cJSON_GetArrayItem(inputs, 1), "lines")));
    cJSON_Delete(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_the_members_of_the_contract),
        cmocka_unit_test(tells_series_by_their_ends),
        cmocka_unit_test(places_findings_by_line_and_code_points),
        cmocka_unit_test(tells_the_time_of_a_line),
        cmocka_unit_test(holds_the_judged_reading_against_its_levels),
        cmocka_unit_test(gives_findings_a_lasting_fingerprint),
        cmocka_unit_test(parts_arguments_for_and_against),
        cmocka_unit_test(is_sound_where_nothing_was_judged),
        cmocka_unit_test(counts_nothing_of_what_was_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
