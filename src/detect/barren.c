/* barren: neither the loss nor the metric beside it ever got far past its first reading. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SLACK, GAIN, METRIC_MOST, METRIC_POINTS, ALONE };
static const struct parameter parameters[] = {
    [SLACK] = {"slack", "share", 0, 1, 0.02, "of the first reading that the loss may have fallen"},
    [GAIN] = {"gain", "share", 0, 1, 0.02, "of full marks that the metric may have gained"},
    [METRIC_MOST] = {"metric-most", "share", 0, 1, 0.5,
                     "of full marks at the first reading: a model that knows more was trained"},
    [METRIC_POINTS] = {"metric-points", "readings", 2, 1e6, 6, "of the metric"},
    [ALONE] = {"alone", "", 0, 1, 0, "1: the loss is enough, whatever the metric does"},
};
static const char *const values[] = {"start", "end", "drop", "points", "judged", "worse", NULL};

/* Of single batches every reading strays: the middle of the second half against that of the first,
   and no stretch of it far over that. */
static bool wavers_idly(const struct use *use, const struct track *track, enum kind kind,
                        double unit)
{
    static const double half = 0.5, over = 3; /* of the gain allowed */
    const double gain = use->parameters[GAIN] * unit;
    struct groups groups;
    double levels[GROUPS_MAX];
    if (!groups_of(track, kind, 0, &groups) || groups.count < 12)
        return false;
    for (size_t i = 0; i < groups.count; i++)
        levels[i] = scale_down(&groups.scale, groups.smooth[i]);
    double highest = 0;
    for (size_t i = 0; i < groups.count; i++)
        highest = fmax(highest, levels[i]);
    const size_t middle = groups.count / 2;
    const double early = median_of(levels, middle);
    const double late = median_of(levels + middle, groups.count - middle);
    return early <= use->parameters[METRIC_MOST] * unit && late - early <= half * gain &&
           highest - early <= over * gain;
}

/* A metric of shares that began low and gained nothing. */
static bool metric_idles(const struct use *use)
{
    enum { MANY = 40 };
    static const enum kind kinds[] = {KIND_VAL_METRIC, KIND_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        double unit;
        const struct track *track = companion_share(use, kinds[i], &unit);
        if (!track || (double)track->points < use->parameters[METRIC_POINTS])
            continue;
        if (kinds[i] == KIND_METRIC && track->points >= MANY &&
            wavers_idly(use, track, kinds[i], unit))
            return true;
        const double first = track->first.value;
        return first <= use->parameters[METRIC_MOST] * unit &&
               track->high.value - first <= use->parameters[GAIN] * unit;
    }
    return false;
}

/* Readings behind the warm-up, as a plateau counts them. */
static double judged(const struct use *use)
{
    struct groups groups;
    return groups_for(use, 0, true, &groups) ? (double)groups.points : 0;
}

/* The loss climbs from its first reading on, by more than its own wavering: the updates do harm,
   and are felt. */
static bool gets_worse(const struct use *use)
{
    static const double climb = 1.005, sure = 2.58;
    struct groups groups;
    double x[GROUPS_MAX], y[GROUPS_MAX];
    if (!groups_for(use, 0, false, &groups))
        return false;
    for (size_t i = 0; i < groups.count; i++) {
        x[i] = groups.group[i].x;
        y[i] = groups.group[i].y;
    }
    const struct trend trend = trend_of(x, y, groups.count, groups.precision);
    return trend.z > sure &&
           use->tracks[0]->last_finite.value >= climb * use->tracks[0]->first.value;
}

/* What was gained in all, by the level at the end where single readings waver. */
static double fall_of(const struct use *use)
{
    enum { MANY = 20 };
    const struct track *track = use->tracks[0];
    struct groups groups;
    double start = track->first.value, end = track->last_finite.value;
    if (track->points >= MANY && groups_for(use, 0, false, &groups)) {
        start = scale_down(&groups.scale, groups.smooth[0]);
        end = groups.end;
    }
    return 1 - end / start;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    const double first = track->first.value, end = track->last_finite.value;
    const bool alone = use->parameters[ALONE] > 0;
    if (use->segment > 0 || !(first > 0) || !isfinite(first) ||
        track->low.value < (1 - use->parameters[SLACK]) * first || !(alone || metric_idles(use)))
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.end_line = track->last.line;
    value_add(&candidate, "start", first);
    value_add(&candidate, "end", end);
    value_add(&candidate, "drop", fall_of(use));
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "worse", gets_worse(use));
    value_add(&candidate, "judged", judged(use));
    evidence_add(&candidate, use->series[0], track->first, "the first reading");
    evidence_add(&candidate, use->series[0], track->last_finite, "the last one");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_barren = {
    .name = "barren",
    .about = "neither the loss nor the metric beside it ever got far past its first reading",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
