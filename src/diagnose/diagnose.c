/* Findings to verdicts: status, causes, headline, exit code. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <string.h>

static const char *const status_names[] = {
    [STATUS_HEALTHY] = "healthy",
    [STATUS_SUSPECT] = "suspect",
    [STATUS_FAILING] = "failing",
    [STATUS_UNKNOWN] = "unknown",
};

const char *status_name(enum status status)
{
    return status_names[status];
}

struct context diagnosing_context(const struct diagnosing *diagnosing, const struct finding *at)
{
    return (struct context){.run = diagnosing->run,
                            .rules = diagnosing->rules,
                            .all = diagnosing->judgement->findings,
                            .all_count = diagnosing->judgement->finding_count,
                            .at = at,
                            .findings = true,
                            .good = &diagnosing->good};
}

bool diagnosing_memory(const struct diagnosing *diagnosing)
{
    return error_set(diagnosing->error, ERROR_MEMORY, (struct place){0},
                     "no memory for the diagnosis");
}

enum severity finding_level(const struct diagnose_options *options, const struct finding *finding)
{
    bool sure = finding->confidence >= options->fail_confidence;
    return finding->severity == SEVERITY_ERROR && !sure ? SEVERITY_WARNING : finding->severity;
}

/* Was there anything that could be judged? */
static bool judged(const struct run *run)
{
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        if (series->kind != KIND_OTHER && series->kind != KIND_COUNTER && series->whole.points > 0)
            return true;
    }
    for (size_t i = 0; i < run->message_count; i++)
        if (run->messages[i].row->strength != STRENGTH_HARMLESS)
            return true;
    return diagnosing_tensors(run) > 0;
}

size_t diagnosing_tensors(const struct run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->tensor_count; i++)
        count += run->tensors[i].measured;
    return count;
}

static void count_findings(const struct diagnose_options *options, struct verdict *verdict)
{
    const struct judgement *judgement = &verdict->judgement;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        if (finding->absorbed_by)
            continue;
        enum severity level = finding_level(options, finding);
        verdict->errors += finding->severity == SEVERITY_ERROR;
        verdict->warnings += finding->severity == SEVERITY_WARNING;
        verdict->infos += finding->severity == SEVERITY_INFO;
        if (level > verdict->worst)
            verdict->worst = level;
    }
    if (verdict->worst == SEVERITY_ERROR)
        verdict->status = STATUS_FAILING;
    else if (verdict->worst == SEVERITY_WARNING)
        verdict->status = STATUS_SUSPECT;
    else
        verdict->status = judged(verdict->run) ? STATUS_HEALTHY : STATUS_UNKNOWN;
}

static const struct finding *finding_named(const struct judgement *judgement, const char *id)
{
    for (size_t i = 0; i < judgement->finding_count; i++)
        if (!judgement->findings[i].absorbed_by &&
            strcmp(judgement->findings[i].symptom->id, id) == 0)
            return &judgement->findings[i];
    return NULL;
}

static enum run_end end_of(const struct verdict *verdict)
{
    const struct run *run = verdict->run;
    const struct judgement *judgement = &verdict->judgement;
    const struct finding *crash = finding_named(judgement, "crash");
    const struct finding *memory = finding_named(judgement, "out-of-memory");
    const struct finding *hang = finding_named(judgement, "hang");
    if (crash && strcmp(crash->form, "stopped") == 0)
        return END_KILLED;
    if (crash)
        return END_CRASHED;
    if (memory)
        return strcmp(memory->form, "host") == 0 ? END_KILLED : END_CRASHED;
    if (hang && hang->severity > SEVERITY_INFO)
        return END_HUNG;
    for (size_t i = 0; i < run->life_count; i++)
        if (run->lives[i].event == EVENT_END)
            return END_FINISHED;
    bool reached = run->planned_steps != STEP_NONE && run->last_step != STEP_NONE &&
                   run->last_step >= run->planned_steps - 1;
    return reached ? END_FINISHED : END_UNKNOWN;
}

static bool diagnose_run(struct diagnosing *diagnosing, struct verdict *verdict)
{
    *verdict = (struct verdict){.run = diagnosing->run, .last_good_step = STEP_NONE};
    if (!judge(diagnosing->run, diagnosing->rules, &diagnosing->options->detect, diagnosing->arena,
               &verdict->judgement, diagnosing->error))
        return false;
    diagnosing->judgement = &verdict->judgement;
    count_findings(diagnosing->options, verdict);
    diagnosing->good = good_of(diagnosing);
    verdict->last_good_step = diagnosing->good.step;
    verdict->last_good_checkpoint = diagnosing->good.checkpoint;
    verdict->end = end_of(verdict);
    if (verdict->status != STATUS_UNKNOWN && !causes_rank(diagnosing, verdict))
        return false;
    return headline_write(diagnosing, verdict) && before_gather(diagnosing, verdict) &&
           experiments_propose(diagnosing, verdict);
}

