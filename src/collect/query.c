/* Questions about a run that is done. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/run.h"

const struct series *run_series(const struct run *run, enum kind kind, size_t nth)
{
    const struct series *main = run_main(run, kind);
    if (nth == 0)
        return main;
    size_t seen = main ? 1 : 0;
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        if (series->kind != kind || !series->speaks || series == main)
            continue;
        if (seen++ == nth)
            return series;
    }
    return NULL;
}

const struct series *run_main(const struct run *run, enum kind kind)
{
    for (size_t i = 0; i < run->series_count; i++)
        if (run->series[i].kind == kind && run->series[i].main)
            return &run->series[i];
    return NULL;
}

const char *series_unit(const struct series *series)
{
    if (series->whole.points > 0 && series->whole.first.step == STEP_NONE)
        return "reading";
    return !(series->grain & GRAIN_STEP) && (series->grain & GRAIN_EPOCH) ? "epoch" : "step";
}

const struct fact *run_fact(const struct run *run, const char *key, int64_t step)
{
    const struct fact *found = NULL;
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *fact = &run->facts[i];
        if (!fact->in_force || !text_is(fact->key, key))
            continue;
        /* Of one key the one in force first stands first; a later step changes it. */
        if (step != STEP_NONE && fact->step != STEP_NONE && fact->step > step)
            continue;
        if (!found || (fact->step != STEP_NONE && found->step == STEP_NONE) ||
            (fact->step != STEP_NONE && found->step != STEP_NONE && fact->step > found->step))
            found = fact;
    }
    return found;
}
