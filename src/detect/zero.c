/* zero: readings that are exactly 0, again and again. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"
#include "detect/norm.h"

enum { RUN, JUMP, FINEST, SPARE_START, SHARE, RUN_BAD_NORM };
enum { BEFORE = 5 };
static const struct parameter parameters[] = {
    [RUN] = {"run", "readings", 1, 1e6, 2, "in a row"},
    [JUMP] = {"jump", "digits", 0, 1e9, 0, "last digits that the readings before were over"},
    /* "%.4f" prints 0.0000 for a rate of 5e-5: that is no zero. */
    [FINEST] = {"finest", "", 0, 1, 1, "largest last digit that makes a printed 0 exact"},
    [SPARE_START] = {"spare-start", "share", 0, 1, 0, "of the plan whose zeros do not count"},
    [SHARE] = {"share", "share", 0, 1, 0, "of all readings that have to be 0"},
    [RUN_BAD_NORM] = {"run-bad-norm", "readings", 1, 1e6, 2, "beside a norm that is 0 or bad"},
};
static const char *const values[] = {"run",        "share",        "points",   "at-end",
                                     "before",     "from-start",   "norm",     "remaining",
                                     "loss-falls", "contradicted", "learns",   "rate-held",
                                     "right",      "solved",       "unscored", NULL};
static const char *const forms[] = {"nan-norm", "zero-norm", "zero", "start", NULL};

static const struct constant *run_of_zeros(const struct track *track)
{
    bool now = track->current.value == 0 && track->current.count > 0;
    bool longest = track->longest.value == 0 && track->longest.count > 0;
    if (now && (!longest || track->current.count * 2 >= track->longest.count))
        return &track->current;
    return longest ? &track->longest : NULL;
}

/* The readings before were well away from 0. */
static bool jumps(const struct use *use, const struct constant *run, double *before)
{
    struct point readings[BEFORE];
    size_t count = readings_before(use->tracks[0], &run->first, readings, BEFORE);
    double limit = use->parameters[JUMP] * pow(10, -(double)use->tracks[0]->places);
    *before = count ? readings[count - 1].value : (double)NAN;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(readings[i].value) > limit))
            return false;
    return true;
}

/* Share of the plan, or of the readings where there is no plan, that follows. */
static double remaining(const struct use *use, const struct point *point)
{
    int64_t planned = use->run ? use->run->planned_steps : STEP_NONE;
    if (planned > 0 && point->step != STEP_NONE)
        return fmax(0, 1 - (double)point->step / (double)planned);
    return 1 - share_at(use->tracks[0], point);
}

static bool exact_zero(const struct use *use)
{
    const struct series *series = use->series[0];
    double precision = pow(10, -(double)use->tracks[0]->places);
    bool printed = series->origin != ORIGIN_DOCUMENT && series->origin != ORIGIN_EVENT;
    /* Beside readings of a few last digits a 0 is one of them rounded away. */
    if (use->parameters[FINEST] < 1 && use->tracks[0]->high.value > 0 &&
        precision > 1e-3 * use->tracks[0]->high.value)
        return false;
    /* A single decimal is a language's way to print a float that is 0. */
    return !printed || precision <= use->parameters[FINEST] || use->tracks[0]->places <= 1;
}

/* The loss falls all the same: what is printed as 0 is not measured. */
static bool loss_falls(const struct use *use)
{
    struct groups groups;
    const struct track *track = companion(use, KIND_LOSS, NULL);
    return track && groups_of(track, KIND_LOSS, 0, &groups) && groups.drop > 0.05;
}

/* A score of any phase that was never anything but 0: there was nothing to learn from. */
static bool never_scored(const struct use *use)
{
    enum { LEAST = 5 };
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct series *series = NULL;
        const struct track *track = companion(use, kinds[i], &series);
        if (track && series->direction == DIRECTION_UP && track->points >= LEAST &&
            track_signs(track)->zeros == track->points)
            return true;
    }
    return false;
}

/* A metric of the same phase that stands far from its bound: no loss of 0 goes with it. */
static bool contradicted(const struct use *use)
{
    if (never_scored(use))
        return true;
    const bool validation = use->series[0]->kind == KIND_VAL_LOSS;
    const struct series *series = NULL;
    const struct track *track = companion(use, validation ? KIND_VAL_METRIC : KIND_METRIC, &series);
    const double bound = track ? metric_bound(series, track) : (double)NAN;
    if (!(bound > 0))
        return false;
    const double share = track->last_finite.value / bound;
    return share > 0.05 && share < 0.9;
}

/* A metric grows by a tenth of its bound meanwhile: there is a loss, and no digit of it is printed.
 */
