/* spike: a series leaves its running level upwards and comes back. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum {
    OPEN_SIGMA,
    OPEN_RATIO,
    CLOSE_SIGMA,
    CLOSE_RATIO,
    REPORT_RATIO,
    SCORE,
    SINGLE,
    SINGLE_RATIO,
    SINGLE_SIGMA,
    CUT,
    SHORT_RATIO,
    PER_DECADE
};
enum { SHORT_LEAST = 4, SHORT_SURE = 6, SHORT_MOST = 12, SIDE = 3, EPISODES = 64 };
static const struct parameter parameters[] = {
    [OPEN_SIGMA] = {"open-sigma", "deviations", 1, 100, 6, "over the level: an excursion begins"},
    [OPEN_RATIO] = {"open-ratio", "ratio", 1, 1e9, 1.25, "and at least so much over it"},
    [CLOSE_SIGMA] = {"close-sigma", "deviations", 0, 100, 3, "it ends within"},
    [CLOSE_RATIO] = {"close-ratio", "ratio", 1, 1e9, 1.1, "or within"},
    [REPORT_RATIO] = {"report-ratio", "ratio", 1, 1e9, 1.25, "height that is told at all"},
    [SCORE] = {"score", "deviations", 0, 1e9, 10, "sum over 3, of two readings or more"},
    [SINGLE] = {"single", "", 0, 1, 0, "1: one reading of that height is enough"},
    [SINGLE_RATIO] = {"single-ratio", "ratio", 1, 1e9, 2, "else one reading needs this height"},
    [SINGLE_SIGMA] = {"single-sigma", "deviations", 1, 1e3, 10, "and this many deviations"},
    [CUT] = {"cut", "", 0, 1, 0, "1: told also where it ends in a reading that is not finite"},
    [SHORT_RATIO] = {"short-ratio", "ratio", 0, 1e9, 0,
                     "over its neighbours in a log of 6 to 11 readings; 0: not looked for"},
    /* The largest of many heavy-tailed readings is larger: more are needed to be telling. */
    [PER_DECADE] = {"sigma-per-decade", "deviations", 0, 100, 10,
                    "more, for ten times 100 readings"},
};
static const char *const values[] = {
    "median",    "peak",         "ratio",    "points",    "steps", "at",
    "count",     "per-thousand", "recovery", "readings",  "cut",   "start-share",
    "sustained", "period",       "planned",  "end-share", NULL};

enum { PERIODIC = 3, PERIOD_LEAST = 4 }; /* episodes, and readings from one to the next */

struct spikes {
    struct episode episode[EPISODES];
    size_t count;
};

static size_t short_spike(const struct use *use, const struct point *points, size_t count,
                          const struct scale *scale, struct episode *episode)
{
    double ratio = use->parameters[SHORT_RATIO];
    if (count < SHORT_SURE)
        ratio *= 30; /* among so few only what is beyond any doubt */
    if (ratio <= 0 || count < SHORT_LEAST || count >= SHORT_MOST)
        return 0;
    for (size_t i = 1; i + 1 < count; i++) {
        double beside[2 * SIDE], median;
        size_t n = 0;
        for (size_t k = i > SIDE ? i - SIDE : 0; k <= i + SIDE && k < count; k++)
            if (k != i && isfinite(points[k].value))
                beside[n++] = points[k].value;
        median = median_of(beside, n);
        bool back = points[i + 1].value < points[i].value / ratio + median / 2;
        bool before = points[i - 1].value * ratio <= points[i].value;
        if (n < 3 || !(median > 0) || !(points[i].value >= ratio * median) || !back || !before)
            continue;
        *episode = (struct episode){.start = points[i], .peak = points[i], .end = points[i + 1]};
        episode->median = median;
        episode->deviation = 0.01;
        episode->height = scale_up(scale, points[i].value) - scale_up(scale, median);
        episode->readings = 1;
        return 1;
    }
    return 0;
}

