/* A track as at most 64 groups, in comparable units, with its own noise. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/measure.h"

#include <string.h>

/* Printed floats carry no more than about seven digits of a float32. */
static const double float_share = 1e-7;
/* Readings from which on the extremes of a bucket are left out of its mean. */
enum { TRIM_LEAST = 8, NOISE_READINGS = 32 };

double scale_up(const struct scale *scale, double value)
{
    if (!scale->logarithmic)
        return value / scale->unit;
    double least = scale->precision / 2;
    return log(value > least ? value : least);
}

double scale_down(const struct scale *scale, double u)
{
    return scale->logarithmic ? exp(u) : u * scale->unit;
}

double scale_ratio(const struct scale *scale, double ratio)
{
    return scale->logarithmic ? log(ratio) : (ratio - 1) * fabs(scale->level) / scale->unit;
}

static bool positive_kind(enum kind kind)
{
    switch (kind) {
    case KIND_LOSS:
    case KIND_VAL_LOSS:
    case KIND_GRAD_NORM:
    case KIND_STEP_TIME:
    case KIND_DATA_TIME:
    case KIND_THROUGHPUT:
    case KIND_MEMORY:
        return true;
    default:
        return false;
    }
}

struct scale scale_of(const struct track *track, enum kind kind)
{
    double values[BUCKETS_MAX];
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact);
    for (size_t i = 0; i < count; i++)
        values[i] = points[i].value;
    double low = quantile_of(values, count, 0.25), high = quantile_of(values, count, 0.75);
    double median = median_of(values, count);
    double precision = pow(10, -(double)track->places);
    if (count == 0)
        return (struct scale){false, 1, precision, 0};
    if (!(precision >= float_share * fabs(median)))
        precision = float_share * fabs(median);
    if (!(precision > 1e-300))
        precision = 1e-300;
    double unit = fmax(fmax(high - low, 0.01 * fabs(median)), precision);
    bool logarithmic = positive_kind(kind) && track_signs(track)->negatives == 0 && median > 0;
    /* Over so many decades the low values have digits of their own. */
    const double least = quantile_of(values, count, 0);
    if (logarithmic && least > 0 && least < precision)
        precision = fmax(pow(10, -(double)track->places), float_share * least);
    return (struct scale){logarithmic, unit, precision, median};
}

/* The mean without the extremes, where there are enough readings to leave them out. */
static double bucket_mean(const struct bucket *bucket)
{
    if (bucket->count < TRIM_LEAST)
        return bucket->sum / (double)bucket->count;
    return (bucket->sum - bucket->low.value - bucket->high.value) / (double)(bucket->count - 2);
}

static void group_add(struct group *group, const struct bucket *bucket, double *sum, double *square,
                      double *trimmed)
{
    if (group->count == 0)
        group->first = bucket_point(bucket);
    group->count += bucket->count;
    group->last_step = bucket->last_step;
    *sum += bucket->sum;
    *square += bucket->square;
    *trimmed += bucket_mean(bucket) * (double)bucket->count;
}

static void group_close(struct group *group, const struct scale *scale, double sum, double square,
                        double trimmed)
{
    double count = (double)group->count, mean = sum / count;
    double variance = fmax(square / count - mean * mean, 0);
    double unit = scale->logarithmic ? fmax(mean, scale->precision) : scale->unit;
    group->y = scale_up(scale, trimmed / count);
    group->inside = variance / (unit * unit);
    group->first.value = trimmed / count;
}

static void fill(const struct track *track, uint64_t skip, struct groups *groups)
{
    size_t usable = 0;
    for (size_t i = 0; i < track->bucket_count; i++)
        if (track->buckets[i].index >= skip && track->buckets[i].count)
            usable++;
    size_t width = (usable + GROUPS_MAX - 1) / GROUPS_MAX, inside = 0;
    /* A rest of less than half a group joins the one before it. */
    size_t rest = width ? usable % width : 0;
    size_t whole = width ? usable / width : 0;
    double sum = 0, square = 0, trimmed = 0;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (bucket->index < skip || bucket->count == 0)
            continue;
        if (inside == width && !(groups->count == whole && 2 * rest < width)) {
            inside = 0;
            sum = square = trimmed = 0;
        }
        if (inside == 0)
            groups->group[groups->count++] = (struct group){.count = 0};
        struct group *group = &groups->group[groups->count - 1];
        group_add(group, bucket, &sum, &square, &trimmed);
        group_close(group, &groups->scale, sum, square, trimmed);
        groups->points += bucket->count;
        inside++;
    }
}

