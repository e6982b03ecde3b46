/* unlearned: training learns, and validation stays at what guessing gives, or below it. */
/* SPDX-License-Identifier: MIT */
#include "detect/chance.h"
#include "detect/common.h"

#define HARDLY 1.05 /* of guessing, that no evaluation exceeds where most stand below it */

enum { LEARNED, OVER, BELOW };
enum { EVALUATIONS = 6 }; /* before which a level near guessing tells nothing */
static const struct parameter parameters[] = {
    [LEARNED] = {"learned", "share", 0, 1, 0.5,
                 "of the way from guessing to the bound, in training"},
    [OVER] = {"over", "ratio", 1, 10, 1.35, "of guessing that no evaluation exceeds"},
    [BELOW] = {"below", "ratio", 0, 1, 0.7, "of guessing under which half of the evaluations stay"},
};
static const char *const values[] = {"level", "guess", "train", "points", NULL};
static const char *const forms[] = {"chance", "below", NULL};

/* As printed or of a known data set; else what the first loss of single batches is the logarithm
   of; 0: unknown. */
static double classes_here(const struct use *use, bool *printed)
{
    struct classes classes[CLASSES_MAX];
    const size_t count = classes_of(use, classes);
    *printed = false;
    if (isfinite(fact_number(use, "vocabulary")))
        return 0;
    for (size_t i = 0; i < count && classes[i].source != CLASSES_LISTED; i++)
        if (classes[i].source != CLASSES_METRIC) {
            *printed = true;
            return classes[i].count;
        }
    const struct series *series = NULL;
    const struct track *loss = companion(use, KIND_LOSS, &series);
    const double most = 50;
    if (!loss || series->basis != BASIS_STEP || !(loss->first.value > 0) ||
        loss->first.value > log(most))
        return 0;
    return fmax(round(exp(loss->first.value)), 2);
}

/* Where nothing tells how many there are: training began at the level at which validation stays. */
static double level_shared(const struct use *use)
{
    static const double near = 1.5, most = 0.4;
    double unit;
    const struct track *train = companion_share(use, KIND_METRIC, &unit), *track = use->tracks[0];
    const double level = tail_level(track) / share_unit(track);
    const bool shared = train && level > 0 && level <= most &&
                        train->first.value / unit <= near * level &&
                        train->first.value / unit >= level / near;
    return shared ? level : 0;
}

/* How far training has come, from guessing (0) to the bound (1). */
static double learned(const struct use *use, double chance)
{
    double unit;
    const struct track *metric = companion_share(use, KIND_METRIC, &unit);
    if (metric)
        return (metric->last_finite.value / unit - chance) / (1 - chance);
    const struct track *loss = companion(use, KIND_LOSS, NULL);
    if (!loss || !(loss->first.value > 0) || !isfinite(loss->first.value))
        return 0;
    return 1 - loss->last_finite.value / loss->first.value;
}

/* Nothing names the classes, but training began at the loss of guessing among few, and validation
   is far worse than that from its first evaluation on: the answers are right and called otherwise.
 */
static bool misnamed(const struct use *use, double high)
{
    static const double most = 0.4, worse = 1.5, begins = 0.9;
    const struct track *train = companion(use, KIND_LOSS, NULL);
    const struct track *held = companion(use, KIND_VAL_LOSS, NULL);
    return train && held && held->points == use->tracks[0]->points && high <= most &&
           train->first.value >= begins && held->low.value >= worse * train->first.value &&
           train->last_finite.value <= train->first.value / 2;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    static const char *const names[] = {"acc", "accuracy", "top1", "acc1", NULL};
    const struct track *track = use->tracks[0];
    bool printed;
    const double classes = classes_here(use, &printed);
    const double chance = classes >= 2 ? 1 / classes : level_shared(use);
    if (use->series[0]->direction != DIRECTION_UP || !tag_has(use->series[0]->tag, names) ||
        !(chance > 0) || track_signs(track)->negatives)
        return true;
    const double unit = share_unit(track);
    const double low = track->low.value / unit / chance, high = track->high.value / unit / chance;
    const double train = learned(use, chance);
    if (!(train >= use->parameters[LEARNED]))
        return true;
    /* Of two classes a swapped label is the same as a good model read backwards. */
    const bool many = track->points >= EVALUATIONS;
    const bool below = many && printed && high <= HARDLY &&
                       tail_level(track) / unit / chance <= use->parameters[BELOW];
    const bool other = classes >= 2 && !printed && misnamed(use, high);
    const bool at = many && high <= use->parameters[OVER] &&
                    low >= 1 / (1.2 * use->parameters[OVER]) && chance < 0.5;
    if (!below && !at && !other)
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.form = below || other ? "below" : "chance";
    candidate.end_line = track->last.line;
    value_add(&candidate, "level", track->last_finite.value);
    value_add(&candidate, "guess", chance);
    value_add(&candidate, "train", train);
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, use->series[0], track->high, "the best of them");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_unlearned = {
    .name = "unlearned",
    .about = "training learns, and validation stays at what guessing gives",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
