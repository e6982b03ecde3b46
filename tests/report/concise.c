/* One line a finding, one a run. */
/* SPDX-License-Identifier: MIT */
#include "report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka asks for the three above. */
#include <cmocka.h>

static void writes_a_line_a_finding_and_one_a_run(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    const char *output = sample_report(&sample, "concise", &options, false);
    char lines[1024];
    snprintf(lines, sizeof(lines),
             "%s:51: error: loss is NaN from step 51 to the end (10 of 60 steps) [nan-loss]\n"
             "%s:51: warning: :\\:error::loss spikes \\x1b[2J at step 45, maybe [loss-spike]\n"
             "%s: FAILING: 1 error, 1 warning: learning-rate-too-high 0.62, bad-batch 0.20\n",
             sample.path, sample.path, sample.path);
    assert_string_equal(output, lines);
}

static void tells_the_headline_where_nothing_was_found(void **state)
{
    (void)state;
    static struct sample sample;
    struct report_options options = sample_options();
    sample_make(&sample);
    sample.verdict.status = STATUS_HEALTHY;
    sample.verdict.headline = TEXT("still falling");
    sample.verdict.errors = sample.verdict.warnings = 0;
    sample.verdict.judgement.finding_count = 0;
    sample.verdict.cause_count = 0;
    const char *output = sample_report(&sample, "concise", &options, false);
    char line[256];
    snprintf(line, sizeof(line), "%s: HEALTHY: still falling\n", sample.path);
    assert_string_equal(output, line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_a_line_a_finding_and_one_a_run),
        cmocka_unit_test(tells_the_headline_where_nothing_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
