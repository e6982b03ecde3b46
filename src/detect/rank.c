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

/* Of other kinds what is printed in seconds. */
static bool takes_part(const struct series *series, enum kind kind)
{
    enum { POINTS_LEAST = 20 };
    static const char *const seconds[] = {"s", "sec", "secs", "seconds", "ms", "us", "time", NULL};
    return series->kind == kind && series->rank >= 0 && series->whole.points >= POINTS_LEAST &&
           series->scope == SCOPE_TOTAL &&
           (kind == KIND_STEP_TIME || tag_has(series->unit, seconds) ||
            tag_has(series->tag, seconds));
}

/* What the ranks print under one name: the wait of one is no measure of the work of another. */
static void collect(const struct use *use, const struct series *like, struct ranks *ranks)
{
    ranks->count = 0;
    for (size_t i = 0; i < use->run->series_count && ranks->count < RANKS_MAX; i++) {
        const struct series *series = &use->run->series[i];
        if (!takes_part(series, like->kind) || !text_equal(series->tag, like->tag))
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

/* The rank that is slow; SIZE_MAX: none. */
static size_t slow_one(const struct use *use, const struct ranks *ranks, double *ratio,
                       double *windows)
{
    double all[RANKS_MAX];
    size_t slow = 0;
    if ((double)ranks->count < use->parameters[RANKS])
        return SIZE_MAX;
    for (size_t i = 0; i < ranks->count; i++) {
        all[i] = ranks->median[i];
        if (ranks->median[i] > ranks->median[slow])
            slow = i;
    }
    const double middle = median_of(all, ranks->count), spread = deviation_of(all, ranks->count);
    const double least = use->parameters[ranks->series[slow]->rank == 0 ? FIRST_RATIO : RATIO];
    *ratio = ranks->median[slow] / middle;
    if (!(*ratio >= least) || ranks->median[slow] - middle < 3 * spread)
        return SIZE_MAX;
    *windows = windows_over(ranks, slow, least);
    return *windows < use->parameters[WINDOWS] ? SIZE_MAX : slow;
}

/* Its name comes for the first time, and the use asks for it: any step time, of other series the
   one that it names. */
static bool asked_for(const struct use *use, size_t at)
{
    const struct series *series = &use->run->series[at], *own = use->series[0];
    if (!takes_part(series, own->kind) ||
        (own->kind != KIND_STEP_TIME && !text_equal(series->tag, own->tag)))
        return false;
    for (size_t i = 0; i < at; i++)
        if (takes_part(&use->run->series[i], own->kind) &&
            text_equal(use->run->series[i].tag, series->tag))
            return false;
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct ranks ranks;
    double ratio = 0, windows = 0;
    size_t slow = SIZE_MAX;
    for (size_t i = 0; i < use->run->series_count && slow == SIZE_MAX; i++) {
        if (!asked_for(use, i))
            continue;
        collect(use, &use->run->series[i], &ranks);
        slow = slow_one(use, &ranks, &ratio, &windows);
    }
    if (slow == SIZE_MAX)
        return true;
    const struct series *series = ranks.series[slow];
    struct candidate candidate = candidate_bare(use, series->whole.first);
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