static void place(struct groups *groups)
{
    bool steps = true;
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->group[i];
        if (group->first.step == STEP_NONE || group->last_step < group->first.step ||
            (i && group->first.step <= groups->group[i - 1].first.step))
            steps = false;
    }
    uint64_t before = 0;
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->group[i];
        group->x = steps ? ((double)group->first.step + (double)group->last_step) / 2
                         : (double)before + (double)(group->count - 1) / 2;
        before += group->count;
    }
    groups->x_first = groups->group[0].x;
    groups->x_last = groups->group[groups->count - 1].x;
}

static double middle(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static void smoothen(struct groups *groups)
{
    const struct group *group = groups->group;
    size_t last = groups->count - 1;
    for (size_t i = 0; i < groups->count; i++) {
        if (groups->count == 1)
            groups->smooth[i] = group[i].y;
        else if (i == 0)
            groups->smooth[i] = (group[0].y + group[1].y) / 2;
        else if (i == last)
            groups->smooth[i] = (group[last - 1].y + group[last].y) / 2;
        else
            groups->smooth[i] = middle(group[i - 1].y, group[i].y, group[i + 1].y);
    }
}

static void noise(const struct track *track, struct groups *groups)
{
    double differences[GROUPS_MAX], values[NOISE_READINGS], inside[GROUPS_MAX];
    size_t count = 0, first = groups->count / 3;
    for (size_t i = first; i + 1 < groups->count; i++)
        differences[count++] = groups->group[i + 1].y - groups->group[i].y;
    double spread = count ? deviation_of(differences, count) / sqrt(2) : 0;
    groups->sigma_group = fmax(spread, groups->precision);

    struct point tail[NOISE_READINGS];
    size_t tail_count = track_tail(track, tail, NOISE_READINGS);
    count = 0;
    for (size_t i = 0; i < tail_count; i++)
        values[i] = scale_up(&groups->scale, tail[i].value);
    for (size_t i = 0; i + 1 < tail_count; i++)
        differences[count++] = values[i + 1] - values[i];
    spread = count ? deviation_of(differences, count) / sqrt(2) : 0;
    if (tail_count)
        spread = fmax(spread, deviation_of(values, tail_count));
    double least = groups->scale.logarithmic ? fmax(groups->precision, 0.01) : groups->precision;
    groups->sigma_point = fmax(spread, least);

    count = 0;
    for (size_t i = 0; i < groups->count; i++)
        if (groups->group[i].count >= TRIM_LEAST)
            inside[count++] = groups->group[i].inside / (double)groups->group[i].count;
    groups->sigma_inside = count ? sqrt(median_of(inside, count)) : 0;
}

/* D: how far the level fell, against the start. */
static void fall(struct groups *groups)
{
    size_t count = groups->count, quarter = (count + 3) / 4;
    double start = groups->group[0].y;
    for (size_t i = 0; i < quarter; i++)
        start = fmax(start, groups->smooth[i]);
    double end = groups->group[count - 1].y;
    if (count >= 9)
        end = middle(groups->group[count - 3].y, groups->group[count - 2].y, end);
    groups->start = scale_down(&groups->scale, start);
    groups->end = scale_down(&groups->scale, end);
    double unit = fabs(groups->start);
    if (!groups->scale.logarithmic)
        unit = fmax(unit, groups->scale.unit);
    groups->drop = unit > 0 ? (groups->start - groups->end) / unit : 0;
}

bool groups_of(const struct track *track, enum kind kind, uint64_t skip, struct groups *groups)
{
    memset(groups, 0, sizeof(*groups));
    groups->scale = scale_of(track, kind);
    fill(track, skip, groups);
    if (groups->count == 0)
        return false;
    place(groups);
    smoothen(groups);
    double levels[GROUPS_MAX];
    for (size_t i = 0; i < groups->count; i++)
        levels[i] = groups->group[i].y;
    double level = scale_down(&groups->scale, median_of(levels, groups->count));
    groups->precision = groups->scale.logarithmic
                            ? groups->scale.precision / fmax(level, groups->scale.precision)
                            : groups->scale.precision / groups->scale.unit;
    noise(track, groups);
    fall(groups);
    return true;
}

void groups_turn(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        groups->group[i].y = -groups->group[i].y;
        groups->smooth[i] = -groups->smooth[i];
    }
    double lowest = groups->group[0].y;
    for (size_t i = 0; i < (groups->count + 3) / 4; i++)
        lowest = fmax(lowest, groups->smooth[i]);
    groups->start = scale_down(&groups->scale, -lowest);
    double unit = fmax(fabs(groups->start), groups->scale.unit);
    groups->drop = (groups->end - groups->start) / unit;
}
