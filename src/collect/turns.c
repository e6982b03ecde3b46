/* What the restarts in a stream are: new runs, resumed ones, or nothing (reader.md 8). */
/* SPDX-License-Identifier: MIT */
#include "collector.h"
#include "stalldoc/measure.h"
#include "track_state.h"

enum { LEVEL_VALUES = 5, NEW_VALUES = 3, LOADS_MAX = 3 };
#define NEAR 0.1         /* design.md, settled question 2 */
#define START_SHARE 0.05 /* of the steps so far: as good as the first step */
#define FEW_SHARE 0.02
/* Places of its own come first, whatever the kind, but the pace of bars. */
#define CARRIED_COST 40

static uint64_t points_of(const struct name *name)
{
    uint64_t points = 0;
    for (size_t i = 0; i < name->stretch_count; i++)
        points += track_readings_of(name->stretches[i].track);
    return points;
}

/* Names that may tell where their stream stands. */
static bool may_lead(const struct name *name, const struct stream *stream)
{
    return name->stream == stream && !name->redraw && name->phase != PHASE_VALIDATION &&
           !name->naming.refused && leads(name->naming.kind) > 0;
}

struct fullest { /* of the names that may lead */
    uint64_t points;
    size_t turns; /* that it has points in */
};

/* As the main loss is chosen: lower is better. One that some turns have not tells nothing there. */
static double lead_cost(const struct name *name, uint64_t points, const struct fullest *fullest)
{
    const uint64_t most = fullest->points;
    const double few = FEW_SHARE * (double)most;
    double cost = 10.0 * (LEADS_MOST - leads(name->naming.kind)) + name->naming.class;
    cost += name->stretch_count < fullest->turns;
    if (name->naming.kind == KIND_ADVERSARIAL)
        cost += 5;
    const bool pace = name->origin == ORIGIN_BAR && leads(name->naming.kind) < LEADS_MOST;
    if ((name->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) == 0 || pace)
        cost += CARRIED_COST;
    if ((double)points < (few > 2 ? few : 2) && points < most)
        cost += 3;
    return cost;
}

/* The name by which the turns of a stream are judged; NULL: none. */
static struct name *lead_of(struct tape *tape, const struct stream *stream, uint64_t *points)
{
    struct fullest fullest = {0};
    for (size_t i = 0; i < tape->slot_count; i++)
        for (struct name *name = tape->slots[i]; name; name = name->next) {
            if (!may_lead(name, stream))
                continue;
            if (points_of(name) > fullest.points)
                fullest.points = points_of(name);
            if (name->stretch_count > fullest.turns)
                fullest.turns = name->stretch_count;
        }
    struct name *best = NULL;
    double best_cost = (double)INFINITY;
    *points = 0;
    for (size_t i = 0; i < tape->slot_count; i++)
        for (struct name *name = tape->slots[i]; name; name = name->next) {
            const uint64_t count = may_lead(name, stream) ? points_of(name) : 0;
            const double cost = lead_cost(name, count, &fullest);
            if (count == 0 || cost > best_cost ||
                (best && cost == best_cost &&
                 (count < *points || (count == *points && name->order > best->order))))
                continue;
            best = name;
            best_cost = cost;
            *points = count;
        }
    return best;
}

static double away(double a, double b)
{
    const double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return size > 0 ? fabs(a - b) / size : 0;
}

bool back_at_start(const struct name *name, double value)
{
    struct track track;
    if (name->stretch_count == 0 || !isfinite(value) ||
        !track_view(name->stretches[name->stretch_count - 1].track, &track))
        return false;
    const double start = points_level(track.head, track.head_count, LEVEL_VALUES, false),
                 stood = points_level(track.tail, track.tail_count, LEVEL_VALUES, true);
    return away(value, start) <= NEAR && away(value, stood) > NEAR;
}

struct leading {         /* where the lead of a stream stands while its turns are walked */
    double start, stood; /* levels */
    int64_t first, last; /* steps */
    bool any, begins;    /* begins: the first step is where a run begins, not where a log was cut */
};

enum turn_kind { TURN_GOES_ON, TURN_RESUMED, TURN_NEW_RUN };

static enum turn_kind turn_kind(const struct turn *turn, const struct leading *lead,
                                const struct track *track)
{
    const double now = points_level(track->head, track->head_count, NEW_VALUES, false);
    const int64_t step = track->first.step;
    const double from_start = away(now, lead->start), from_stood = away(now, lead->stood);
    if (step == STEP_NONE)
        return turn->resumed                                 ? TURN_RESUMED
               : from_start <= NEAR && !(from_stood <= NEAR) ? TURN_NEW_RUN
                                                             : TURN_GOES_ON;
    if (step > lead->last)
        return turn->resumed ? TURN_RESUMED : TURN_GOES_ON;
    const double span = (double)lead->last - (double)lead->first;
    const bool at_start = step <= lead->first;
    const bool near_start = from_start <= NEAR, near_stood = from_stood <= NEAR;
    if (turn->resumed) /* a job that is started again is the same run, if all of it is lost */
        return !turn->restarted && at_start && near_start && !near_stood ? TURN_NEW_RUN
                                                                         : TURN_RESUMED;
    if (at_start && lead->begins) /* trained on, perhaps, but by another call that counts anew */
        return TURN_NEW_RUN;
    if (at_start)
        return near_stood && !(near_start && from_start <= from_stood) ? TURN_RESUMED
                                                                       : TURN_NEW_RUN;
    const bool early = (double)step <= (double)lead->first + START_SHARE * span;
    return early && near_start && !near_stood ? TURN_NEW_RUN : TURN_RESUMED;
}

