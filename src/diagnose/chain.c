/* Are the onsets in the order that a cause expects? */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double IN_ORDER = 0.7, REVERSED = -1.0;

struct link {
    const char *name;
    struct moment moment;
};

/* Of a series beside the main one, or of an evaluation, which tells later what a step did. */
static bool beside(const struct finding *finding)
{
    const struct series *series = finding->candidate.series;
    return series &&
           (!series->main || series->kind == KIND_VAL_LOSS || series->kind == KIND_VAL_METRIC);
}

/* The first finding of a symptom on a main series of training; else on any. */
static bool symptom_moment(const struct diagnosing *diagnosing, const char *id,
                           struct moment *moment)
{
    const struct judgement *judgement = diagnosing->judgement;
    const struct finding *found = NULL;
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        struct distance distance;
        if (finding->absorbed_by || strcmp(finding->symptom->id, id) != 0 ||
            (found && beside(finding) && !beside(found)))
            continue;
        const struct moment here = finding_moment(finding);
        if (!found || (beside(found) && !beside(finding)) ||
            (moment_distance(diagnosing->run, moment, &here, &distance) && distance.sign < 0)) {
            *moment = here;
            found = finding;
        }
    }
    return found;
}

static struct moment point_moment(const struct series *series, const struct point *point)
{
    return (struct moment){point->step, NAN, point->line, point->input, series->grain};
}

/* The last step before which the rate changed by more than a schedule's single step. */
static bool rate_change(const struct series *rate, struct moment *moment)
{
    static const double CHANGE = 2;
    const struct track *track = &rate->whole;
    bool found = false;
    for (size_t i = 1; i < track->bucket_count; i++) {
        const struct bucket *before = &track->buckets[i - 1], *after = &track->buckets[i];
        if (before->count == 0 || after->count == 0)
            continue;
        double from = before->sum / (double)before->count;
        double to = after->sum / (double)after->count;
        if (from > 0 && to > 0 && (to / from >= CHANGE || from / to >= CHANGE)) {
            *moment = (struct moment){after->first_step, NAN, after->first_line, after->input,
                                      rate->grain};
            found = true;
        }
    }
    return found;
}

/* The end of an epoch right before the loss spiked: within a fiftieth of an epoch. */
static bool epoch_end(const struct diagnosing *diagnosing, struct moment *moment)
{
    static const double NEAR = 0.02;
    struct moment spike;
    if (!symptom_moment(diagnosing, "loss-spike", &spike) || spike.step == STEP_NONE)
        return false;
    const struct fact *fact = run_fact(diagnosing->run, "steps_per_epoch", spike.step);
    if (!fact || fact->state != FACT_KNOWN || !(fact->number >= 1) || !(fact->number < 1e15))
        return false;
    const int64_t length = (int64_t)fact->number, behind = spike.step % length;
    if (spike.step < length || (double)behind > fmax(1, NEAR * fact->number))
        return false;
    *moment = (struct moment){spike.step - behind, NAN, 0, 0, spike.grain};
    return true;
}

static bool mark_moment(const struct diagnosing *diagnosing, const char *mark,
                        struct moment *moment)
{
    const struct run *run = diagnosing->run;
    const struct series *rate = run_main(run, KIND_LEARNING_RATE);
    const struct series *loss = run_main(run, KIND_LOSS);
    if (strcmp(mark, "start") == 0) {
        *moment = loss ? point_moment(loss, &loss->whole.first)
                       : (struct moment){run->first_step, NAN, 0, 0, 0};
        return loss || run->first_step != STEP_NONE;
    }
    /* A rate that stands, or only falls, has no peak that anything could follow. */
    if (strcmp(mark, "lr-peak") == 0 && rate && rate->whole.bucket_count > 0 &&
        rate->whole.high.value > rate->whole.first.value) {
        *moment = point_moment(rate, &rate->whole.high);
        return true;
    }
    if (strcmp(mark, "lr-change") == 0)
        return rate && rate_change(rate, moment);
    if (strcmp(mark, "restart") == 0 && run->segment_count > 1) {
        const struct segment *segment = &run->segments[run->segment_count - 1];
        *moment =
            (struct moment){segment->first_step, NAN, segment->place.line, segment->place.input, 0};
        return true;
    }
    return strcmp(mark, "epoch-end") == 0 && epoch_end(diagnosing, moment);
}

static bool take_link(const struct diagnosing *diagnosing, const char *name, struct link *link)
{
    link->name = name;
    return mark_moment(diagnosing, name, &link->moment) ||
           symptom_moment(diagnosing, name, &link->moment);
}

static bool append(const struct diagnosing *diagnosing, const struct link *link, struct text *chain)
{
    const char *between = chain->size > 0 ? ", " : "";
    if (link->moment.step != STEP_NONE)
        *chain = arena_print(diagnosing->arena, "%.*s%s%s %" PRId64, (int)chain->size, chain->data,
                             between, link->name, link->moment.step);
    else
        *chain = arena_print(diagnosing->arena, "%.*s%s%s", (int)chain->size, chain->data, between,
                             link->name);
    return chain->data || diagnosing_memory(diagnosing);
}

/* What lies between two neighbours: 1 in order and apart, 0 together, -1 reversed. */
static int neighbours(const struct run *run, const struct link *before, const struct link *after)
{
    struct distance distance;
    if (!moment_distance(run, &before->moment, &after->moment, &distance))
        return 0;
    /* Within one reading nobody can tell which was first. */
    return distance.readings <= 1 ? 0 : distance.sign;
}

/* A run that breaks while its rate still climbs had its peak there, and not where the schedule
   ends to climb. */
static void peak_reached(const struct run *run, const struct link *broke, struct link *peak)
{
    const struct series *rate = run_main(run, KIND_LEARNING_RATE);
    struct point points[BUCKETS_MAX];
    struct distance distance;
    bool exact;
    const size_t count = rate ? track_points(&rate->whole, points, &exact) : 0;
    double highest = count > 0 ? points[0].value : (double)NAN;
    for (size_t i = 1; i < count; i++) {
        const struct moment here = point_moment(rate, &points[i]);
        if (!moment_distance(run, &here, &broke->moment, &distance) || distance.sign < 0)
            break;
        if (points[i].value < highest)
            return; /* it had begun to fall */
        if (points[i].value > highest)
            peak->moment = here;
        highest = points[i].value;
    }
}

/* The next link of the order from *at on, which moves behind it. */
static bool next_link(const struct diagnosing *diagnosing, const struct cause *cause, size_t *at,
                      struct link *link)
{
    while (cause->order[*at])
        if (take_link(diagnosing, cause->order[(*at)++], link))
            return true;
    return false;
}

bool chain_order(const struct diagnosing *diagnosing, const struct cause *cause, double *nats,
                 struct text *chain)
{
    struct link last, link;
    bool apart = false;
    size_t at = 0;
    *nats = 0;
    *chain = TEXT("");
    if (!next_link(diagnosing, cause, &at, &last))
        return true;
    while (next_link(diagnosing, cause, &at, &link)) {
        if (strcmp(last.name, "lr-peak") == 0 && neighbours(diagnosing->run, &last, &link) < 0)
            peak_reached(diagnosing->run, &link, &last);
        const int side = neighbours(diagnosing->run, &last, &link);
        if (side < 0) {
            *nats = REVERSED;
            *chain = TEXT("");
            return true;
        }
        apart = apart || side > 0;
        if (!append(diagnosing, &last, chain))
            return false;
        last = link;
    }
    if (apart)
        *nats = IN_ORDER;
    else
        *chain = TEXT("");
    return !apart || append(diagnosing, &last, chain);
}
