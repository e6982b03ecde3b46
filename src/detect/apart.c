/* apart: training and validation stand far from each other. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <string.h>

enum { RATIO, METRIC_GAP, ALONE, STILL, CONSTANT, NEAR_BOUND, LOSS_MOST };
enum { LAST = 3, PAIRS_MAX = 64 };
#define ASTRAY 1e5 /* of a ratio that no reduction makes: one pair is enough */
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 0, 1e9, 1.5,
               "validation over training; below 1: the other way; 1e5 and more: at the end"},
    [METRIC_GAP] = {"metric-gap", "", 0, 100, 0.15, "between the metrics of both"},
    [ALONE] = {"alone", "ratio", 0, 1e9, 3, "that needs no metric beside it; 0: none does"},
    [STILL] = {"still", "share", 0, 1, 0.02, "by which validation may still improve"},
    [CONSTANT] = {"constant", "ratio", 1, 1e9, 5, "from the first on: another reduction"},
    [NEAR_BOUND] = {"near-bound", "share", 0, 1, 0.98, "of a metric's bound at once"},
    [LOSS_MOST] = {"loss-most", "ratio", 0, 1, 0.85,
                   "of both losses, in the middle of many evaluations"},
};
static const char *const values[] = {"ratio",    "validation", "train",  "gap", "points",
                                     "constant", "rise",       "metric", NULL};
static const char *const forms[] = {"gap", "better", "at-once", "lower", "validation", NULL};

struct pairs { /* the last readings of both, validation's beside the training's of its place */
    double validation[PAIRS_MAX], train[PAIRS_MAX];
    size_t count;
};

/* Both are placed to their ends, and neither goes on for twice as long as the other. */
static bool placed_alike(const struct track *a, const struct track *b)
{
    const double last_a = (double)a->last.step, last_b = (double)b->last.step;
    return a->last.step != STEP_NONE && b->last.step != STEP_NONE && last_a <= 2 * last_b &&
           last_b <= 2 * last_a;
}

/* Training's readings near an evaluation: the last before it, or the same share of the run. */
static void pair(const struct track *validation, const struct track *train, struct pairs *pairs)
{
    struct point v[PAIRS_MAX], t[BUCKETS_MAX];
    bool exact;
    size_t count = track_tail(validation, v, PAIRS_MAX), all = track_points(train, t, &exact);
    pairs->count = 0;
    if (all == 0 || count == 0)
        return;
    bool steps =
        v[0].step != STEP_NONE && t[0].step != STEP_NONE && placed_alike(validation, train);
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)((double)i / (double)count * (double)all);
        if (steps) {
            for (at = 0; at + 1 < all && t[at + 1].step <= v[i].step; at++)
                continue;
        } else if (all == count) {
            at = i;
        }
        pairs->validation[pairs->count] = v[i].value;
        pairs->train[pairs->count++] = t[at].value;
    }
}

static double metric_gap(const struct use *use, struct pairs *pairs, bool *known, double *bound)
{
    const struct series *validation = NULL, *train = NULL;
    const struct track *v = companion(use, KIND_VAL_METRIC, &validation);
    const struct track *t = companion(use, KIND_METRIC, &train);
    *known = v && t && validation->direction == DIRECTION_UP && train->direction == DIRECTION_UP;
    if (!*known)
        return 0;
    *bound = fmax(share_unit(v), share_unit(t));
    pair(v, t, pairs);
    if (pairs->count == 0)
        return 0;
    return (pairs->train[pairs->count - 1] - pairs->validation[pairs->count - 1]) / *bound;
}

/* A gap that opened began behind the best evaluation; any other was there from the first on. */
static struct point onset_of(const struct track *validation, const char *form, bool constant)
{
    return strcmp(form, "gap") == 0 && !constant ? validation->low : validation->first;
}

/* How far the last evaluations stand over the best. */
static double rise_of(const struct use *use)
{
    struct groups groups;
    if (!groups_of(use->tracks[0], use->series[0]->kind, 0, &groups) || groups.count < LAST)
        return (double)NAN;
    double best = groups.group[0].y;
    for (size_t i = 1; i < groups.count; i++)
        best = fmin(best, groups.group[i].y);
    const double end = (groups.group[groups.count - 1].y + groups.group[groups.count - 2].y) / 2;
    const double level = scale_down(&groups.scale, best);
    return level != 0 ? scale_down(&groups.scale, end) / level : (double)NAN;
}

