/* Facts as conditions and placeholders see them: in force at an onset, else at the end. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/condition.h"

#include <math.h>
#include <string.h>

static double bucket_mean(const struct bucket *bucket)
{
    return bucket->count > 0 ? bucket->sum / (double)bucket->count : (double)NAN;
}

/* The value that a series had at a step: of the last bucket that begins at or before it. */
static double series_at(const struct series *series, int64_t step, struct place *place)
{
    const struct track *track = &series->whole;
    const struct bucket *found = NULL;
    for (size_t i = 0; i < track->bucket_count; i++) {
        const struct bucket *bucket = &track->buckets[i];
        if (found && step != STEP_NONE && bucket->first_step != STEP_NONE &&
            bucket->first_step > step)
            break;
        found = bucket;
    }
    if (!found)
        return NAN;
    *place = (struct place){found->input, found->first_line, found->first_offset};
    return bucket_mean(found);
}

static struct fact_seen of_series(double number, struct place place)
{
    return (struct fact_seen){.known = !isnan(number), .number = number, .place = place};
}

static struct fact_seen of_fact(const struct fact *fact)
{
    return (struct fact_seen){true, fact->state == FACT_NONE, fact->number, fact->value,
                              fact->place};
}

struct fact_seen fact_seen_at(const struct run *run, const char *key, int64_t step)
{
    const struct series *rate = run_main(run, KIND_LEARNING_RATE);
    const struct fact *fact = run_fact(run, key, step);
    struct place place;
    if (rate && strcmp(key, "lr") == 0) {
        double number = series_at(rate, step, &place);
        if (!isnan(number))
            return of_series(number, place);
    }
    if (fact)
        return of_fact(fact);
    if (strcmp(key, "lr_peak") == 0) {
        const struct point *high = rate ? &rate->whole.high : NULL;
        if (high && rate->whole.bucket_count > 0)
            return of_series(high->value, (struct place){high->input, high->line, high->offset});
        return fact_seen_at(run, "lr", STEP_NONE); /* as configured: schedules fall from it */
    }
    if (strcmp(key, "planned_steps") == 0 && run->planned_steps != STEP_NONE)
        return of_series((double)run->planned_steps, (struct place){0});
    if (strcmp(key, "resumed") == 0)
        for (size_t i = 0; i < run->segment_count; i++)
            if (run->segments[i].resumed)
                return (struct fact_seen){true, false, NAN, TEXT("true"), run->segments[i].place};
    return (struct fact_seen){.number = NAN};
}