static void leading_follow(struct leading *lead, const struct track *track, bool anew)
{
    if (anew || !lead->any) {
        lead->start = points_level(track->head, track->head_count, LEVEL_VALUES, false);
        lead->first = track->first.step;
        const double span = (double)track->last.step - (double)track->first.step;
        const double stride = track->points > 1 ? span / (double)(track->points - 1) : 0;
        lead->begins = lead->first <= 1 || (double)lead->first <= 2 * stride;
    }
    lead->stood = points_level(track->tail, track->tail_count, LEVEL_VALUES, true);
    lead->last = track->last.step;
    lead->any = true;
}

static bool points_hold(const struct point *points, size_t count, const struct point *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (points[i].step == wanted->step && points[i].value == wanted->value)
            return true;
    return false;
}

bool track_retold(const struct track *earlier, const struct track *later)
{
    const struct point *point = &later->first;
    if (later->points != 1 || point->step == STEP_NONE)
        return false;
    if (points_hold(earlier->head, earlier->head_count, point) ||
        points_hold(earlier->tail, earlier->tail_count, point))
        return true;
    for (size_t i = 0; i < earlier->bucket_count; i++)
        if (points_hold(&earlier->buckets[i].low, 1, point) ||
            points_hold(&earlier->buckets[i].high, 1, point))
            return true;
    return false;
}

/* A resume every now and then that goes on where it was is no restart: a best state is loaded for
   an evaluation, say. */
static void loads_bear(struct route *route, const bool *goes_on)
{
    size_t loads = 0;
    uint32_t less = 0;
    for (uint32_t t = 1; t < route->stream->turn_count; t++)
        loads += goes_on[t];
    for (uint32_t t = 1; t < route->stream->turn_count && loads > LOADS_MAX; t++) {
        if (route->turnings[t].run != route->turnings[t - 1].run)
            less = 0;
        if (goes_on[t]) {
            less++;
            route->turnings[t].drops = false;
        }
        route->turnings[t].segment -= less;
    }
}

/* Two writers in one file jump to and fro: nothing is dropped then. */
static void writers_bear(struct route *route)
{
    size_t jumps = 0;
    for (uint32_t t = 1; t < route->stream->turn_count; t++)
        jumps += route->turnings[t].drops && !route->stream->turns[t].resumed;
    if (jumps <= JUMPS_MAX)
        return;
    for (uint32_t t = 1; t < route->stream->turn_count; t++) {
        struct turning *turning = &route->turnings[t];
        const struct turning *before = turning - 1;
        const bool new_run = turning->run != before->run;
        turning->drops = false;
        turning->segment = new_run ? 0 : before->segment;
    }
}

bool route_find(struct tape *tape, const struct stream *stream, struct route *route)
{
    *route = (struct route){.stream = stream, .run_count = 1};
    route->turnings = arena_take(&tape->arena, stream->turn_count, sizeof(*route->turnings));
    if (!route->turnings)
        return false;
    const struct name *name = lead_of(tape, stream, &route->lead_points);
    struct leading lead = {0};
    struct track before = {0};
    bool goes_on[TURNS_MAX] = {false};
    size_t next = 0;
    for (uint32_t t = 0; t < stream->turn_count; t++) {
        struct turning *turning = &route->turnings[t];
        if (t > 0)
            *turning = route->turnings[t - 1];
        turning->drops = turning->retold = false;
        while (name && next < name->stretch_count && name->stretches[next].turn < t)
            next++;
        if (!name || next == name->stretch_count || name->stretches[next].turn != t)
            continue;
        struct track track;
        if (!track_view(name->stretches[next].track, &track))
            return false;
        if (track.points == 0)
            continue;
        /* An early stop prints its best record once more, from far behind. */
        turning->retold = lead.any && !stream->turns[t].resumed && track_retold(&before, &track);
        if (turning->retold)
            continue;
        before = track;
        const enum turn_kind kind =
            lead.any ? turn_kind(&stream->turns[t], &lead, &track) : TURN_GOES_ON;
        if (kind == TURN_NEW_RUN) {
            turning->run++;
            turning->segment = 0;
            route->run_count++;
        } else if (kind == TURN_RESUMED) {
            turning->segment++;
            turning->drops = true;
            goes_on[t] = track.first.step > lead.last;
        }
        leading_follow(&lead, &track, kind == TURN_NEW_RUN);
    }
    loads_bear(route, goes_on);
    writers_bear(route);
    laps_join(tape, route, name);
    return true;
}