static bool tell(const struct use *use, const char *form, double ratio, double gap, bool constant,
                 struct candidates *candidates, struct error *error)
{
    struct candidate candidate = candidate_at(use, 0, onset_of(use->tracks[0], form, constant));
    candidate.form = form;
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "validation", use->tracks[0]->last_finite.value);
    value_add(&candidate, "train", use->tracks[1]->last_finite.value);
    value_add(&candidate, "gap", fabs(gap));
    value_add(&candidate, "points", (double)use->tracks[0]->points);
    value_add(&candidate, "constant", constant);
    value_add(&candidate, "rise", rise_of(use));
    value_add(&candidate, "metric", metric_improves(use, &use->tracks[0]->low));
    evidence_add(&candidate, use->series[0], use->tracks[0]->last_finite, "validation");
    evidence_add(&candidate, use->series[1], use->tracks[1]->last_finite, "training");
    return candidates_add(candidates, &candidate, error);
}

static bool gap(const struct use *use, const struct pairs *losses, struct candidates *candidates,
                struct error *error)
{
    struct pairs metrics = {.count = 0};
    double bound = 1, lowest = (double)INFINITY, least = (double)INFINITY;
    bool known;
    size_t count = losses->count;
    for (size_t i = 0; i < count; i++) {
        double ratio = losses->validation[i] / losses->train[i];
        least = fmin(least, ratio);
        if (i + LAST >= count)
            lowest = fmin(lowest, ratio);
    }
    double apart = metric_gap(use, &metrics, &known, &bound);
    double before = losses->validation[count - LAST], last = losses->validation[count - 1];
    bool improving = before - last > use->parameters[STILL] * fabs(before);
    bool constant = least >= use->parameters[CONSTANT];
    bool wide = known ? apart >= use->parameters[METRIC_GAP]
                      : use->parameters[ALONE] > 0 && lowest >= use->parameters[ALONE];
    if (!(lowest >= use->parameters[RATIO]) || improving || (!wide && !constant))
        return true;
    return tell(use, "gap", lowest, apart, constant, candidates, error);
}

/* Over many evaluations half stand a good deal over training and nearly all over it, in the loss as
   well: single ones swing, and the first and last come near to each other. *apart: the middle. */
static bool mostly_better(const struct use *use, const struct pairs *metrics,
                          const struct pairs *losses, double bound, double *apart)
{
    enum { EVALUATIONS = 10 };
    static const double MIDDLE = 0.8, LEAST = 0.05, NEARLY_ALL = 0.7;
    static const double TINY = 0.1, TINY_MIDDLE = 0.04; /* a loss next to none needs less beside */
    double gaps[PAIRS_MAX], ratios[PAIRS_MAX];
    size_t over = 0;
    if (metrics->count < EVALUATIONS || losses->count < EVALUATIONS)
        return false;
    for (size_t i = 0; i < metrics->count; i++) {
        gaps[i] = (metrics->validation[i] - metrics->train[i]) / bound;
        over += gaps[i] >= LEAST;
    }
    for (size_t i = 0; i < losses->count; i++)
        ratios[i] = losses->validation[i] / losses->train[i];
    const double middle = median_of(gaps, metrics->count);
    const double ratio = median_of(ratios, losses->count);
    const bool far = middle >= MIDDLE * use->parameters[METRIC_GAP] &&
                     (double)over >= NEARLY_ALL * (double)metrics->count &&
                     ratio <= use->parameters[LOSS_MOST];
    if (!far && !(ratio <= TINY && middle >= TINY_MIDDLE))
        return false;
    *apart = middle;
    return true;
}

/* Where one metric alone is printed, as of validation only: it is at its bound in the first two
   evaluations, and the loss of training stands far over that of validation, which no mixing of
   samples makes. */
