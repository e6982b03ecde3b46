/* imbalance: one side of a game is at its floor while the other keeps rising. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { FLOOR, RISE, Z, POINTS, STANDS };
static const struct parameter parameters[] = {
    [FLOOR] = {"floor", "share", 0, 1, 0.05, "of its start that the winner's loss has left"},
    [RISE] = {"rise", "share", 0, 100, 0.3, "of the other one over the last half"},
    [Z] = {"z", "", 0, 10, 2.58, "Mann-Kendall z of that rise"},
    [POINTS] = {"least", "readings", 8, 1e6, 20, "of both sides"},
    [STANDS] = {"stands", "ratio", 1, 1e6, 3, "of the loser's start where it ends, rising or not"},
};
static const char *const values[] = {"floor", "rise", "share", "points", "other", "margin", NULL};
static const char *const forms[] = {"discriminator-wins", "generator-wins", "zero-side", NULL};

static const char *const without_floor[] = {"wasserstein", "wgan", "critic", "actor", "gp", NULL};
static const char *const discriminators[] = {"d",     "disc", "discriminator", "errd", "lossd",
                                             "dloss", NULL};

static const char *const copies[] = {"l1",    "l2",    "cycle", "idt",  "feat",       "feature",
                                     "fm",    "mel",   "kl",    "dur",  "vgg",        "rec",
                                     "recon", "pixel", "lpips", "perc", "perceptual", NULL};

enum { SIDES_MAX = 12, GROUPS_LEAST = 6, HALF_MAX = 10, DIGITS_LEAST = 3 };
static const double LOST = 5; /* above what guessing costs any of the usual losses */

struct side {
    const struct series *series;
    struct groups groups;
};

/* Share of the run, from its end, over which the loss stayed at the floor. */
static double time_at_floor(const struct groups *groups, double floor)
{
    size_t count = 0;
    while (count < groups->count &&
           scale_down(&groups->scale, groups->group[groups->count - 1 - count].y) <= floor)
        count++;
    return (double)count / (double)groups->count;
}

static double level(const struct groups *groups, size_t from, size_t end)
{
    double y[GROUPS_MAX];
    for (size_t i = from; i < end; i++)
        y[i - from] = scale_down(&groups->scale, groups->group[i].y);
    return median_of(y, end - from);
}

/* The readings in which the winner's loss is 0 to the last digit, and what the other's is there. */
struct lost {
    size_t readings; /* 0: the side is not lost */
    double low, high;
};

/* All readings, or at least the last half of a short run, while the other side's loss is nowhere
   near an even game. */
static struct lost readings_lost(const struct track *zeros, const struct track *other)
{
    static const struct lost none = {0, 0, 0};
    if (track_signs(zeros)->zeros >= zeros->points)
        return other->low.value > LOST
                   ? (struct lost){(size_t)zeros->points, other->low.value, other->high.value}
                   : none;
    struct point won[HALF_MAX], high[HALF_MAX];
    const size_t half = (size_t)zeros->points / 2;
    if (half > HALF_MAX || zeros->places < DIGITS_LEAST || track_tail(zeros, won, half) < half ||
        track_tail(other, high, half) < half)
        return none;
    const double digit = 1.5 * pow(10, -zeros->places);
    struct lost lost = {half, INFINITY, -INFINITY};
    for (size_t i = 0; i < half; i++) {
        if (!(fabs(won[i].value) <= digit) || !(high[i].value > LOST))
            return none;
        lost.low = fmin(lost.low, high[i].value);
        lost.high = fmax(lost.high, high[i].value);
    }
    return lost;
}

/*
 * A loss of logarithms that prints as 0 in so many places lets the other side's no further down
 * than the logarithm of the last of them, in any batch. A level that moves freely below that is one
 * of a loss with a margin (hinge), which is 0 as soon as the margin is kept: no sign that a side is
 * lost.
 */
static bool keeps_margin(const struct track *zeros, const struct lost *lost)
{
    static const double slack = 0.75, moves = 1.2; /* of other batches; of a level that stands */
    return zeros->places >= DIGITS_LEAST && lost->low < slack * zeros->places * log(10) &&
           lost->high > moves * lost->low;
}

static bool zero_side(const struct use *use, const struct side *winner, const struct side *other,
                      struct candidates *candidates, struct error *error)
{
    const struct track *zeros = &winner->series->whole, *high = &other->series->whole;
    const struct lost lost = readings_lost(zeros, high);
    if (lost.readings == 0)
        return true;
    struct candidate candidate = candidate_bare(use, zeros->first);
    candidate.series = winner->series;
    candidate.subject = winner->series->tag;
    candidate.form = "zero-side";
    value_add(&candidate, "floor", 0);
    value_add(&candidate, "other", high->last_finite.value);
    value_add(&candidate, "share", (double)lost.readings / (double)zeros->points);
    value_add(&candidate, "points", (double)lost.readings);
    value_add(&candidate, "margin", keeps_margin(zeros, &lost));
    evidence_add(&candidate, winner->series, zeros->last_finite, "at 0 by here");
    evidence_add(&candidate, other->series, high->last_finite, "the other side");
    return candidates_add(candidates, &candidate, error);
}