static void collect(const struct use *use, const struct scale *scale, struct spikes *spikes)
{
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    size_t count = track_readings(track, points);
    spikes->count = 0;
    if (count == 0) {
        for (size_t i = 0; i < track->episode_count && i < EPISODES; i++)
            spikes->episode[spikes->count++] = track->episodes[i];
        return;
    }
    if (count < SHORT_MOST) {
        spikes->count = short_spike(use, points, count, scale, spikes->episode);
        return;
    }
    const struct excursions options = {
        .open_sigma = use->parameters[OPEN_SIGMA],
        .open_ratio = use->parameters[OPEN_RATIO],
        .close_sigma = use->parameters[CLOSE_SIGMA],
        .close_ratio = use->parameters[CLOSE_RATIO],
        .skip = warmup_of(track, companion(use, KIND_LEARNING_RATE, NULL),
                          use->run ? use->run->planned_steps : STEP_NONE),
    };
    spikes->count = episodes_of(points, count, scale, &options, spikes->episode, EPISODES);
}

/* More readings than the peak alone are far out: the largest of many heavy-tailed ones has company
   only by chance. */
static bool sustained(const struct use *use, const struct episode *episode)
{
    double decades = fmax(0, log10((double)use->tracks[0]->points / 100));
    double rest = episode->score - (episode->height / episode->deviation - 3);
    return episode->readings >= 2 &&
           rest >= use->parameters[SCORE] / 2 + use->parameters[PER_DECADE] * decades / 2;
}

/* Beside a level that is printed as 0 so many units of the last digit are no height. */
static bool of_last_digits(const struct use *use, const struct episode *episode)
{
    const double digit = pow(10, -use->tracks[0]->places);
    return fabs(episode->median) < digit &&
           fabs(episode->peak.value) < use->parameters[REPORT_RATIO] * digit;
}

static bool telling(const struct use *use, const struct scale *scale, const struct episode *episode)
{
    const double *limit = use->parameters;
    if (!scale->logarithmic && of_last_digits(use, episode))
        return false;
    if (episode->height < scale_ratio(scale, limit[OPEN_RATIO]) ||
        episode->height < limit[OPEN_SIGMA] * episode->deviation ||
        episode->height < scale_ratio(scale, limit[REPORT_RATIO]))
        return false;
    if (limit[CUT] == 0 && (episode->cut || episode->open || episode->level))
        return false;
    if (limit[SINGLE] > 0)
        return true;
    double decades = fmax(0, log10((double)use->tracks[0]->points / 100));
    double more = limit[PER_DECADE] * decades;
    if (sustained(use, episode) && episode->score >= limit[SCORE] + more)
        return true;
    return episode->height >= scale_ratio(scale, limit[SINGLE_RATIO]) &&
           episode->height >= (limit[SINGLE_SIGMA] + more) * episode->deviation;
}

static double steps_of(const struct episode *episode)
{
    if (episode->start.step == STEP_NONE || episode->end.step == STEP_NONE)
        return (double)episode->readings;
    return (double)(episode->end.step - episode->start.step);
}

/* Steps from one of the tall episodes to the next where all lie alike far apart, within a reading;
   0: they do not, or there are too few to say. */
static double period_of(const struct use *use, const struct scale *scale,
                        const struct spikes *spikes, double least)
{
    const struct track *track = use->tracks[0];
    int64_t before = STEP_NONE, shortest = INT64_MAX, longest = 0, count = 0, begin = 0;
    for (size_t i = 0; i < spikes->count; i++) {
        const struct episode *episode = &spikes->episode[i];
        const int64_t step = episode->peak.step;
        if (!telling(use, scale, episode) || episode->height < least)
            continue;
        if (step == STEP_NONE)
            return 0;
        if (count++ == 0)
            begin = step;
        if (before != STEP_NONE) {
            shortest = step - before < shortest ? step - before : shortest;
            longest = step - before > longest ? step - before : longest;
        }
        before = step;
    }
    if (count < PERIODIC || track->points < 2)
        return 0;
    double reading = (double)(track->last.step - track->first.step) / (double)(track->points - 1);
    bool regular = (double)(longest - shortest) <= 1.01 * reading &&
                   (double)shortest >= PERIOD_LEAST * reading;
    return regular ? (double)(before - begin) / (double)(count - 1) : 0;
}

/* They come at every so many thousand steps from the first on, and that is no epoch: samples do not
   follow round numbers, a program that sets something back does. */
