/* sawtooth: a loss repeats a pattern with the period of an epoch. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { EPOCHS, PER_EPOCH, HEIGHT, STRENGTH, AGREE, RETURN, SURE };
enum { BINS = 16 };
static const struct parameter parameters[] = {
    [EPOCHS] = {"epochs", "epochs", 2, 1e6, 3, "at least"},
    [PER_EPOCH] = {"per-epoch", "readings", 2, 1e6, 4, "at least"},
    [HEIGHT] = {"height", "share", 0, 10, 0.05, "of the pattern, and 3 deviations of a bin"},
    [STRENGTH] = {"strength", "ratio", 0, 1e6, 4, "of bins among each other to inside them"},
    [AGREE] = {"agree", "share", 0, 1, 0.8, "of the borders that jump the same way"},
    [RETURN] = {"return", "share", 0, 1, 0.5, "of the jump that the epoch takes back"},
    [SURE] = {"sure", "ratio", 0, 1e9, 30, "strength where the length of an epoch is not known"},
};
static const char *const values[] = {"height", "period", "epochs", "strength", "points", NULL};
static const char *const forms[] = {"up", "down", NULL};

struct pattern {
    double u[BUCKETS_MAX], phase[BUCKETS_MAX];
    size_t epoch[BUCKETS_MAX];
    size_t count, epochs;
};

/* Residuals against the line through the means of neighbouring epochs. */
static void flatten(struct pattern *pattern)
{
    double sum[BUCKETS_MAX + 1] = {0}, number[BUCKETS_MAX + 1] = {0};
    for (size_t i = 0; i < pattern->count; i++) {
        sum[pattern->epoch[i]] += pattern->u[i];
        number[pattern->epoch[i]]++;
    }
    for (size_t i = 0; i < pattern->count; i++) {
        size_t epoch = pattern->epoch[i];
        double at = sum[epoch] / number[epoch], next = at, before = at;
        if (epoch + 1 < pattern->epochs && number[epoch + 1] > 0)
            next = sum[epoch + 1] / number[epoch + 1];
        if (epoch > 0 && number[epoch - 1] > 0)
            before = sum[epoch - 1] / number[epoch - 1];
        pattern->u[i] -= at + (pattern->phase[i] - 0.5) * (next - before) / 2;
    }
}

/* Every reading with its place in an epoch of `period` steps, the first of which is number `one`,
   or of readings where there are none. */
static bool lay_out(const struct use *use, const struct point *points, size_t count,
                    const struct scale *scale, double period, bool steps, int64_t one,
                    struct pattern *pattern)
{
    double begin = 0;
    pattern->count = pattern->epochs = 0;
    for (size_t i = 0; i < count; i++) {
        if (steps && points[i].step == STEP_NONE)
            return false;
        double at = steps ? (double)(points[i].step - one) / period : (double)i / period;
        double epoch = floor(at);
        if (i == 0)
            begin = epoch; /* an excerpt begins in a later one */
        if (epoch < begin || epoch - begin >= BUCKETS_MAX)
            return false;
        pattern->u[i] = scale_up(scale, points[i].value);
        size_t number = (size_t)(epoch - begin);
        pattern->phase[i] = at - epoch;
        pattern->epoch[i] = number;
        if (number + 1 > pattern->epochs)
            pattern->epochs = number + 1;
    }
    pattern->count = count;
    double per_epoch = pattern->epochs ? (double)count / (double)pattern->epochs : 0;
    return (double)pattern->epochs >= use->parameters[EPOCHS] &&
           per_epoch >= use->parameters[PER_EPOCH];
}

static double strength(const struct pattern *pattern, double *height, double *first, double *last,
                       double *noise)
{
    double means[BINS] = {0};
    double sum[BINS] = {0}, square[BINS] = {0}, number[BINS] = {0};
    double per_epoch = (double)pattern->count / (double)pattern->epochs;
    size_t bins = per_epoch < BINS ? (size_t)per_epoch : BINS;
    for (size_t i = 0; i < pattern->count; i++) {
        size_t bin = (size_t)(pattern->phase[i] * (double)bins);
        bin = bin < bins ? bin : bins - 1;
        sum[bin] += pattern->u[i];
        square[bin] += pattern->u[i] * pattern->u[i];
        number[bin]++;
    }
    double low = (double)INFINITY, high = -low, between = 0, inside = 0, used = 0;
    *first = *last = 0;
    for (size_t i = 0; i < bins; i++) {
        if (number[i] < 2)
            return 0;
        double mean = means[i] = sum[i] / number[i];
        low = fmin(low, mean);
        high = fmax(high, mean);
        between += mean * mean;
        inside += (square[i] / number[i] - mean * mean) / (number[i] - 1);
        used++;
        *last = mean;
        if (i == 0)
            *first = mean;
    }
    *height = high - low;
    *noise = sqrt(fmax(inside / used, 1e-12));
    if (course_single(means, bins))
        return 0;
    return between / fmax(inside, 1e-12);
}

