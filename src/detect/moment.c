/* Moments of a run: how far apart they are, in whatever both of them have. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/moment.h"

#include <math.h>
#include <string.h>

/* `within` is never under this many readings: finer than that onsets do not tell. */
static const double WITHIN_READINGS = 3;

bool form_listed(const char *const *forms, const char *form)
{
    if (!forms)
        return true;
    for (size_t i = 0; forms[i]; i++)
        if (form && strcmp(forms[i], form) == 0)
            return true;
    return false;
}

const struct value *candidate_value(const struct candidate *candidate, const char *name)
{
    for (size_t i = 0; i < candidate->value_count; i++)
        if (strcmp(candidate->values[i].name, name) == 0)
            return &candidate->values[i];
    return NULL;
}

struct moment finding_moment(const struct finding *finding)
{
    const struct candidate *candidate = &finding->candidate;
    const struct series *series = candidate->series;
    return (struct moment){candidate->onset.step, candidate->time, candidate->onset.line,
                           candidate->onset.input, series ? series->grain : 0};
}

struct moment message_moment(const struct message *message)
{
    return (struct moment){message->step, message->time, message->place.line, message->place.input,
                           0};
}

static bool step_known(int64_t step)
{
    return step != STEP_NONE;
}

/* One counts epochs, the other steps. */
static bool axes_differ(const struct moment *a, const struct moment *b)
{
    return a->grain && b->grain && (a->grain == GRAIN_EPOCH) != (b->grain == GRAIN_EPOCH);
}

bool moment_distance(const struct run *run, const struct moment *a, const struct moment *b,
                     struct distance *distance)
{
    double difference, whole = NAN, reading = NAN;
    if (step_known(a->step) && step_known(b->step) && !axes_differ(a, b)) {
        difference = (double)b->step - (double)a->step;
        if (step_known(run->first_step) && step_known(run->last_step)) {
            whole = (double)run->last_step - (double)run->first_step;
            if (run->step_count > 1)
                reading = whole / (double)(run->step_count - 1);
        }
    } else if (!isnan(a->time) && !isnan(b->time)) {
        difference = b->time - a->time;
        whole = run->time.last - run->time.first;
        if (run->step_count > 1)
            reading = whole / (double)(run->step_count - 1);
    } else if (a->input == b->input && a->line > 0 && b->line > 0) {
        difference = (double)b->line - (double)a->line;
        if (run->end.input == a->input && run->end.line > 0)
            whole = (double)run->end.line;
        reading = 1;
    } else {
        return false;
    }
    distance->sign = (difference > 0) - (difference < 0);
    distance->share = whole > 0 ? fabs(difference) / whole : (double)NAN;
    distance->readings = reading > 0 ? fabs(difference) / reading : (double)NAN;
    return true;
}

bool distance_within(const struct distance *distance, double within)
{
    return isnan(within) || distance->sign == 0 || distance->readings <= WITHIN_READINGS ||
           distance->share <= within;
}

bool moment_within(const struct run *run, const struct finding *a, const struct finding *b,
                   double within)
{
    const struct moment here = finding_moment(a), there = finding_moment(b);
    struct distance distance;
    if (isnan(within))
        return true;
    return moment_distance(run, &here, &there, &distance) && distance_within(&distance, within);
}
