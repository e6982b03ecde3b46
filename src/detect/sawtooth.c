/* sawtooth: a loss repeats a pattern with the period of an epoch. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { EPOCHS, PER_EPOCH, HEIGHT, STRENGTH, AGREE, RETURN };
enum { BINS = 16 };
static const struct parameter parameters[] = {
    [EPOCHS] = {"epochs", "epochs", 2, 1e6, 3, "at least"},
    [PER_EPOCH] = {"per-epoch", "readings", 2, 1e6, 4, "at least"},
    [HEIGHT] = {"height", "share", 0, 10, 0.05, "of the pattern, and 3 deviations of a bin"},
    [STRENGTH] = {"strength", "ratio", 0, 1e6, 4, "of bins among each other to inside them"},
    [AGREE] = {"agree", "share", 0, 1, 0.8, "of the borders that jump the same way"},
    [RETURN] = {"return", "share", 0, 1, 0.5, "of the jump that the epoch takes back"},
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

static bool lay_out(const struct use *use, double period, struct pattern *pattern)
{
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(use->tracks[0], points, &exact);
    struct scale scale = scale_of(use->tracks[0], use->series[0]->kind);
    pattern->count = pattern->epochs = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].step == STEP_NONE)
            return false;
        double at = (double)(points[i].step - 1) / period;
        double epoch = floor(at);
        if (epoch < 0 || epoch >= BUCKETS_MAX)
            return false;
        pattern->u[i] = scale_up(&scale, points[i].value);
        pattern->phase[i] = at - epoch;
        pattern->epoch[i] = (size_t)epoch;
        if ((size_t)epoch + 1 > pattern->epochs)
            pattern->epochs = (size_t)epoch + 1;
    }
    pattern->count = count;
    return true;
}

static double strength(const struct pattern *pattern, double *height, double *first, double *last,
                       double *noise)
{
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
        double mean = sum[i] / number[i];
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

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    double period = fact_number(use, "steps_per_epoch");
    struct pattern pattern;
    if (use->series[0]->basis != BASIS_STEP || !(period >= use->parameters[PER_EPOCH]) ||
        !lay_out(use, period, &pattern))
        return true;
    double per_epoch = pattern.epochs ? (double)pattern.count / (double)pattern.epochs : 0;
    if ((double)pattern.epochs < use->parameters[EPOCHS] || per_epoch < use->parameters[PER_EPOCH])
        return true;
    flatten(&pattern);
    double height = 0, first, last, noise = 0;
    double power = strength(&pattern, &height, &first, &last, &noise);
    double up = upwards(&pattern);
    bool jumps_up = up >= use->parameters[AGREE], jumps_down = 1 - up >= use->parameters[AGREE];
    if (power < use->parameters[STRENGTH] || height < fmax(use->parameters[HEIGHT], 3 * noise) ||
        (!jumps_up && !jumps_down) || fabs(first - last) < use->parameters[RETURN] * height)
        return true;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.form = jumps_up ? "up" : "down";
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "height", exp(height) - 1);
    value_add(&candidate, "period", period);
    value_add(&candidate, "epochs", (double)pattern.epochs);
    value_add(&candidate, "strength", power);
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
