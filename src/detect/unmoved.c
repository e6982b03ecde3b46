/* unmoved: validation stands where it stood at first, and training gained next to nothing. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { BAND, FIRST, DROP };
static const struct parameter parameters[] = {
    [BAND] = {"band", "share", 0, 1, 0.01, "that all evaluations behind the first lie in"},
    [FIRST] = {"first", "share", 0, 1, 0.03, "that the first may stand over them"},
    [DROP] = {"drop", "share", 0, 1, 0.1, "that training may have fallen by"},
};
static const char *const values[] = {"start", "end", "drop", "points", "band", NULL};

/* A metric of the run gained what no chance gives. */
static bool learns(const struct use *use)
{
    static const enum kind kinds[] = {KIND_VAL_METRIC, KIND_METRIC};
    static const double gain = 0.05;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        double unit;
        struct groups groups;
        const struct track *track = companion_share(use, kinds[i], &unit);
        if (!track || !groups_of(track, kinds[i], 0, &groups))
            continue;
        const double first = scale_down(&groups.scale, groups.smooth[0]);
        const double last = scale_down(&groups.scale, groups.smooth[groups.count - 1]);
        if (last - first > gain * unit)
            return true;
    }
    return false;
}

/* From the first quarter of the readings to the last, whatever single batches do. */
static double fall_of(const struct groups *groups)
{
    double first[GROUPS_MAX], last[GROUPS_MAX];
    const size_t part = (groups->count + 3) / 4;
    for (size_t i = 0; i < part; i++) {
        first[i] = groups->group[i].y;
        last[i] = groups->group[groups->count - 1 - i].y;
    }
    return 1 - scale_down(&groups->scale, median_of(last, part)) /
                   scale_down(&groups->scale, median_of(first, part));
}

/* All evaluations behind the first, of the last many. */
static double band_of(const struct track *validation)
{
    struct point points[TAIL_MAX];
    const size_t count = track_tail(validation, points, TAIL_MAX);
    double low = (double)INFINITY, high = 0;
    for (size_t i = count == validation->points ? 1 : 0; i < count; i++) {
        low = fmin(low, points[i].value);
        high = fmax(high, points[i].value);
    }
    return (high - low) / high;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *validation = use->tracks[0], *train = use->tracks[1];
    struct groups groups;
    const double low = validation->low.value, high = validation->high.value;
    if (use->segment > 0 || track_bad(validation) || track_bad(train) || !(low > 0) ||
        high - low > use->parameters[FIRST] * high || band_of(validation) > use->parameters[BAND] ||
        !groups_for(use, 1, false, &groups))
        return true;
    const double drop = fall_of(&groups);
    if (!(fabs(drop) <= use->parameters[DROP]) || learns(use))
        return true;
    struct candidate candidate = candidate_at(use, 0, validation->first);
    candidate.end_line = validation->last.line;
    value_add(&candidate, "start", validation->first.value);
    value_add(&candidate, "end", validation->last.value);
    value_add(&candidate, "drop", drop);
    value_add(&candidate, "points", (double)validation->points);
    value_add(&candidate, "band", (high - low) / high);
    evidence_add(&candidate, use->series[0], validation->first, "the first evaluation");
    evidence_add(&candidate, use->series[0], validation->last, "the last");
    evidence_add(&candidate, use->series[1], train->last, "training at its end");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_unmoved = {
    .name = "unmoved",
    .about = "validation stands where it stood at first, and training gained next to nothing",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