static bool planned(const struct use *use, const struct episode *first, double period)
{
    const struct track *track = use->tracks[0];
    const double epoch = fact_number(use, "steps_per_epoch");
    const double reading =
        (double)(track->last.step - track->first.step) / (double)(track->points - 1);
    const double decade = pow(10, floor(log10(fmax(period, 1))));
    const double whole = nearbyint(period);
    if (period < 500 || fabs(period - whole) > 1e-9 * period || fmod(whole, decade / 2) != 0)
        return false;
    if (epoch > 0 && fmod(whole, nearbyint(epoch)) == 0)
        return false;
    const double behind = fmod((double)first->peak.step, whole);
    return first->peak.step >= 0 && behind <= 2.01 * reading;
}

/* Where the run began: its first group, or the first three readings where the loss came down from
   them within that group. */
static double start_of(const struct use *use)
{
    enum { FIRST = 3 };
    const struct track *track = use->tracks[0];
    struct groups groups;
    double first[FIRST];
    size_t count = 0;
    if (!groups_of(track, use->series[0]->kind, 0, &groups))
        return (double)NAN;
    for (size_t i = 0; i < track->head_count && count < FIRST; i++)
        if (isfinite(track->head[i].value))
            first[count++] = track->head[i].value;
    return fmax(groups.start, median_of(first, count));
}

/* Where the run ends, of the level that the episode left: far under it, no harm was done. */
static double end_share(const struct use *use, const struct episode *episode)
{
    struct groups groups;
    if (!groups_of(use->tracks[0], use->series[0]->kind, 0, &groups) || !(episode->median > 0))
        return (double)NAN;
    return groups.end / episode->median;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct scale scale = scale_of(track, use->series[0]->kind);
    struct spikes spikes;
    collect(use, &scale, &spikes);
    const struct episode *largest = NULL, *first = NULL;
    double count = 0, recovery = 0;
    for (size_t i = 0; i < spikes.count; i++) {
        const struct episode *episode = &spikes.episode[i];
        if (!telling(use, &scale, episode))
            continue;
        count++;
        recovery = fmax(recovery, steps_of(episode));
        if (!largest || episode->height > largest->height)
            largest = episode;
    }
    if (!largest)
        return true;
    /* The first that comes near the largest is where it began. */
    for (size_t i = 0; i < spikes.count && !first; i++)
        if (telling(use, &scale, &spikes.episode[i]) &&
            spikes.episode[i].height >= 0.7 * largest->height)
            first = &spikes.episode[i];
    struct candidate candidate = candidate_at(use, 0, first->start);
    candidate.last_step = first->end.step == STEP_NONE ? track->last.step : first->end.step;
    value_add(&candidate, "median", first->median);
    value_add(&candidate, "peak", first->peak.value);
    value_add(&candidate, "ratio",
              scale.logarithmic ? exp(first->height)
                                : 1 + first->height * scale.unit /
                                          fmax(fabs(scale.level), pow(10, -track->places)));
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "steps", steps_of(first));
    value_add(&candidate, "at", run_share_at(use, track, &first->start));
    value_add(&candidate, "count", count);
    value_add(&candidate, "per-thousand", 1000 * count / (double)track->points);
    value_add(&candidate, "recovery", recovery);
    value_add(&candidate, "readings", (double)first->readings);
    value_add(&candidate, "cut", first->cut || first->open);
    value_add(&candidate, "sustained", sustained(use, first));
    const double period = period_of(use, &scale, &spikes, 0.5 * largest->height);
    value_add(&candidate, "period", period);
    value_add(&candidate, "planned", period > 0 && planned(use, first, period));
    value_add(&candidate, "end-share", end_share(use, first));
    const double start = start_of(use);
    if (start > 0)
        value_add(&candidate, "start-share", first->peak.value / start);
    evidence_add(&candidate, use->series[0], first->start, "where it leaves its level");
    if (first->peak.offset != first->start.offset)
        evidence_add(&candidate, use->series[0], first->peak, "the peak");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_spike = {
    .name = "spike",
    .about = "a series leaves its running level upwards and comes back",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
