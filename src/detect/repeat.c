/* repeat: the same printed value again and again, to the last digit. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

#include "stalldoc/statistics.h"

enum {
    FINE_DIGITS,
    FINE_RUN,
    MIDDLE_DIGITS,
    MIDDLE_RUN,
    COARSE_DIGITS,
    COARSE_RUN,
    SHARE,
    TOGETHER_DIGITS,
    TOGETHER_RUN,
    QUIET,
    OTHERS
};
enum {
    GRID_MOVES = 12, /* on a grid, before it is believed */
    GRID_SHARE = 9,  /* as many as this for one that is off it */
};
static const double GRID_SLACK = 0.02; /* of a step, against rounding */
static const struct parameter parameters[] = {
    [FINE_DIGITS] = {"fine-digits", "digits", 1, 20, 6, "that make few repetitions telling"},
    [FINE_RUN] = {"fine-run", "readings", 2, 1e6, 3, "with so many digits"},
    [MIDDLE_DIGITS] = {"middle-digits", "digits", 1, 20, 4, ""},
    [MIDDLE_RUN] = {"middle-run", "readings", 2, 1e6, 5, "with so many digits"},
    [COARSE_DIGITS] = {"coarse-digits", "digits", 1, 20, 3, "fewer never tell anything"},
    [COARSE_RUN] = {"coarse-run", "readings", 2, 1e6, 20, "with so many digits"},
    [SHARE] = {"share", "share", 0, 1, 0.3, "of the readings, where the run is not at the end"},
    /* Losses, metrics and their validation twins that stand still over the same readings. */
    [TOGETHER_DIGITS] = {"together-digits", "digits", 1, 60, 10, "of all that stand still"},
    [TOGETHER_RUN] = {"together-run", "readings", 2, 1e6, 4, "with so many of them"},
    [QUIET] = {"quiet", "digits", 0, 1e6, 10, "values up to so many last digits are converged"},
    [OTHERS] = {"others", "", 0, 2, 0, "1: only series beside the main one, 2: of its name"},
};
static const char *const values[] = {"run",
                                     "digits",
                                     "value",
                                     "share",
                                     "points",
                                     "at-end",
                                     "together",
                                     "moved-before",
                                     "at-bound",
                                     "loss-falling",
                                     "twin-constant",
                                     "zero",
                                     "near-bound",
                                     "accuracy",
                                     "loss-fell",
                                     "over-prior",
                                     "majority",
                                     "at-prior",
                                     "blind",
                                     "left",
                                     "score-gains",
                                     "crept",
                                     NULL};
static const enum kind twins[] = {KIND_LOSS, KIND_VAL_LOSS, KIND_METRIC, KIND_VAL_METRIC};

static const struct constant *telling(const struct use *use, const struct track *track)
{
    const struct constant *now = &track->current, *longest = &track->longest;
    if (now->count >= longest->count || now->count >= (uint64_t)use->parameters[FINE_RUN])
        return now;
    double share = (double)longest->count / (double)track->points;
    return share >= use->parameters[SHARE] ? longest : NULL;
}

/* The moves between readings: the least of them, and how many there are off and on its grid. */
struct moves_of {
    double least;
    size_t on, off;
};

static void moves_least(const struct point *points, size_t count, struct moves_of *moves)
{
    for (size_t i = 1; i < count; i++) {
        double move = fabs(points[i].value - points[i - 1].value);
        if (isfinite(move) && move > 0)
            moves->least = fmin(moves->least, move);
    }
}

static void moves_count(const struct point *points, size_t count, struct moves_of *moves)
{
    for (size_t i = 1; i < count; i++) {
        double times = fabs(points[i].value - points[i - 1].value) / moves->least;
        if (!isfinite(times) || times == 0)
            continue;
        if (fabs(times - round(times)) <= GRID_SLACK)
            moves->on++;
        else
            moves->off++;
    }
}

/* Half-precision arithmetic leaves a loss on a grid that is far coarser than its print: the step
   of that grid, 0 where the readings kept tell of none. */
static double grid_of(const struct track *track)
{
    struct moves_of moves = {.least = INFINITY};
    moves_least(track->head, track->head_count, &moves);
    moves_least(track->tail, track->tail_count, &moves);
    moves_count(track->head, track->head_count, &moves);
    moves_count(track->tail, track->tail_count, &moves);
    return moves.on >= GRID_MOVES && moves.off * GRID_SHARE <= moves.on ? moves.least : 0;
}

/* Digits that can differ between two readings. */
static int digits_of(const struct track *track, const struct constant *run)
{
    const double grid = grid_of(track);
    if (grid <= 0 || run->value == 0)
        return run->digits;
    const double held = floor(log10(fabs(run->value) / grid * (1 + GRID_SLACK))) + 1;
    return held < run->digits ? (int)fmax(held, 1) : run->digits;
}

