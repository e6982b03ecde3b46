/* inputs: the features of a sample of what goes into the model. */
/* SPDX-License-Identifier: MIT */
#include "detect/samples.h"

#include "detect/common.h"

#include <math.h>
#include <string.h>

enum { OFFSET, LOW, HIGH, SPREAD, LARGEST, SHARE, ROWS, CODES };
static const struct parameter parameters[] = {
    [OFFSET] = {"offset", "deviations", 0, 1e300, 10, "of a feature's mean from 0"},
    [LOW] = {"low", "", 0, 1e300, 1e-2, "deviation of a feature, at least"},
    [HIGH] = {"high", "", 0, 1e300, 1e2, "deviation of a feature, at most"},
    [SPREAD] = {"spread", "ratio", 1, 1e300, 1e3, "of the largest deviation over the smallest"},
    [LARGEST] = {"largest", "", 0, 1e300, 1e4, "magnitude of a single value"},
    [SHARE] = {"share", "", 0, 1, 1e-3, "of the values that are one number far from the others"},
    [ROWS] = {"rows", "samples", 1, 1e9, 20, "that tell whether a feature varies"},
    [CODES] = {"codes", "", 3, 255, 200, "the highest category code"},
};
static const char *const values[] = {"array", "features", "width",  "feature", "mean", "deviation",
                                     "low",   "high",     "ratio",  "share",   "rows", "nan",
                                     "inf",   "number",   "sparse", NULL};

static void say_features(struct candidate *candidate, const struct tensor *tensor, size_t count,
                         const struct feature *worst, size_t nth)
{
    const struct tensor_features *features = &tensor->samples->features;
    value_add(candidate, "features", (double)count * (double)features->step);
    value_add(candidate, "width", (double)features->width);
    value_add(candidate, "feature", (double)nth);
    value_add(candidate, "mean", worst ? worst->mean : (double)NAN);
    value_add(candidate, "deviation", worst ? worst->deviation : (double)NAN);
    value_add(candidate, "low", worst ? worst->low : (double)NAN);
    value_add(candidate, "high", worst ? worst->high : (double)NAN);
    value_add(candidate, "rows", (double)features->rows);
}

/* Is the array of the form asked for? Then *candidate says so. */
typedef bool look(const struct use *use, const struct tensor *tensor, struct candidate *candidate);

static bool look_scale(const struct use *use, const struct tensor *tensor,
                       struct candidate *candidate)
{
    const double *p = use->parameters;
    const struct unscaled_limits limits = {p[OFFSET], p[LOW], p[HIGH], p[SPREAD], p[LARGEST]};
    struct unscaled unscaled;
    inputs_scale(tensor, &limits, &unscaled);
    if (!unscaled.form || strcmp(unscaled.form, use->form) != 0)
        return false;
    const struct feature *worst = unscaled.worst;
    say_features(candidate, tensor, unscaled.features, worst, unscaled.nth);
    value_add(candidate, "ratio", unscaled.ratio);
    value_add(candidate, "number", tensor->stats.high);
    return true;
}

/* -inf in masks and 0 beside it are there on purpose. */
static bool look_values(const struct use *use, const struct tensor *tensor,
                        struct candidate *candidate)
{
    const struct tensor_features *features = &tensor->samples->features;
    const struct tensor_stats *stats = &tensor->stats;
    (void)use;
    if (stats->nan + stats->inf == 0 || (stats->nan == 0 && stats->inf == stats->negative_inf &&
                                         stats->inf + stats->zero == stats->count))
        return false;
    size_t count = 0, nth = 0;
    const struct feature *worst = NULL;
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        if (feature->nan + feature->inf == 0)
            continue;
        count++;
        if (!worst || feature->nan + feature->inf > worst->nan + worst->inf) {
            worst = feature;
            nth = i * (size_t)features->step;
        }
    }
    say_features(candidate, tensor, count, worst, nth);
    value_add(candidate, "nan", (double)stats->nan);
    value_add(candidate, "inf", (double)stats->inf);
    value_add(candidate, "share", (double)(stats->nan + stats->inf) / (double)stats->count);
    return true;
}

/* -99, 999, -9999, ...: nines alone; or beyond what is measured of anything: 1e20. */
static bool placeholder(double value)
{
    static const double NOTHING_IS_SO_LARGE = 1e20;
    const double size = fabs(value);
    uint64_t nines = 99;
    for (int digits = 2; digits < 10; digits++, nines = 10 * nines + 9)
        if (size == (double)nines)
            return nines > 99 || value < 0;
    return fabs(value) >= NOTHING_IS_SO_LARGE;
}