/* Share of the borders at which the reading behind is higher than the one before. */
static double upwards(const struct pattern *pattern)
{
    double up = 0, borders = 0;
    for (size_t i = 1; i < pattern->count; i++)
        if (pattern->epoch[i] > pattern->epoch[i - 1]) {
            borders++;
            up += pattern->u[i] > pattern->u[i - 1];
        }
    return borders > 0 ? up / borders : 0.5;
}

/* Mean step over the borders, before the trend is taken out: a steady fall that bends leaves a
   pattern behind it, but no step. */
static double border_step(const struct pattern *pattern)
{
    double sum = 0, borders = 0;
    for (size_t i = 1; i < pattern->count; i++)
        if (pattern->epoch[i] > pattern->epoch[i - 1]) {
            borders++;
            sum += pattern->u[i] - pattern->u[i - 1];
        }
    return borders > 0 ? sum / borders : 0;
}

struct found {
    double power, height, period;
    size_t epochs;
    bool up;
};

static bool repeats(const struct use *use, struct pattern *pattern, double least,
                    struct found *found)
{
    const double real = 0.5; /* of the height that has to be stepped in the readings themselves */
    double first, last, noise = 0;
    const double step = border_step(pattern);
    flatten(pattern);
    found->power = strength(pattern, &found->height, &first, &last, &noise);
    double up = upwards(pattern);
    found->up = up >= use->parameters[AGREE];
    found->epochs = pattern->epochs;
    bool one_way = found->up || 1 - up >= use->parameters[AGREE];
    return found->power >= least && one_way && (found->up ? step : -step) >= real * found->height &&
           found->height >= fmax(use->parameters[HEIGHT], 3 * noise) &&
           fabs(first - last) >= use->parameters[RETURN] * found->height;
}

/* Where no one says how long an epoch is: the length that the readings themselves repeat with. */
static bool search(const struct use *use, const struct point *points, size_t count,
                   const struct scale *scale, struct found *best)
{
    struct pattern pattern;
    bool any = false;
    size_t most = count / 3 < 64 ? count / 3 : 64;
    for (size_t i = 1; i < count; i++)
        if (points[i].step != STEP_NONE && points[i].step <= points[i - 1].step)
            return false; /* runs one after the other repeat as well */
    for (size_t length = (size_t)use->parameters[PER_EPOCH]; length <= most; length++) {
        struct found now = {0};
        if (!lay_out(use, points, count, scale, (double)length, false, 0, &pattern) ||
            !repeats(use, &pattern, use->parameters[SURE], &now))
            continue;
        now.period = (double)length;
        if (points[0].step != STEP_NONE && points[length].step > points[0].step)
            now.period = (double)(points[length].step - points[0].step);
        if (!any || now.power > 1.5 * best->power)
            *best = now;
        any = true;
    }
    return any;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    double period = fact_number(use, "steps_per_epoch");
    struct scale scale = scale_of(use->tracks[0], use->series[0]->kind);
    struct point points[BUCKETS_MAX];
    bool exact, told;
    size_t count = track_points(use->tracks[0], points, &exact);
    struct found found = {.period = period};
    if (use->series[0]->basis != BASIS_STEP || count < 8)
        return true;
    if (period >= use->parameters[PER_EPOCH]) {
        struct pattern pattern;
        told = false; /* steps are counted from 1, or from 0 */
        for (int64_t one = 1; one >= 0 && !told; one--)
            told = lay_out(use, points, count, &scale, period, true, one, &pattern) &&
                   repeats(use, &pattern, use->parameters[STRENGTH], &found);
    } else {
        told = exact && search(use, points, count, &scale, &found);
    }
    if (!told)
        return true;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.form = found.up ? "up" : "down";
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "height", exp(found.height) - 1);
    value_add(&candidate, "period", found.period);
    value_add(&candidate, "epochs", (double)found.epochs);
    value_add(&candidate, "strength", found.power);
    value_add(&candidate, "points", (double)use->tracks[0]->points);
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_sawtooth = {
    .name = "sawtooth",
    .about = "a loss repeats a pattern with the period of an epoch",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
