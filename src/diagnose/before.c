/* What changed in the steps before the onset: settings, restarts, the learning rate. */
/* SPDX-License-Identifier: MIT */
#include "diagnosing.h"

#include "stalldoc/measure.h"
#include "stalldoc/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MAX = 8 };
static const double WINDOW = 0.05; /* share of the run before the onset */
static const double CHANGE = 1.5;  /* of a rate or a scale: more than a schedule does in one step */

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

static struct text value_text(const struct fact *fact)
{
    return fact->state == FACT_NONE ? TEXT("off") : fact->value;
}

/* What held of the same key before that step; NULL: nothing known. */
static const struct fact *fact_before(const struct run *run, const struct fact *fact)
{
    const struct fact *last = NULL;
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *old = &run->facts[i];
        bool earlier = old->step == STEP_NONE || old->step < fact->step;
        if (earlier && old->in_force && text_equal(old->key, fact->key) &&
            (!last || last->step == STEP_NONE || old->step > last->step))
            last = old;
    }
    return last;
}

static bool gather_facts(struct gathering *gathering)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct run *run = diagnosing->run;
    for (size_t i = 0; i < run->fact_count; i++) {
        const struct fact *fact = &run->facts[i];
        if (!within(gathering, fact->step) || fact->step <= run->first_step)
            continue; /* what holds from the start is no change */
        if (run->segment_count > 1 && text_is(fact->key, "resumed"))
            continue; /* told as a restart */
        const struct fact *old = fact_before(run, fact);
        struct text value = value_text(fact), was = old ? value_text(old) : TEXT("");
        if (!add(gathering, fact->step, fact->place,
                 old ? arena_print(diagnosing->arena, "%.*s went from %.*s to %.*s",
                                   (int)fact->key.size, fact->key.data, (int)was.size, was.data,
                                   (int)value.size, value.data)
                     : arena_print(diagnosing->arena, "%.*s became %.*s", (int)fact->key.size,
                                   fact->key.data, (int)value.size, value.data)))
            return false;
    }
    return true;
}

/* The step that the main loss had reached where a line stood; rows come in batches behind it. */
static int64_t step_at(const struct run *run, struct place place)
{
    const struct series *loss = run_main(run, KIND_LOSS);
    int64_t step = STEP_NONE;
    for (size_t i = 0; loss && i < loss->whole.bucket_count; i++) {
        const struct bucket *bucket = &loss->whole.buckets[i];
        if (bucket->input == place.input && bucket->first_line < place.line)
            step = bucket->first_step;
    }
    return step;
}

/* Readings right beside a line tell the change themselves. */
static bool told_beside(const struct gathering *gathering, struct place place)
{
    enum { BESIDE = 2 };
    for (size_t i = 0; i < gathering->count; i++) {
        const struct place *told = &gathering->items[i].place;
        if (told->input == place.input && told->line + BESIDE >= place.line &&
            place.line + BESIDE >= told->line)
            return true;
    }
    return false;
}

/* Lines that say what was changed: the first and the last of a kind that is not said all the time,
   as it stands where it was kept. */
static bool gather_lines(struct gathering *gathering)
{
    enum { LINE_BYTES = 100 };
    const struct run *run = gathering->diagnosing->run;
    for (size_t i = 0; i < run->message_count; i++) {
        const struct message *message = &run->messages[i];
        if (message->row->change[0] == '\0' || message->count > CHANGES_MAX)
            continue;
        const int told = message->count > 1 ? 2 : 1;
        for (int last = 0; last < told; last++) {
            const struct place place = last ? message->last_place : message->place;
            const int64_t step = step_at(run, place);
            const size_t nth = last ? (size_t)message->count - 1 : 0;
            if (!within(gathering, step) || told_beside(gathering, place))
                continue;
            if (!add(gathering, step, place,
                     nth < message->kept_count
                         ? text_cut(text_trim(message->kept[nth]), 0, LINE_BYTES)
                         : text_of(message->row->change)))
                return false;
        }
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

static struct place place_of(const struct point *point)
{
    return (struct place){point->input, point->line, point->offset};
}

struct move { /* of the learning rate or the loss scale, in one direction */
    struct point start, end;
    double from;
};

/* The next move behind bucket *at, which is left where it ends. A bucket that holds both values
   has its exact extremes. */
static bool next_move(const struct gathering *gathering, const struct track *track, size_t *at,
                      struct move *move)
{
    bool moving = false, up = false;
    for (size_t i = *at; i < track->bucket_count; i++) {
        const struct bucket *before = &track->buckets[i - 1], *after = before + 1;
        if (before->count == 0 || after->count == 0)
            continue;
        bool rises = after->high.value > before->high.value;
        bool falls = !rises && after->low.value < before->low.value;
        double from = rises ? before->high.value : before->low.value;
        struct point to = rises ? after->high : after->low;
        bool moves = (rises || falls) && from > 0 && to.value > 0 && within(gathering, to.step) &&
                     (to.value / from >= CHANGE || from / to.value >= CHANGE);
        if (moving && (!moves || rises != up)) {
            *at = i;
            return true;
        }
        if (moves && !moving)
            *move = (struct move){.start = to, .from = from};
        if (moves)
            move->end = to;
        moving = moving || moves;
        up = rises;
    }
    *at = track->bucket_count;
    return moving;
}

static bool gather_moves(struct gathering *gathering, enum kind kind, const char *name)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct series *series = run_main(diagnosing->run, kind);
    struct move move = {0};
    const int digits = kind == KIND_LOSS_SCALE ? 10 : 4; /* powers of two are told whole */
    for (size_t i = 1; series && i < series->whole.bucket_count;) {
        if (!next_move(gathering, &series->whole, &i, &move))
            continue;
        if (!add(gathering, move.start.step, place_of(&move.start),
                 arena_print(diagnosing->arena, "the %s went from %.*g to %.*g", name, digits,
                             move.from, digits, move.end.value)))
            return false;
    }
    return true;
}

/* Settings that are printed with every reading stand on few values. */
static bool gather_printed(struct gathering *gathering)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct run *run = diagnosing->run;
    for (size_t i = 0; i < run->series_count; i++) {
        const struct series *series = &run->series[i];
        struct tread treads[TREADS_MOST];
        const size_t count = series->kind == KIND_OTHER && series->speaks
                                 ? track_treads(&series->whole, treads, TREADS_MOST)
                                 : 0;
        for (size_t k = 1; k < count; k++) {
            const struct point *to = &treads[k].first;
            if (within(gathering, to->step) &&
                !add(gathering, to->step, place_of(to),
                     arena_print(diagnosing->arena, "%.*s went from %.6g to %.6g",
                                 (int)series->tag.size, series->tag.data, treads[k - 1].first.value,
                                 to->value)))
                return false;
        }
    }
    return true;
}

