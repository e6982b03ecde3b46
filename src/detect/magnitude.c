/* magnitude: a squared or absolute error begins so large that the targets cannot be scaled. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SQUARED, ABSOLUTE, UNNAMED, SOON };
enum { FIRST = 3 };
static const struct parameter parameters[] = {
    [SQUARED] = {"squared", "", 0, 1e300, 1e4, "a first mean squared error from here on"},
    [ABSOLUTE] = {"absolute", "", 0, 1e300, 100, "a first mean absolute error from here on"},
    [UNNAMED] = {"unnamed", "", 0, 1e300, 1e8,
                 "the first readings of a loss that nothing tells the kind of"},
    [SOON] = {"soon", "readings", 0, 1e6, 10, "in which a reading that is not finite follows"},
};
static const char *const values[] = {"first", "limit", "nan-soon", "points", NULL};
static const char *const squared_words[] = {"mse", "mean_squared_error", "l2", "squared_error",
                                            NULL};
static const char *const root_words[] = {"mae", "mean_absolute_error", "l1", "rmse", "huber", NULL};
static const char *const class_words[] = {"acc", "accuracy", "f1", "auc", NULL};

/* The limit of a loss whose first readings all stand over it: a mere first step out of bounds, or
   a first print before anything was learned, is no target's. */
static double limit_unnamed(const struct use *use)
{
    const struct track *track = use->tracks[0];
    const double limit = use->parameters[UNNAMED];
    const struct fact *objective = run_fact(use->run, "objective", STEP_NONE);
    if (track->head_count < FIRST || (objective && objective->state == FACT_KNOWN))
        return (double)INFINITY;
    for (size_t i = 0; i < FIRST; i++)
        if (!(track->head[i].value >= limit))
            return (double)INFINITY;
    return limit;
}

/* What kind of error the loss is: by its own name, the objective, or a metric beside it. */
static double limit_of(const struct use *use)
{
    const struct series *own = use->series[0];
    if (tag_has(own->tag, squared_words) || fact_is(use, "objective", "mse"))
        return use->parameters[SQUARED];
    if (tag_has(own->tag, root_words) || fact_is(use, "objective", "mae") ||
        fact_is(use, "objective", "huber"))
        return use->parameters[ABSOLUTE];
    bool regression = false;
    for (size_t i = 0; i < use->run->series_count; i++) {
        struct text tag = use->run->series[i].tag;
        if (tag_has(tag, class_words))
            return (double)INFINITY;
        regression = regression || tag_has(tag, squared_words) || tag_has(tag, root_words);
    }
    return regression ? use->parameters[SQUARED] : limit_unnamed(use);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    double first = track->first.value, limit = limit_of(use);
    if (use->segment > 0 || !isfinite(first) || !(first >= limit))
        return true;
    const struct nonfinite *bad = track_nonfinite(track);
    bool soon = bad->nan + bad->inf > 0 &&
                (double)count_before(track, &bad->first) <= use->parameters[SOON];
    struct candidate candidate = candidate_at(use, 0, track->first);
    value_add(&candidate, "first", first);
    value_add(&candidate, "limit", limit);
    value_add(&candidate, "nan-soon", soon);
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_magnitude = {
    .name = "magnitude",
    .about = "a squared or absolute error begins so large that the targets cannot be scaled",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
