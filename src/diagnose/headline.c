/* One line that says what happened: of the finding that leads, or of the course of the run. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include "stalldoc/measure.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Of the findings at the verdict's level that speak for the first cause, else of all, the first of
   the catalogue: what is worst stands there first. */
const struct finding *leading_finding(const struct diagnosing *diagnosing,
                                      const struct verdict *verdict)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct ranked *cause = verdict->cause_count > 0 ? &verdict->causes[0] : NULL;
    const struct finding *first = NULL;
    for (size_t i = 0; cause && i < cause->argument_count; i++) {
        const struct argument *argument = &cause->arguments[i];
        if (argument->nats > 0 && argument->finding && !argument->finding->absorbed_by &&
            finding_level(diagnosing->options, argument->finding) == verdict->worst &&
            (!first || argument->finding->symptom->order < first->symptom->order))
            first = argument->finding;
    }
    if (first)
        return first;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        if (!finding->absorbed_by &&
            finding_level(diagnosing->options, finding) == verdict->worst &&
            (!first || finding->symptom->order < first->symptom->order))
            first = finding;
    }
    return first;
}

/* The start of a line that is quoted whole: up to a blank. */
static struct text bounded(const struct diagnosing *diagnosing, struct text line)
{
    enum { LINE_MAX_BYTES = 160 };
    if (line.size <= LINE_MAX_BYTES)
        return line;
    size_t end = LINE_MAX_BYTES;
    while (end > LINE_MAX_BYTES / 2 && line.data[end] != ' ')
        end--;
    while (end > 0 && ((unsigned char)line.data[end] & 0xC0) == 0x80)
        end--; /* not inside a letter */
    return arena_print(diagnosing->arena, "%.*s ...", (int)end, line.data);
}

/* Without a closing remark in brackets: the finding's own line has it. */
static struct text shortened(struct text message)
{
    if (!text_ends(message, ")"))
        return message;
    size_t depth = 0;
    for (size_t i = message.size; i > 1; i--) {
        depth += message.data[i - 1] == ')';
        depth -= message.data[i - 1] == '(';
        if (depth == 0)
            return i > 2 ? text_trim(text_cut(message, 0, i - 1)) : message;
    }
    return message;
}

static const char *course(const struct series *series)
{
    struct groups groups;
    if (!groups_of(&series->whole, series->kind, 0, &groups) || groups.count < 6)
        return "";
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t from = groups.count * 2 / 3, count = 0;
    for (size_t i = from; i < groups.count; i++, count++) {
        x[count] = groups.group[i].x;
        y[count] = groups.group[i].y;
    }
    const double sure = 1.64; /* one in twenty by chance */
    double z = count >= 4 ? trend_of(x, y, count, groups.precision).z
                          : (y[count - 1] < y[0] ? -2 * sure : 2 * sure);
    bool up = series->direction == DIRECTION_UP;
    if (z < -sure)
        return up ? ", falling" : ", still falling";
    if (z > sure)
        return up ? ", still rising" : ", rising";
    return ", level";
}

/* "over 20000 steps", or where not every step is logged "over steps 100 to 20000"; readings that
   tell parts of epochs are of neither */
static struct text extent(const struct diagnosing *diagnosing, const struct series *series)
{
    const struct run *run = diagnosing->run;
    const struct track *track = &series->whole;
    uint64_t steps = run->step_count > track->points ? run->step_count : track->points;
    const char *unit = series_unit(series);
    if (run->first_step != STEP_NONE && run->last_step > run->first_step &&
        (uint64_t)run->last_step - (uint64_t)run->first_step >= steps)
        return arena_print(diagnosing->arena, "%ss %" PRId64 " to %" PRId64, unit, run->first_step,
                           run->last_step);
    return arena_print(diagnosing->arena, "%" PRIu64 " %s%s", steps, unit, steps == 1 ? "" : "s");
}

/* "loss 10.8 to 2.31 over 20000 steps, still falling" */
static struct text of_series(const struct diagnosing *diagnosing, const struct series *series)
{
    const struct track *track = &series->whole;
    const struct text over = extent(diagnosing, series);
    return arena_print(diagnosing->arena, "%.*s %.3g to %.3g over %.*s%s", (int)series->tag.size,
                       series->tag.data, track->first.value, track->last_finite.value,
                       (int)over.size, over.data ? over.data : "", course(series));
}

static struct text of_course(const struct diagnosing *diagnosing)
{
    static const enum kind kinds[] = {KIND_LOSS, KIND_VAL_LOSS, KIND_VAL_METRIC, KIND_METRIC,
                                      KIND_REWARD};
    const struct run *run = diagnosing->run;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct series *series = run_main(run, kinds[i]);
        if (series && series->whole.bucket_count > 0)
            return of_series(diagnosing, series);
    }
    const size_t tensors = diagnosing_tensors(run);
    if (tensors > 0)
        return arena_print(diagnosing->arena, "%zu tensor%s, nothing wrong with %s", tensors,
                           tensors == 1 ? "" : "s", tensors == 1 ? "it" : "them");
    if (run->series_count == 0)
        return TEXT("no series and no tensors; what else was read gives no alarm");
    return arena_print(diagnosing->arena, "nothing over a remark in %zu series", run->series_count);
}

static struct text of_nothing(const struct diagnosing *diagnosing)
{
    const struct run *run = diagnosing->run;
    uint64_t lines = 0;
    for (size_t i = 0; i < run->input_count && run->collection; i++)
        if (run->inputs[i] > 0 && run->inputs[i] <= run->collection->source_count)
            lines += run->collection->sources[run->inputs[i] - 1].counts.lines;
    if (run->tensor_count > 0)
        return arena_print(diagnosing->arena,
                           "no training series, and the values of no tensor (%zu named) were read",
                           run->tensor_count);
    return arena_print(diagnosing->arena,
                       "no training series, no tensors, no known message in %" PRIu64 " line%s",
                       lines, lines == 1 ? "" : "s");
}

bool headline_write(const struct diagnosing *diagnosing, struct verdict *verdict)
{
    if (verdict->status == STATUS_UNKNOWN) {
        verdict->headline = of_nothing(diagnosing);
    } else if (verdict->status == STATUS_HEALTHY) {
        verdict->headline = of_course(diagnosing);
    } else {
        const struct finding *leading = leading_finding(diagnosing, verdict);
        verdict->headline =
            leading ? bounded(diagnosing, shortened(finding_core(leading))) : of_course(diagnosing);
    }
    return verdict->headline.data || diagnosing_memory(diagnosing);
}