static bool look_sentinel(const struct use *use, const struct tensor *tensor,
                          struct candidate *candidate)
{
    static const double FAR = 20; /* robust deviations */
    enum { TIMES = 3 };
    const struct tensor_features *features = &tensor->samples->features;
    size_t count = 0, nth = 0;
    double most = 0, number = 0;
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        for (int high = 0; high < 2; high++) {
            const double value = high ? feature->high : feature->low;
            const uint64_t times = high ? feature->high_count : feature->low_count;
            const double share = (double)times / (double)feature->count;
            if (times < TIMES || share < use->parameters[SHARE] || !placeholder(value) ||
                !(feature->spread > 0) || fabs(value - feature->median) <= FAR * feature->spread)
                continue;
            count++;
            if (share > most) {
                most = share;
                number = value;
                nth = i * (size_t)features->step;
            }
        }
    }
    if (count == 0)
        return false;
    say_features(candidate, tensor, count, &features->features[nth / features->step], nth);
    value_add(candidate, "share", most);
    value_add(candidate, "number", number);
    return true;
}

static bool look_constant(const struct use *use, const struct tensor *tensor,
                          struct candidate *candidate)
{
    static const double NEARLY_ALL = 0.998; /* 99.9 % of one value at the least */
    static const double SPARSE = 0.8, BORDER = 0.4;
    enum { FEW_ROWS = 4 };
    const struct tensor_features *features = &tensor->samples->features;
    const double zeros = (double)tensor->stats.zero / (double)tensor->stats.count;
    size_t count = 0, nth = 0;
    for (size_t i = features->count; i > 0; i--) {
        const struct feature *feature = &features->features[i - 1];
        const bool same =
            feature_constant(feature) || (zeros < SPARSE && feature->usual >= NEARLY_ALL &&
                                          !feature_binary(feature) && feature->count > 0);
        if (!same)
            continue;
        count++;
        nth = (i - 1) * (size_t)features->step;
    }
    const double share = (double)count / (double)features->count;
    /* Few samples tell only where they are all the same. */
    const bool enough = (double)features->rows >= use->parameters[ROWS] ||
                        (share == 1 && features->rows >= FEW_ROWS && features->width > 1);
    if (count == 0 || !enough || (features->grid && share <= BORDER))
        return false;
    say_features(candidate, tensor, count, &features->features[nth / features->step], nth);
    value_add(candidate, "share", share);
    value_add(candidate, "sparse", zeros >= SPARSE);
    return true;
}

static bool is_code(const struct use *use, const struct tensor *tensor,
                    const struct feature *feature)
{
    enum { CODES_LEAST = 3, TIMES = 3 };
    (void)tensor;
    return feature->whole && feature->codes >= CODES_LEAST &&
           (feature->low == 0 || feature->low == 1) && feature->high <= use->parameters[CODES] &&
           (double)feature->codes == feature->high - feature->low + 1 &&
           feature->count >= (uint64_t)TIMES * feature->codes &&
           (double)feature->count >= use->parameters[ROWS] && !feature->humped;
}

/* Tables only: tokens of a sequence and pixels of a grid share one range. */
static bool look_codes(const struct use *use, const struct tensor *tensor,
                       struct candidate *candidate)
{
    static const double ONE_RANGE = 0.5;
    enum { SEQUENCE = 8 };
    const struct tensor_features *features = &tensor->samples->features;
    size_t count = 0, nth = 0, alike = 0;
    if (tensor->rank > 2)
        return false;
    for (size_t i = features->count; i > 0; i--)
        if (is_code(use, tensor, &features->features[i - 1])) {
            count++;
            nth = i - 1;
        }
    for (size_t i = 0; count > 0 && i < features->count; i++)
        alike += features->features[i].whole &&
                 features->features[i].high <= features->features[nth].high + 1 &&
                 features->features[i].high >= features->features[nth].high - 1;
    if (count == 0 ||
        (features->count >= SEQUENCE && (double)alike >= ONE_RANGE * (double)features->count))
        return false;
    say_features(candidate, tensor, count, &features->features[nth], nth * (size_t)features->step);
    value_add(candidate, "number", features->features[nth].codes);
    return true;
}

static look *look_of(const char *form)
{
    static const struct {
        const char *form;
        look *look;
    } table[] = {
        {"values", look_values},
        {"sentinel", look_sentinel},
        {"constant", look_constant},
        {"codes", look_codes},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        if (strcmp(form, table[i].form) == 0)
            return table[i].look;
    return look_scale;
}

/* Whole numbers index an embedding, and uint8 images are scaled on their way in: they are no inputs
   as they stand. The first array that shows it speaks for the others. A target that is no number
   does the same harm as such an input. */
static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    look *const sees = look_of(use->form);
    const enum tensor_role last = sees == look_values ? ROLE_TARGETS : ROLE_INPUTS;
    const struct tensor *tensor;
    for (enum tensor_role role = ROLE_INPUTS; role <= last; role++)
        for (size_t i = 0; (tensor = sample_array(use->run, role, i)) != NULL; i++) {
            const bool numbers = sees == look_scale ? sample_numbers(tensor) : sample_float(tensor);
            struct candidate candidate = sample_candidate(use, tensor);
            if (numbers && sees(use, tensor, &candidate))
                return candidates_add(candidates, &candidate, error);
        }
    return true;
}

const struct detector detector_inputs = {
    .name = "inputs",
    .about = "the features of a sample of what goes into the model",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
