/* A loss that is the sum of those printed beside it is their total, whatever it is called. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

enum { LINES_LEAST = 3, TERMS_LEAST = 2, TERMS_MOST = 16 };
#define ROUNDED 0.002 /* of the sum, where the prints do not say less */

/* The reading at a line, among the last ones and the first; NULL: none. */
static const struct point *reading_at(const struct track *track, const struct point *place)
{
    for (size_t i = 0; i < track->tail_count; i++)
        if (track->tail[i].line == place->line && track->tail[i].input == place->input)
            return &track->tail[i];
    for (size_t i = 0; i < track->head_count; i++)
        if (track->head[i].line == place->line && track->head[i].input == place->input)
            return &track->head[i];
    return NULL;
}

enum agreement { AGREES_NOT, AGREES_NOTHING, AGREES };

/* Whether a reading is the sum of the others of its line. */
static enum agreement sums(const struct run *run, const struct series *series, size_t at,
                           const struct point *point)
{
    double sum = 0, unit = pow(10, -(double)series[at].whole.places);
    size_t terms = 0;
    for (size_t i = 0; i < run->series_count && terms <= TERMS_MOST; i++) {
        const struct series *other = &series[i];
        if (i == at || other->kind != series[at].kind || other->rank != series[at].rank)
            continue;
        const struct point *term = reading_at(&other->whole, point);
        if (!term || !(term->value != 0))
            continue;
        sum += term->value;
        unit += pow(10, -(double)other->whole.places);
        terms++;
    }
    if (terms < TERMS_LEAST)
        return AGREES_NOTHING;
    const bool near = fabs(sum - point->value) <= fmax(ROUNDED * fabs(sum), 0.5 * unit);
    return near && terms <= TERMS_MOST ? AGREES : AGREES_NOT;
}

static bool is_total(const struct run *run, const struct series *series, size_t at)
{
    const struct track *track = &series[at].whole;
    size_t lines = 0;
    if (!(track->low.value < track->high.value))
        return false;
    for (size_t i = 0; i < track->tail_count; i++) {
        const enum agreement agreement = sums(run, series, at, &track->tail[i]);
        if (agreement == AGREES_NOT)
            return false;
        lines += agreement == AGREES;
    }
    return lines >= LINES_LEAST;
}

size_t summed_total(const struct run *run, const struct series *series, enum kind kind)
{
    for (size_t i = 0; i < run->series_count; i++)
        if (series[i].kind == kind && series[i].speaks && is_total(run, series, i))
            return i;
    return run->series_count;
}
