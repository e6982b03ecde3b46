/* scale: the mixed-precision loss scale collapses. */
/* SPDX-License-Identifier: MIT */
#include "detect/common.h"

enum { FLOOR, HALVINGS, WINDOW, STABLE, ROW, LOW };
enum { LONG = 10 };  /* windows in which the scale may not end so far below */
enum { FAR = 4096 }; /* a search that starts so far over the floor has no business below it */
enum { DEEP = 64 };  /* and none at all so far below: gradients vanish in half precision there */
static const struct parameter parameters[] = {
    [FLOOR] = {"floor", "", 0, 1e6, 1, "a scale that falls to this is at its end"},
    [HALVINGS] = {"halvings", "halvings", 1, 1e3, 8, "after the first stable phase"},
    [WINDOW] = {"window", "steps", 1, 1e9, 200, "within which they fall"},
    [STABLE] = {"stable", "readings", 1, 1e6, 3, "of one value that end the search"},
    [ROW] = {"row", "readings", 0, 1e6, 0,
             "over 0: all there are, at least so many, each a halving"},
    [LOW] = {"low", "", 0, 1e6, 16, "to which such a row leads at least"},
};
static const char *const values[] = {"scale", "start", "halvings", "points", "row", NULL};
static const char *const forms[] = {"floor", "halving", "end", "row", NULL};

/* Steps between two readings of the loss, where the scale is printed when it changes, far more
   seldom; NAN elsewhere. */
static double stride_of(const struct use *use)
{
    const struct series *loss = run_main(use->run, KIND_LOSS);
    const struct track *track = loss ? &loss->whole : NULL;
    if (!track || track->points < 2 * use->tracks[0]->points || track->first.step == STEP_NONE)
        return NAN;
    return fmax(1, (double)(track->last.step - track->first.step) / (double)(track->points - 1));
}

/* One value over `stable` readings, or over as many of the loss where only changes are printed: its
   index; SIZE_MAX: none. */
static size_t stable_from(const struct use *use, const struct point *points, size_t count)
{
    const double stable = use->parameters[STABLE], stride = stride_of(use);
    size_t still = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        const struct point *here = &points[i], *next = &points[i + 1];
        still = next->value == here->value ? still + 1 : 0;
        bool steps = here->step != STEP_NONE && next->step != STEP_NONE;
        if (still + 1 >= stable)
            return i + 1;
        if (steps && (double)(next->step - here->step) >= stable * stride)
            return i;
    }
    return SIZE_MAX;
}

/* The run was under way when the scale was first told, which no search starts so low: the first
   value told is a halving too. */
static bool starts_late(const struct use *use, const struct track *track)
{
    enum { BEFORE = 2, SEARCHED = 8192 };
    static const enum kind kinds[] = {KIND_LOSS, KIND_VAL_LOSS};
    for (size_t i = 0; use->run && i < COUNT(kinds); i++) {
        const struct series *series = run_main(use->run, kinds[i]);
        struct point points[BUCKETS_MAX];
        bool exact;
        size_t before = 0, count = series ? track_points(&series->whole, points, &exact) : 0;
        for (size_t k = 0; k < count; k++) /* their steps may count differently */
            before += points[k].input == track->first.input && points[k].line < track->first.line;
        if (before >= BEFORE)
            return track->first.value < SEARCHED;
    }
    return false;
}

/* The most halvings within the window, after the scale first stood still. */
static double halvings(const struct use *use, const struct point *points, size_t count,
                       size_t *onset)
{
    double most = 0;
    const bool late = starts_late(use, use->tracks[0]);
    const size_t from = late ? 0 : stable_from(use, points, count);
    for (size_t i = from; from != SIZE_MAX && i < count; i++) {
        double fell = 0, previous = points[i].value;
        for (size_t k = i + 1; k < count; k++) {
            double width = points[k].step != STEP_NONE && points[i].step != STEP_NONE
                               ? (double)(points[k].step - points[i].step)
                               : (double)(k - i);
            if (width > LONG * use->parameters[WINDOW] || !(points[k].value > 0))
                break;
            if (width <= use->parameters[WINDOW] && points[k].value < previous)
                fell += round(log2(previous / points[k].value));
            previous = points[k].value;
            /* Over longer times the scale grows again in between: what is left counts. */
            fell = fmax(fell, round(log2(points[i].value / points[k].value)));
        }
        fell += late && i == 0;
        if (fell > most) {
            most = fell;
            *onset = i;
        }
    }
    return most;
}

/* A run under way skips a step now and then, hardly several in a row; and under `low` the gradients
   vanish in half precision as they overflow over it. */
static bool in_a_row(const struct use *use, const struct point *points, size_t count)
{
    enum { MANY = 8, FROM = 8 };
    const struct point *first = &points[0], *last = &points[count - 1];
    /* A search that begins low, at 128, is seen on its way here. */
    if (count < MANY && first->value > FROM * use->parameters[LOW])
        return false;
    const bool placed = first->step != STEP_NONE && last->step != STEP_NONE;
    if (!(use->parameters[ROW] > 0) || (double)count < use->parameters[ROW] ||
        last->value > use->parameters[LOW])
        return false;
    for (size_t i = 1; i < count; i++)
        if (!(points[i].value < points[i - 1].value))
            return false;
    return !placed || (double)(last->step - first->step) < (double)count;
}

/* It fell to its floor and stayed there; or it fell so far that one reading is enough. */
static bool at_floor(const struct use *use, const struct track *track, double row)
{
    const double floor = use->parameters[FLOOR], last = track->last_finite.value;
    const double high = track->high.value;
    if (last <= floor && high > 16 * floor && row >= 2)
        return true;
    return last < high && ((last < floor && high >= FAR * floor) || last < floor / DEEP);
}

static bool detect(const struct use *use, struct candidates *candidates, struct error *error)
{
    const struct track *track = use->tracks[0];
    struct point points[BUCKETS_MAX];
    bool exact;
    size_t count = track_points(track, points, &exact), onset = 0;
    if (count < 2)
        return true;
    double last = track->last_finite.value, high = track->high.value;
    double row = track->current.value == last ? (double)track->current.count : 1;
    double fell = halvings(use, points, count, &onset);
    const char *form = NULL;
    if (last < 1e-30 && high > 0)
        form = "end";
    else if (at_floor(use, track, row))
        form = "floor";
    else if (fell >= use->parameters[HALVINGS])
        form = "halving";
    else if (in_a_row(use, points, count))
        form = "row";
    if (!form)
        return true;
    struct point start = points[onset];
    if (form[0] != 'h' && form[0] != 'r' && track->current.count > 0)
        start = track->current.first;
    struct candidate candidate = candidate_at(use, 0, start);
    candidate.form = form;
    value_add(&candidate, "scale", last);
    value_add(&candidate, "start", track->first.value);
    value_add(&candidate, "halvings", fell);
    value_add(&candidate, "points", (double)track->points);
    value_add(&candidate, "row", row);
    evidence_add(&candidate, use->series[0], start, "where it falls");
    evidence_add(&candidate, use->series[0], track->last_finite, "the last");
    return candidates_add(candidates, &candidate, error);
}

const struct detector detector_scale = {
    .name = "scale",
    .about = "the mixed-precision loss scale collapses",
    .parameters = parameters,
    .parameter_count = COUNT(parameters),
    .values = values,
    .forms = forms,
    .detect = detect,
};