/* Digits of the companions that stand still over the same readings at the end. */
static int digits_together(const struct use *use, const struct constant *run, int *together,
                           bool *twin)
{
    int digits = digits_of(use->tracks[0], run);
    *together = 1;
    *twin = false;
    for (size_t i = 0; i < COUNT(twins); i++) {
        const struct series *series = NULL;
        const struct track *track = companion(use, twins[i], &series);
        if (!track || series == use->series[0] || track->current.count < 2)
            continue;
        const struct constant *other = &track->current;
        if (other->count + 1 < run->count)
            other = &track->longest;
        bool apart =
            point_before(&other->last, &run->first) || point_before(&run->last, &other->first);
        if (other->count + 1 < run->count || apart)
            continue;
        digits += other->digits;
        ++*together;
        *twin = *twin || twins[i] == KIND_VAL_LOSS || twins[i] == KIND_VAL_METRIC;
    }
    return digits;
}

static bool enough(const struct use *use, const struct constant *run, int together_digits)
{
    const double *parameters_now = use->parameters;
    double digits = run->digits, count = (double)run->count;
    if (digits >= parameters_now[FINE_DIGITS] && count >= parameters_now[FINE_RUN])
        return true;
    if (digits >= parameters_now[MIDDLE_DIGITS] && count >= parameters_now[MIDDLE_RUN])
        return true;
    if (digits >= parameters_now[COARSE_DIGITS] && count >= parameters_now[COARSE_RUN])
        return true;
    return together_digits > run->digits && together_digits >= parameters_now[TOGETHER_DIGITS] &&
           count >= parameters_now[TOGETHER_RUN];
}

/* By what share of its first reading the loss of the same phase fell over the run; 0: unknown. */
static double loss_fell(const struct use *use)
{
    enum kind kind = use->series[0]->kind;
    bool validation = kind == KIND_VAL_METRIC;
    const struct track *track = companion(use, validation ? KIND_VAL_LOSS : KIND_LOSS, NULL);
    if (!track)
        track = companion(use, KIND_LOSS, NULL);
    if (!track || track->points < 2 || !(fabs(track->first.value) > 0))
        return 0;
    return (track->first.value - track->last_finite.value) / fabs(track->first.value);
}

/* Accuracies over so few samples stand still by chance: shares that one small number of samples
   has, both the first of the series and this. */
static bool of_few_samples(const struct track *track, double unit, double share)
{
    const double first = track->first.value / unit, half = 0.5 * pow(10, -track->places) / unit;
    for (int samples = 2; samples < 100; samples++)
        if (fabs(round(share * samples) / samples - share) <= half &&
            fabs(round(first * samples) / samples - first) <= half)
            return true;
    return false;
}

/* Of two classes, whose loss came down from ln 2: how often the loss at the end is the entropy of
   the share at which the accuracy stands. Far over it only the bias towards one class is learned:
   many answers are still near the border, and of a model that tells inputs apart some would cross
   it from reading to reading. NAN: no such run. */
static double over_prior(const struct use *use, const struct constant *run)
{
    static const double even = 0.693147, near = 0.05, least = 0.8;
    const bool validation = use->series[0]->kind == KIND_VAL_METRIC;
    const struct track *loss = companion(use, validation ? KIND_VAL_LOSS : KIND_LOSS, NULL);
    const double unit = share_unit(use->tracks[0]), share = run->value / unit;
    if (!loss || use->series[0]->direction != DIRECTION_UP ||
        fabs(loss->first.value - even) > near || !(share >= least && share < 1) ||
        of_few_samples(use->tracks[0], unit, share))
        return (double)NAN;
    return loss->last_finite.value / -(share * log(share) + (1 - share) * log(1 - share));
}

/* The loss never got below the entropy of the share at which the accuracy stands throughout, which
   is what always naming the most frequent class costs, and is near it by now: however far it fell,
   it learned how often that class comes. */
static bool majority_only(const struct use *use, const struct constant *run)
{
    static const double under = 0.98, near = 1.1;
    const bool validation = use->series[0]->kind == KIND_VAL_METRIC;
    const struct track *loss = companion(use, validation ? KIND_VAL_LOSS : KIND_LOSS, NULL);
    const double unit = share_unit(use->tracks[0]), share = run->value / unit;
    if (!loss || use->series[0]->direction != DIRECTION_UP || !(share >= 0.5 && share <= 0.99) ||
        run->count < use->tracks[0]->points || of_few_samples(use->tracks[0], unit, share))
        return false;
    const double entropy = -(share * log(share) + (1 - share) * log(1 - share));
    return loss->low.value >= under * entropy && loss->last_finite.value <= near * entropy;
}

