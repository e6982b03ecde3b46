/* The report for a person: verdict first, then causes, fixes, findings and what was not checked. */
/* SPDX-License-Identifier: MIT */
#include "report/lines.h"
#include "report/text_cause.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 3, FINDINGS_MAX = 12 };

static void count_part(struct flow *flow, uint64_t count, const char *word, const char *plural,
                       bool first)
{
    flow_print(flow, "%s%" PRIu64 " %s", first ? "" : ", ", count, count == 1 ? word : plural);
}

/* Steps are counted as they stand in the log: all of them, every hundredth, or epochs. */
static void steps_part(struct flow *flow, const struct run *run)
{
    const struct series *main = NULL;
    for (size_t i = 0; i < run->series_count && (!main || main->kind != KIND_LOSS); i++)
        if (run->series[i].main && (!main || run->series[i].kind == KIND_LOSS))
            main = &run->series[i];
    bool sparse = run->first_step != STEP_NONE && run->last_step > run->first_step &&
                  (uint64_t)run->last_step - (uint64_t)run->first_step >= run->step_count;
    const char *unit = main ? series_unit(main) : "step";
    flow_print(flow, ", %" PRIu64 " %s%s%s", run->step_count,
               sparse && strcmp(unit, "step") == 0 ? "logged " : "", unit,
               run->step_count == 1 ? "" : "s");
}

static size_t checks_passed(const struct judgement *judgement)
{
    size_t passed = 0;
    for (size_t i = 0; i < judgement->ran_count; i++) {
        bool spoke = false;
        for (size_t k = 0; k < judgement->finding_count && !spoke; k++)
            spoke = judgement->findings[k].symptom == judgement->ran[i] &&
                    !judgement->findings[k].absorbed_by;
        passed += !spoke;
    }
    return passed;
}

static void write_advice(const struct verdict *verdict, struct out *out)
{
    struct flow flow;
    flow_begin(&flow, out, 2, 2);
    flow_string(&flow, "Give --map or --type; \"stalldoc inspect ");
    flow_text(&flow, verdict->run->id);
    flow_string(&flow, "\" shows what was read");
    flow_end(&flow);
}

/* The verdict's line is all that there is to say of a file that holds nothing but damage. */
static bool is_damage_alone(const struct diagnosis *diagnosis, const struct verdict *verdict)
{
    const struct run *run = verdict->run;
    const struct judgement *judgement = &verdict->judgement;
    return judgement->finding_count == 1 && run->input_count == 1 && run->series_count == 0 &&
           run->tensor_count == 0 &&
           strcmp(judgement->findings[0].symptom->id, "input-damaged") == 0 &&
           text_equal(finding_core(&judgement->findings[0]), verdict->headline) &&
           text_equal(source_path(diagnosis, run->inputs[0]), run->id);
}

/* `runs/42: FAILING: ...` and the line that says how much was looked at. */
static void write_verdict(const struct diagnosis *diagnosis, const struct verdict *verdict,
                          struct out *out)
{
    const struct run *run = verdict->run;
    const struct judgement *judgement = &verdict->judgement;
    struct flow flow;
    flow_begin(&flow, out, 0, 2);
    flow_text(&flow, run->id);
    flow_string(&flow, ": ");
    line_status(&flow, verdict);
    if (verdict->status == STATUS_HEALTHY && judgement->not_judged_count)
        flow_string(&flow, ", trend not judged");
    flow_string(&flow, ": ");
    flow_quoted(&flow, verdict->headline, QUOTED_COLUMNS);
    if (is_damage_alone(diagnosis, verdict))
        flow_print(&flow, " [%s]", verdict->judgement.findings[0].symptom->id);
    flow_end(&flow);
    if (verdict->status == STATUS_UNKNOWN) {
        write_advice(verdict, out);
        return;
    }
    flow_begin(&flow, out, 2, 2);
    count_part(&flow, run->input_count, "input", "inputs", true);
    if (run->step_count)
        steps_part(&flow, run);
    count_part(&flow, run->series_count, "series", "series", false);
    if (run->tensor_count)
        count_part(&flow, run->tensor_count, "tensor", "tensors", false);
    line_counts(&flow, verdict, "; ");
    for (size_t i = 0; i < judgement->not_judged_count; i++)
        flow_print(&flow, "; %s: not judged", judgement->not_judged[i]);
    if (verdict->errors + verdict->warnings == 0)
        flow_print(&flow, "; %zu checks passed, %zu not possible%s", checks_passed(judgement),
                   judgement->skipped_count, judgement->skipped_count ? " (-v lists them)" : "");
    flow_end(&flow);
}

