/* The report as `stalldoc/1`: the contract that all other formats are views of. */
/* SPDX-License-Identifier: MIT */
#include "report/finding.h"
#include "report/json_parts.h"

#include <math.h>

struct writer {
    struct json json;
    struct quotes quotes;
    const struct diagnosis *diagnosis;
    const struct report_options *options;
};

static void write_checks(struct json *json, const struct verdict *verdict)
{
    const struct judgement *judgement = &verdict->judgement;
    json_open(json, "checks", '{', false);
    json_open(json, "ran", '[', false);
    for (size_t i = 0; i < judgement->ran_count; i++)
        json_string(json, NULL, judgement->ran[i]->id);
    json_close(json);
    json_open(json, "skipped", '[', false);
    for (size_t i = 0; i < judgement->skipped_count; i++) {
        json_open(json, NULL, '{', false);
        json_string(json, "rule", judgement->skipped[i].symptom->id);
        json_text(json, "reason", judgement->skipped[i].reason);
        json_close(json);
    }
    json_close(json);
    json_open(json, "gated", '[', false);
    for (size_t i = 0; i < judgement->gated_count; i++) {
        json_open(json, NULL, '{', false);
        json_string(json, "rule", judgement->gated[i].symptom->id);
        json_string(json, "gate", judgement->gated[i].gate ? judgement->gated[i].gate : "");
        json_text(json, "run", verdict->run->id);
        json_text(json, "text", judgement->gated[i].text);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_empty_checks(struct json *json)
{
    static const char *const members[] = {"ran", "skipped", "gated"};
    json_open(json, "checks", '{', false);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        json_open(json, members[i], '[', false);
        json_close(json);
    }
    json_close(json);
}

/* `verdict` NULL: nothing was judged at all. Leaves the object open. */
static void open_verdict(struct json *json, const struct verdict *verdict, bool with_run)
{
    json_open(json, "verdict", '{', false);
    if (with_run && verdict)
        json_text(json, "run", verdict->run->id);
    else if (with_run)
        json_null(json, "run");
    json_string(json, "status", status_name(verdict ? verdict->status : STATUS_UNKNOWN));
    if (verdict && verdict->worst != SEVERITY_NONE)
        json_string(json, "severity", severity_name(verdict->worst));
    else
        json_null(json, "severity");
    json_text(json, "headline", verdict ? verdict->headline : TEXT("nothing was read"));
    json_open(json, "counts", '{', false);
    json_unsigned(json, "error", verdict ? verdict->errors : 0);
    json_unsigned(json, "warning", verdict ? verdict->warnings : 0);
    json_unsigned(json, "info", verdict ? verdict->infos : 0);
    json_unsigned(json, "suppressed", 0);
    json_close(json);
    json_open(json, "not_judged", '[', false);
    for (size_t i = 0; verdict && i < verdict->judgement.not_judged_count; i++)
        json_string(json, NULL, verdict->judgement.not_judged[i]);
    json_close(json);
}

static void write_last_good(struct json *json, const struct verdict *verdict)
{
    if (verdict->last_good_step == STEP_NONE)
        return;
    json_signed(json, "last_good_step", verdict->last_good_step);
    if (verdict->last_good_checkpoint.size)
        json_text(json, "last_good_checkpoint", verdict->last_good_checkpoint);
}

static void write_before(struct writer *writer, const struct verdict *verdict)
{
    struct json *json = &writer->json;
    json_open(json, "before", '[', false);
    for (size_t i = 0; i < verdict->before_count; i++) {
        const struct before *before = &verdict->before[i];
        json_open(json, NULL, '{', false);
        json_text(json, "text", before->text);
        if (before->place.input)
            json_location(json, "location",
                          &(struct spot){.place = before->place, .step = before->step},
                          &writer->quotes);
        json_close(json);
    }
    json_close(json);
}

static void write_run(struct writer *writer, const struct verdict *verdict, size_t first_series)
{
    struct json *json = &writer->json;
    const struct run *run = verdict->run;
    json_open(json, NULL, '{', false);
    json_text(json, "id", run->id);
    json_open(json, "inputs", '[', false);
    for (size_t i = 0; i < run->input_count; i++)
        json_unsigned(json, NULL, run->inputs[i] - 1);
    json_close(json);
    if (run->first_step == STEP_NONE) {
        json_null(json, "steps");
    } else {
        json_open(json, "steps", '{', false);
        json_signed(json, "first", run->first_step);
        json_signed(json, "last", run->last_step);
        json_unsigned(json, "count", run->step_count);
        if (run->planned_steps != STEP_NONE)
            json_signed(json, "planned", run->planned_steps);
        json_close(json);
    }
    json_string(json, "end", run_end_name(verdict->end));
    json_facts(json, run, &writer->quotes);
    json_open(json, "main", '[', false);
    for (size_t i = 0; i < run->series_count; i++)
        if (run->series[i].main)
            json_unsigned(json, NULL, first_series + i);
    json_close(json);
    write_checks(json, verdict);
    open_verdict(json, verdict, false);
    write_last_good(json, verdict);
    write_before(writer, verdict);
    json_texts(json, "experiments", verdict->experiments, verdict->experiment_count);
    json_close(json);
    json_close(json);
}

static void write_runs(struct writer *writer)
{
    size_t series = 0;
    json_open(&writer->json, "runs", '[', false);
    for (size_t i = 0; i < writer->diagnosis->verdict_count; i++) {
        write_run(writer, &writer->diagnosis->verdicts[i], series);
        series += writer->diagnosis->verdicts[i].run->series_count;
    }
    json_close(&writer->json);
}

/* The tensor that a finding names; "" where it is about something else. */
static struct text tensor_of(const struct candidate *candidate)
{
    for (size_t i = 0; i < candidate->value_count; i++)
        if (strcmp(candidate->values[i].name, "tensor") == 0)
            return candidate->values[i].text;
    return TEXT("");
}

/* The levels and distances that a reading is held against, of all that detectors measure. */
static bool is_yardstick(const struct value *value)
{
    static const char *const names[] = {
        "median", "deviation", "sigma", "z",     "best", "start", "before",
        "train",  "usual",     "bound", "limit", "p5",   "p95",   "floor",
        "target", "chance",    "mean",  "delta", "band",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(value->name, names[i]) == 0)
            return !value->text.size && !value_missing(value->number);
    return false;
}

static void write_compared(struct json *json, const struct candidate *candidate, double shown)
{
    bool any = false;
    for (size_t i = 0; i < candidate->value_count; i++) {
        const struct value *value = &candidate->values[i];
        if (!is_yardstick(value) || value->number == shown)
            continue;
        if (!any)
            json_open(json, "compared", '{', false);
        any = true;
        json_number(json, value->name, value->number);
    }
    if (any)
        json_close(json);
}

/* Which of the readings is the one that was held against the others: that of the onset. */
static size_t judged_evidence(const struct candidate *candidate)
{
    for (size_t i = 0; i < candidate->evidence_count; i++)
        if (candidate->evidence[i].kind == EVIDENCE_VALUE &&
            candidate->evidence[i].step == candidate->onset.step &&
            candidate->evidence[i].place.line == candidate->onset.line)
            return i;
    return candidate->evidence_count ? candidate->evidence_count - 1 : 0;
}

/* Bytes of the tensor of that name in that input; 0 where it is kept in another form. */
static uint64_t tensor_length(const struct run *run, struct text name, uint32_t input)
{
    for (size_t i = 0; name.size && i < run->tensor_count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (tensor->input != input || tensor->type.size || !text_equal(tensor->name, name))
            continue;
        uint64_t length = dtype_size(tensor->dtype);
        for (size_t d = 0; d < tensor->rank; d++)
            length *= (uint64_t)tensor->shape[d];
        return length;
    }
    return 0;
}

static void write_one_evidence(struct writer *writer, const struct run *run,
                               const struct finding *finding, const struct evidence *evidence,
                               struct place place, bool judged)
{
    static const char *const kinds[] = {
        [EVIDENCE_VALUE] = "value",     [EVIDENCE_RANGE] = "range",
        [EVIDENCE_TEXT] = "text",       [EVIDENCE_TENSOR] = "tensor",
        [EVIDENCE_EVENT] = "event",     [EVIDENCE_STATISTIC] = "statistic",
        [EVIDENCE_ABSENCE] = "absence",
    };
    struct json *json = &writer->json;
    bool tensor = evidence->kind == EVIDENCE_TENSOR;
    const struct text name = tensor ? evidence->series : TEXT("");
    json_open(json, NULL, '{', false);
    json_string(json, "kind", kinds[evidence->kind]);
    json_location(json, "location",
                  &(struct spot){.place = place,
                                 .line = finding_line(finding, &place),
                                 .step = evidence->step,
                                 .tensor = name,
                                 .length = tensor_length(run, name, place.input)},
                  &writer->quotes);
    if (evidence->series.size && !tensor)
        json_text(json, "series", evidence->series);
    if (!value_missing(evidence->value))
        json_number(json, "value", evidence->value);
    if (judged)
        write_compared(json, &finding->candidate, evidence->value);
    json_text(json, "text", evidence->text);
    json_close(json);
}

static void write_evidence(struct writer *writer, const struct run *run,
                           const struct finding *finding)
{
    const struct candidate *candidate = &finding->candidate;
    size_t judged = judged_evidence(candidate);
    json_open(&writer->json, "evidence", '[', false);
    for (size_t i = 0; i < candidate->evidence_count; i++) {
        struct place place = candidate->evidence[i].place;
        if (place.input == 0)
            place.input = finding_place(run, finding).input;
        write_one_evidence(writer, run, finding, &candidate->evidence[i], place, i == judged);
    }
    if (candidate->evidence_count == 0) { /* the schema asks for one: the line itself */
        struct text tensor = tensor_of(candidate);
        struct evidence evidence = {
            .kind = candidate->message ? EVIDENCE_TEXT
                    : tensor.size      ? EVIDENCE_TENSOR
                                       : EVIDENCE_STATISTIC,
            .step = candidate->onset.step,
            .series = candidate->message ? TEXT("") : tensor,
            .value = value_missing_make(),
            .text = candidate->message ? candidate->message->line : finding->message,
        };
        write_one_evidence(writer, run, finding, &evidence, finding_place(run, finding), true);
    }
    json_close(&writer->json);
}

/* Names and words stand apart: `values` holds numbers alone. */
static void write_values(struct json *json, const struct candidate *candidate)
{
    bool words = false;
    json_open(json, "values", '{', false);
    for (size_t i = 0; i < candidate->value_count; i++) {
        const struct value *value = &candidate->values[i];
        if (value->text.size && isnan(value->number))
            words = true;
        else if (!value_missing(value->number))
            json_number(json, value->name, value->number);
    }
    json_close(json);
    if (!words)
        return;
    json_open(json, "words", '{', false);
    for (size_t i = 0; i < candidate->value_count; i++) {
        const struct value *value = &candidate->values[i];
        if (value->text.size && isnan(value->number))
            json_text(json, value->name, value->text);
    }
    json_close(json);
}

static void write_finding(struct writer *writer, const struct run *run,
                          const struct finding *finding)
{
    struct json *json = &writer->json;
    const struct candidate *candidate = &finding->candidate;
    char text[32];
    json_open(json, NULL, '{', false);
    snprintf(text, sizeof(text), "f%zu", finding_number(writer->diagnosis, finding));
    json_string(json, "id", text);
    json_string(json, "rule", finding->symptom->id);
    json_string(json, "form", finding->form ? finding->form : "");
    json_string(json, "severity", severity_name(finding->severity));
    json_share(json, "confidence", finding->confidence);
    write_values(json, candidate);
    json_text(json, "run", run->id);
    json_unsigned(json, "segment", candidate->segment);
    json_text(json, "message", finding->message);
    struct spot spot = {
        .place = finding_place(run, finding),
        .end_line = candidate->end_line,
        .step = candidate->onset.step,
        .tag = candidate->series ? candidate->series->tag : TEXT(""),
        .tensor = tensor_of(candidate),
        .ranked = candidate->series && candidate->series->rank >= 0,
        .rank = candidate->series ? candidate->series->rank : -1,
    };
    spot.length = tensor_length(run, spot.tensor, spot.place.input);
    spot.line = finding_line(finding, &spot.place);
    json_location(json, "location", &spot, &writer->quotes);
    write_evidence(writer, run, finding);
    finding_fingerprint(run, finding, text);
    json_string(json, "fingerprint", text);
    if (finding->absorbed_by) {
        snprintf(text, sizeof(text), "f%zu",
                 finding_number(writer->diagnosis, finding->absorbed_by));
        json_string(json, "absorbed_by", text);
    }
    json_null(json, "suppressed");
    json_close(json);
}

static void write_findings(struct writer *writer)
{
    json_open(&writer->json, "findings", '[', false);
    for (size_t i = 0; i < writer->diagnosis->verdict_count; i++) {
        const struct verdict *verdict = &writer->diagnosis->verdicts[i];
        for (size_t k = 0; k < verdict->judgement.finding_count; k++)
            write_finding(writer, verdict->run, &verdict->judgement.findings[k]);
    }
    json_close(&writer->json);
}

static void write_arguments(struct writer *writer, const struct ranked *ranked, bool against)
{
    struct json *json = &writer->json;
    json_open(json, against ? "against" : "because", '[', false);
    for (size_t i = 0; i < ranked->argument_count; i++) {
        const struct argument *argument = &ranked->arguments[i];
        if (against != (argument->nats < 0))
            continue;
        char id[32];
        json_open(json, NULL, '{', false);
        if (argument->finding) {
            snprintf(id, sizeof(id), "f%zu", finding_number(writer->diagnosis, argument->finding));
            json_string(json, "finding", id);
        } else {
            json_null(json, "finding");
        }
        json_share(json, "weight", argument->nats);
        json_text(json, "text", argument->text);
        if (!argument->finding && argument->place.input)
            json_location(json, "location",
                          &(struct spot){.place = argument->place, .step = STEP_NONE},
                          &writer->quotes);
        json_close(json);
    }
    json_close(json);
}

static void write_fix(struct json *json, const struct filled_fix *filled)
{
    json_open(json, NULL, '{', false);
    json_text(json, "title", filled->title);
    if (filled->numbers.size)
        json_text(json, "numbers", filled->numbers);
    json_string(json, "effort", filled->fix->effort);
    if (filled->expect.size)
        json_text(json, "expect", filled->expect);
    json_open(json, "snippets", '[', false);
    for (size_t i = 0; i < filled->fix->snippet_count; i++) {
        json_open(json, NULL, '{', false);
        json_string(json, "framework", filled->fix->snippets[i].framework);
        json_string(json, "language", filled->fix->snippets[i].language);
        json_text(json, "code", filled->codes[i]);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_cause(struct writer *writer, const struct verdict *verdict, size_t rank)
{
    struct json *json = &writer->json;
    const struct ranked *ranked = &verdict->causes[rank];
    json_open(json, NULL, '{', false);
    json_string(json, "cause", ranked->cause->id);
    json_unsigned(json, "rank", rank + 1);
    json_share(json, "score", ranked->score);
    json_share(json, "sum", ranked->sum);
    json_share(json, "prior", ranked->prior);
    json_share(json, "order", ranked->order);
    json_text(json, "run", verdict->run->id);
    json_string(json, "summary", ranked->cause->title);
    write_arguments(writer, ranked, false);
    write_arguments(writer, ranked, true);
    if (ranked->chain.size)
        json_text(json, "chain", ranked->chain);
    json_open(json, "fixes", '[', false);
    for (size_t i = 0; i < ranked->fix_count; i++)
        write_fix(json, &ranked->fixes[i]);
    json_close(json);
    json_close(json);
}

/* The worst run's causes come first, so that the first of the array is the first to look at. */
static void write_causes(struct writer *writer)
{
    enum { ALWAYS = 3 };
    const double least = 0.05;
    const struct diagnosis *diagnosis = writer->diagnosis;
    json_open(&writer->json, "causes", '[', false);
    for (size_t i = 0; i < diagnosis->verdict_count; i++) {
        size_t at = i == 0 ? diagnosis->worst : i <= diagnosis->worst ? i - 1 : i;
        const struct verdict *verdict = &diagnosis->verdicts[at];
        for (size_t rank = 0; rank < verdict->cause_count; rank++)
            if (rank < ALWAYS || verdict->causes[rank].score >= least)
                write_cause(writer, verdict, rank);
    }
    json_close(&writer->json);
}

static void write_top(struct writer *writer)
{
    const struct diagnosis *diagnosis = writer->diagnosis;
    struct json *json = &writer->json;
    const struct verdict *worst =
        diagnosis->verdict_count ? &diagnosis->verdicts[diagnosis->worst] : NULL;
    if (worst)
        write_checks(json, worst);
    else
        write_empty_checks(json);
    open_verdict(json, worst, true);
    json_open(json, "fail_on", '[', false);
    const char *const *fail_on = writer->options->fail_on;
    for (size_t i = 0; fail_on && fail_on[i]; i++)
        json_string(json, NULL, fail_on[i]);
    json_close(json);
    json_signed(json, "exit_code", diagnosis->exit_code);
    if (worst)
        write_last_good(json, worst);
    json_close(json);
}

static void write_json(const struct diagnosis *diagnosis, const struct report_options *options,
                       struct out *out)
{
    struct writer writer = {
        .json = {.out = out},
        .quotes = {.collection = diagnosis->collection, .unread = options->stdin_input},
        .diagnosis = diagnosis,
        .options = options,
    };
    struct json *json = &writer.json;
    json_open(json, NULL, '{', false);
    json_string(json, "schema", "stalldoc/1");
    json_tool(json);
    json_inputs(json, diagnosis->collection);
    write_runs(&writer);
    json_series(json, diagnosis->collection, options->points, NULL, 0);
    write_findings(&writer);
    write_causes(&writer);
    write_top(&writer);
    json_close(json);
    quotes_close(&writer.quotes);
}

const struct report report_json = {
    .name = "json",
    .about = "the whole report as stalldoc/1, for programs",
    .write = write_json,
};
