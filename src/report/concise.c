/* One line a finding in the form of compilers, then one a run: for editors, grep and sort. */
/* SPDX-License-Identifier: MIT */
#include "report/lines.h"

static void write_concise(const struct diagnosis *diagnosis, const struct report_options *options,
                          struct out *out)
{
    enum { CAUSES = 3 };
    for (size_t i = 0; i < diagnosis->verdict_count; i++) {
        const struct verdict *verdict = &diagnosis->verdicts[i];
        for (size_t k = 0; k < verdict->judgement.finding_count; k++)
            if (!verdict->judgement.findings[k].absorbed_by)
                line_finding(diagnosis, verdict, &verdict->judgement.findings[k], LINE_UNWRAPPED,
                             out);
        if (options->quiet)
            continue;
        struct flow flow;
        flow_begin(&flow, out, 0, 0);
        flow.unwrapped = true;
        flow_text(&flow, verdict->run->id);
        flow_string(&flow, ": ");
        line_status(&flow, verdict);
        line_counts(&flow, verdict, ": ");
        for (size_t k = 0; k < verdict->cause_count && k < CAUSES; k++)
            flow_print(&flow, "%s%s %.2f", k ? ", " : ": ", verdict->causes[k].cause->id,
                       verdict->causes[k].score);
        if (verdict->errors + verdict->warnings + verdict->infos + verdict->cause_count == 0) {
            flow_string(&flow, ": ");
            flow_text(&flow, verdict->headline);
        }
        flow_end(&flow);
    }
}

const struct report report_concise = {
    .name = "concise",
    .about = "one line a finding, path:line: severity: message [rule], and one a run",
    .write = write_concise,
};
