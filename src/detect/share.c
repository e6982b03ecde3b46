/* share: how much of one series another one takes, in the same records. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SHARE, TOTAL, LONE };
static const struct parameter parameters[] = {
    [SHARE] = {"share", "share", 0, 1, 0.3, "median over all readings"},
    [TOTAL] = {"total", "share", 0, 1, 0, "of all but the first together; 0: the median decides"},
    [LONE] = {"lone", "seconds", 0, 1e6, 0,
              "of a wait that speaks alone; 0: two readings are needed"},
};
static const char *const values[] = {
    "share", "outside-first-of-epoch", "points", "part", "whole", "waits", NULL};

/* Readings of both, in the order of the log. */
struct shares {
    double share[BUCKETS_MAX];
    int64_t steps[BUCKETS_MAX];
    size_t count;
    double parts, wholes; /* sums, without the first reading */
    size_t waits;         /* readings, without the first, that are waiting for the most */
    size_t last_waits;    /* of them, those in a row at the end */
    size_t pairs;         /* of them, those right behind another */
    int64_t step;         /* of the last reading */
    size_t apart;         /* readings that do not stand a step behind the one before */
};

/* Both in one unit; a part that is larger than the whole was not counted in it. */
static double ratio(double part, double whole)
{
    if (!(part >= 0) || !(whole > 0))
        return (double)NAN;
    return part <= whole * 1.02 ? fmin(part / whole, 1) : part / (part + whole);
}

static bool same_record(const struct point *a, const struct point *b)
{
    if (a->input == b->input && a->line && a->line == b->line)
        return true;
    return a->step != STEP_NONE && a->step == b->step;
}

static void shares_add(struct shares *s, double share, double step, int64_t at)
{
    if (s->count > 0) {
        s->parts += share * step;
        s->wholes += step;
        s->waits += share >= 0.5;
        s->pairs += share >= 0.5 && s->share[s->count - 1] >= 0.5;
        s->last_waits = share >= 0.5 ? s->last_waits + 1 : 0;
        s->apart += at == STEP_NONE || at != s->step + 1;
    }
    s->step = at;
    s->steps[s->count] = at;
    s->share[s->count++] = share;
}

/* The time of a step that the lines of the wait tell themselves, as those of a profile do; else the
   one that stands for the run. */
static const struct series *whole_of(const struct use *use, const struct track **track)
{
    const struct point *wait = &use->tracks[0]->last;
    *track = use->tracks[1];
    if (wait->line == 0 ||
        (use->tracks[1]->last.line == wait->line && use->tracks[1]->last.input == wait->input))
        return use->series[1];
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind != KIND_STEP_TIME || !series->speaks ||
            use->segment >= series->segment_count)
            continue;
        const struct point *last = &series->segments[use->segment].last;
        if (last->line == wait->line && last->input == wait->input) {
            *track = &series->segments[use->segment];
            return series;
        }
    }
    return use->series[1];
}

static void shares_fill(struct shares *shares, bool rate, const struct point *part, size_t parts,
                        const struct point *whole, size_t wholes)
{
    size_t k = 0;
    for (size_t i = 0; i < parts; i++) {
        while (k < wholes && !same_record(&part[i], &whole[k]) && point_before(&whole[k], &part[i]))
            k++;
        if (k == wholes || !same_record(&part[i], &whole[k]))
            continue;
        double step = rate ? 1 / whole[k].value : whole[k].value;
        double share = ratio(part[i].value, step);
        if (isfinite(share))
            shares_add(shares, share, step, part[i].step);
    }
}

/*
 * In a log of every so many steps the waits stand alone, in even steps, and nothing waits between
 * them: each is the first batch of an epoch, which starts the workers, and speaks for no other. In
 * a log of every step a wait that comes back evenly is the loader's own.
 */
static bool only_firsts(const struct shares *s, double least)
{
    enum { WAITS_LEAST = 3 };
    double rest[BUCKETS_MAX];
    size_t others = 0, waits = 0, before = 0;
    int64_t distance = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->share[i] < least) {
            rest[others++] = s->share[i];
            continue;
        }
        if (s->steps[i] == STEP_NONE || (waits > 0 && i == before + 1))
            return false;
        const int64_t now = waits > 0 ? s->steps[i] - s->steps[before] : 0;
        if (waits > 1 && now != distance)
            return false;
        distance = now;
        before = i;
        waits++;
    }
    return waits >= WAITS_LEAST && s->apart + 1 >= s->count && others + 1 >= waits &&
           median_of(rest, others) < least / 3;
}

