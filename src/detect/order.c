/* order: inside every epoch the loss takes the same course, whatever it does at the borders. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include <string.h>

enum { EPOCHS, BINS, AGREE, Z };
static const struct parameter parameters[] = {
    [EPOCHS] = {"epochs", "epochs", 3, 1e6, 4, "at least"},
    [BINS] = {"bins", "bins", 6, 16, 6, "of an epoch, at least, each with a reading"},
    [AGREE] = {"agree", "", 0, 1, 0.5, "mean correlation of an epoch with the one before"},
    [Z] = {"z", "", 0, 1e6, 6, "of that, in deviations of what shuffled data gives"},
};
static const char *const values[] = {"height", "period", "epochs", "agree", "points", NULL};
static const char *const forms[] = {"order", NULL};

enum { BINS_MAX = 16, FITTED = 2 };

struct course { /* of one epoch: bin means without level and slope */
    double u[BINS_MAX];
};

struct laid {
    struct course courses[BUCKETS_MAX];
    size_t count, bins;
};

/* Takes the line through the bins out of them. */
static void straighten(struct course *course, size_t bins)
{
    double mean = 0, slope = 0, square = 0;
    for (size_t i = 0; i < bins; i++)
        mean += course->u[i] / (double)bins;
    for (size_t i = 0; i < bins; i++) {
        const double x = (double)i - (double)(bins - 1) / 2;
        slope += x * (course->u[i] - mean);
        square += x * x;
    }
    for (size_t i = 0; i < bins; i++)
        course->u[i] -= mean + slope / square * ((double)i - (double)(bins - 1) / 2);
}

/* The epochs whose bins all have a reading. */
static void lay_out(const struct scale *scale, const struct point *points, size_t count,
                    double period, struct laid *laid)
{
    const int64_t one = points[0].step > 0; /* steps are counted from 1, or from 0 */
    double sum[BINS_MAX] = {0}, number[BINS_MAX] = {0}, epoch = -1;
    laid->count = 0;
    for (size_t i = 0; i <= count; i++) {
        const double at = i < count ? (double)(points[i].step - one) / period : (double)INFINITY;
        if (floor(at) != epoch) {
            bool whole = epoch >= 0 && laid->count < BUCKETS_MAX;
            for (size_t b = 0; whole && b < laid->bins; b++)
                whole = number[b] > 0;
            for (size_t b = 0; whole && b < laid->bins; b++)
                laid->courses[laid->count].u[b] = sum[b] / number[b];
            if (whole)
                straighten(&laid->courses[laid->count++], laid->bins);
            memset(sum, 0, sizeof(sum));
            memset(number, 0, sizeof(number));
            epoch = floor(at);
        }
        if (i == count)
            break;
        size_t bin = (size_t)((at - floor(at)) * (double)laid->bins);
        bin = bin < laid->bins ? bin : laid->bins - 1;
        sum[bin] += scale_up(scale, points[i].value);
        number[bin]++;
    }
}

static double correlation(const struct course *a, const struct course *b, size_t bins)
{
    double both = 0, first = 0, second = 0;
    for (size_t i = 0; i < bins; i++) {
        both += a->u[i] * b->u[i];
        first += a->u[i] * a->u[i];
        second += b->u[i] * b->u[i];
    }
    return first > 0 && second > 0 ? both / sqrt(first * second) : 0;
}

/* In shares of the level. */
static double height_of(const struct scale *scale, double height)
{
    if (scale->logarithmic)
        return exp(height) - 1;
    return height * scale->unit / fmax(fabs(scale->level), scale->precision);
}

/* A mean that begins anew with every epoch falls steeply and then less: a course that only sags
   tells of that, and of no order. */
static bool only_sags(const struct course *mean, size_t bins)
{
    size_t turns = 0;
    for (size_t i = 2; i < bins; i++)
        turns += (mean->u[i] - mean->u[i - 1]) * (mean->u[i - 1] - mean->u[i - 2]) < 0;
    return turns <= 1 && mean->u[0] > 0 && mean->u[bins - 1] > 0;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const double period = fact_number(use, "steps_per_epoch");
    const struct scale scale = scale_of(use->tracks[0], use->series[0]->kind);
    struct point points[BUCKETS_MAX];
    struct laid laid;
    bool exact;
    const size_t count = track_points(use->tracks[0], points, &exact);
    if (use->series[0]->basis != BASIS_STEP || !(period >= use->parameters[BINS]) || count < 8)
        return true;
    for (size_t i = 0; i < count; i++)
        if (points[i].step < 0 || !isfinite(points[i].value))
            return true;
    const double span = (double)(points[count - 1].step - points[0].step) / period;
    if (!(span >= use->parameters[EPOCHS]))
        return true;
    /* The steps printed fall into other places from epoch to epoch: fewer bins than readings. */
    laid.bins = (size_t)fmin(floor((double)count / span * 0.75), BINS_MAX);
    if ((double)laid.bins < use->parameters[BINS])
        return true;
    lay_out(&scale, points, count, period, &laid);
    if ((double)laid.count < use->parameters[EPOCHS])
        return true;
    struct course mean = {{0}};
    double agree = 0, low = (double)INFINITY, high = -low;
    for (size_t e = 0; e < laid.count; e++)
        for (size_t b = 0; b < laid.bins; b++)
            mean.u[b] += laid.courses[e].u[b] / (double)laid.count;
    for (size_t e = 1; e < laid.count; e++)
        agree += correlation(&laid.courses[e], &laid.courses[e - 1], laid.bins);
    const double pairs = (double)(laid.count - 1);
    agree /= pairs;
    for (size_t b = 0; b < laid.bins; b++) {
        low = fmin(low, mean.u[b]);
        high = fmax(high, mean.u[b]);
    }
    if (agree < use->parameters[AGREE] || only_sags(&mean, laid.bins) ||
        course_single(mean.u, laid.bins) ||
        agree * sqrt(pairs * (double)(laid.bins - FITTED)) < use->parameters[Z])
        return true;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.form = "order";
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "height", height_of(&scale, high - low));
    value_add(&candidate, "period", period);
    value_add(&candidate, "epochs", (double)laid.count);
    value_add(&candidate, "agree", agree);
    value_add(&candidate, "points", (double)use->tracks[0]->points);
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_order = {
    .name = "order",
    .about = "inside every epoch the loss takes the same course",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
