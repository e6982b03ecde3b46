/* burst: the last readings stand orders of magnitude beyond all before them, of either sign. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { RATIO, LEAST, SHARE, LAST };
static const struct parameter parameters[] = {
    [RATIO] = {"ratio", "ratio", 2, 1e300, 1e6, "over the largest magnitude of all before"},
    [LEAST] = {"least", "readings", 2, 1e6, 4, "before"},
    [SHARE] = {"share", "share", 0, 1, 0.5, "of the run that the readings before make up at least"},
    [LAST] = {"last", "readings", 1, 1e6, 1, "beyond it, up to the end"},
};
static const char *const values[] = {"before", "end", "ratio", "at", "points", NULL};

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    bool exact;
    const size_t count = track_points(track, points, &exact);
    const size_t least =
        (size_t)fmax(use->parameters[LEAST], use->parameters[SHARE] * (double)count);
    double most = 0;
    size_t at = 0;
    /* Where the readings leave for good: whatever comes back does so to the level before. */
    for (size_t i = 0; i < count; i++) {
        const double size = fabs(points[i].value);
        if (at > 0 && size > use->parameters[RATIO] * most)
            continue;
        at = i >= least && most > 0 && size > use->parameters[RATIO] * most ? i : 0;
        if (at == 0)
            most = fmax(most, size);
    }
    if (at == 0 || (double)(count - at) < use->parameters[LAST])
        return true;
    const struct point last = track->last_finite;
    struct candidate candidate = candidate_at(use, 0, points[at]);
    value_add(&candidate, "before", points[at - 1].value);
    value_add(&candidate, "end", last.value);
    value_add(&candidate, "ratio", fabs(last.value) / most);
    value_add(&candidate, "at", share_at(track, &points[at]));
    value_add(&candidate, "points", (double)track->points);
    evidence_add(&candidate, use->series[0], points[at - 1], "the last at the old level");
    evidence_add(&candidate, use->series[0], points[at], "the first beyond it");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_burst = {
    .name = "burst",
    .about = "the last readings stand orders of magnitude beyond all before them",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