/* Raw readings: all of them where the log is short, else the last. */
static bool waits_for_workers(const struct use *use, const struct shares *all, bool exact)
{
    if (exact)
        return only_firsts(all, use->parameters[SHARE]);
    struct shares last = {0};
    shares_fill(&last, use, use->tracks[0]->tail, use->tracks[0]->tail_count, use->tracks[1]->tail,
                use->tracks[1]->tail_count);
    return only_firsts(&last, use->parameters[SHARE]);
}

/*
 * Some readings wait so long that they hold the time of all. Single batches at the start of epochs
 * do as well in a log of every hundredth step: there the waits have to have come to stay, or to
 * stand in a third of the readings with one right behind another, as no starts of epochs do. Of few
 * readings all have to be steps that follow each other, of which every other one waits.
 */
static bool bursts(const struct shares *s, double total)
{
    enum { LEAST_POINTS = 8, LEAST_WAITS = 3, FEW_POINTS = 5, FEW_WAITS = 2 };
    const bool turns = s->apart == 0 && s->pairs == 0 && s->count >= FEW_POINTS &&
                       s->waits >= FEW_WAITS && 2 * s->waits + 1 >= s->count;
    if (total <= 0 || (!turns && (s->count < LEAST_POINTS || s->waits < LEAST_WAITS)))
        return false;
    const bool often = s->pairs > 0 && 3 * s->waits >= s->count;
    return s->parts >= total * s->wholes &&
           (s->apart == 0 || s->last_waits >= LEAST_WAITS || often);
}

/* The only reading there is, of a step well inside an epoch, waits for many seconds. */
static bool lone(const struct use *use, const struct point *part, const struct point *whole,
                 const struct shares *shares, struct candidates *candidates, struct error *error)
{
    enum { INSIDE = 50 };
    const bool speaks = shares->count == 1 && shares->share[0] >= use->parameters[SHARE] &&
                        part[0].value >= use->parameters[LONE] && part[0].step != STEP_NONE &&
                        part[0].step >= INSIDE && part[0].value <= whole[0].value;
    if (!speaks)
        return true;
    struct candidate candidate = candidate_at(use, 0, part[0]);
    value_add(&candidate, "share", shares->share[0]);
    value_add(&candidate, "outside-first-of-epoch", shares->share[0]);
    value_add(&candidate, "points", 1);
    value_add(&candidate, "part", part[0].value);
    value_add(&candidate, "whole", whole[0].value);
    value_add(&candidate, "waits", 1);
    evidence_add(&candidate, use->series[0], part[0], "the wait");
    return candidates_add(candidates, &candidate, error);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    struct point part[BUCKETS_MAX], whole[BUCKETS_MAX];
    struct shares shares = {0};
    bool exact, exact_whole;
    size_t parts = track_points(use->tracks[0], part, &exact);
    const struct track *track;
    const struct series *step = whole_of(use, &track);
    const size_t wholes = track_points(track, whole, &exact_whole);
    shares_fill(&shares, is_rate(step), part, parts, whole, wholes);
    if (use->parameters[LONE] > 0)
        return lone(use, part, whole, &shares, candidates, error);
    const double total = use->parameters[TOTAL];
    const bool few = total > 0;
    const size_t count = shares.count;
    /* In order: medians sort the shares. */
    const bool workers = waits_for_workers(use, &shares, exact && exact_whole);
    const double later = median_of(shares.share + (count > 1), count - (count > 1));
    const double median = median_of(shares.share, count);
    const bool speaks =
        few ? exact && exact_whole && bursts(&shares, total) : median >= use->parameters[SHARE];
    if (count < 2 || !speaks || (few && median >= total) || workers)
        return true;
    const double share = few ? shares.parts / shares.wholes : median;
    struct candidate candidate = candidate_at(use, 0, use->tracks[0]->first);
    candidate.end_line = use->tracks[0]->last.line;
    value_add(&candidate, "share", share);
    value_add(&candidate, "outside-first-of-epoch", few ? share : later);
    value_add(&candidate, "points", (double)count);
    value_add(&candidate, "part", part[parts - 1].value);
    value_add(&candidate, "whole", whole[wholes - 1].value);
    value_add(&candidate, "waits", (double)shares.waits);
    evidence_add(&candidate, use->series[0], part[parts - 1], "the wait");
    evidence_add(&candidate, step, whole[wholes - 1], "of the whole step");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_share = {
    .name = "share",
    .about = "how much of one series another one takes, in the same records",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
