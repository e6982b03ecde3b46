/* The report for a person: verdict first, narrow, and nothing of an input raw. */
/* SPDX-License-Identifier: MIT */
#include "report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka asks for the three above. */
#include <cmocka.h>

static const char *print_sample(struct sample *sample, const struct report_options *options,
                                bool unicode)
{
    sample_make(sample);
    return sample_report(sample, "text", options, unicode);
}

static bool holds(const char *output, const char *part)
{
    bool found = strstr(output, part) != NULL;
    if (!found)
        print_message("not there: %s\n%s\n", part, output);
    return found;
}

static void begins_with_the_verdict(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    const char *output = print_sample(&sample, &options, false);
    char line[256];
    snprintf(line, sizeof(line), "%s: FAILING: loss is NaN", sample.path);
    assert_int_equal(strncmp(output, line, strlen(line)), 0);
    assert_true(holds(output, "  1 input, 60 steps, 1 series; 1 error, 1 warning\n"));
}

static void stays_within_79_columns(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    options.verbose = true;
    struct text rest = text_of(print_sample(&sample, &options, true));
    while (rest.size) {
        size_t end = text_find(rest, TEXT("\n"));
        assert_in_range(text_width(text_cut(rest, 0, end)), 0, 79);
        rest = text_cut(rest, end + 1, rest.size);
    }
}

static void tells_causes_with_evidence_and_fixes(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    const char *output = print_sample(&sample, &options, false);
    char line[256];
    assert_true(holds(output, "CAUSES, most likely first\n\n1  learning-rate-too-high"));
    assert_true(holds(output, "score 0.62\n   The step is too large for the loss surface.\n"));
    snprintf(line, sizeof(line), "   because\n   %s:51: the loss rose before [nan-loss]\n",
             sample.path);
    assert_true(holds(output, line));
    assert_true(holds(output, "     51 | step  51: loss nan"));
    assert_true(holds(output, ":1: no warm-up\n"));
    assert_true(holds(output, "in the expected order: lr-peak 30, nan-loss 51\n   against\n"));
    assert_true(holds(output, "   fix 1  Lower the rate from 0.003 to 0.0009. Then: the loss"));
    assert_true(holds(output, "     # PyTorch\n     torch_code()\n     second_line()\n"));
    assert_null(strstr(output, "keras_code"));
    assert_true(holds(output, "   fix 1  Lower the rate: fix 1 of cause 1.\n"));
    assert_true(holds(output, "   Resume from step 40 or earlier.\n"));
}

static void draws_the_curve_with_marks(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    const char *output = print_sample(&sample, &options, false);
    assert_true(holds(output, "!!!!!!!!"));
    assert_true(holds(output, "log scale"));
    assert_true(holds(output, "^ 51: nan-loss"));
    assert_true(holds(output, "steps 1-60, 3.22 to 85, ! = not finite\n"));
    options.sparkline = false;
    assert_null(strstr(print_sample(&sample, &options, false), "log scale"));
}

static void lists_findings_in_the_form_of_compilers(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    options.quiet = true;
    const char *output = print_sample(&sample, &options, false);
    char lines[512];
    snprintf(lines, sizeof(lines),
             "%s:51: error: loss is NaN from step 51 to the end (10 of 60 steps) [nan-loss]\n"
             "%s:51: warning: :\\:error::loss spikes \\x1b[2J at step 45, maybe [loss-spike]\n",
             sample.path, sample.path);
    assert_string_equal(output, lines); /* the absorbed one is not told */
}

static void lets_nothing_of_an_input_through_raw(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    options.verbose = true;
    const char *output = print_sample(&sample, &options, true);
    assert_null(strchr(output, '\x1b'));
    assert_null(strstr(output, "##[error]"));
    assert_null(strstr(output, "\xe2\x80\xae"));
    assert_true(holds(output, "\\x1b[1m#"));
}

static void groups_what_was_not_checked_by_reason(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    options.verbose = true;
    const char *output = print_sample(&sample, &options, false);
    assert_true(holds(output, "NOT CHECKED\nno validation series: loss-spike, nan-loss\n"));
}

static void tells_missing_kinds_once(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    sample.skipped[0].reason = TEXT("no loss, validation or adversarial series");
    sample.skipped[1].reason = TEXT("no loss or reward series");
    const char *output = sample_report(&sample, "text", &options, true);
    assert_true(holds(output, "\nno loss, validation, adversarial or reward series\n"));
}

static void says_what_a_pass_is_worth(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    sample.verdict.status = STATUS_HEALTHY;
    sample.verdict.headline = TEXT("loss 10.8 to 2.31 over 20000 steps, still falling");
    sample.verdict.errors = sample.verdict.warnings = 0;
    sample.verdict.judgement.finding_count = 0;
    sample.verdict.cause_count = 0;
    const char *output = sample_report(&sample, "text", &options, false);
    assert_true(holds(output, ": HEALTHY: loss 10.8 to 2.31"));
    assert_true(holds(output, "2 checks passed, 2 not possible (-v lists them)\n"));
    assert_null(strstr(output, "CAUSE"));
    assert_null(strstr(output, "FINDINGS"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_the_verdict),
        cmocka_unit_test(stays_within_79_columns),
        cmocka_unit_test(tells_causes_with_evidence_and_fixes),
        cmocka_unit_test(draws_the_curve_with_marks),
        cmocka_unit_test(lists_findings_in_the_form_of_compilers),
        cmocka_unit_test(lets_nothing_of_an_input_through_raw),
        cmocka_unit_test(groups_what_was_not_checked_by_reason),
        cmocka_unit_test(tells_missing_kinds_once),
        cmocka_unit_test(says_what_a_pass_is_worth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