static bool named(const char *const *list, const char *word)
{
    for (size_t i = 0; list && list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return true;
    return false;
}

/* Findings of one run that decide the exit code. */
static size_t deciding(const struct diagnose_options *options, const struct verdict *verdict)
{
    static const char *const usual[] = {"error", NULL};
    const char *const *list = options->fail_on ? options->fail_on : usual;
    enum severity least = SEVERITY_ERROR + 1;
    for (enum severity level = SEVERITY_ERROR; level >= SEVERITY_INFO; level--)
        if (named(list, severity_name(level)))
            least = level;
    size_t count = 0;
    for (size_t i = 0; i < verdict->judgement.finding_count; i++) {
        const struct finding *finding = &verdict->judgement.findings[i];
        if (!finding->absorbed_by &&
            (finding_level(options, finding) >= least || named(list, finding->symptom->id)))
            count++;
    }
    return options->exit_zero || named(list, "none") ? 0 : count;
}

/* Failing before suspect before healthy before unknown; then the one with more to say. */
static bool worse(const struct verdict *a, const struct verdict *b)
{
    static const int order[] = {
        [STATUS_UNKNOWN] = 0, [STATUS_HEALTHY] = 1, [STATUS_SUSPECT] = 2, [STATUS_FAILING] = 3};
    if (a->status != b->status)
        return order[a->status] > order[b->status];
    if (a->errors != b->errors)
        return a->errors > b->errors;
    return a->warnings > b->warnings;
}

/* Inputs that the user named and that gave nothing. */
static const struct source *lost_source(const struct collection *collection)
{
    for (size_t i = 0; i < collection->source_count; i++) {
        const struct source *source = &collection->sources[i];
        if (source->named && source->status == STATUS_UNREADABLE)
            return source;
    }
    return NULL;
}

static bool set_exit(const struct diagnose_options *options, struct arena *arena,
                     struct diagnosis *diagnosis)
{
    size_t count = 0;
    bool verdict = false;
    for (size_t i = 0; i < diagnosis->verdict_count; i++) {
        count += deciding(options, &diagnosis->verdicts[i]);
        verdict = verdict || diagnosis->verdicts[i].status != STATUS_UNKNOWN;
    }
    const struct source *lost = lost_source(diagnosis->collection);
    struct text reason = {0};
    if (count > 0) {
        static const char *const usual[] = {"error", NULL};
        const char *const *list = options->fail_on ? options->fail_on : usual;
        diagnosis->exit_code = 1;
        reason = arena_print(arena, "%zu finding%s at or over --fail-on=%s", count,
                             count == 1 ? "" : "s", list[0] ? list[0] : "");
        for (size_t i = 1; list[0] && list[i] && reason.data; i++)
            reason = arena_print(arena, "%.*s,%s", (int)reason.size, reason.data, list[i]);
    } else if (lost) {
        diagnosis->exit_code = 2;
        reason =
            arena_print(arena, "%.*s could not be read", (int)lost->path.size, lost->path.data);
    } else if (!verdict) {
        diagnosis->exit_code = 2;
        reason = TEXT("no verdict: no training series, no tensors, no known message");
    } else {
        return true;
    }
    diagnosis->reason = reason.data ? arena_string(arena, reason) : NULL;
    return diagnosis->reason;
}

bool diagnose(const struct collection *collection, const struct rules *rules,
              const struct diagnose_options *options, struct arena *arena,
              struct diagnosis *diagnosis, struct error *error)
{
    struct diagnosing diagnosing = {
        .rules = rules, .options = options, .arena = arena, .error = error};
    *diagnosis = (struct diagnosis){.collection = collection, .rules = rules};
    struct verdict *verdicts =
        arena_take(arena, collection->run_count + 1, sizeof(*diagnosis->verdicts));
    if (!verdicts)
        return diagnosing_memory(&diagnosing);
    for (size_t i = 0; i < collection->run_count; i++) {
        diagnosing.run = &collection->runs[i];
        if (!diagnose_run(&diagnosing, &verdicts[i]))
            return false;
        if (i > 0 && worse(&verdicts[i], &verdicts[diagnosis->worst]))
            diagnosis->worst = i;
    }
    diagnosis->verdicts = verdicts;
    diagnosis->verdict_count = collection->run_count;
    return set_exit(options, arena, diagnosis) || diagnosing_memory(&diagnosing);
}
