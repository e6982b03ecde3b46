/* What changed in the steps before the onset: settings, restarts, the learning rate. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include "stalldoc/number.h"

#include <math.h>
#include <stdlib.h>

enum { CHANGES_MAX = 8 };
static const double WINDOW = 0.05;     /* share of the run before the onset */
static const double RATE_CHANGE = 1.5; /* more than a schedule does in one step */

struct gathering {
    const struct diagnosing *diagnosing;
    struct before *items;
    size_t count;
    int64_t from, to; /* steps */
};

static bool within(const struct gathering *gathering, int64_t step)
{
    return step != STEP_NONE && step >= gathering->from && step <= gathering->to;
}

static bool add(struct gathering *gathering, int64_t step, struct place place, struct text text)
{
    if (!text.data)
        return diagnosing_memory(gathering->diagnosing);
    if (gathering->count < CHANGES_MAX)
        gathering->items[gathering->count++] = (struct before){place, step, text};
    return true;
}

static bool gather_facts(struct gathering *gathering)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct run *run = diagnosing->run;
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *fact = &run->facts[i];
        if (!within(gathering, fact->step) || fact->step <= run->first_step)
            continue; /* what holds from the start is no change */
        struct text value = fact->state == FACT_NONE ? TEXT("off") : fact->value;
        if (!add(gathering, fact->step, fact->place,
                 arena_print(diagnosing->arena, "%.*s became %.*s", (int)fact->key.size,
                             fact->key.data, (int)value.size, value.data)))
            return false;
    }
    return true;
}

static bool gather_restarts(struct gathering *gathering)
{
    const struct run *run = gathering->diagnosing->run;
    for (size_t i = 1; i < run->segment_count; i++) {
        const struct segment *segment = &run->segments[i];
        if (within(gathering, segment->first_step) &&
            !add(gathering, segment->first_step, segment->place,
                 segment->resumed ? TEXT("the run was resumed") : TEXT("the run began anew")))
            return false;
    }
    return true;
}

static bool gather_rate(struct gathering *gathering)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct series *rate = run_main(diagnosing->run, KIND_LEARNING_RATE);
    for (size_t i = 1; rate && i < rate->whole.bucket_count; i++) {
        const struct bucket *before = &rate->whole.buckets[i - 1], *after = before + 1;
        if (!within(gathering, after->first_step) || before->count == 0 || after->count == 0)
            continue;
        double from = before->sum / (double)before->count;
        double to = after->sum / (double)after->count;
        if (!(from > 0 && to > 0 && (to / from >= RATE_CHANGE || from / to >= RATE_CHANGE)))
            continue;
        const struct place place = {after->input, after->first_line, after->first_offset};
        if (!add(gathering, after->first_step, place,
                 arena_print(diagnosing->arena, "the learning rate went from %.4g to %.4g", from,
                             to)))
            return false;
    }
    return true;
}

static int by_step(const void *left, const void *right)
{
    const struct before *a = left, *b = right;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->place.line < b->place.line ? -1 : a->place.line > b->place.line;
}

bool before_gather(const struct diagnosing *diagnosing, struct verdict *verdict)
{
    const struct run *run = diagnosing->run;
    const struct finding *leading =
        verdict->worst > SEVERITY_INFO ? leading_finding(diagnosing, verdict) : NULL;
    if (!leading || leading->candidate.onset.step == STEP_NONE || run->first_step == STEP_NONE)
        return true;
    struct gathering gathering = {.diagnosing = diagnosing, .to = leading->candidate.onset.step};
    double length = (double)run->last_step - (double)run->first_step;
    double interval = run->step_count > 1 ? length / (double)(run->step_count - 1) : 1;
    gathering.from = gathering.to - (int64_t)ceil(fmax(WINDOW * length, 3 * interval));
    gathering.items = arena_take(diagnosing->arena, CHANGES_MAX, sizeof(*gathering.items));
    if (!gathering.items)
        return diagnosing_memory(diagnosing);
    if (!gather_facts(&gathering) || !gather_restarts(&gathering) || !gather_rate(&gathering))
        return false;
    qsort(gathering.items, gathering.count, sizeof(*gathering.items), by_step);
    verdict->before = gathering.items;
    verdict->before_count = gathering.count;
    return true;
}
