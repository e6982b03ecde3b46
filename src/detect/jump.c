/* jump: a series leaps upwards from one reading to the next, or turns at its peak. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RATIO, AFTER_FALL, OVER_PEAK, PEAK };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 1, 1e9, 3, "from one reading to the next"},
    [AFTER_FALL] = {"after-fall", "ratio", 1, 1e9, 1.5, "after it had fallen"},
    [OVER_PEAK] = {"over-peak", "ratio", 1, 1e9, 1.1, "over its earlier peak"},
    [PEAK] = {"peak", "", 0, 1, 0, "1: the end of the first rise is told as well"},
};
static const char *const values[] = {"ratio",  "before", "after",      "cycles",
                                     "points", "at",     "loss-rises", NULL};
static const char *const forms[] = {"jump", "peak", NULL};

/* Leaps that are alike belong to a cycle. */
static double cycles(const struct point *points, size_t count, double peak)
{
    double number = 0;
    for (size_t i = 1; i + 1 < count; i++)
        number += points[i].value > points[i - 1].value && points[i].value >= points[i + 1].value &&
                  points[i].value > 0.8 * peak;
    return number;
}

/* The loss of the readings behind it stands over that before. */
static bool loss_rises(const struct use *use, const struct point *before, const struct point *after)
{
    enum { READINGS = 5 };
    const struct track *track = companion(use, KIND_LOSS, NULL);
    struct point points[BUCKETS_MAX];
    double old[READINGS], new[READINGS];
    bool exact;
    size_t olds = 0, news = 0, count = track ? track_points(track, points, &exact) : 0;
    for (size_t i = count; i > 0 && olds < READINGS; i--)
        if (!point_before(before, &points[i - 1]) || points[i - 1].step == before->step)
            old[olds++] = points[i - 1].value;
    for (size_t i = 0; i < count && news < READINGS; i++)
        if (!point_before(&points[i], after) || points[i].step == after->step)
            new[news++] = points[i].value;
    if (olds == 0 || news == 0)
        return false;
    double level = median_of(old, olds), noise = olds > 2 ? deviation_of(old, olds) : 0;
    return median_of(new, news) > level + fmax(0.02 * fabs(level), 3 * noise);
}

static bool tell(const struct use *use, const char *form, const struct point *before,
                 const struct point *after, double number, struct candidates *candidates,
                 struct error *error)
{
    struct candidate candidate = candidate_at(use, 0, *after);
    candidate.form = form;
    value_add(&candidate, "ratio",
              before->value > 0 ? after->value / before->value : (double)INFINITY);
    value_add(&candidate, "before", before->value);
    value_add(&candidate, "after", after->value);
    value_add(&candidate, "cycles", number);
    value_add(&candidate, "points", (double)use->tracks[0]->points);
    value_add(&candidate, "at", share_at(use->tracks[0], after));
    value_add(&candidate, "loss-rises", loss_rises(use, before, after));
    evidence_add(&candidate, use->series[0], *before, "before");
    evidence_add(&candidate, use->series[0], *after, "after");
    return candidates_add(candidates, &candidate, error);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    bool exact, fallen = false;
    size_t count = track_points(track, points, &exact), best = 0, top = 0;
    double peak = 0, largest = 0;
    if (count < 3)
        return true;
    /* The warm-up rises by nature: it ends at the first reading that is no higher. A log that
       begins late has none, though its rate may rise steadily. */
    bool late = points[0].step != STEP_NONE && points[1].step > points[0].step &&
                points[0].step > 10 * (points[1].step - points[0].step);
    size_t from = 1;
    while (from < count && points[from].value > points[from - 1].value &&
           !(late && points[from].value >= use->parameters[RATIO] * points[from - 1].value))
        from++;
    top = from - 1;
    peak = points[top].value;
    for (size_t i = from; i < count; i++) {
        double before = points[i - 1].value, after = points[i].value;
        double ratio = before > 0 ? after / before : 0;
        fallen = fallen || before < 0.98 * peak;
        bool leaps = ratio >= use->parameters[RATIO] ||
                     (fallen && ratio >= use->parameters[AFTER_FALL]) ||
                     (after > use->parameters[OVER_PEAK] * peak && ratio > 1.05);
        peak = fmax(peak, after);
        if (leaps && ratio > largest) {
            largest = ratio;
            best = i;
        }
    }
    double number = cycles(points, count, peak);
    if (best && !tell(use, "jump", &points[best - 1], &points[best], number, candidates, error))
        return false;
    if (use->parameters[PEAK] > 0 && top >= 2 && top + 1 < count)
        return tell(use, "peak", &points[0], &points[top], number, candidates, error);
    return true;
}

const struct detector detector_jump = {
    .name = "jump",
    .about = "a series leaps upwards from one reading to the next",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
