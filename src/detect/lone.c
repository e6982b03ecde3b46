/* lone: what no answer but one can give, to the last digit, beside a high share of right ones. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { READINGS, SHARE, RIGHT, OVER, DIGITS };
static const struct parameter parameters[] = {
    [READINGS] = {"readings", "readings", 2, 1e6, 4, "in a row at the end"},
    [SHARE] = {"share", "share", 0, 1, 0.5, "of all readings that these are"},
    [RIGHT] = {"right", "share", 0, 1, 0.6, "of right answers, beside a score of 0"},
    [OVER] = {"over", "ratio", 1, 100, 1.2, "of right answers over the mean of the classes"},
    [DIGITS] = {"digits", "digits", 1, 20, 3, "of the share that stands still"},
};
static const char *const values[] = {"run",       "value",   "accuracy", "share",
                                     "loss-fell", "classes", NULL};
static const char *const scores[] = {
    "f1",   "fscore",  "f_score", "precision", "prec",  "recall", "rec",      "sensitivity", "iou",
    "dice", "f1score", "mcc",     "matthews",  "kappa", "tpr",    "f1_score", NULL};
static const char *const evens[] = {"macc",     "balanced", "bal",  "macro",
                                    "mean_acc", "uar",      "bacc", NULL};
static const char *const shares[] = {"acc",  "accuracy", "aacc",   "oa", "acc1",
                                     "top1", "pacc",     "pixacc", NULL};

/* As the mean over K classes is where one of them has all the answers; 0: no such. */
static int classes_of_mean(const struct track *track, double value)
{
    enum { MOST = 20 };
    const double unit = share_unit(track), half = 0.5 * pow(10, -track->places) / unit;
    for (int k = 2; k <= MOST; k++)
        if (fabs(value / unit - 1.0 / k) <= half)
            return k;
    return 0;
}

/* The share of right answers of the same phase that stands as still. */
static const struct track *right_beside(const struct use *use, const struct series *score)
{
    const struct constant *run = &score->segments[use->segment].current;
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series == score || series->kind != score->kind || !series->speaks ||
            !tag_has(series->tag, shares) || tag_has(series->tag, evens))
            continue;
        const struct track *track = &series->segments[use->segment];
        if (track->current.count + 1 >= run->count &&
            track->current.digits >= use->parameters[DIGITS])
            return track;
    }
    return NULL;
}

/* How many classes the score is the mean of, where one has all the answers; 1: a score of 0, which
   the rare class of two gets; 0: it tells nothing. */
static int classes_told(const struct series *series, const struct track *track)
{
    const double value = track->current.value;
    if (value == 0)
        return tag_has(series->tag, scores);
    return track->places >= 2 && tag_has(series->tag, evens) ? classes_of_mean(track, value) : 0;
}

/* By what share of its first reading the loss of the same phase fell; 0: unknown. */
static double loss_fell(const struct use *use)
{
    const bool validation = use->series[0]->kind == KIND_VAL_METRIC;
    const struct track *track = companion(use, validation ? KIND_VAL_LOSS : KIND_LOSS, NULL);
    if (!track || !(track->first.value > 0))
        return 0;
    return 1 - track->last_finite.value / track->first.value;
}

/* What the score of one series tells, if it does. */
static bool look(const struct use *use, const struct series *series, struct candidate *candidate)
{
    const double *p = use->parameters;
    const struct track *track = &series->segments[use->segment];
    const double run = (double)track->current.count;
    const int classes = classes_told(series, track);
    if (series->direction != DIRECTION_UP || classes == 0 || run < p[READINGS] ||
        run < p[SHARE] * (double)track->points)
        return false;
    const struct track *right = right_beside(use, series);
    const double share = right ? right->current.value / share_unit(right) : 0;
    if (share >= 1 || share < (classes == 1 ? p[RIGHT] : p[OVER] / classes))
        return false;
    *candidate = candidate_at(use, 0, track->current.first);
    candidate->series = series;
    candidate->subject = series->tag;
    candidate->last_step = track->current.last.step;
    value_add(candidate, "run", run);
    value_add(candidate, "value", track->current.value);
    value_add(candidate, "accuracy", right->current.value);
    value_add(candidate, "share", run / (double)track->points);
    value_add(candidate, "loss-fell", loss_fell(use));
    value_add(candidate, "classes", classes);
    evidence_add(candidate, series, track->current.first, "the first of them");
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        struct candidate candidate;
        if (series->kind == use->series[0]->kind && series->speaks && look(use, series, &candidate))
            return candidates_add(candidates, &candidate, error);
    }
    return true;
}

const struct detector detector_lone = {
    .name = "lone",
    .about = "what no answer but one can give, beside a high share of right ones",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
