/* border: values jump where the run restarted. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { SIGMA, SHARE, NORM, RATE, REGAIN };
enum { SIDE = 5 };
static const struct parameter parameters[] = {
    [SIGMA] = {"sigma", "deviations", 0, 100, 3, "of a reading that a jump exceeds"},
    [SHARE] = {"share", "share", 0, 100, 0.1, "and so much of the level"},
    [NORM] = {"norm", "ratio", 1, 1e9, 3, "of the gradient norm"},
    [RATE] = {"rate", "ratio", 1, 1e9, 1.5, "of the learning rate, either way"},
    [REGAIN] = {"regain", "share", 0, 1, 0.1, "of the old length in which the level comes back"},
};
static const char *const values[] = {"ratio",    "before", "after",   "what",
                                     "regained", "points", "warming", NULL};

struct sides {
    double before, after; /* medians of the readings on both sides */
    struct point last, first;
    double sigma;
    struct scale scale;
};

/* The last readings before the restart; of a run that went back to an earlier step those around
   it, which are what it has to come back to. */
static size_t readings_at_return(const struct track *old, const struct track *new,
                                 struct point *side)
{
    const int64_t step = new->head_count > 0 ? new->head[0].step : STEP_NONE;
    size_t count = track_tail(old, side, SIDE);
    if (count == 0 || step == STEP_NONE || side[0].step == STEP_NONE || step >= side[0].step)
        return count;
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t all = track_points(old, points, &exact), end = 0;
    while (end < all && points[end].step <= step)
        end++;
    if (end <= 1) /* it begins where the run did: all of it is lost */
        return count;
    end = end + SIDE / 2 < all ? end + SIDE / 2 : all;
    size_t begin = end > SIDE ? end - SIDE : 0;
    for (count = 0; begin + count < end; count++)
        side[count] = points[begin + count];
    return count;
}

static bool sides_of(const struct series *series, uint32_t segment, struct sides *sides)
{
    if (segment >= series->segment_count)
        return false;
    const struct track *old = &series->segments[segment - 1], *new = &series->segments[segment];
    struct point points[SIDE];
    double values_now[SIDE];
    size_t count = readings_at_return(old, new, points);
    if (count < 3 || new->head_count < 2)
        return false;
    sides->last = points[count - 1];
    for (size_t i = 0; i < count; i++)
        values_now[i] = points[i].value;
    sides->before = median_of(values_now, count);
    count = 0;
    for (size_t i = 0; i < new->head_count &&count < SIDE; i++)
        if (isfinite(new->head[i].value))
            values_now[count++] = new->head[i].value;
    sides->after = median_of(values_now, count);
    sides->first = new->head[0];
    struct groups groups;
    if (count < 2 || !groups_of(old, series->kind, 0, &groups))
        return false;
    sides->scale = groups.scale;
    sides->sigma = groups.sigma_point;
    return true;
}

/* The old level is back within a tenth of the old length. */
static bool regained(const struct use *use, const struct series *series, uint32_t segment,
                     const struct sides *sides, bool up)
{
    const struct track *track = &series->segments[segment];
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact);
    double length = use->parameters[REGAIN] * (double)series->segments[segment - 1].points;
    for (size_t i = 0; i < count; i++) {
        if ((double)count_before(track, &points[i]) > fmax(length, 5))
            break;
        if (up ? points[i].value >= sides->before : points[i].value <= sides->before)
            return true;
    }
    return false;
}

/* The rates that opened the run stand behind the restart once more, to the last digit. */
static bool repeats_start(const struct series *series, uint32_t segment)
{
    enum { LEAST = 3 };
    const struct track *first = &series->segments[0], *later = &series->segments[segment];
    const size_t count =
        first->head_count < later->head_count ? first->head_count : later->head_count;
    size_t same = 0, moved = 0;
    while (same < count && first->head[same].value == later->head[same].value) {
        moved += same > 0 && first->head[same].value != first->head[same - 1].value;
        same++;
    }
    return same >= LEAST && moved + 1 >= LEAST && later->head[0].step > first->head[0].step;
}

/* A rate that had begun to fall rises from far below after the restart, or as at the start of the
   run: its schedule began anew. */
static bool warms(const struct series *series, uint32_t segment)
{
    enum { LEAST = 3 };
    static const double FALLEN = 0.97, RISES = 1.5;
    const struct track *old = &series->segments[segment - 1];
    const struct track *later = &series->segments[segment];
    size_t rising = 1;
    while (rising < later->head_count && later->head[rising].value > later->head[rising - 1].value)
        rising++;
    const bool rises =
        rising >= LEAST && later->head[rising - 1].value >= RISES * later->head[0].value;
    return series->kind == KIND_LEARNING_RATE &&
           old->last_finite.value < FALLEN * old->high.value &&
           (rises || repeats_start(series, segment));
}

static bool tell(const struct use *use, const struct series *series, uint32_t segment,
                 const struct sides *sides, const char *what, bool back,
                 struct candidates *candidates, struct error *error)
{
    struct candidate candidate = candidate_bare(use, sides->first);
    candidate.series = series;
    candidate.subject = series->tag;
    candidate.segment = segment;
    value_add(&candidate, "ratio", sides->before != 0 ? sides->after / sides->before : (double)NAN);
    value_add(&candidate, "before", sides->before);
    value_add(&candidate, "after", sides->after);
    value_add_text(&candidate, "what", what);
    value_add(&candidate, "regained", back);
    value_add(&candidate, "points", (double)series->segments[segment].points);
    value_add(&candidate, "warming", warms(series, segment));
    evidence_add(&candidate, series, sides->last, "before the restart");
    evidence_add(&candidate, series, sides->first, "behind it");
    return candidates_add(candidates, &candidate, error);
}

static bool border(const struct use *use, uint32_t segment, struct candidates *candidates,
                   struct error *error)
{
    static const enum kind kinds[] = {KIND_LOSS, KIND_GRAD_NORM, KIND_LEARNING_RATE};
    static const char *const words[] = {"the loss", "the gradient norm", "the learning rate"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct series *series = run_main(use->run, kinds[i]);
        struct sides sides;
        if (!series || !sides_of(series, segment, &sides))
            continue;
        double ratio = sides.before > 0 ? sides.after / sides.before : (double)NAN;
        bool jumps;
        if (kinds[i] == KIND_LOSS) {
            double rise =
                scale_up(&sides.scale, sides.after) - scale_up(&sides.scale, sides.before);
            jumps = rise > fmax(use->parameters[SIGMA] * sides.sigma,
                                scale_ratio(&sides.scale, 1 + use->parameters[SHARE]));
        } else if (kinds[i] == KIND_GRAD_NORM) {
            jumps = ratio >= use->parameters[NORM];
        } else {
            jumps = ratio >= use->parameters[RATE] || ratio <= 1 / use->parameters[RATE] ||
                    warms(series, segment);
        }
        if (!jumps)
            continue;
        bool back = kinds[i] == KIND_LOSS && regained(use, series, segment, &sides, false);
        return tell(use, series, segment, &sides, words[i], back, candidates, error);
    }
    return true;
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    for (uint32_t i = 1; i < use->run->segment_count; i++)
        if (!border(use, i, candidates, error))
            return false;
    return true;
}

const struct detector detector_border = {
    .name = "border",
    .about = "values jump where the run restarted",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .once = true,
    .detect = detect,
};
