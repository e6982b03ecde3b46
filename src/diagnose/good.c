/* Where the run was last sound, and which checkpoint is from then. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <string.h>

bool symptom_ends_run(const char *id)
{
    static const char *const ids[] = {"crash", "hang", "out-of-memory"};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        if (strcmp(id, ids[i]) == 0)
            return true;
    return false;
}

/* The step before the first finding of the worst level. */
static int64_t good_step(const struct diagnosing *diagnosing)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct run *run = diagnosing->run;
    int64_t first = STEP_NONE;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        int64_t step = finding->candidate.onset.step;
        if (finding->absorbed_by || step == STEP_NONE ||
            finding_level(diagnosing->options, finding) != SEVERITY_ERROR)
            continue;
        step += symptom_ends_run(finding->symptom->id); /* the step before it was sound */
        if (first == STEP_NONE || step < first)
            first = step;
    }
    if (first == STEP_NONE || run->first_step == STEP_NONE || first <= run->first_step)
        return STEP_NONE;
    return first - 1;
}

static bool sound(const struct run *run, uint32_t input)
{
    for (size_t i = 0; i < run->tensor_count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (tensor->input == input && tensor->measured &&
            (tensor->stats.nan > 0 || tensor->stats.inf > 0))
            return false;
    }
    return true;
}

struct good good_of(const struct diagnosing *diagnosing)
{
    const struct run *run = diagnosing->run;
    struct good good = {.step = good_step(diagnosing), .checkpoint = TEXT("")};
    int64_t best = STEP_NONE;
    for (size_t i = 0; i < run->tensor_count && run->collection; i++) {
        const struct tensor *tensor = &run->tensors[i];
        bool older = good.step == STEP_NONE || tensor->step <= good.step;
        if (tensor->step == STEP_NONE || tensor->step <= best || !older || tensor->input == 0 ||
            tensor->input > run->collection->source_count || !sound(run, tensor->input))
            continue;
        best = tensor->step;
        good.checkpoint = run->collection->sources[tensor->input - 1].path;
    }
    return good;
}
