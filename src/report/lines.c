/* Findings and verdicts as single lines. */
/* SPDX-License-Identifier: MIT */
#include "report/lines.h"

#include <inttypes.h>

void line_place(struct flow *flow, const struct diagnosis *diagnosis, const struct place *place)
{
    flow_text(flow, source_path(diagnosis, place->input));
    if (place->line)
        flow_print(flow, ":%" PRIu64, place->line);
    flow_string(flow, ": ");
}

static enum style severity_style(enum severity severity)
{
    return severity == SEVERITY_ERROR     ? STYLE_ERROR
           : severity == SEVERITY_WARNING ? STYLE_WARNING
                                          : STYLE_INFO;
}

static bool same_line(const struct run *run, const struct finding *a, const struct finding *b)
{
    struct place place = finding_place(run, a), other = finding_place(run, b);
    return !a->absorbed_by && !b->absorbed_by && place.input == other.input &&
           place.line == other.line && place.offset == other.offset &&
           text_equal(a->message, b->message);
}

bool line_is_repeated(const struct verdict *verdict, const struct finding *finding)
{
    const struct finding *at = verdict->judgement.findings;
    while (at < finding && !same_line(verdict->run, at, finding))
        at++;
    return at < finding;
}

static void line_rules(struct flow *flow, const struct verdict *verdict,
                       const struct finding *finding)
{
    const struct finding *end = verdict->judgement.findings + verdict->judgement.finding_count;
    flow_print(flow, " [%s", finding->symptom->id);
    for (const struct finding *at = finding + 1; !flow->unwrapped && at < end; at++)
        if (same_line(verdict->run, finding, at))
            flow_print(flow, ", %s", at->symptom->id);
    flow_string(flow, "]");
}

void line_finding(const struct diagnosis *diagnosis, const struct verdict *verdict,
                  const struct finding *finding, enum line_form form, struct out *out)
{
    const double sure = 0.9, likely = 0.7; /* words instead of numbers */
    bool unwrapped = form == LINE_UNWRAPPED;
    struct flow flow;
    char word[16];
    struct place place = finding_place(verdict->run, finding);
    flow_begin(&flow, out, 0, 2);
    flow.unwrapped = unwrapped;
    line_place(&flow, diagnosis, &place);
    snprintf(word, sizeof(word), "%s:", severity_name(finding->severity));
    flow_styled(&flow, severity_style(finding->severity), word);
    flow_string(&flow, " ");
    flow_quoted(&flow, unwrapped ? finding->message : finding_core(finding),
                !unwrapped && finding->candidate.message ? QUOTED_COLUMNS : SIZE_MAX);
    if (form == LINE_SURE)
        flow_print(&flow, ", confidence %.1f", finding->confidence);
    else if (finding->confidence < sure)
        flow_string(&flow, finding->confidence < likely ? ", maybe" : ", likely");
    line_rules(&flow, verdict, finding);
    flow_end(&flow);
}

enum style status_style(enum status status)
{
    return status == STATUS_FAILING   ? STYLE_ERROR
           : status == STATUS_SUSPECT ? STYLE_WARNING
           : status == STATUS_HEALTHY ? STYLE_GOOD
                                      : STYLE_INFO;
}

const char *status_word(enum status status)
{
    static const char *const words[] = {
        [STATUS_HEALTHY] = "HEALTHY",
        [STATUS_SUSPECT] = "SUSPECT",
        [STATUS_FAILING] = "FAILING",
        [STATUS_UNKNOWN] = "UNKNOWN",
    };
    return words[status];
}

void line_status(struct flow *flow, const struct verdict *verdict)
{
    flow_styled(flow, status_style(verdict->status), status_word(verdict->status));
    flow->bol = true; /* what follows stands right behind it */
}

static const char *count_one(struct flow *flow, size_t count, const char *word, const char *before)
{
    if (!count)
        return before;
    flow_print(flow, "%s%zu %s%s", before, count, word, count == 1 ? "" : "s");
    return ", ";
}

void line_counts(struct flow *flow, const struct verdict *verdict, const char *before)
{
    before = count_one(flow, verdict->errors, "error", before);
    before = count_one(flow, verdict->warnings, "warning", before);
    count_one(flow, verdict->infos, "remark", before);
}
