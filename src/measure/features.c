/* The features of an array of samples, each with its scale, its extremes and its codes. */
/* SPDX-License-Identifier: MIT */
#include "measure/sampled.h"
#include "stalldoc/measure.h"

#include <math.h>
#include <string.h>

enum { CODES = 256, KEPT = 64, CHANNELS_MOST = 4, GRID_LEAST = 64 };

struct tally { /* of one feature */
    struct feature feature;
    double shift, sum, square; /* of the distances from `shift`, the first finite value */
    double leader;             /* the value that may be the usual one, and its margin */
    uint64_t margin;
    double kept[KEPT]; /* every stride-th value */
    uint32_t kept_count, stride;
    uint32_t codes[CODES];
};

struct tallies {
    struct tally *tally;
    size_t count;
    uint64_t inner, width, step; /* values between two neighbours of the feature dimension */
};

static void keep(struct tally *tally, double value)
{
    if (tally->feature.count % tally->stride != 0)
        return;
    if (tally->kept_count == KEPT) { /* half of them stand for as many as before */
        for (uint32_t i = 0; i < KEPT / 2; i++)
            tally->kept[i] = tally->kept[2 * i];
        tally->kept_count = KEPT / 2;
        tally->stride *= 2;
        if (tally->feature.count % tally->stride != 0)
            return;
    }
    tally->kept[tally->kept_count++] = value;
}

static void extremes(struct feature *feature, double value)
{
    if (value < feature->low) {
        feature->low = value;
        feature->low_count = 0;
    }
    if (value > feature->high) {
        feature->high = value;
        feature->high_count = 0;
    }
    if (value == feature->low)
        feature->low_count++;
    if (value == feature->high)
        feature->high_count++;
}

static void tally_add(struct tally *tally, double value)
{
    struct feature *feature = &tally->feature;
    if (!isfinite(value)) {
        feature->nan += isnan(value) ? 1U : 0U;
        feature->inf += isnan(value) ? 0U : 1U;
        return;
    }
    if (feature->count == 0) {
        tally->shift = feature->low = feature->high = value;
        feature->whole = true;
        tally->stride = 1;
    }
    extremes(feature, value);
    keep(tally, value);
    const double distance = value - tally->shift;
    tally->sum += distance;
    tally->square += distance * distance;
    if (tally->margin == 0)
        tally->leader = value;
    tally->margin = value == tally->leader ? tally->margin + 1 : tally->margin - 1;
    feature->whole = feature->whole && value == floor(value);
    if (feature->whole && value >= 0 && value < CODES)
        tally->codes[(size_t)value]++;
    feature->count++;
}

static void visit(void *context, uint64_t first, const double *values, size_t count)
{
    struct tallies *tallies = context;
    uint64_t within = first % tallies->inner, at = first / tallies->inner % tallies->width;
    for (size_t i = 0; i < count; i++) {
        if (at % tallies->step == 0)
            tally_add(&tallies->tally[at / tallies->step], values[i]);
        if (++within == tallies->inner) {
            within = 0;
            at = at + 1 == tallies->width ? 0 : at + 1;
        }
    }
}

/* Do the counts rise to one top and fall from it, by more than chance? Quantities do; codes stand
   in any order. */
static bool is_humped(const uint32_t *codes, size_t from, size_t to)
{
    uint32_t most = 0, least = UINT32_MAX;
    for (size_t i = from; i <= to; i++) {
        most = codes[i] > most ? codes[i] : most;
        least = codes[i] < least ? codes[i] : least;
    }
    const double chance = 3 * sqrt((double)most);
    if ((double)most - (double)least <= chance)
        return false; /* all alike */
    double low = codes[from], high = codes[from];
    bool falling = false;
    for (size_t i = from + 1; i <= to; i++) {
        const double count = codes[i];
        if (!falling && high - count > chance) {
            falling = true;
            low = count;
        } else if (falling && count - low > chance) {
            return false;
        }
        low = fmin(low, count);
        high = fmax(high, count);
    }
    return true;
}