static bool perfect_at_once(const struct use *use, const struct pairs *losses)
{
    enum { FIRST = 2 };
    static const double bound = 0.995, tiny = 0.03;
    const struct series *series = NULL;
    const struct track *track = companion(use, KIND_VAL_METRIC, &series);
    if (!track)
        track = companion(use, KIND_METRIC, &series);
    if (!track || series->direction != DIRECTION_UP || losses->count < FIRST ||
        losses->count != use->series[0]->whole.points || track->head_count < FIRST)
        return false;
    for (size_t i = 0; i < FIRST; i++)
        if (track->head[i].value < bound * share_unit(track) ||
            losses->validation[i] > tiny * losses->train[i])
            return false;
    return true;
}

/* Nothing is wrong in the first evaluations but one in a thousand, fifty times as much in training
   beside them, and the losses of both stay as far apart. */
static bool flawless_at_once(const struct use *use, const struct pairs *metrics,
                             const struct pairs *losses, double bound)
{
    static const double wrong = 0.001, times = 50, least = 0.03, tiny = 0.15;
    if (metrics->count < LAST || losses->count < LAST ||
        metrics->count != use->series[0]->whole.points)
        return false;
    for (size_t i = 0; i < LAST; i++) {
        const double held = bound - metrics->validation[i], own = bound - metrics->train[i];
        if (held > wrong * bound * (1 + 1e-9) || own < fmax(times * held, least * bound))
            return false;
    }
    for (size_t i = 0; i < losses->count; i++)
        if (losses->validation[i] > tiny * losses->train[i])
            return false;
    return true;
}

/* Validation is better than training by more than dropout and averaging explain. */
static bool better(const struct use *use, const struct pairs *losses, struct candidates *candidates,
                   struct error *error)
{
    struct pairs metrics = {.count = 0};
    double bound = 1, highest = 0, low = (double)INFINITY, high = 0;
    bool known, always = true;
    double apart = metric_gap(use, &metrics, &known, &bound);
    for (size_t i = 0; known && i < metrics.count; i++)
        always = always &&
                 metrics.validation[i] - metrics.train[i] >= use->parameters[METRIC_GAP] * bound;
    if (known && metrics.count >= 1 && metrics.count == use->series[0]->whole.points) {
        size_t first = metrics.count > 1 ? 2 : 1;
        for (size_t i = 0; i < first; i++)
            highest = fmax(highest, metrics.validation[i]);
        if (highest >= use->parameters[NEAR_BOUND] * bound &&
            metrics.train[first - 1] <= highest - 0.1 * bound)
            return tell(use, "at-once", (double)NAN, apart, false, candidates, error);
    }
    if (known && flawless_at_once(use, &metrics, losses, bound))
        return tell(use, "at-once", losses->validation[0] / losses->train[0], apart, false,
                    candidates, error);
    if (!known && perfect_at_once(use, losses))
        return tell(use, "at-once", losses->validation[0] / losses->train[0], apart, false,
                    candidates, error);
    if (known && mostly_better(use, &metrics, losses, bound, &apart))
        return tell(use, "better", (double)NAN, apart, false, candidates, error);
    if (known && always && metrics.count >= LAST)
        return tell(use, "better", (double)NAN, apart, false, candidates, error);
    for (size_t i = 0; i < losses->count; i++) {
        double ratio = losses->validation[i] / losses->train[i];
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    bool drifting = high > 1.3 * low;
    if (losses->count >= LAST && high < use->parameters[RATIO] && drifting)
        return tell(use, "lower", high, apart, false, candidates, error);
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct pairs losses;
    if (track_signs(use->tracks[0])->negatives || track_signs(use->tracks[1])->negatives)
        return true;
    pair(use->tracks[0], use->tracks[1], &losses);
    for (size_t i = 0; i < losses.count; i++)
        if (!(losses.train[i] > 0))
            return true;
    if (use->parameters[RATIO] >= ASTRAY) {
        double ratio =
            losses.count ? losses.validation[losses.count - 1] / losses.train[losses.count - 1] : 0;
        return !(ratio >= use->parameters[RATIO]) ||
               tell(use, "validation", ratio, 0, false, candidates, error);
    }
    if (use->parameters[RATIO] < 1)
        return better(use, &losses, candidates, error);
    return losses.count < LAST || gap(use, &losses, candidates, error);
}

const struct detector detector_apart = {
    .name = "apart",
    .about = "training and validation stand far from each other",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
