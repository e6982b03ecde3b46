/* Where the warm-up of a run ends: before it only plain faults count (detectors.md 2.7). */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

static const double share_of_plan = 0.02, most_share = 0.2, most_of_rate = 0.3;
enum { SHORT = 20, LEAST = 5 };

static uint64_t readings_before(const struct track *track, int64_t step)
{
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].first_step == STEP_NONE)
            return 0;
        else if (track->buckets[i].first_step >= step)
            return track->buckets[i].index;
    return track->points;
}

/* The rate rises at the start: the step of its first highest reading; STEP_NONE else. */
static int64_t peak_of(const struct track *rate)
{
    if (!rate || rate->points < 3 || rate->high.step == STEP_NONE)
        return STEP_NONE;
    if (!(rate->first.value < 0.9 * rate->high.value))
        return STEP_NONE;
    return rate->high.step;
}

uint64_t warmup_of(const struct track *track, const struct track *rate, int64_t planned_steps)
{
    if (track->points < SHORT)
        return 0;
    double points = (double)track->points;
    double most = most_share * points;
    int64_t peak = peak_of(rate);
    if (peak != STEP_NONE) {
        double readings = (double)readings_before(track, peak);
        return (uint64_t)fmin(readings, most_of_rate * points);
    }
    double share = share_of_plan * points;
    if (planned_steps > 0 && track->first.step != STEP_NONE) {
        double step = share_of_plan * (double)planned_steps;
        share = (double)readings_before(track, (int64_t)step);
    }
    return (uint64_t)fmin(fmax(share, LEAST), most);
}