static void feature_close(struct tally *tally)
{
    struct feature *feature = &tally->feature;
    if (feature->count == 0) {
        feature->mean = feature->deviation = feature->low = feature->high = (double)NAN;
        feature->median = feature->spread = (double)NAN;
        return;
    }
    const double count = (double)feature->count, mean = tally->sum / count;
    feature->mean = tally->shift + mean;
    feature->deviation = sqrt(fmax(tally->square / count - mean * mean, 0));
    feature->usual = (double)tally->margin / count;
    double values[KEPT];
    memcpy(values, tally->kept, sizeof(values));
    feature->median = median_of(values, tally->kept_count);
    memcpy(values, tally->kept, sizeof(values));
    feature->spread = deviation_of(values, tally->kept_count);
    if (!feature->whole || feature->low < 0 || feature->high >= CODES)
        return;
    for (size_t i = 0; i < CODES; i++)
        feature->codes += tally->codes[i] > 0;
    feature->humped = is_humped(tally->codes, (size_t)feature->low, (size_t)feature->high);
}

int tensor_feature_axis(const struct tensor_view *view)
{
    const int last = view->rank - 1;
    if (view->rank <= 1)
        return view->rank;
    if (view->rank == 3 && view->shape[1] == view->shape[2] && view->shape[1] >= 8)
        return view->rank; /* grey images */
    if (view->rank >= 4 && view->shape[last] > CHANNELS_MOST && view->shape[1] <= CHANNELS_MOST)
        return 1;
    return last;
}

/* Pixels of flat images: none is negative, and most have nearly the range of all. */
static bool one_range(const struct tensor_features *features)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    size_t vary = 0, wide = 0;
    for (size_t i = 0; i < features->count; i++) {
        low = fmin(low, features->features[i].low);
        high = fmax(high, features->features[i].high);
    }
    for (size_t i = 0; i < features->count; i++) {
        const struct feature *feature = &features->features[i];
        if (!(feature->high > feature->low))
            continue;
        vary++;
        wide += feature->high - feature->low >= 0.5 * (high - low);
    }
    return low >= 0 && vary > 0 && (double)wide >= 0.5 * (double)vary;
}

static bool is_grid(const struct tensor_view *view, const struct tensor_features *features)
{
    const int last = view->rank - 1;
    if (view->rank >= 4)
        return true;
    if (view->rank == 3)
        return (view->shape[1] == view->shape[2] && view->shape[1] >= 8) ||
               (view->shape[last] <= CHANNELS_MOST && view->shape[0] >= 8 && view->shape[1] >= 8);
    return features->width >= GRID_LEAST && one_range(features);
}

bool tensor_features_measure(const struct tensor_view *view, struct arena *arena,
                             struct tensor_features *features, struct error *error)
{
    struct sampled sampled;
    const int axis = tensor_feature_axis(view);
    *features = (struct tensor_features){0};
    if (!sampled_plan(view, axis, &sampled))
        return true;
    struct tallies tallies = {.inner = 1, .width = 1, .step = 1};
    if (axis < view->rank)
        tallies.width = (uint64_t)view->shape[axis];
    for (int i = axis < view->rank ? sampled.axis + 1 : 0; i < view->rank; i++)
        tallies.inner *= (uint64_t)sampled.view.shape[i];
    tallies.step = (tallies.width + FEATURES_MAX - 1) / FEATURES_MAX;
    tallies.count = (size_t)((tallies.width + tallies.step - 1) / tallies.step);
    tallies.tally = block_take(tallies.count * sizeof(*tallies.tally));
    struct feature *kept = arena_take(arena, tallies.count, sizeof(*kept));
    bool good = tallies.tally && kept;
    if (!good)
        error_set(error, ERROR_MEMORY, input_place(view->input, view->offset),
                  "no memory for %zu features", tallies.count);
    if (good) {
        memset(tallies.tally, 0, tallies.count * sizeof(*tallies.tally));
        good = sampled_walk(&sampled, visit, &tallies, error);
    }
    for (size_t i = 0; good && i < tallies.count; i++) {
        feature_close(&tallies.tally[i]);
        kept[i] = tallies.tally[i].feature;
    }
    block_free(tallies.tally);
    if (!good)
        return false;
    *features = (struct tensor_features){.rows = sampled.total / tallies.width,
                                         .width = tallies.width,
                                         .step = tallies.step,
                                         .read = sampled.read,
                                         .features = kept,
                                         .count = tallies.count};
    features->grid = is_grid(view, features);
    return true;
}
