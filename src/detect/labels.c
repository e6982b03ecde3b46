/* labels: a sample of what is to come out: the size of numbers, the shares of classes. */
/* SPDX-License-Identifier: MIT */
#include "detect/samples.h"

#include "detect/chance.h"
#include "detect/common.h"

#include <math.h>
#include <string.h>

enum { HIGH, OFFSET, INSIDE, LARGEST, RATIO, RATIO_MANY };
static const struct parameter parameters[] = {
    [HIGH] = {"high", "", 0, 1e300, 100, "deviation of the targets, at most"},
    [OFFSET] = {"offset", "deviations", 0, 1e300, 10, "of their mean from 0, in a regression"},
    [INSIDE] = {"inside", "share", 0, 1, 0.1,
                "of the deviation: a smaller first loss is of scaled "
                "targets"},
    [LARGEST] = {"largest", "share", 0, 1, 0.9, "of the most frequent class, at least"},
    [RATIO] = {"ratio", "ratio", 1, 1e9, 10, "of the most over the least frequent class"},
    [RATIO_MANY] = {"ratio-many", "ratio", 1, 1e9, 100, "the same of more than 20 classes"},
};
static const char *const values[] = {"array",   "mean",   "deviation", "low",      "high",
                                     "largest", "ratio",  "classes",   "class",    "stuck",
                                     "metric",  "labels", "first",     "nan-soon", NULL};

static bool is_regression(const struct use *use)
{
    static const char *const words[] = {
        "mse", "mae", "rmse", "huber", "mean_squared_error", "mean_absolute_error", NULL};
    if (fact_is(use, "objective", "mse") || fact_is(use, "objective", "mae") ||
        fact_is(use, "objective", "huber"))
        return true;
    for (size_t i = 0; i < use->run->series_count; i++)
        if (tag_has(use->run->series[i].tag, words))
            return true;
    return false;
}

/* The widest column of the targets; NULL: none is of numbers. */
static const struct feature *widest(const struct tensor *tensor)
{
    const struct tensor_features *features = &tensor->samples->features;
    const struct feature *found = NULL;
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        if (feature->count > 1 && !feature_binary(feature) &&
            (!found || feature->deviation > found->deviation))
            found = feature;
    }
    return found;
}

/* Class numbers, token ids and masks have no scale. Whole numbers are prices and counts where the
   objective says so, or where they are too large and too many for classes. */
static bool has_scale(const struct use *use, const struct tensor *tensor)
{
    enum { IDS_MOST = 1 << 16 };
    struct shares shares;
    if (targets_shares(tensor, &shares))
        return false;
    const struct feature *feature = widest(tensor);
    if (!feature)
        return false;
    return is_regression(use) || !feature->whole ||
           (sample_float(tensor) && feature->high >= IDS_MOST);
}

static bool look_values(const struct use *use, const struct tensor *tensor,
                        struct candidate *candidate)
{
    const double *p = use->parameters;
    if (!has_scale(use, tensor))
        return false;
    const struct feature *feature = widest(tensor);
    const bool wide = feature->deviation > p[HIGH];
    const bool far = fabs(feature->mean) > p[OFFSET] * feature->deviation && is_regression(use);
    const struct series *loss = run_main(use->run, KIND_LOSS);
    const double first = loss ? loss->whole.first.value : (double)NAN;
    /* The loss itself tells that they are scaled on their way. */
    if ((!wide && !far) || (isfinite(first) && first < p[INSIDE] * feature->deviation))
        return false;
    value_add(candidate, "mean", feature->mean);
    value_add(candidate, "deviation", feature->deviation);
    value_add(candidate, "low", feature->low);
    value_add(candidate, "high", feature->high);
    value_add(candidate, "first", first);
    value_add(candidate, "nan-soon", loss && track_bad(&loss->whole) > 0);
    return true;
}

static bool look_shares(const struct use *use, const struct tensor *tensor,
                        struct candidate *candidate)
{
    enum { FEW_CLASSES = 20, LABELS_LEAST = 100 };
    const double *p = use->parameters;
    struct shares shares;
    if (is_regression(use) || !targets_shares(tensor, &shares) || shares.classes < 2)
        return false;
    const double limit = shares.classes > FEW_CLASSES ? p[RATIO_MANY] : p[RATIO];
    if (shares.largest < p[LARGEST] && (shares.ratio < limit || shares.labels < LABELS_LEAST))
        return false;
    double metric = (double)NAN;
    const bool stuck = share_answered(use, shares.largest, &metric);
    value_add(candidate, "largest", shares.largest);
    value_add(candidate, "ratio", shares.ratio);
    value_add(candidate, "classes", shares.classes);
    value_add(candidate, "class", shares.common);
    value_add(candidate, "labels", (double)shares.labels);
    value_add(candidate, "stuck", stuck);
    value_add(candidate, "metric", metric);
    return true;
}

/* Targets of the training set come first; the first array that shows it speaks for the others. */
static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const bool scale = strcmp(use->form, "shares") != 0;
    const struct tensor *tensor;
    for (size_t i = 0; (tensor = sample_array(use->run, ROLE_TARGETS, i)) != NULL; i++) {
        struct candidate candidate = sample_candidate(use, tensor);
        if (scale ? look_values(use, tensor, &candidate) : look_shares(use, tensor, &candidate))
            return candidates_add(candidates, &candidate, error);
    }
    return true;
}

const struct detector detector_labels = {
    .name = "labels",
    .about = "a sample of what is to come out: the size of numbers, the shares of classes",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