static bool metric_grows(const struct use *use)
{
    static const enum kind kinds[] = {KIND_METRIC, KIND_VAL_METRIC};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        double unit;
        const struct track *track = companion_share(use, kinds[i], &unit);
        if (track && track->points >= 5 &&
            track->last_finite.value - track->first.value >= unit / 10)
            return true;
    }
    return false;
}

/* A metric of the same phase is at its bound for as long: all answers are right. */
static bool all_right(const struct use *use, const struct constant *zeros)
{
    const bool validation = use->series[0]->kind == KIND_VAL_LOSS;
    const struct series *series = NULL;
    const struct track *track = companion(use, validation ? KIND_VAL_METRIC : KIND_METRIC, &series);
    return track && series->direction == DIRECTION_UP && track->current.count >= zeros->count &&
           track->current.value == metric_bound(series, track);
}

/* All answers of validation are right: a loss that prints as 0 is what goes with it. */
static bool solved(const struct use *use)
{
    static const double all = 0.9995;
    double unit;
    const struct track *track = companion_share(use, KIND_VAL_METRIC, &unit);
    return track && track->points >= 2 && track->last_finite.value >= all * unit;
}

/* Nothing but zeros, of which a language prints 0.0 only where they are exact, or which a metric
   gives the lie to. */
static bool zero_throughout(const struct use *use, bool wrong)
{
    const struct track *track = use->tracks[0];
    const bool whole = use->series[0]->scope == SCOPE_TOTAL || use->series[0]->main;
    return whole && track->points >= 3 && track_signs(track)->zeros == track->points &&
           (track->places <= 1 || wrong);
}

/* The rate stands in the middle of its way, at a number that nobody wrote: the scheduler waits for
   steps of the optimizer, and a loss scaler skips all of them. */
static bool rate_held(const struct use *use)
{
    enum { DIGITS = 8, READINGS = 3 };
    const struct track *rate = companion(use, KIND_LEARNING_RATE, NULL);
    return rate && rate->points >= READINGS && rate->current.count == rate->points &&
           rate->current.digits >= DIGITS;
}

/* What stands beside a loss of 0. */
static void beside_add(const struct use *use, const struct constant *zeros, bool loss,
                       bool throughout, struct candidate *candidate)
{
    value_add(candidate, "learns", loss && throughout && metric_grows(use));
    value_add(candidate, "right", loss && all_right(use, zeros));
    value_add(candidate, "unscored", loss && throughout && never_scored(use));
    value_add(candidate, "rate-held", loss && rate_held(use));
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    const struct constant *run = run_of_zeros(track);
    if (!run || !exact_zero(use))
        return true;
    double share = (double)track_signs(track)->zeros / (double)track->points;
    double before;
    bool loss = use->series[0]->kind == KIND_LOSS || use->series[0]->kind == KIND_VAL_LOSS;
    bool from_start = !point_before(&track->first, &run->first);
    enum norm_state norm = loss ? norm_over(use, &run->first) : NORM_UNKNOWN;
    bool bad_norm = norm == NORM_ZERO || norm == NORM_BAD;
    if ((double)run->count < use->parameters[bad_norm ? RUN_BAD_NORM : RUN])
        return true;
    if (share < use->parameters[SHARE])
        return true;
    double left = remaining(use, &run->first);
    if (1 - left < use->parameters[SPARE_START] && (double)run->count < 10)
        return true;
    if (!jumps(use, run, &before))
        return true;
    const bool wrong = loss && contradicted(use);
    const bool throughout = loss && from_start && !bad_norm && zero_throughout(use, wrong);
    if (use->parameters[JUMP] > 0 && from_start && !bad_norm && !throughout)
        return true;
    struct candidate candidate = candidate_at(use, 0, run->first);
    if (loss)
        candidate.form = norm == NORM_BAD    ? "nan-norm"
                         : norm == NORM_ZERO ? "zero-norm"
                         : throughout        ? "start"
                                             : "zero";
    candidate.last_step = run->last.step;
    value_add(&candidate, "run", (double)run->count);
    value_add(&candidate, "share", share);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "at-end", run == &track->current);
    value_add(&candidate, "before", before);
    value_add(&candidate, "from-start", from_start);
    value_add(&candidate, "remaining", remaining(use, &run->last));
    value_add_text(&candidate, "norm", norm_state_name(norm));
    value_add(&candidate, "loss-falls", !loss && loss_falls(use));
    value_add(&candidate, "contradicted", wrong);
    beside_add(use, run, loss, throughout, &candidate);
    value_add(&candidate, "solved", solved(use));
    evidence_add(&candidate, use->series[0], run->first, "the first zero");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_zero = {
    .name = "zero",
    .about = "readings that are exactly 0, again and again",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