static bool is_shown(const struct finding *finding)
{
    return !finding->absorbed_by;
}

/* The third remark of one form and later ones tell nothing that the first two do not. */
static bool is_one_of_many(const struct judgement *judgement, size_t at)
{
    enum { ALIKE = 2 };
    const struct finding *finding = &judgement->findings[at];
    size_t before = 0;
    for (size_t i = 0; i < at && before < ALIKE && finding->severity == SEVERITY_INFO; i++) {
        const struct finding *other = &judgement->findings[i];
        before += is_shown(other) && other->severity == SEVERITY_INFO &&
                  other->symptom == finding->symptom && strcmp(other->form, finding->form) == 0;
    }
    return before == ALIKE;
}

static void write_findings(const struct diagnosis *diagnosis, const struct verdict *verdict,
                           const struct report_options *options, struct out *out)
{
    const struct judgement *judgement = &verdict->judgement;
    size_t shown = 0, left = 0;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        if (!is_shown(&judgement->findings[i]) ||
            (!options->quiet && line_is_repeated(verdict, &judgement->findings[i])))
            continue;
        if ((shown >= FINDINGS_MAX || is_one_of_many(judgement, i)) && !options->verbose &&
            !options->quiet) {
            left++;
            continue;
        }
        if (shown++ == 0 && !options->quiet)
            text_heading("FINDINGS", out);
        line_finding(diagnosis, verdict, &judgement->findings[i],
                     options->quiet     ? LINE_UNWRAPPED
                     : options->verbose ? LINE_SURE
                                        : LINE_WRAPPED,
                     out);
    }
    if (left)
        out_print(out, "and %zu more (-v lists them)\n", left);
    if (judgement->weak_count && options->verbose && !options->quiet)
        text_heading("TOO WEAK TO COUNT (--min-confidence)", out);
    for (size_t i = 0; i < judgement->weak_count && options->verbose && !options->quiet; i++)
        line_finding(diagnosis, verdict, &judgement->weak[i], LINE_SURE, out);
}

/* One line a reason, with all the rules that it stopped. */
static void write_skipped(const struct judgement *judgement, struct out *out)
{
    if (judgement->skipped_count)
        text_heading("NOT CHECKED", out);
    for (size_t i = 0; i < judgement->skipped_count; i++) {
        struct text reason = judgement->skipped[i].reason;
        bool before = false;
        for (size_t k = 0; k < i && !before; k++)
            before = text_equal(judgement->skipped[k].reason, reason);
        if (before)
            continue;
        struct flow flow;
        flow_begin(&flow, out, 0, 2);
        flow_text(&flow, reason);
        flow_string(&flow, ":");
        const char *part = " ";
        for (size_t k = i; k < judgement->skipped_count; k++)
            if (text_equal(judgement->skipped[k].reason, reason)) {
                flow_print(&flow, "%s%s", part, judgement->skipped[k].symptom->id);
                part = ", ";
            }
        flow_end(&flow);
    }
}

/* Without how many there are and how many it takes. */
static struct text reason_short(const struct verdict *verdict, size_t at)
{
    const struct text reason = verdict->judgement.skipped[at].reason;
    return text_cut(reason, 0, text_find(reason, TEXT(" (")));
}

/* The kinds of "no A, B or C series"; "" where the reason is of another form. */
static struct text reason_kinds(struct text reason)
{
    if (!text_starts(reason, "no ") || !text_ends(reason, " series"))
        return TEXT("");
    return text_cut(reason, strlen("no "), reason.size - strlen("no ") - strlen(" series"));
}

