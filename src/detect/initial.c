/* initial: the spread of weights before training, against the width of their layers. */
/* SPDX-License-Identifier: MIT */
#include "detect/moves.h"

#include "stalldoc/statistics.h"
#include <string.h>

enum { FACTOR, SHARE, STEPS };
static const struct parameter parameters[] = {
    [FACTOR] = {"factor", "ratio", 1, 1e9, 5, "of a variance to the nearest that is usual"},
    [SHARE] = {"share", "share", 0, 1, 0.5, "of the kernels that have to show it"},
    [STEPS] = {"steps", "steps", 0, 1e9, 1, "up to here a checkpoint shows the start"},
};
static const char *const values[] = {"tensors",   "total",    "share", "tensor",
                                     "deviation", "expected", "ratio", NULL};
static const char *const forms[] = {"spread", "constant", NULL};

enum { LEAST_COUNT = 32 }; /* values; fewer have no spread to speak of */

struct spread {
    size_t kernels, outside, constant;
    const struct tensor *worst, *flat;
    double ratio, expected; /* of the worst: over 1 in either direction, and what is usual */
};

static double fan(const struct tensor *tensor, bool last)
{
    const int at = last ? tensor->rank - 1 : 0;
    const double units = (double)tensor->shape[at];
    return units > 0 ? (double)tensor->stats.count / units : 1;
}

/* How far a variance is from the nearest of the usual ones, as a ratio over 1; which side the
   units stand on differs between frameworks, so both are tried. */
static double distance(const struct tensor *tensor, double variance, double *nearest)
{
    /* Fixed: 0.006 to 0.02 and its division by depth; uniform 0.05; truncated normal 0.1. */
    static const double fixed[][2] = {{1e-6, 4e-4}, {8.3e-4, 8.3e-4}};
    const double a = fan(tensor, false), b = fan(tensor, true);
    const double usual[] = {1 / a, 2 / a, 1 / (3 * a), 1 / b, 2 / b, 1 / (3 * b), 2 / (a + b)};
    double best = (double)INFINITY;
    for (size_t i = 0; i < COUNT(usual); i++) {
        const double ratio = fmax(variance / usual[i], usual[i] / variance);
        if (ratio < best) {
            best = ratio;
            *nearest = usual[i];
        }
    }
    for (size_t i = 0; i < COUNT(fixed); i++) {
        const double held = fmin(fmax(variance, fixed[i][0]), fixed[i][1]);
        const double ratio = fmax(variance / held, held / variance);
        if (ratio < best) {
            best = ratio;
            *nearest = held;
        }
    }
    return best;
}

static void spread_look(const double *set, const struct tensor *tensor, struct spread *spread)
{
    const struct tensor_stats *stats = &tensor->stats;
    if (!tensor_is_kernel(tensor) || tensor_is_loose(tensor->name) ||
        tensor_starts_at_zero(tensor->name) || tensor_is_buffer(tensor->name) ||
        tensor_is_adapter(tensor->name) || stats->count < LEAST_COUNT || stats->nan + stats->inf ||
        2 * stats->zero > stats->count) /* zeros and identities are a choice */
        return;
    spread->kernels++;
    const double deviation = tensor_deviation(stats);
    if (stats->low == stats->high || !(deviation > 0)) {
        spread->constant++;
        spread->flat = spread->flat ? spread->flat : tensor;
        return;
    }
    double nearest = 0;
    const double ratio = distance(tensor, deviation * deviation, &nearest);
    if (ratio <= set[FACTOR])
        return;
    spread->outside++;
    if (!spread->worst || ratio > spread->ratio) {
        spread->worst = tensor;
        spread->ratio = ratio;
        spread->expected = sqrt(nearest);
    }
}

static bool spread_add(const struct use *use, const struct spread *spread, bool flat,
                       struct candidates *candidates, struct error *error)
{
    const struct tensor *shown = flat ? spread->flat : spread->worst;
    const size_t count = flat ? spread->constant : spread->outside;
    struct candidate candidate = candidate_tensor(use, shown);
    candidate.form = flat ? "constant" : "spread";
    value_add(&candidate, "tensors", (double)count);
    value_add(&candidate, "total", (double)spread->kernels);
    value_add(&candidate, "share", (double)count / (double)spread->kernels);
    value_add_name(&candidate, "tensor", shown->name);
    value_add(&candidate, "deviation", tensor_deviation(&shown->stats));
    value_add(&candidate, "expected", flat ? kernel_expected(shown) : spread->expected);
    value_add(&candidate, "ratio", flat ? (double)NAN : sqrt(spread->ratio));
    evidence_add_tensor(&candidate, shown, "before training");
    return candidates_add(candidates, &candidate, error);
}

static struct spread spread_of(const struct run *run, const double *set)
{
    struct spread spread = {0};
    for (size_t i = 0; i < run->tensor_count; i++) {
        const struct tensor *tensor = &run->tensors[i];
        if (tensor->step != STEP_NONE && (double)tensor->step <= set[STEPS])
            spread_look(set, tensor, &spread);
    }
    return spread;
}

size_t initial_odd(const struct run *run, const double *set, size_t *kernels)
{
    const struct spread spread = spread_of(run, set);
    *kernels = spread.kernels;
    return spread.outside + spread.constant;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct spread spread = spread_of(use->run, use->parameters);
    if (spread.constant > 0 && !spread_add(use, &spread, true, candidates, error))
        return false;
    return spread.outside == 0 ||
           (double)spread.outside < use->parameters[SHARE] * (double)spread.kernels ||
           spread_add(use, &spread, false, candidates, error);
}

const struct detector detector_initial = {
    .name = "initial",
    .about = "the spread of weights before training against the width of their layers",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
