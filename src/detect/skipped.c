/* skipped: the share of the last steps that were not taken. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <math.h>

enum { SHARE, WINDOW, LEAST, SEARCH };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.05, "of the last steps that were skipped"},
    [WINDOW] = {"window", "steps", 1, 1e9, 200, "up to the end that are looked at"},
    [LEAST] = {"least", "steps", 1, 1e9, 100, "that the log covers"},
    /* From 2^32 down to what fits takes as many halvings, each of a skipped step. */
    [SEARCH] = {"search", "steps", 0, 1e6, 20, "that the search for a loss scale may skip"},
};
static const char *const values[] = {"share", "skips", "steps", "points", NULL};

static double stride_of(const struct track *track)
{
    return fmax(1, (double)(track->last.step - track->first.step) /
                       fmax(1, (double)(track->points - 1)));
}

/* A count that goes on never falls. Counts of an interval each that never fall are 0 and, from
   where every step is skipped, the steps of an interval: one in between says that it goes on. */
static bool goes_on(const struct track *track)
{
    const double most = ceil(stride_of(track));
    double reached = 0;
    bool between = false;
    if (track->high.value > most) /* more than an interval has steps */
        return true;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count == 0)
            continue;
        if (bucket->low.value < reached)
            return false;
        reached = bucket->high.value;
        between = between || (reached > 0 && reached < most);
    }
    return between;
}

/* Skips up to a step: counts of an interval each, or one count that goes on. */
static double skips_up_to(const struct track *track, int64_t step, bool total)
{
    double skips = 0;
    for (size_t i = 0; i < track->bucket_count && track->buckets[i].first_step <= step; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->count == 0)
            continue;
        bool whole = bucket->last_step <= step;
        double here = total ? (whole ? bucket->high.value : bucket->low.value)
                            : bucket->sum * (whole ? 1 : 0.5);
        skips = total ? here : skips + here;
    }
    return skips;
}

static struct point first_skip_behind(const struct track *track, int64_t step)
{
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].last_step > step && track->buckets[i].high.value > 0)
            return track->buckets[i].high;
    return track->last;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    if (track->first.step == STEP_NONE || track->last.step == STEP_NONE || track->points < 2 ||
        track->high.value <= 0 || track->low.value < 0)
        return true;
    const double covered = (double)(track->last.step - track->first.step);
    const double steps = fmin(use->parameters[WINDOW], covered);
    if (covered < use->parameters[LEAST])
        return true;
    const bool total = goes_on(track);
    const int64_t from = track->last.step - (int64_t)steps;
    const double before = skips_up_to(track, from, total);
    const double skips = skips_up_to(track, track->last.step, total) - before -
                         fmax(0, use->parameters[SEARCH] - before);
    const double share = fmin(1, skips / steps);
    if (!(share >= use->parameters[SHARE]))
        return true;
    struct candidate candidate = candidate_at(use, 0, first_skip_behind(track, from));
    candidate.end_line = track->last.line;
    value_add(&candidate, "share", share);
    value_add(&candidate, "skips", round(skips));
    value_add(&candidate, "steps", steps);
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, use->series[0], track->last, "the last count");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_skipped = {
    .name = "skipped",
    .about = "the share of the last steps that were not taken",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