static struct text kind_take(struct text *kinds)
{
    size_t comma = text_find(*kinds, TEXT(", ")), either = text_find(*kinds, TEXT(" or "));
    size_t end = comma < either ? comma : either;
    size_t behind = end == kinds->size ? end : end + (end == comma ? 2 : strlen(" or "));
    struct text kind = text_cut(*kinds, 0, end);
    *kinds = text_cut(*kinds, behind, kinds->size);
    return kind;
}

/* What is not there is told once, however many rules asked for it beside other kinds. */
static void write_kinds(const struct verdict *verdict, struct flow *flow)
{
    enum { KINDS = 32 };
    struct text told[KINDS];
    size_t count = 0;
    for (size_t i = 0; i < verdict->judgement.skipped_count; i++) {
        struct text kinds = reason_kinds(reason_short(verdict, i));
        while (kinds.size && count < KINDS) {
            const struct text kind = kind_take(&kinds);
            bool before = false;
            for (size_t k = 0; k < count && !before; k++)
                before = text_equal(told[k], kind);
            if (!before)
                told[count++] = kind;
        }
    }
    for (size_t i = 0; i < count; i++) {
        flow_string(flow, i == 0 ? "no " : i + 1 < count ? ", " : " or ");
        flow_text(flow, told[i]);
    }
    if (count)
        flow_string(flow, " series");
}

/* The reasons alone: a verdict is as wide as its checks. */
static void write_reasons(const struct verdict *verdict, struct out *out)
{
    const size_t count = verdict->judgement.skipped_count;
    const bool bare = verdict->run->series_count == 0;
    bool kinds = false;      /* the reasons about kinds of series were told, all in one */
    const char *part = NULL; /* nothing told yet */
    struct flow flow;
    for (size_t i = 0; i < count; i++) {
        const struct text reason = reason_short(verdict, i);
        const bool of_kinds = reason_kinds(reason).size > 0;
        /* What a run of this kind has no need of is left to -v. */
        bool before = (of_kinds && kinds) || text_starts(reason, "not for a run");
        for (size_t k = 0; k < i && !before; k++)
            before = text_equal(reason_short(verdict, k), reason);
        if (before)
            continue;
        if (part) {
            flow_string(&flow, part);
        } else {
            text_heading("NOT CHECKED (-v names the rules)", out);
            flow_begin(&flow, out, 0, 0);
        }
        if (of_kinds && bare)
            flow_string(&flow, "no series");
        else if (of_kinds)
            write_kinds(verdict, &flow);
        else
            flow_text(&flow, reason);
        kinds = kinds || of_kinds;
        part = "; ";
    }
    if (part)
        flow_end(&flow);
}

static void write_gated(const struct judgement *judgement, struct out *out)
{
    if (judgement->gated_count)
        text_heading("HELD BACK", out);
    for (size_t i = 0; i < judgement->gated_count; i++) {
        struct flow flow;
        flow_begin(&flow, out, 0, 2);
        flow_print(&flow, "%s: ", judgement->gated[i].symptom->id);
        flow_text(&flow, judgement->gated[i].text);
        flow_end(&flow);
    }
}

static void write_before(const struct diagnosis *diagnosis, const struct verdict *verdict,
                         struct out *out)
{
    if (verdict->before_count)
        text_heading("JUST BEFORE", out);
    for (size_t i = 0; i < verdict->before_count; i++) {
        struct flow flow;
        flow_begin(&flow, out, 0, 2);
        line_place(&flow, diagnosis, &verdict->before[i].place);
        flow_text(&flow, verdict->before[i].text);
        flow_end(&flow);
    }
}

static void write_experiments(const struct verdict *verdict, struct out *out)
{
    if (verdict->experiment_count)
        text_heading("WHAT WOULD TELL MORE", out);
    for (size_t i = 0; i < verdict->experiment_count; i++) {
        struct flow flow;
        flow_begin(&flow, out, 0, 3);
        flow_print(&flow, "%zu. ", i + 1);
        flow_text(&flow, verdict->experiments[i]);
        flow_end(&flow);
    }
}

