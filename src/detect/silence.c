/* silence: a long gap between time stamps that nothing explains, or a log that ends too early. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RATIO, SECONDS, TAIL };
enum { EVEN = 100 }; /* stamps whose 99th percentile is one of them */
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1, 1e9, 10, "over the 99th percentile of the gaps"},
    [SECONDS] = {"seconds", "seconds", 0, 1e9, 300, "at least"},
    [TAIL] = {"tail", "share", 0, 1, 0.02, "of the run that may follow the gap"},
};
static const char *const values[] = {"seconds", "usual", "at-end", "planned", NULL};
static const char *const forms[] = {"gap", "pause", "end", NULL};

/* No step was made behind the gap. */
static bool without_progress(const struct use *use, const struct gap *gap)
{
    const struct run *run = use->run;
    if (gap->after.line == 0)
        return true;
    if (gap->step == STEP_NONE || run->last_step == STEP_NONE || run->first_step == STEP_NONE)
        return false;
    double left = (double)(run->last_step - gap->step);
    return left <= use->parameters[TAIL] * (double)(run->last_step - run->first_step);
}

static bool tell_gap(const struct use *use, const struct gap *gap, const char *form,
                     struct candidates *candidates, struct error *error)
{
    struct candidate candidate =
        candidate_bare(use, point_make(gap->step, (double)NAN, gap->before));
    candidate.form = form;
    value_add(&candidate, "seconds", gap->seconds);
    value_add(&candidate, "usual", gap->usual);
    value_add(&candidate, "at-end", gap->after.line == 0);
    return candidates_add(candidates, &candidate, error);
}

/* The log stops inside its plan, and nothing says that it ended. */
static bool ends_early(const struct run *run)
{
    if (run->planned_steps <= 0 || run->last_step == STEP_NONE || run->time.stamps < 2)
        return false;
    for (size_t i = 0; i < run->life_count; i++)
        if (run->lives[i].event == EVENT_END)
            return false;
    return (double)run->last_step < 0.98 * (double)run->planned_steps;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct run *run = use->run;
    const struct gap *pause = NULL; /* the longest behind which the run went on */
    for (size_t i = 0; i < run->time.gap_count; i++) {
        const struct gap *gap = &run->time.gaps[i];
        double least = fmax(use->parameters[RATIO] * gap->usual, use->parameters[SECONDS]);
        if (gap->explained || !(gap->seconds > least) || run->time.stamps < 5)
            continue;
        if (without_progress(use, gap))
            return tell_gap(use, gap, "gap", candidates, error);
        /* Of few stamps nothing says that they come evenly. */
        if (run->time.stamps >= EVEN && (!pause || gap->seconds > pause->seconds))
            pause = gap;
    }
    if (pause && !tell_gap(use, pause, "pause", candidates, error))
        return false;
    if (!ends_early(run))
        return true;
    struct candidate candidate =
        candidate_bare(use, point_make(run->last_step, (double)NAN, run->end));
    candidate.form = "end";
    value_add(&candidate, "planned", (double)run->planned_steps);
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_silence = {
    .name = "silence",
    .about = "a long gap between time stamps, or a log that ends too early",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
