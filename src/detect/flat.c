/* flat: the few readings of a short log all lie within a narrow band. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { MOST_POINTS, BAND, COMPANION_GAIN, LEAST_SPAN };
static const struct parameter parameters[] = {
    [MOST_POINTS] = {"most-points", "readings", 2, 64, 5, "longer logs are judged by `stall`"},
    [BAND] = {"band", "share", 0, 1, 0.02, "that all readings lie in; at least 3 last digits"},
    [COMPANION_GAIN] = {"companion-gain", "share", 0, 10, 0.05,
                        "of a metric beside it that shows progress"},
    [LEAST_SPAN] = {"span", "steps", 0, 1e9, 0, "that the readings cover at least"},
};
static const char *const values[] = {"band", "points", "level", "span", NULL};

/* A metric of the run moved for the better by the share asked. */
static bool progress(const struct use *use, double gain)
{
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC, KIND_VAL_LOSS};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct series *series = NULL;
        const struct track *track = companion(use, kinds[i], &series);
        if (!track || track->points < 2)
            continue;
        double first = track->first.value, change = track->last.value - first;
        if (series->direction == DIRECTION_DOWN || kinds[i] == KIND_VAL_LOSS)
            change = -change;
        if (change >= gain * fmax(fabs(first), 1e-12))
            return true;
    }
    return false;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    double points = (double)track->points;
    if (points > use->parameters[MOST_POINTS] || points < 2 || track_bad(track))
        return true;
    double low = track->low.value, high = track->high.value;
    double precision = pow(10, -(double)track->places);
    double width = fmax(use->parameters[BAND] * fabs(high), 3 * precision);
    if (!(high - low <= width) || fabs(high) <= 10 * precision)
        return true;
    double span = track->first.step == STEP_NONE || track->last.step == STEP_NONE
                      ? points
                      : (double)(track->last.step - track->first.step);
    if (span < use->parameters[LEAST_SPAN] || progress(use, use->parameters[COMPANION_GAIN]))
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    value_add(&candidate, "band", fmax(high - low, precision) / fmax(fabs(high), precision));
    value_add(&candidate, "points", points);
    value_add(&candidate, "level", high);
    value_add(&candidate, "span", span);
    evidence_add(&candidate, use->series[0], track->first, "the first");
    evidence_add(&candidate, use->series[0], track->last, "the last");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_flat = {
    .name = "flat",
    .about = "the few readings of a short log all lie within a narrow band",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
