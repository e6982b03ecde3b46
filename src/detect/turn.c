/* turn: validation gets worse again while training goes on improving. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RISE, SIGMA, AFTER_SHARE, Z, TRAIN_FALL };
static const struct parameter parameters[] = {
    [RISE] = {"rise", "share", 0, 100, 0.05, "of the end over the best evaluation"},
    [SIGMA] = {"sigma", "deviations", 0, 100, 3, "and so many deviations between evaluations"},
    [AFTER_SHARE] = {"after", "share", 0, 1, 0.2, "of the evaluations behind the best; 2 at least"},
    [Z] = {"z", "", 0, 10, 1, "Mann-Kendall z of them, or all over the best"},
    [TRAIN_FALL] = {"train-fall", "share", 0, 1, 0.02, "of the training loss meanwhile; 0: unseen"},
};
static const char *const values[] = {"rise",   "best",       "end",    "after", "at",
                                     "points", "train-fall", "metric", "gap",   "sigmas",
                                     "steady", "of-start",   NULL};

static bool same_steps(const struct groups *a, const struct groups *b)
{
    double overlap = fmin(a->x_last, b->x_last) - fmax(a->x_first, b->x_first);
    double longer = fmax(a->x_last - a->x_first, b->x_last - b->x_first);
    return longer > 0 && overlap >= 0.6 * longer;
}

/* How far the training loss fell since the evaluation at `at`. */
static double train_fall(const struct groups *train, const struct groups *validation, size_t at)
{
    size_t from;
    if (same_steps(train, validation)) {
        for (from = 0; from + 1 < train->count; from++)
            if (train->group[from].x >= validation->group[at].x)
                break;
    } else {
        double share = (double)at / (double)(validation->count - 1);
        from = (size_t)(share * (double)(train->count - 1));
    }
    double end = train->count >= 3 ? train->smooth[train->count - 2] : train->smooth[0];
    if (train->count >= 1)
        end = fmin(end, train->group[train->count - 1].y);
    double begin = scale_down(&train->scale, train->smooth[from]);
    return begin != 0 ? (begin - scale_down(&train->scale, end)) / fabs(begin) : 0;
}

static bool rising(const struct use *use, const struct groups *groups, size_t best)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    bool over = true;
    for (size_t i = best + 1; i < groups->count; i++, count++) {
        x[count] = groups->group[i].x;
        y[count] = groups->group[i].y;
        over = over && y[count] > groups->group[best].y;
    }
    return over || trend_of(x, y, count, groups->precision).z > use->parameters[Z];
}

/* The share of the rise, in u, that is no swing: of the median of the last three evaluations over
   the best level that neighbours confirm. */
static double steady(const struct groups *groups, double rise)
{
    double last[3], best = groups->smooth[0];
    const size_t count = groups->count;
    for (size_t i = 1; i + 1 < count; i++)
        best = fmin(best, groups->smooth[i]);
    for (size_t i = 0; i < COUNT(last); i++)
        last[i] = groups->group[count - 1 - i].y;
    return (median_of(last, COUNT(last)) - best) / rise;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups, train;
    const bool alone = use->parameters[TRAIN_FALL] == 0;
    if (!groups_for(use, 0, false, &groups) || groups.count < 4)
        return true;
    if (!alone && (!groups_of(use->tracks[1], use->series[1]->kind, 0, &train) || train.count < 2))
        return true;
    size_t best = 0, count = groups.count;
    for (size_t i = 1; i < count; i++)
        if (groups.group[i].y < groups.group[best].y)
            best = i;
    double end = (groups.group[count - 1].y + groups.group[count - 2].y) / 2;
    double rise = end - groups.group[best].y;
    double noise = groups.count >= 8 ? groups.sigma_group : 0;
    const bool batches = (use->series[0]->grain & GRAIN_BATCH) && groups.points > groups.count;
    /* Beside a training loss that falls, swings of the evaluations do not hide their rise; those of
       their batches, of which each may be harder than the one before, do. */
    double least =
        fmax(scale_ratio(&groups.scale, 1 + use->parameters[RISE]),
             use->parameters[SIGMA] * (alone || batches ? noise : fmin(noise, rise / 4)));
    size_t after = count - 1 - best;
    /* One evaluation at the end that is far out is no turn. */
    const double before = groups.group[count - 2].y - groups.group[best].y;
    if (!(rise > least) || !(before > least / 2) ||
        (double)after < fmax(2, use->parameters[AFTER_SHARE] * (double)count) ||
        !rising(use, &groups, best))
        return true;
    double fall = alone ? (double)NAN : train_fall(&train, &groups, best);
    if (fall < use->parameters[TRAIN_FALL])
        return true;
    struct point onset = groups.group[best].first;
    struct candidate candidate = candidate_at(use, 0, onset);
    double best_value = scale_down(&groups.scale, groups.group[best].y);
    double end_value = scale_down(&groups.scale, end);
    value_add(&candidate, "rise", best_value != 0 ? end_value / best_value : (double)NAN);
    value_add(&candidate, "best", best_value);
    value_add(&candidate, "end", end_value);
    value_add(&candidate, "after", (double)after);
    value_add(&candidate, "at", share_at(use->tracks[0], &onset));
    value_add(&candidate, "points", (double)groups.points);
    if (!alone) {
        const double trained = scale_down(&train.scale, train.group[train.count - 1].y);
        value_add(&candidate, "train-fall", fall);
        value_add(&candidate, "gap", trained > 0 ? end_value / trained : (double)NAN);
    }
    value_add(&candidate, "metric", metric_improves(use, &onset));
    value_add(&candidate, "sigmas", groups.sigma_group > 0 ? rise / groups.sigma_group : 1e9);
    value_add(&candidate, "of-start", end_value / use->tracks[0]->first.value);
    value_add(&candidate, "steady", steady(&groups, rise));
    evidence_add(&candidate, use->series[0], onset, "the best evaluation");
    evidence_add(&candidate, use->series[0], use->tracks[0]->last_finite, "the last");
    if (!alone)
        evidence_add(&candidate, use->series[1], use->tracks[1]->last_finite, "training meanwhile");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_turn = {
    .name = "turn",
    .about = "validation gets worse again while training goes on improving",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
