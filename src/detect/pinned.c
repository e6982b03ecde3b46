/* pinned: the gradient norm stands over its bound, or exactly at it, nearly always. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE, NEAR, POINTS };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.9, "of the readings"},
    [NEAR] = {"near", "share", 0, 1, 0.001, "around the bound that counts as at it"},
    [POINTS] = {"least", "readings", 2, 1e6, 20, "that are needed"},
};
static const char *const values[] = {"share",  "bound",  "median",  "ratio",
                                     "points", "rising", "percent", NULL};
static const char *const forms[] = {"clip", "pinned", "percent", NULL};

/* The share of clipped updates as the log prints it, in per cent; NAN where it does not. */
static double printed_share(const struct use *use)
{
    static const char *const words[] = {"clip", "clipped", "clip_pct", "clipped_pct", NULL};
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind != KIND_COUNTER || !series->speaks || !tag_has(series->tag, words) ||
            use->segment >= series->segment_count)
            continue;
        struct point points[BUCKETS_MAX];
        double readings[BUCKETS_MAX];
        bool exact;
        size_t count = track_points(&series->segments[use->segment], points, &exact);
        for (size_t k = 0; k < count; k++)
            readings[k] = points[k].value;
        if (count >= 3 && quantile_of(readings, count, 1) <= 100)
            return median_of(readings, count);
    }
    return (double)NAN;
}

static double rising(const struct groups *groups)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    for (size_t i = 0; i < groups->count; i++) {
        x[i] = groups->group[i].x;
        y[i] = groups->group[i].y;
    }
    struct trend trend = trend_of(x, y, groups->count, groups->precision);
    double rise = trend.slope * (groups->x_last - groups->x_first);
    bool few = groups->count < 8;
    if (!few || groups->count < 4)
        return trend.z > 2.58 && rise > log(2);
    /* The end of an excerpt turns upwards. */
    size_t last = groups->count - 1;
    double before = median_of(y, groups->count / 2 + 1);
    return groups->group[last].y > groups->group[last - 1].y &&
           groups->group[last - 1].y > before && groups->group[last].y > before + log(1.2);
}

static bool tell_percent(const struct use *use, const struct groups *groups, double percent,
                         struct candidates *candidates, struct error *error)
{
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.form = "percent";
    value_add(&candidate, "percent", percent);
    value_add(&candidate, "points", (double)groups->points);
    value_add(&candidate, "rising", rising(groups));
    return candidates_add(candidates, &candidate, error);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct groups groups;
    if (!groups_for(use, 0, true, &groups))
        return true;
    double percent = printed_share(use);
    if (percent >= 95)
        return tell_percent(use, &groups, percent, candidates, error);
    if ((double)track->points < use->parameters[POINTS])
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
    bool pinned = pin > 0 && share_at_pin >= use->parameters[SHARE] &&
                  track_signs(track)->zeros < track->points;
    if (!pinned && share_over < use->parameters[SHARE])
        return true;
    /* The same printed digits everywhere are a matter of digits, unless they are a round bound. */
    bool round_bound = fabs(pin * 1000 - round(pin * 1000)) < 1e-3;
    if (pinned && !isfinite(bound) && !round_bound)
        return true;
    struct candidate candidate = candidate_at(use, 0, track->first);
    candidate.form = pinned ? "pinned" : "clip";
    value_add(&candidate, "share", pinned ? share_at_pin : share_over);
    value_add(&candidate, "bound", pin);
    value_add(&candidate, "median", median);
    value_add(&candidate, "ratio", median / pin);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "rising", rising(&groups));
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
