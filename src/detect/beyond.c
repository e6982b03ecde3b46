/* beyond: a loss of classes begins where guessing among no number of them is, and comes down. */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"
#include "detect/common.h"

enum { LEAST, FALL, WITHIN };
enum { FIRST = 2 };
static const struct parameter parameters[] = {
    [LEAST] = {"least", "", 0, 1e300, 100, "of the first two readings; ln of a million is 14"},
    [FALL] = {"fall", "ratio", 1, 1e300, 50, "to its lowest; a sum over a batch falls by less"},
    [WITHIN] = {"within", "", 0, 1e300, 14, "that the lowest is: ln of a million"},
};
static const char *const values[] = {"level", "low", "ratio", "points", NULL};

/* A share of right answers is logged. */
static bool is_scored(const struct use *use, enum kind kind)
{
    static const char *const names[] = {"acc", "accuracy", "top1", "acc1", "auc", "f1", NULL};
    const struct series *series = NULL;
    return companion(use, kind, &series) && series->direction == DIRECTION_UP &&
           tag_has(series->tag, names);
}

/* Losses of whole sequences are sums of many. */
static bool is_of_sequences(const struct use *use)
{
    static const char *const names[] = {"ctc", "rnnt", "transducer", "att", "elbo", "ppl", NULL};
    for (size_t i = 0; i < use->run->series_count; i++)
        if (tag_has(use->run->series[i].tag, names))
            return true;
    return fact_is(use, "objective", "ctc") || isfinite(fact_number(use, "vocabulary"));
}

/* By its name, by the objective, or by a share of right answers beside it. */
static bool is_of_classes(const struct use *use)
{
    static const char *const names[] = {
        "ce",           "xent",    "bce",      "cross_entropy", "log_loss",
        "crossentropy", "ce_loss", "bce_loss", "logloss",       NULL};
    return tag_has(use->series[0]->tag, names) || fact_is(use, "objective", "cross-entropy") ||
           fact_is(use, "objective", "bce") || is_scored(use, KIND_METRIC) ||
           is_scored(use, KIND_VAL_METRIC);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const double *p = use->parameters;
    const struct track *track = use->tracks[0];
    if (use->segment > 0 || track->head_count < FIRST || !is_of_classes(use) ||
        is_of_sequences(use) || has_parts(use))
        return true;
    double level = (double)INFINITY;
    for (size_t i = 0; i < FIRST; i++)
        level = isfinite(track->head[i].value) ? fmin(level, track->head[i].value) : 0;
    const double low = track->low.value;
    if (!(level >= p[LEAST]) || !(low >= 0 && low <= p[WITHIN]) || !(level >= p[FALL] * low))
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    value_add(&candidate, "level", track->first.value);
    value_add(&candidate, "low", low);
    value_add(&candidate, "ratio", level / fmax(low, 1e-300));
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_beyond = {
    .name = "beyond",
    .about =
        "a loss of classes begins over that of guessing, whatever their number, and comes down",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
