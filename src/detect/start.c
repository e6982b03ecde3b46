/* start: the first readings of a loss against the loss of guessing. */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"
#include "detect/common.h"

#include <string.h>

enum { HIGH, HIGH_PRETRAINED, LOW, LATEST, BURST };
enum { FIRST = 3 };
static const double CLASSES_LOSS_MOST = 14; /* ln of a million */
static const struct parameter parameters[] = {
    [HIGH] = {"high", "ratio", 0, 1e9, 1.5, "of the start over ln K; 0: not looked for"},
    [HIGH_PRETRAINED] = {"high-pretrained", "ratio", 0, 1e9, 1.1, "of a pretrained model"},
    [LOW] = {"low", "ratio", 0, 1, 0, "of the start over ln K; 0: not looked for"},
    [BURST] =
        {"burst", "ratio", 0, 1e12, 0,
         "of the first reading over those behind it, of a loss of classes; 0: not looked for"},
    [LATEST] = {"latest", "share", 0, 1, 0.02, "of the plan or 50 steps: where the log begins"},
};
static const char *const values[] = {"level",  "ratio",      "target", "classes",     "source",
                                     "points", "pretrained", "summed", "never-under", NULL};
static const char *const forms[] = {"start-high", "start-low", NULL};

static bool at_start(const struct use *use)
{
    int64_t step = use->tracks[0]->first.step;
    if (step == STEP_NONE)
        return use->segment == 0;
    double latest = 50;
    if (use->run->planned_steps > 0)
        latest = fmax(latest, use->parameters[LATEST] * (double)use->run->planned_steps);
    return (double)step <= latest;
}

/* There is a share of right answers beside it. */
static bool is_of_classes(const struct use *use)
{
    double unit;
    return companion_share(use, KIND_METRIC, &unit) || companion_share(use, KIND_VAL_METRIC, &unit);
}

/* The first reading against the next two, which have to be such as a loss of classes can be. */
static bool bursts(const struct use *use, double *ratio)
{
    const struct track *track = use->tracks[0];
    const double limit = use->parameters[BURST];
    if (!(limit > 0) || track->head_count < FIRST || !isfinite(track->head[0].value) ||
        !is_of_classes(use))
        return false;
    const double next = fmax(track->head[1].value, track->head[2].value);
    *ratio = track->head[0].value / next;
    return next > 0 && next <= CLASSES_LOSS_MOST && *ratio >= limit;
}

static bool burst_emit(const struct use *use, struct candidates *candidates, double ratio,
                       struct error *error)
{
    const struct track *track = use->tracks[0];
    struct candidate candidate = candidate_at(use, 0, track->first);
    value_add(&candidate, "level", track->head[0].value);
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    return candidates_add(candidates, &candidate, error);
}

/* As many times the loss of guessing as there are samples in a batch: their sum, not their mean. */
static bool is_sum(const struct use *use, double ratio)
{
    static const double low = 0.8, high = 1.5, least = 8;
    const double batch = fact_number(use, "batch_size");
    return batch >= least && ratio >= low * batch && ratio <= high * batch;
}

/* Printed, or of a known data set; else so many that the first loss is the sum of guessing over the
   batch, to a share that hardly any other loss would meet. 0: unknown. */
static struct classes classes_at_start(const struct use *use, double first)
{
    static const double of_metric = 0.02, of_list = 0.002;
    struct classes classes[CLASSES_MAX];
    const size_t count = classes_of(use, classes);
    const double batch = fact_number(use, "batch_size");
    if (count > 0 && (classes[0].source == CLASSES_PRINTED || classes[0].source == CLASSES_DATASET))
        return classes[0];
    for (size_t i = 0; i < count && strcmp(use->form, "start-high") == 0; i++) {
        const double ratio = first / log(classes[i].count);
        const double apart = classes[i].source == CLASSES_METRIC ? of_metric : of_list;
        if (is_sum(use, ratio) && fabs(ratio - batch) <= apart * batch)
            return classes[i];
    }
    return (struct classes){0};
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    double head[FIRST], burst;
    if (at_start(use) && bursts(use, &burst))
        return burst_emit(use, candidates, burst, error);
    size_t count = 0;
    for (size_t i = 0; i < track->head_count && count < FIRST; i++)
        if (isfinite(track->head[i].value))
            head[count++] = track->head[i].value;
    const struct classes classes = classes_at_start(use, track->first.value);
    if (count < 2 || has_parts(use) || !at_start(use) || classes.count < 2)
        return true;
    double level = median_of(head, count), target = log(classes.count), ratio = level / target;
    bool pretrained = fact_is(use, "pretrained", "true");
    double high = use->parameters[pretrained ? HIGH_PRETRAINED : HIGH];
    bool over = high > 0 && ratio > high;
    bool under = use->parameters[LOW] > 0 && fact_is(use, "pretrained", "false") && ratio > 0 &&
                 ratio < use->parameters[LOW];
    if (!over && !under)
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    if (strcmp(use->form, "start-high") == 0 || strcmp(use->form, "start-low") == 0)
        candidate.form = over ? "start-high" : "start-low";
    value_add(&candidate, "level", level);
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "target", target);
    value_add(&candidate, "classes", classes.count);
    value_add_text(&candidate, "source", class_source_name(classes.source));
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "pretrained", pretrained);
    value_add(&candidate, "summed", is_sum(use, ratio) || is_sum(use, track->first.value / target));
    value_add(&candidate, "never-under", track->low.value > target);
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_start = {
    .name = "start",
    .about = "the first readings of a loss against the loss of guessing",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
