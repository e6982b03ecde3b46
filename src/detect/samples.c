/* What the detectors of inputs and targets share. */
/* SPDX-License-Identifier: MIT */
#include "detect/samples.h"

#include "detect/common.h"

#include <math.h>

const struct tensor *sample_array(const struct run *run, enum tensor_role role, size_t nth)
{
    for (size_t i = 0; i < run->tensor_count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (tensor->role != role || !tensor->samples || tensor->samples->features.count == 0)
            continue;
        if (text_glob(TEXT("*mask*"), tensor->samples->name, true))
            continue;
        if (nth-- == 0)
            return tensor;
    }
    return NULL;
}

bool sample_float(const struct tensor *tensor)
{
    return tensor->dtype <= DTYPE_FLOAT8_E5M2FNUZ;
}

bool sample_numbers(const struct tensor *tensor)
{
    enum { PAD_LEAST = 20 }; /* a negative number that fills up is met more often */
    const struct tensor_features *features = &tensor->samples->features;
    if (sample_float(tensor))
        return true;
    for (size_t i = 0; i < features->count && tensor->rank <= 2; i++) {
        const struct feature *feature = &features->features[i];
        if (feature->low < 0 && feature->mean < feature->deviation &&
            PAD_LEAST * feature->low_count < feature->count)
            return true;
    }
    return false;
}

bool feature_constant(const struct feature *feature)
{
    return feature->count > 0 && feature->low == feature->high;
}

bool feature_binary(const struct feature *feature)
{
    return feature->count > 0 && feature->low_count + feature->high_count == feature->count;
}

struct candidate sample_candidate(const struct use *use, const struct tensor *tensor)
{
    const struct place place = {.input = tensor->input, .offset = tensor->offset};
    struct candidate candidate = candidate_bare(use, point_make(STEP_NONE, (double)NAN, place));
    candidate.form = use->form;
    candidate.subject = tensor->samples->name;
    candidate.values[candidate.value_count++] =
        (struct value){.name = "array", .number = (double)NAN, .text = tensor->samples->name};
    return candidate;
}

/* Rows of length 1, or of sum 1, stand for a scale of their own: embeddings, word weights,
   probabilities, histograms. */
static bool unit_rows(const struct tensor_features *features)
{
    enum { WIDTH_LEAST = 8 };
    double power = 0, sum = 0, low = 0;
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        if (feature->count == 0)
            continue;
        power += feature->mean * feature->mean + feature->deviation * feature->deviation;
        sum += feature->mean;
        low = fmin(low, feature->low);
    }
    power *= (double)features->step;
    sum *= (double)features->step;
    return features->width >= WIDTH_LEAST &&
           ((power > 0.9 && power < 1.1) || (low >= 0 && sum > 0.95 && sum < 1.05));
}

/* Somebody scaled it: the extremes are those of a scaler. */
static bool feature_fitted(const struct feature *feature)
{
    return feature->high == 1 && (feature->low == 0 || feature->low == -1);
}

/* Columns that say something about scale: no flags, and not one value all over. */
static bool feature_used(const struct feature *feature)
{
    static const double NEARLY_ALL = 0.98;
    return feature->count > 1 && !feature_binary(feature) && feature->usual < NEARLY_ALL;
}

/* Pixels of 0 to 255 that nobody divided. */
static bool raw_pixels(const struct tensor *tensor)
{
    const struct tensor_features *features = &tensor->samples->features;
    size_t bright = 0, used = 0;
    if (!features->grid || tensor->rank < 2 || !(tensor->stats.low >= 0) ||
        tensor->stats.high < 200 || tensor->stats.high > 255)
        return false;
    for (size_t i = 0; i < features->count; i++) {
        used += features->features[i].high > features->features[i].low;
        bright += features->features[i].high >= 100;
    }
    return used > 0 && 2 * bright >= used;
}

const struct unscaled_limits unscaled_usual = {
    .offset = 10, .low = 1e-2, .high = 1e2, .spread = 1e3, .largest = 1e4};

static bool feature_unscaled(const struct feature *feature, const struct unscaled_limits *limits,
                             bool unit)
{
    const double deviation = feature->deviation;
    if (fabs(feature->mean) > limits->offset * deviation || deviation > limits->high)
        return true;
    return deviation < limits->low && !unit && !feature_fitted(feature);
}