/* A share of right answers that never moved, as many as one class of two has, beside a loss at the
   entropy of such shares: what is left of it, in that entropy. Training, which is scored while it
   learns, may have moved in its first reading. NAN: it is none. */
static double at_prior(const struct use *use, const struct constant *run)
{
    static const double least = 0.8, most = 0.995;
    const bool validation = use->series[0]->kind == KIND_VAL_METRIC;
    const struct track *track = use->tracks[0];
    const struct track *loss = companion(use, validation ? KIND_VAL_LOSS : KIND_LOSS, NULL);
    const double unit = share_unit(track), share = run->value / unit;
    struct groups groups;
    if (!loss || use->series[0]->direction != DIRECTION_UP || !(share >= least && share <= most) ||
        run->count + (validation ? 0 : 1) < track->points ||
        !groups_of(loss, validation ? KIND_VAL_LOSS : KIND_LOSS, 0, &groups))
        return (double)NAN;
    return groups.end / -(share * log(share) + (1 - share) * log(1 - share));
}

/* The groups of the loss from that point on fall beyond chance. */
static bool loss_falls_on(const struct track *loss, enum kind kind, const struct point *since)
{
    enum { LEAST = 6 };
    static const double z = -2.58;
    struct groups groups;
    double x[GROUPS_MAX] = {0}, y[GROUPS_MAX] = {0};
    size_t count = 0;
    if (!loss || !groups_of(loss, kind, 0, &groups))
        return false;
    for (size_t i = 0; i < groups.count; i++) {
        if (point_before(&groups.group[i].first, since))
            continue;
        x[count] = groups.group[i].x;
        y[count++] = groups.group[i].y;
    }
    return count >= LEAST && trend_of(x, y, count, groups.precision).z < z;
}

/* A metric that came up to its best by last digits and is rounded to a few stands still by its
   print alone, where the loss beside it falls on. */
static bool crept(const struct use *use, const struct constant *run)
{
    enum { BEFORE = 8, DIGITS = 3, UNITS = 10 };
    const struct track *track = use->tracks[0];
    const enum kind kind = use->series[0]->kind == KIND_VAL_METRIC ? KIND_VAL_LOSS : KIND_LOSS;
    const double near = UNITS * pow(10, -(double)track->places) * (1 + GRID_SLACK);
    struct point before[BEFORE];
    const size_t count = readings_before(track, &run->first, before, BEFORE);
    if (run->digits > DIGITS || count < BEFORE || use->series[0]->direction != DIRECTION_UP)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(before[i].value <= run->value && run->value - before[i].value <= near))
            return false;
    return loss_falls_on(companion(use, kind, NULL), kind, &run->first);
}

static bool at_bound(const struct use *use, const struct constant *run)
{
    double bound = metric_bound(use->series[0], use->tracks[0]);
    return isfinite(bound) && fabs(run->value - bound) <= 1e-9 * fmax(1, fabs(bound));
}

/* Hardly anything is left to gain. */
static bool near_bound(const struct use *use, const struct constant *run)
{
    double bound = metric_bound(use->series[0], use->tracks[0]);
    return isfinite(bound) && bound > 0 && run->value >= 0.98 * bound;
}

/* What an accuracy beside it ends at, as a share; NAN: there is none. */
static double accuracy_beside(const struct use *use)
{
    static const char *const names[] = {"acc", "accuracy", NULL};
    for (size_t i = 0; i < use->run->series_count; i++) {
        const struct series *series = &use->run->series[i];
        if ((series->kind != KIND_METRIC && series->kind != KIND_VAL_METRIC) || !series->speaks ||
            series == use->series[0] || !tag_has(series->tag, names) ||
            track_signs(&series->whole)->negatives)
            continue;
        return series->whole.last_finite.value / share_unit(&series->whole);
    }
    return (double)NAN;
}

/* The loss is nothing but zeros as well. */
static bool loss_is_zero(const struct use *use)
{
    const struct track *track = companion(use, KIND_LOSS, NULL);
    return track && track_signs(track)->zeros == track->points;
}

/* Two places tell little of a zero; what never was anything else while the loss came down tells,
   and so it does where there never was a loss. */
static bool zero_throughout(const struct use *use, const struct constant *run)
{
    enum { LEAST = 20, WITHOUT_LOSS = 8 };
    static const double fell = 0.5;
    const struct track *track = use->tracks[0];
    if (run->count != track->points || track->places < 2 ||
        use->series[0]->direction != DIRECTION_UP)
        return false;
    return (run->count >= LEAST && loss_fell(use) >= fell) ||
           (run->count >= WITHOUT_LOSS && loss_is_zero(use));
}

/* The loss of the same phase, which was measured as often, fell by a fifth while the score stands
   under half of its bound: what falls, as a penalty of the weights does, is not what the score
   sees. */
