/* scoreless: several scores never were anything but 0, while the loss came down. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { READINGS, SCORES, LONE_READINGS, FELL, LONE_FELL };
static const struct parameter parameters[] = {
    [READINGS] = {"readings", "readings", 2, 1e6, 10, "that are all there are"},
    [SCORES] = {"scores", "", 1, 64, 2, "that are 0 in them"},
    [LONE_READINGS] = {"lone-readings", "readings", 2, 1e6, 20, "of one score alone"},
    [FELL] = {"fell", "share", 0, 1, 0.1, "of its first reading, of a loss"},
    [LONE_FELL] = {"lone-fell", "share", 0, 1, 0.5, "beside one score alone"},
};
static const char *const values[] = {"run", "scores", "loss-fell", NULL};
static const char *const names[] = {
    "map", "map50", "map50-95",  "ap",  "ap50", "f1",       "dice", "iou", "miou", "recall", "r",
    "p",   "box(p", "precision", "acc", "em",   "accuracy", "bleu", "hit", "ndcg", "mrr",    NULL};

static bool nothing_but_zeros(const struct track *track)
{
    return track->points > 0 && track->low.value == 0 && track->high.value == 0 &&
           !track_bad(track);
}

/* By how much a loss fell, of those that were logged the one that fell most. */
static double loss_fell(const struct use *use)
{
    double most = 0;
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        const struct track *track = &series->segments[use->segment];
        if ((series->kind == KIND_LOSS || series->kind == KIND_VAL_LOSS) && series->speaks &&
            track->points >= 2 && track->first.value > 0)
            most = fmax(most, 1 - track->last_finite.value / track->first.value);
    }
    return most;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const double *p = use->parameters;
    const struct series *first = NULL;
    double scores = 0, run = 0;
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        const struct track *track = &series->segments[use->segment];
        const bool judged = series->kind == KIND_METRIC || series->kind == KIND_VAL_METRIC;
        if (!series->speaks || !judged || series->direction != DIRECTION_UP)
            continue;
        if (track->high.value > 0 && tag_has(series->tag, names))
            return true;
        if (!tag_has(series->tag, names) || !nothing_but_zeros(track))
            continue;
        first = first ? first : series;
        run = fmax(run, (double)track->points);
        scores++;
    }
    const double fell = loss_fell(use);
    const bool several = scores >= p[SCORES] && run >= p[READINGS] && fell >= p[FELL];
    if (!several && !(scores > 0 && run >= p[LONE_READINGS] && fell >= p[LONE_FELL]))
        return true;
    const struct track *track = &first->segments[use->segment];
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.series = first;
    candidate.subject = first->tag;
    candidate.last_step = track->last.step;
    value_add(&candidate, "run", run);
    value_add(&candidate, "scores", scores);
    value_add(&candidate, "loss-fell", fell);
    evidence_add(&candidate, first, track->last, "the last");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_scoreless = {
    .name = "scoreless",
    .about = "several scores never were anything but 0, while the loss came down",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