/* The end of a warm-up: the rate had risen up to here. */
static bool gather_peak(struct gathering *gathering)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct series *rate = run_main(diagnosing->run, KIND_LEARNING_RATE);
    if (!rate)
        return true;
    const struct point *peak = &rate->whole.high;
    if (!within(gathering, peak->step) || !(peak->value >= CHANGE * rate->whole.first.value))
        return true;
    for (size_t i = 0; i < gathering->count; i++)
        if (gathering->items[i].place.line == peak->line)
            return true; /* told as a move */
    return add(
        gathering, peak->step, place_of(peak),
        arena_print(diagnosing->arena, "the learning rate reached its peak of %.4g", peak->value));
}

/* Where the main loss is first read from that step on. */
static struct place place_at(const struct run *run, int64_t step)
{
    const struct series *loss = run_main(run, KIND_LOSS);
    for (size_t i = 0; loss && i < loss->whole.bucket_count; i++) {
        const struct bucket *bucket = &loss->whole.buckets[i];
        if (bucket->first_step >= step)
            return (struct place){bucket->input, bucket->first_line, bucket->first_offset};
    }
    return (struct place){0};
}

/* An epoch that began right before: epochs that are short against the window begin all the time. */
static bool gather_epoch(struct gathering *gathering)
{
    const struct diagnosing *diagnosing = gathering->diagnosing;
    const struct fact *fact = run_fact(diagnosing->run, "steps_per_epoch", gathering->to);
    if (!fact || fact->state != FACT_KNOWN || !(fact->number >= 1))
        return true;
    const double width = (double)(gathering->to - gathering->from);
    const int64_t epochs = (int64_t)floor((double)gathering->to / fact->number);
    const int64_t step = (int64_t)((double)epochs * fact->number);
    if (epochs < 1 || fact->number < 2 * width || !within(gathering, step))
        return true;
    return add(gathering, step, place_at(diagnosing->run, step),
               arena_print(diagnosing->arena, "epoch %lld ended at step %lld", (long long)epochs,
                           (long long)step));
}

static int by_step(const void *left, const void *right)
{
    const struct before *a = left, *b = right;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->place.line < b->place.line ? -1 : a->place.line > b->place.line;
}

/* What is told as a remark for the sake of a change has that change beside it. */
static bool held_back(const struct judgement *judgement, const struct finding *finding)
{
    for (size_t i = 0; finding && i < judgement->gated_count; i++) {
        const struct gated *gated = &judgement->gated[i];
        if (gated->symptom == finding->symptom && gated->gate &&
            (strcmp(gated->gate, "setting-change") == 0 ||
             strcmp(gated->gate, "restart-near") == 0))
            return true;
    }
    return false;
}

bool before_gather(const struct diagnosing *diagnosing, struct verdict *verdict)
{
    const struct run *run = diagnosing->run;
    const struct finding *leading = leading_finding(diagnosing, verdict);
    if (!leading ||
        (verdict->worst <= SEVERITY_INFO && !held_back(diagnosing->judgement, leading)) ||
        leading->candidate.onset.step == STEP_NONE || run->first_step == STEP_NONE)
        return true;
    struct gathering gathering = {.diagnosing = diagnosing, .to = leading->candidate.onset.step};
    double length = (double)run->last_step - (double)run->first_step;
    double interval = run->step_count > 1 ? length / (double)(run->step_count - 1) : 1;
    gathering.from = gathering.to - (int64_t)ceil(fmax(WINDOW * length, 3 * interval));
    gathering.items = arena_take(diagnosing->arena, CHANGES_MAX, sizeof(*gathering.items));
    if (!gathering.items)
        return diagnosing_memory(diagnosing);
    if (!gather_facts(&gathering) || !gather_restarts(&gathering) || !gather_printed(&gathering) ||
        !gather_moves(&gathering, KIND_LEARNING_RATE, "learning rate") ||
        !gather_moves(&gathering, KIND_LOSS_SCALE, "loss scale") || !gather_peak(&gathering) ||
        !gather_epoch(&gathering) || !gather_lines(&gathering))
        return false;
    qsort(gathering.items, gathering.count, sizeof(*gathering.items), by_step);
    verdict->before = gathering.items;
    verdict->before_count = gathering.count;
    return true;
}