/* How far a feature is from mean 0 and deviation 1, to find the worst. */
static double distance(const struct feature *feature)
{
    return fmax(fabs(log(fmax(feature->deviation, 1e-300))),
                log(fmax(fabs(feature->mean) / fmax(feature->deviation, 1e-300), 1e-300)));
}

void inputs_scale(const struct tensor *tensor, const struct unscaled_limits *limits,
                  struct unscaled *unscaled)
{
    static const double WIDE = 0.05; /* of many features: single ones are odd by nature */
    enum { FEW = 50 };
    const struct tensor_features *features = &tensor->samples->features;
    const bool unit = unit_rows(features);
    double smallest = (double)INFINITY, largest = 0, most = -1;
    size_t used = 0;
    *unscaled = (struct unscaled){0};
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        if (!feature_used(feature) || feature->deviation == 0)
            continue;
        used++;
        smallest = fmin(smallest, feature->deviation);
        largest = fmax(largest, feature->deviation);
        if (!feature_unscaled(feature, limits, unit))
            continue;
        unscaled->features++;
        if (distance(feature) > most) {
            most = distance(feature);
            unscaled->worst = feature;
            unscaled->nth = i * (size_t)features->step;
        }
    }
    unscaled->ratio = used > 0 ? largest / smallest : (double)NAN;
    const bool enough =
        unscaled->features > 0 && (used < FEW || (double)unscaled->features >= WIDE * (double)used);
    if (used > 0 && tensor_absmax(&tensor->stats) >= limits->largest && unscaled->features > 0)
        unscaled->form = "large";
    else if (raw_pixels(tensor))
        unscaled->form = "pixels";
    else if (enough)
        unscaled->form = "features";
    else if (used > 1 && used < FEW && !unit && unscaled->ratio > limits->spread)
        unscaled->form = "spread";
}

/* Columns that add up to 1 in every row: shares are their means. */
static bool one_hot(const struct tensor *tensor, struct shares *shares)
{
    const struct tensor_features *features = &tensor->samples->features;
    double sum = 0, least = (double)INFINITY;
    if (tensor->rank != 2 || features->width < 2 || features->step != 1)
        return false;
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        if (feature->nan + feature->inf > 0 || feature->low < 0 || feature->high > 1 ||
            !feature_binary(feature) || !feature->whole)
            return false;
        sum += feature->mean;
        if (feature->mean > 0)
            least = fmin(least, feature->mean);
        shares->classes += feature->mean > 0;
        if (feature->mean > shares->largest) {
            shares->largest = feature->mean;
            shares->common = (double)i;
        }
    }
    shares->labels = features->rows;
    shares->ratio = shares->largest / least;
    return fabs(sum - 1) < 1e-6;
}

bool targets_shares(const struct tensor *tensor, struct shares *shares)
{
    enum { CLASSES_MOST = 1000, SURELY_CLASSES = 20, A_CLASS = 5, LABELS_LEAST = 20 };
    const struct tensor_labels *labels = &tensor->samples->labels;
    *shares = (struct shares){0};
    if (one_hot(tensor, shares))
        return shares->labels >= LABELS_LEAST;
    *shares = (struct shares){0};
    const bool column = tensor->rank == 1 || (tensor->rank == 2 && tensor->shape[1] == 1);
    if (!column || !labels->whole || labels->distinct == 0 || labels->distinct > CLASSES_MOST ||
        labels->count < LABELS_LEAST)
        return false;
    /* Classes are numbered without gaps, and each is met again and again. */
    const double range = (double)(labels->high - labels->low) + 1;
    const bool numbered = labels->low <= 1 && (double)labels->distinct >= 0.5 * range;
    if ((!numbered && labels->distinct > SURELY_CLASSES) || labels->low > 1 ||
        labels->count < A_CLASS * labels->distinct)
        return false;
    shares->labels = labels->count;
    shares->classes = (double)labels->distinct;
    shares->common = (double)labels->common;
    shares->largest = (double)labels->most / (double)labels->count;
    shares->ratio = (double)labels->most / (double)labels->least;
    return true;
}