/* How much the loser's loss grew over its last half, or to a level far over its start; NAN: it did
   neither. */
static double growth(const struct use *use, const struct groups *high, double first)
{
    double x[GROUPS_MAX], y[GROUPS_MAX];
    size_t count = 0;
    for (size_t i = high->count / 2; i < high->count; i++, count++) {
        x[count] = high->group[i].x;
        y[count] = scale_down(&high->scale, high->group[i].y);
    }
    struct trend trend = trend_of(x, y, count, 0);
    double rise = trend.slope * (x[count - 1] - x[0]) / fmax(fabs(y[0]), 1e-12);
    if (trend.z >= use->parameters[Z] && rise >= use->parameters[RISE])
        return rise;
    double start = fmin(level(high, 0, high->count / 10 + 1), first);
    double end = level(high, high->count * 3 / 4, high->count);
    return start > 0 && end >= use->parameters[STANDS] * start ? end / start - 1 : (double)NAN;
}

/* NAN where it is not finite: no start that anything is held against. */
static double first_of(const struct side *side)
{
    const double first = side->series->whole.first.value;
    return isfinite(first) ? first : (double)NAN;
}

static bool wins(const struct use *use, const struct side *winner, const struct side *other,
                 struct candidates *candidates, struct error *error)
{
    const struct groups *low = &winner->groups, *high = &other->groups;
    if ((double)low->points < use->parameters[POINTS] ||
        (double)high->points < use->parameters[POINTS])
        return zero_side(use, winner, other, candidates, error);
    size_t skip = low->count / 20, tenth = low->count / 10 + 1;
    /* A game that is decided within its first steps was even at its first reading. */
    double start = fmax(level(low, skip, skip + tenth), first_of(winner));
    double end = level(low, low->count * 3 / 4, low->count);
    double floor = use->parameters[FLOOR] * start;
    if (!(start > 0))
        return zero_side(use, winner, other, candidates, error);
    if (!(end <= floor) || track_signs(&winner->series->whole)->negatives)
        return true;
    double rise = growth(use, high, first_of(other));
    if (isnan(rise))
        return true;
    size_t onset = low->count - (size_t)(time_at_floor(low, floor) * (double)low->count);
    if (onset >= low->count)
        onset = low->count - 1;
    struct candidate candidate = candidate_bare(use, low->group[onset].first);
    candidate.series = winner->series;
    candidate.subject = winner->series->tag;
    candidate.form =
        tag_has(winner->series->tag, discriminators) ? "discriminator-wins" : "generator-wins";
    value_add(&candidate, "floor", end);
    value_add(&candidate, "rise", rise);
    value_add(&candidate, "share", time_at_floor(low, floor));
    value_add(&candidate, "points", (double)low->points);
    evidence_add(&candidate, winner->series, low->group[onset].first, "at its floor from here on");
    evidence_add(&candidate, other->series, other->series->whole.last_finite, "the other side");
    return candidates_add(candidates, &candidate, error);
}

/* Losses of the game alone, one for each side; what a generator copies is no part of it. */
static size_t sides_of(const struct use *use, const struct series **sides, bool discriminator)
{
    size_t count = 0;
    for (size_t i = 0; i < use->run->series_count && count < SIDES_MAX; i++) {
        const struct series *series = &use->run->series[i];
        if (series->kind == KIND_ADVERSARIAL && series->speaks &&
            series->whole.points >= GROUPS_LEAST && !tag_has(series->tag, without_floor) &&
            !tag_has(series->tag, copies) && tag_has(series->tag, discriminators) == discriminator)
            sides[count++] = series;
    }
    return count;
}

static bool side_open(const struct series *series, struct side *side)
{
    side->series = series;
    return groups_of(&series->whole, series->kind, 0, &side->groups) &&
           side->groups.count >= GROUPS_LEAST;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct series *generators[SIDES_MAX], *discriminators_of[SIDES_MAX];
    size_t ours = sides_of(use, generators, false), theirs = sides_of(use, discriminators_of, true);
    const size_t before = candidates->count;
    if (theirs == 0 && ours == 2) /* names that do not say which is which */
        discriminators_of[theirs++] = generators[--ours];
    for (size_t d = 0; d < theirs; d++)
        for (size_t g = 0; g < ours && candidates->count == before; g++) {
            struct side a, b;
            if (!side_open(generators[g], &a) || !side_open(discriminators_of[d], &b))
                continue;
            if (!wins(use, &b, &a, candidates, error) || !wins(use, &a, &b, candidates, error))
                return false;
        }
    return true;
}

const struct detector detector_imbalance = {
    .name = "imbalance",
    .about = "one side of a game is at its floor while the other keeps rising",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .once = true,
    .detect = detect,
};
