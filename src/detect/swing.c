/* swing: a series swings around its level without settling, beyond its noise. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { BAND, SWINGS, SWING_SHARE, SETTLING, PER_GROUP, NOISE_SIGMA, VARIANCE_RATIO };
static const struct parameter parameters[] = {
    [BAND] = {"band", "share", 0, 10, 0.2, "that a swing exceeds; at least 3 last digits"},
    [SWINGS] = {"swings", "swings", 1, 64, 4, "at least"},
    [SWING_SHARE] = {"swing-share", "share", 0, 1, 0.2, "of the groups that turn"},
    [SETTLING] = {"settling", "ratio", 0, 10, 0.5, "of the later swings to the earlier ones"},
    [PER_GROUP] = {"per-group", "readings", 0, 1e6, 0, "that a group needs"},
    [NOISE_SIGMA] = {"noise-sigma", "deviations", 0, 100, 0, "of group noise that a swing exceeds"},
    [VARIANCE_RATIO] = {"variance-ratio", "ratio", 0, 1e6, 0, "of groups to their noise"},
};
static const char *const values[] = {"swings", "swing",     "settled", "points",
                                     "band",   "untrained", "fall", NULL};

enum { SWINGS_MAX = GROUPS_MAX };
struct swings {
    double height[SWINGS_MAX];
    size_t at[SWINGS_MAX];
    size_t count;
};

/* The schedule itself goes up and down. */
static bool cyclic(const struct use *use)
{
    struct groups rate;
    const struct track *track = companion(use, KIND_LEARNING_RATE, NULL);
    if (!track || !groups_of(track, KIND_LEARNING_RATE, 0, &rate))
        return false;
    size_t peaks = 0;
    for (size_t i = 1; i + 1 < rate.count; i++)
        if (rate.group[i].y > rate.group[i - 1].y && rate.group[i].y >= rate.group[i + 1].y &&
            rate.group[i].first.value > 1.05 * fmin(rate.group[i - 1].first.value, rate.end))
            peaks++;
    return peaks >= 2;
}

/* By how much the line falls that is taken out. */
static double detrend(const struct groups *groups, size_t from, double *y)
{
    double x[GROUPS_MAX];
    size_t count = groups->count - from;
    for (size_t i = 0; i < count; i++) {
        x[i] = groups->group[from + i].x;
        y[i] = groups->group[from + i].y;
    }
    double slope = trend_of(x, y, count, 0).slope;
    for (size_t i = 0; i < count; i++)
        y[i] -= slope * (x[i] - x[0]);
    return -slope * (x[count - 1] - x[0]);
}

/* Turning points that are `height` apart; a swing goes from one to the next. */
static void zigzag(const double *y, size_t count, double height, struct swings *swings)
{
    size_t low = 0, high = 0;
    int direction = 0;
    double turn = 0;
    swings->count = 0;
    for (size_t i = 1; i < count; i++) {
        low = y[i] < y[low] ? i : low;
        high = y[i] > y[high] ? i : high;
        bool up = direction <= 0 && y[i] - y[low] > height;
        bool down = direction >= 0 && y[high] - y[i] > height;
        if (!up && !down)
            continue;
        /* The turning point behind it ends the swing before. */
        size_t point = up ? low : high;
        if (direction != 0 && swings->count < SWINGS_MAX) {
            swings->at[swings->count] = point;
            swings->height[swings->count++] = fabs(y[point] - turn);
        }
        turn = y[point];
        direction = up ? 1 : -1;
        low = high = i;
    }
    if (direction != 0 && swings->count < SWINGS_MAX) {
        size_t point = direction > 0 ? high : low;
        swings->at[swings->count] = point;
        swings->height[swings->count++] = fabs(y[point] - turn);
    }
}

static double median_height(const struct swings *swings, size_t from, size_t end)
{
    double height[SWINGS_MAX];
    for (size_t i = from; i < end; i++)
        height[i - from] = swings->height[i];
    return median_of(height, end - from);
}

/* The upper turning points as a multiple of what training began with; NAN: no such loss. */
static double over_untrained(const struct use *use, const struct groups *groups, size_t from,
                             const struct swings *swings)
{
    double high[SWINGS_MAX];
    size_t count = 0;
    const struct track *loss = companion(use, KIND_LOSS, NULL);
    for (size_t i = 0; i + 1 < swings->count; i++) {
        const double a = groups->group[from + swings->at[i]].y;
        const double b = groups->group[from + swings->at[i + 1]].y;
        high[count++] = scale_down(&groups->scale, fmax(a, b));
    }
    return loss && count > 0 && loss->first.value > 0 ? median_of(high, count) / loss->first.value
                                                      : (double)NAN;
}

static double variance(const double *y, size_t count)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < count; i++)
        sum += y[i];
    for (size_t i = 0; i < count; i++)
        square += (y[i] - sum / (double)count) * (y[i] - sum / (double)count);
    return square / (double)count;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct groups groups;
    double y[GROUPS_MAX];
    struct swings swings;
    if (!groups_for(use, 0, true, &groups) || groups.count < 8 ||
        (double)groups.group[0].count < use->parameters[PER_GROUP])
        return true;
    size_t from = groups.count / 4, count = groups.count - from;
    const double fall = detrend(&groups, from, y);
    double band = fmax(scale_ratio(&groups.scale, 1 + use->parameters[BAND]), 3 * groups.precision);
    if (use->parameters[NOISE_SIGMA] > 0) {
        double noise = groups.sigma_inside;
        band = fmax(band, use->parameters[NOISE_SIGMA] * noise);
        if (variance(y, count) < use->parameters[VARIANCE_RATIO] * noise * noise)
            return true;
    }
    zigzag(y, count, band, &swings);
    double least = fmax(use->parameters[SWINGS], use->parameters[SWING_SHARE] * (double)count);
    if ((double)swings.count < least || cyclic(use))
        return true;
    double early = median_height(&swings, 0, swings.count / 2);
    double late = median_height(&swings, swings.count / 2, swings.count);
    if (late < use->parameters[SETTLING] * early)
        return true;
    /* They go on to the end: the last swing lies in the last fifth. */
    if (swings.at[swings.count - 1] + count / 5 + 2 < count)
        return true;
    double swing = median_height(&swings, 0, swings.count);
    struct candidate candidate = candidate_at(use, 0, groups.group[from + swings.at[0]].first);
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "swings", (double)swings.count);
    value_add(&candidate, "swing", groups.scale.logarithmic ? exp(swing) : 1 + swing);
    value_add(&candidate, "settled", late / early);
    value_add(&candidate, "points", (double)groups.points);
    value_add(&candidate, "band", exp(band) - 1);
    value_add(&candidate, "untrained", over_untrained(use, &groups, from, &swings));
    value_add(&candidate, "fall", swing > 0 ? fall / swing : 0);
    evidence_add(&candidate, use->series[0], groups.group[from + swings.at[0]].first,
                 "the first swing");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_swing = {
    .name = "swing",
    .about = "a series swings around its level without settling, beyond its noise",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
