/* A gate on what the loss is the sum of: while the weight of a part grows, levels before and after
   are those of different sums, as where the KL term of a VAE is brought in by and by. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"
#include "detect/rule/condition.h"

#include "stalldoc/measure.h"

enum { GROWING_LEAST = 4 }; /* readings over the one before: a switch is none */
static const double GROWN = 2;

static const char *const weight_words[] = {"beta",      "weight", "coef",   "coeff", "coefficient",
                                           "annealing", "lambda", "anneal", NULL};
/* Weights of the model, of the optimizer and of the samples are no parts of a sum. */
static const char *const other_words[] = {"norm", "decay", "grad", "mean", "std",    "max",
                                          "min",  "abs",   "adam", "loss", "update", NULL};

static bool grows(const struct track *track)
{
    struct point points[BUCKETS_MAX];
    bool exact;
    const size_t count = track_points(track, points, &exact);
    size_t growing = 0;
    for (size_t i = 1; i < count; i++) {
        if (!(points[i].value >= points[i - 1].value)) /* NaN too */
            return false;
        growing += points[i].value > points[i - 1].value;
    }
    return growing >= GROWING_LEAST && points[0].value >= 0 &&
           points[count - 1].value >= GROWN * points[0].value;
}

enum truth reweighted(const struct run *run)
{
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        if (series->kind == KIND_OTHER && tag_has(series->tag, weight_words) &&
            !tag_has(series->tag, other_words) && grows(&series->whole))
            return TRUE_;
    }
    return run_main(run, KIND_LOSS) ? FALSE_ : UNKNOWN;
}
