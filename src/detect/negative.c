/* negative: a loss that cannot be negative is. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RUN, FELL };
static const struct parameter parameters[] = {
    [RUN] = {"run", "readings", 1, 1e6, 2, "below 0 at least, or a tenth of all"},
    [FELL] = {"fell", "share", 0, 1, 0.05, "of the start that an unnamed loss lies below 0"},
};
static const char *const values[] = {"lowest", "share", "points", "start", "named", NULL};
static const char *const forms[] = {"named",  "probability", "metric", "overlap",
                                    "faster", "fell",        NULL};

static const char *const never[] = {
    "cross_entropy", "crossentropy", "bce",   "ce",    "xent", "mse",     "mae", "rmse", "l1", "l2",
    "huber",         "dice",         "focal", "hinge", "ctc",  "triplet", NULL};
/* Objectives that may rightly be negative, by the names that such runs print. */
static const char *const rightly[] = {
    "elbo",    "nlml",        "logp",        "density",  "wasserstein", "wgan",   "critic",
    "actor",   "policy",      "value",       "kl",       "similarity",  "cosine", "sdr",
    "si_sdr",  "snr",         "flow",        "bpd",      "energy",      "mmd",    "score",
    "entropy", "advantage",   "uncertainty", "gaussian", "gmm",         "mdn",    "reward",
    "return",  "contrastive", "byol",        "simsiam",  NULL};
/* A likelihood too, where it is one of densities; that of a class among others may not. */
static const char *const likelihoods[] = {"nll", "likelihood", NULL};

/* Scores of the overlap of two areas: the loss beside them is one of areas as well, and no density.
 */
static const char *const overlaps[] = {"dice", "iou", "miou", "jaccard", NULL};

/* Answers are counted as right or wrong: a loss beside it has its floor at 0. Scores of overlap go
   with losses that fall to -1 by design. */
static const char *const right_or_wrong[] = {"acc", "accuracy", "acc1", "top1", "top_1", NULL};

static bool any_has(const struct use *use, const char *const *words)
{
    for (size_t i = 0; i < use->run->series_count; i++)
        if (tag_has(use->run->series[i].tag, words) ||
            tag_has(use->run->series[i].unit, words)) /* `loss (NLL): -1.5` */
            return true;
    return false;
}

/* A score of overlap is no objective. */
static bool named_rightly(const struct use *use)
{
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if ((tag_has(series->tag, rightly) && !tag_has(series->tag, overlaps)) ||
            tag_has(series->unit, rightly))
            return true;
    }
    return false;
}

static bool rightly_negative(const struct use *use)
{
    return named_rightly(use) || fact_is(use, "objective", "elbo") ||
           fact_is(use, "objective", "contrastive") || fact_is(use, "objective", "gan") ||
           fact_is(use, "objective", "rl");
}

static bool likelihood(const struct use *use)
{
    return any_has(use, likelihoods) || fact_is(use, "objective", "nll");
}

/* The mean probability of the right answer with its sign turned stays near the share of right
   answers, reading by reading. */
static bool mirrors(const struct track *track, const struct track *accuracy, double unit)
{
    static const double apart = 0.15;
    return fabs(track->first.value + accuracy->first.value / unit) <= 3 * apart &&
           fabs(track->last_finite.value + accuracy->last_finite.value / unit) <= apart;
}

static bool named(const struct use *use)
{
    static const char *const objectives[] = {"cross-entropy", "bce", "mse", "mae", "huber", "ctc"};
    if (tag_has(use->series[0]->tag, never))
        return true;
    for (size_t i = 0; i < COUNT(objectives); i++)
        if (fact_is(use, "objective", objectives[i]))
            return true;
    return false;
}

/* Likelihoods gain less and less; a loss of the wrong sign, or of a density that narrows on its
   data, gains more with every step. */
static bool falls_faster(const struct track *track)
{
    enum { GROUPS_LEAST = 6 };
    static const double z = -2.58, times = 10;
    struct groups groups;
    double x[GROUPS_MAX], falls[GROUPS_MAX];
    if (!groups_of(track, KIND_LOSS, 0, &groups) || groups.count < GROUPS_LEAST ||
        !(track->last_finite.value < -times * fabs(track->first.value)))
        return false;
    for (size_t i = 1; i < groups.count; i++) {
        x[i - 1] = groups.group[i].x;
        falls[i - 1] = scale_down(&groups.scale, groups.group[i].y) -
                       scale_down(&groups.scale, groups.group[i - 1].y);
    }
    return trend_of(x, falls, groups.count - 1, 0).z <= z;
}

/* An overlap with its sign turned gives back 1 at most for each class; a cross-entropy of marks
   that leave 0..1, as images of 0..255 do, has no floor. */
static bool under_overlap(const struct use *use)
{
    static const double deepest = -20;
    return any_has(use, overlaps) && use->tracks[0]->last_finite.value < deepest;
}

static const char *form_of(const struct use *use)
{
    const struct track *track = use->tracks[0];
    const struct series *metric = NULL;
    const struct track *beside = companion(use, KIND_METRIC, &metric);
    if (!beside)
        beside = companion(use, KIND_VAL_METRIC, &metric);
    bool accuracy =
        beside && tag_has(metric->tag, right_or_wrong) && track_signs(beside)->negatives == 0;
    bool probability = track->low.value >= -1 && track->high.value < 0 && track->points >= 4 &&
                       track->last_finite.value <= track->first.value;
    if (likelihood(use)) /* only so does it tell itself from that of a density */
        return accuracy && probability && mirrors(track, beside, share_unit(beside)) ? "probability"
                                                                                     : NULL;
    if (named(use))
        return "named";
    if (accuracy && probability)
        return "probability";
    if (accuracy)
        return "metric";
    if (under_overlap(use))
        return "overlap";
    if (falls_faster(track))
        return "faster";
    bool began = track->head_count >= 2 && track->head[0].value >= 0 && track->head[1].value >= 0;
    double limit = -use->parameters[FELL] * fabs(track->first.value);
    return began && track->last_finite.value < limit && track->low.value < limit ? "fell" : NULL;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    double precision = pow(10, -(double)track->places), share;
    share = track->points ? (double)track_signs(track)->negatives / (double)track->points : 0;
    if (!(track->low.value < -precision) || track_signs(track)->negatives == 0 ||
        ((double)track_signs(track)->negatives < use->parameters[RUN] && share < 0.1) ||
        rightly_negative(use))
        return true;
    const char *form = form_of(use);
    if (!form)
        return true;
    struct candidate candidate = candidate_at(use, 0, track_signs(track)->first_negative);
    candidate.form = form;
    value_add(&candidate, "lowest", track->low.value);
    value_add(&candidate, "share", share);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "start", track->first.value);
    value_add(&candidate, "named", named(use));
    evidence_add(&candidate, use->series[0], track_signs(track)->first_negative,
                 "the first below 0");
    evidence_add(&candidate, use->series[0], track->low, "the lowest");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_negative = {
    .name = "negative",
    .about = "a loss that cannot be negative is",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
