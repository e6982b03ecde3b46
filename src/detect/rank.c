/* rank: one rank is steadily slower than the others. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RATIO, FIRST_RATIO, WINDOWS, RANKS };
enum { RANKS_MAX = 256, PARTS = 10 };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1, 100, 1.1, "of its median to the median of all"},
    /* The first rank logs, saves and evaluates. */
    [FIRST_RATIO] = {"first-ratio", "ratio", 1, 100, 1.3, "of rank 0"},
    [WINDOWS] = {"windows", "windows", 1, PARTS, 8, "of ten in which it is so slow"},
    [RANKS] = {"ranks", "ranks", 2, 1e6, 3, "that have a time of their own"},
};
static const char *const values[] = {"rank", "ratio", "windows", "points", "ranks", NULL};
static const char *const forms[] = {"slow", NULL};

struct ranks {
    const struct series *series[RANKS_MAX];
    double median[RANKS_MAX];
    size_t count;
};

static double median_window(const struct track *track, size_t window)
{
    struct point points[BUCKETS_MAX];
    double readings[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact);
    size_t from = window > PARTS ? 0 : window * count / PARTS;
    size_t end = window > PARTS ? count : (window + 1) * count / PARTS;
    for (size_t i = from; i < end; i++)
        readings[i - from] = points[i].value;
    return median_of(readings, end - from);
}

static void collect(const struct use *use, enum kind kind, uint64_t points, struct ranks *ranks)
{
    ranks->count = 0;
    for (size_t i = 0; i < use->run->series_count && ranks->count < RANKS_MAX; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind != kind || series->rank < 0 || series->whole.points < points ||
            series->scope != SCOPE_TOTAL)
            continue;
        ranks->median[ranks->count] = median_window(&series->whole, PARTS + 1);
        ranks->series[ranks->count++] = series;
    }
}

static double windows_over(const struct ranks *ranks, size_t slow, double ratio)
{
    double over = 0;
    for (size_t window = 0; window < PARTS; window++) {
        double all[RANKS_MAX];
        for (size_t i = 0; i < ranks->count; i++)
            all[i] = median_window(&ranks->series[i]->whole, window);
        double own = all[slow];
        over += own >= ratio * median_of(all, ranks->count);
    }
    return over;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct ranks ranks;
    double all[RANKS_MAX];
    collect(use, KIND_STEP_TIME, 20, &ranks);
    if ((double)ranks.count < use->parameters[RANKS])
        return true;
    size_t slow = 0;
    for (size_t i = 0; i < ranks.count; i++) {
        all[i] = ranks.median[i];
        if (ranks.median[i] > ranks.median[slow])
            slow = i;
    }
    double middle = median_of(all, ranks.count), spread = deviation_of(all, ranks.count);
    const struct series *series = ranks.series[slow];
    double least = use->parameters[series->rank == 0 ? FIRST_RATIO : RATIO];
    double ratio = ranks.median[slow] / middle;
    if (!(ratio >= least) || ranks.median[slow] - middle < 3 * spread)
        return true;
    double windows = windows_over(&ranks, slow, least);
    if (windows < use->parameters[WINDOWS])
        return true;
    struct candidate candidate = candidate_at(use, USE_SERIES_MAX, series->whole.first);
    candidate.series = series;
    candidate.form = "slow";
    candidate.subject = series->tag;
    value_add(&candidate, "rank", series->rank);
    value_add(&candidate, "ratio", ratio);
    value_add(&candidate, "windows", windows);
    value_add(&candidate, "points", (double)series->whole.points);
    value_add(&candidate, "ranks", (double)ranks.count);
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_rank = {
    .name = "rank",
    .about = "one rank is steadily slower than the others",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