static void write_block(const struct diagnosis *diagnosis, const struct verdict *verdict,
                        const struct report_options *options, struct out *out)
{
    bool sick = verdict->status == STATUS_FAILING || verdict->status == STATUS_SUSPECT;
    write_verdict(diagnosis, verdict, out);
    if (sick || options->verbose)
        text_causes(diagnosis, verdict, options, out);
    if (options->evidence)
        write_before(diagnosis, verdict, out);
    write_experiments(verdict, out);
    if (options->verbose || !is_damage_alone(diagnosis, verdict))
        write_findings(diagnosis, verdict, options, out);
    if (options->verbose) {
        write_gated(&verdict->judgement, out);
        write_skipped(&verdict->judgement, out);
    } else if (sick) {
        write_reasons(verdict, out);
    }
}

static int badness(const struct verdict *verdict)
{
    static const int order[] = {
        [STATUS_FAILING] = 3, [STATUS_SUSPECT] = 2, [STATUS_UNKNOWN] = 1, [STATUS_HEALTHY] = 0};
    return order[verdict->status];
}

/* The nth verdict, worst first, runs of one status in their order. */
static const struct verdict *verdict_by_badness(const struct diagnosis *diagnosis, size_t nth)
{
    for (int level = 3; level >= 0; level--)
        for (size_t i = 0; i < diagnosis->verdict_count; i++) {
            if (badness(&diagnosis->verdicts[i]) != level)
                continue;
            if (nth-- == 0)
                return &diagnosis->verdicts[i];
        }
    return NULL;
}

/* `56 runs: 1 failing, 3 suspect, 52 healthy` */
static void write_tally(const struct diagnosis *diagnosis, struct out *out)
{
    static const enum status order[] = {STATUS_FAILING, STATUS_SUSPECT, STATUS_UNKNOWN,
                                        STATUS_HEALTHY};
    const char *between = ": ";
    out_print(out, "%zu runs", diagnosis->verdict_count);
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        size_t count = 0;
        for (size_t k = 0; k < diagnosis->verdict_count; k++)
            count += diagnosis->verdicts[k].status == order[i];
        if (count == 0)
            continue;
        out_print(out, "%s%zu %s", between, count, status_name(order[i]));
        between = ", ";
    }
    out_literal(out, "\n");
}

static void write_summary(const struct diagnosis *diagnosis, struct out *out)
{
    write_tally(diagnosis, out);
    for (size_t i = 0; i < diagnosis->verdict_count; i++) {
        const struct verdict *verdict = verdict_by_badness(diagnosis, i);
        struct flow flow;
        flow_begin(&flow, out, 0, 2);
        flow_text(&flow, verdict->run->id);
        flow_string(&flow, ": ");
        line_status(&flow, verdict);
        flow_string(&flow, ": ");
        flow_quoted(&flow, verdict->headline, QUOTED_COLUMNS);
        if (verdict->cause_count && verdict->status >= STATUS_SUSPECT &&
            verdict->status <= STATUS_FAILING)
            flow_print(&flow, " (%s %.2f)", verdict->causes[0].cause->id, verdict->causes[0].score);
        flow_end(&flow);
    }
}

static void write_text(const struct diagnosis *diagnosis, const struct report_options *options,
                       struct out *out)
{
    size_t count = diagnosis->verdict_count;
    if (options->quiet) {
        for (size_t i = 0; i < count; i++)
            write_findings(diagnosis, &diagnosis->verdicts[i], options, out);
        return;
    }
    bool many = count > BLOCKS_MAX && !options->verbose;
    if (many)
        write_summary(diagnosis, out);
    size_t blocks = many ? BLOCKS_MAX : count;
    for (size_t i = 0; i < blocks; i++) {
        const struct verdict *verdict =
            many ? verdict_by_badness(diagnosis, i) : &diagnosis->verdicts[i];
        if (many && badness(verdict) < 2)
            break; /* its line says it all */
        if (many || i)
            out_literal(out, "\n");
        write_block(diagnosis, verdict, options, out);
    }
}

const struct report report_text = {
    .name = "text",
    .about = "for people: verdict, causes, fixes, findings",
    .write = write_text,
};
