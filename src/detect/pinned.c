/* pinned: the gradient norm stands over its bound, or exactly at it, nearly always. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE, NEAR, POINTS };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.9, "of the readings"},
    [NEAR] = {"near", "share", 0, 1, 0.001, "around the bound that counts as at it"},
    [POINTS] = {"least", "readings", 2, 1e6, 20, "that are needed"},
};
static const char *const values[] = {"share", "bound", "median", "ratio", "points", "rising", NULL};
static const char *const forms[] = {"clip", "pinned", NULL};

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct groups groups;
    if ((double)track->points < use->parameters[POINTS] || !groups_for(use, 0, true, &groups))
        return true;
    struct point points[BUCKETS_MAX];
    double readings[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact), over = 0, at = 0;
    size_t skip = count / 10;
    double bound = fact_number(use, "clip");
    for (size_t i = skip; i < count; i++)
        readings[i - skip] = points[i].value;
    count -= skip;
    double median = median_of(readings, count);
    /* Without a known bound the value itself tells: it is at the top, again and again. */
    double pin = isfinite(bound) && bound > 0 ? bound : median;
    for (size_t i = 0; i < count; i++) {
        over += isfinite(bound) && bound > 0 && readings[i] >= bound * (1 - 1e-3);
        at += fabs(readings[i] - pin) <= use->parameters[NEAR] * pin;
    }
    double share_at_pin = (double)at / (double)count, share_over = (double)over / (double)count;
    bool pinned = pin > 0 && share_at_pin >= use->parameters[SHARE] && track->zeros < track->points;
    if (!pinned && share_over < use->parameters[SHARE])
        return true;
    /* The same printed digits everywhere are a matter of digits, unless they are a round bound. */
    bool round_bound = fabs(pin * 1000 - round(pin * 1000)) < 1e-3;
    if (pinned && !isfinite(bound) && !round_bound)
        return true;
    double x[GROUPS_MAX], y[GROUPS_MAX];
    for (size_t i = 0; i < groups.count; i++) {
        x[i] = groups.group[i].x;
        y[i] = groups.group[i].y;
    }
    struct trend trend = trend_of(x, y, groups.count, groups.precision);
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.form = pinned ? "pinned" : "clip";
    value_add(&candidate, "share", pinned ? share_at_pin : share_over);
    value_add(&candidate, "bound", pin);
    value_add(&candidate, "median", median);
    value_add(&candidate, "ratio", median / pin);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "rising", trend.z > 2.58);
    evidence_add(&candidate, use->series[0], track->last_finite, "the last reading");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_pinned = {
    .name = "pinned",
    .about = "the gradient norm stands over its bound, or exactly at it, nearly always",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