static bool is_blind(const struct use *use, const struct constant *run)
{
    static const double fifth = 0.2, half = 0.5;
    const bool validation = use->series[0]->kind == KIND_VAL_METRIC;
    const struct track *track = use->tracks[0];
    const struct track *loss = companion(use, validation ? KIND_VAL_LOSS : KIND_LOSS, NULL);
    return loss && loss->points >= track->points && run->count >= track->points &&
           use->series[0]->direction == DIRECTION_UP && run->value > 0 &&
           run->value < half * share_unit(track) && loss_fell(use) >= fifth;
}

/* A score of the run is better in the later half of what follows than in the earlier: the model
   still learns, and of the loss only the print stands still. */
static bool score_gains(const struct use *use, const struct constant *run)
{
    enum { LEAST = 8 };
    static const double gain = 0.005;
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct series *series = NULL;
        const struct track *track = companion(use, kinds[i], &series);
        struct point points[BUCKETS_MAX];
        double scores[BUCKETS_MAX];
        bool exact;
        size_t count = 0;
        const size_t all = track ? track_points(track, points, &exact) : 0;
        for (size_t k = 0; k < all; k++)
            if (!point_before(&points[k], &run->first))
                scores[count++] = points[k].value;
        if (count < LEAST || series->direction == DIRECTION_NONE)
            continue;
        const double sign = series->direction == DIRECTION_UP ? 1 : -1;
        const double later = median_of(scores + count / 2, count - count / 2);
        const double earlier = median_of(scores, count / 2);
        if (sign * (later - earlier) > gain * fabs(earlier))
            return true;
    }
    return false;
}

/* The main series, or one beside it: 2 asks for its own name at another grain, as the means of
   epochs beside the readings of steps. */
static bool asked_for(const struct use *use)
{
    const struct series *series = use->series[0];
    const double others = use->parameters[OTHERS];
    if (others == 0)
        return true;
    const struct series *main = use->run ? run_main(use->run, series->kind) : NULL;
    return !series->main && (others < 2 || (main && text_equal(main->tag, series->tag)));
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    const struct series *series = use->series[0];
    if (!asked_for(use))
        return true;
    const struct constant *run = telling(use, track);
    if (!run || run->count < 2 || !isfinite(run->value))
        return true;
    bool loss = series->kind == KIND_LOSS || series->kind == KIND_VAL_LOSS;
    double precision = pow(10, -(double)track->places);
    if (loss && fabs(run->value) <= use->parameters[QUIET] * precision)
        return true;
    int together;
    bool twin;
    int all = digits_together(use, run, &together, &twin);
    struct constant counted = *run;
    counted.digits = digits_of(track, run);
    /* Nothing but zeros: the digits printed say nothing, the exactness does. */
    if (!loss && run->value == 0)
        counted.digits = (int)fmax(track->places, zero_throughout(use, run) ? 3 : 1);
    if (!enough(use, &counted, all))
        return true;
    struct candidate candidate = candidate_at(use, 0, run->first);
    candidate.last_step = run->last.step;
    value_add(&candidate, "run", (double)run->count);
    value_add(&candidate, "digits", counted.digits);
    value_add(&candidate, "value", run->value);
    value_add(&candidate, "share", (double)run->count / (double)track->points);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "at-end", run == &track->current);
    value_add(&candidate, "together", together);
    value_add(&candidate, "moved-before", point_before(&track->first, &run->first));
    value_add(&candidate, "at-bound", at_bound(use, run));
    const double fell = loss ? 0 : loss_fell(use), falling = 0.05;
    value_add(&candidate, "loss-falling", fell >= falling);
    value_add(&candidate, "twin-constant", twin);
    value_add(&candidate, "zero", run->value == 0);
    value_add(&candidate, "near-bound", near_bound(use, run));
    value_add(&candidate, "accuracy", run->value == 0 ? accuracy_beside(use) : (double)NAN);
    value_add(&candidate, "loss-fell", fell);
    value_add(&candidate, "majority", !loss && majority_only(use, run));
    value_add(&candidate, "over-prior", loss ? (double)NAN : over_prior(use, run));
    value_add(&candidate, "at-prior", loss ? (double)NAN : at_prior(use, run));
    value_add(&candidate, "blind", !loss && is_blind(use, run));
    value_add(&candidate, "left", loss ? run->value / track->first.value : (double)NAN);
    value_add(&candidate, "score-gains", loss && score_gains(use, run));
    value_add(&candidate, "crept", !loss && crept(use, run));
    evidence_add(&candidate, series, run->first, "the first of them");
    evidence_add(&candidate, series, run->last, "the last");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_repeat = {
    .name = "repeat",
    .about = "the same printed value again and again, to the last digit",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .detect = detect,
};
