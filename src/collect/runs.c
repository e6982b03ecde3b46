/* A run from its portions: series, segments, facts, and what stands for it. */
/* SPDX-License-Identifier: MIT */
#include "gradients.h"
#include "lines.h"
#include "scaler.h"
#include "stalldoc/number.h"
#include "stalldoc/weights.h"

#include <stdlib.h>

enum { FACTS_DERIVED = 6, FACTS_ASSUMED = 16 };

struct making {
    struct collector *collector;
    struct arena *arena;
    const struct group *group;
    struct run *run;
    struct series *series;
    struct details *details;
    struct segment *segments;
    size_t *offsets; /* [portion]: its first segment */
};

static bool follows(const struct making *making, size_t i)
{
    const struct portion *portion = making->group->portions[i];
    return making->group->parts && portion->group != FORMAT_CHECKPOINT &&
           portion->group != FORMAT_SIDE && portion->series_count > 0;
}

/* The segments of parts stand one behind the other; what goes beside them begins at the first. */
static bool segments_make(struct making *making)
{
    const struct group *group = making->group;
    size_t totals[2] = {0, 0}, most = 1;
    making->offsets = arena_take(making->arena, group->count, sizeof(*making->offsets));
    if (!making->offsets)
        return false;
    for (size_t i = 0; i < group->count; i++) {
        const size_t own = group->portions[i]->segment_count;
        size_t *total = &totals[group->portions[i]->beside];
        making->offsets[i] = follows(making, i) ? *total : 0;
        *total += follows(making, i) ? own : 0;
        most = own > most ? own : most;
        most = *total > most ? *total : most;
    }
    making->run->segment_count = most;
    making->segments =
        arena_take(making->arena, making->run->segment_count, sizeof(*making->segments));
    if (!making->segments)
        return false;
    for (size_t s = 0; s < making->run->segment_count; s++)
        making->segments[s] = (struct segment){.first_step = STEP_NONE, .last_step = STEP_NONE};
    for (size_t i = group->count; i > 0; i--) {
        const struct portion *portion = group->portions[i - 1];
        for (size_t s = 0; s < portion->segment_count; s++)
            making->segments[making->offsets[i - 1] + s] = portion->segments[s];
    }
    making->run->segments = making->segments;
    return true;
}

/* The series of an earlier part that this one goes on with. */
static struct series *earlier(const struct making *making, size_t count,
                              const struct series *series, size_t portion)
{
    if (!follows(making, portion))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        struct series *before = &making->series[i];
        if (before->rank == series->rank && before->phase == series->phase &&
            before->grain == series->grain && text_equal(before->tag, series->tag))
            return before;
    }
    return NULL;
}

static void empty_track(struct track *track)
{
    const struct point none = {.step = STEP_NONE, .value = (double)NAN};
    *track = (struct track){.first = none,
                            .last = none,
                            .low = none,
                            .high = none,
                            .last_finite = none,
                            .first_time = (double)NAN,
                            .last_time = (double)NAN};
}

/* A series of one portion with as many segments as the run has. */
static bool series_place(struct making *making, const struct series *from, size_t offset,
                         struct series *series)
{
    *series = *from;
    series->segment_count = making->run->segment_count;
    if (series->segment_count == 1)
        return true;
    struct track *tracks = arena_take(making->arena, series->segment_count, sizeof(*tracks));
    if (!tracks)
        return false;
    for (size_t s = 0; s < series->segment_count; s++)
        empty_track(&tracks[s]);
    for (size_t s = 0; s < from->segment_count; s++)
        tracks[offset + s] = from->segments ? from->segments[s] : from->whole;
    series->segments = tracks;
    return true;
}

static bool series_join(struct making *making, const struct series *from, size_t offset,
                        struct series *series)
{
    struct track *tracks = (struct track *)series->segments;
    const bool records = from->origin == ORIGIN_EVENT;
    const struct join_part parts[2] = {
        {&series->whole, STEP_NONE}, {&from->whole, records ? STEP_NONE : from->whole.first.step}};
    struct track whole;
    if (!track_join(making->arena, series->kind, parts, 2, &whole))
        return false;
    series->whole = whole;
    for (size_t s = 0; s < from->segment_count; s++)
        tracks[offset + s] = from->segments ? from->segments[s] : from->whole;
    return true;
}

static size_t estimates_most(const struct making *making)
{
    return gradients_most(making->run) + scaler_most(making->group);
}

/* What checkpoints tell stands where the run ends. */
static bool estimates_make(struct making *making, size_t *count)
{
    struct series *series = arena_take(making->arena, estimates_most(making) + 1, sizeof(*series));
    size_t made = 0;
    bool scale = false;
    if (!series ||
        (gradients_most(making->run) > 0 &&
         !gradients_make(making->arena, making->group, making->run, series, &made)) ||
        !scaler_make(making->arena, making->group, &series[made], &scale))
        return false;
    made += scale;
    for (size_t i = 0; i < made; i++) {
        if (!series_place(making, &series[i], making->run->segment_count - 1,
                          &making->series[*count]))
            return false;
        making->details[(*count)++] = (struct details){.own = true,
                                                       .placed = true,
                                                       .total = STEP_NONE,
                                                       .epoch_total = STEP_NONE,
                                                       .steps_per_epoch = STEP_NONE};
    }
    return true;
}

/* The series of a portion that is a run by itself are the run's: of twenty thousand, copies would
   be felt. */
static bool series_take(struct making *making)
{
    const struct group *group = making->group;
    const struct portion *portion = group->portions[0];
    if (group->count != 1 || follows(making, 0) || estimates_most(making) > 0 ||
        portion->segment_count != making->run->segment_count)
        return false;
    making->series = portion->series;
    making->details = portion->details;
    making->run->series_count = portion->series_count;
    for (size_t i = 0; i < portion->series_count; i++)
        if (making->series[i].rank == -1)
            making->series[i].rank = portion->rank;
    return true;
}

static bool series_gather(struct making *making)
{
    const struct group *group = making->group;
    size_t most = 0, count = 0;
    for (size_t i = 0; i < group->count; i++)
        most += group->portions[i]->series_count;
    most += estimates_most(making);
    making->series = arena_take(making->arena, most + 1, sizeof(*making->series));
    making->details = arena_take(making->arena, most + 1, sizeof(*making->details));
    if (!making->series || !making->details)
        return false;
    for (size_t i = 0; i < group->count; i++) {
        const struct portion *portion = group->portions[i];
        for (size_t k = 0; k < portion->series_count; k++) {
            struct series from = portion->series[k];
            if (from.rank == -1)
                from.rank = portion->rank;
            struct series *before = earlier(making, count, &from, i);
            if (before && !series_join(making, &from, making->offsets[i], before))
                return false;
            if (before)
                continue;
            if (!series_place(making, &from, making->offsets[i], &making->series[count]))
                return false;
            making->details[count++] = portion->details[k];
        }
    }
    if (!estimates_make(making, &count))
        return false;
    making->run->series_count = count;
    return true;
}

static bool series_make(struct making *making)
{
    if (!series_take(making) && !series_gather(making))
        return false;
    making->run->series = making->series;
    for (size_t i = 0; i < making->run->series_count; i++)
        if (making->run->segment_count == 1)
            making->series[i].segments = &making->series[i].whole;
    return true;
}

/* The series whose steps are those of the run. */
static size_t pace_of(const struct making *making)
{
    const struct run *run = making->run;
    size_t best = run->series_count;
    for (size_t i = 0; i < run->series_count; i++)
        if (run->series[i].main && run->series[i].kind == KIND_LOSS)
            return i;
    for (size_t i = 0; i < run->series_count; i++)
        if (run->series[i].basis != BASIS_ESTIMATED &&
            (best == run->series_count ||
             run->series[i].whole.points > run->series[best].whole.points))
            best = i;
    return best;
}

static void steps_make(struct making *making)
{
    struct run *run = making->run;
    const size_t pace = pace_of(making);
    run->first_step = run->last_step = run->planned_steps = STEP_NONE;
    if (pace == run->series_count)
        return;
    const struct series *series = &making->series[pace];
    run->first_step = series->whole.first.step;
    run->last_step = series->whole.last.step;
    run->step_count = series->whole.points;
    run->planned_steps = making->details[pace].total;
    for (size_t s = 0; s < run->segment_count; s++) {
        const struct track *track = &series->segments[s];
        if (track->points == 0)
            continue;
        making->segments[s].first_step = track->first.step;
        making->segments[s].last_step = track->last.step;
        if (making->segments[s].place.input == 0 || making->segments[s].place.line == 0)
            making->segments[s].place =
                (struct place){track->first.input, track->first.line, track->first.offset};
    }
}

static bool told_number(struct making *making, struct told *told, size_t *count, const char *key,
                        int64_t number)
{
    if (number == STEP_NONE || number <= 0)
        return true;
    const struct text value = arena_print(making->arena, "%lld", (long long)number);
    if (!value.data)
        return false;
    const size_t pace = pace_of(making);
    const struct point *last = &making->series[pace].whole.last;
    /* A counter beats what is told elsewhere in the log: as a command line does. */
    told[(*count)++] = (struct told){.fact = {.key = text_of(key),
                                              .state = FACT_KNOWN,
                                              .value = value,
                                              .number = (double)number,
                                              .source = FACT_LOG,
                                              .place = {last->input, last->line, last->offset},
                                              .step = STEP_NONE},
                                     .command = true};
    return true;
}

static bool told_derived(struct making *making, struct told *told, size_t *count)
{
    const size_t pace = pace_of(making);
    if (pace == making->run->series_count)
        return true;
    const struct details *details = &making->details[pace];
    return (details->epochs || told_number(making, told, count, "planned_steps", details->total)) &&
           told_number(making, told, count, "planned_epochs", details->epoch_total) &&
           told_number(making, told, count, "steps_per_epoch", details->steps_per_epoch);
}

static void told_framework(const struct making *making, struct told *told, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (text_is(told[i].fact.key, "framework"))
            return;
    const struct series *sign = NULL;
    const char *framework = framework_guess(making->run, making->details, &sign);
    if (!framework)
        return;
    const struct point *first = &sign->whole.first;
    told[(*count)++].fact = (struct fact){.key = TEXT("framework"),
                                          .state = FACT_KNOWN,
                                          .value = text_of(framework),
                                          .number = (double)NAN,
                                          .source = FACT_LOG,
                                          .place = {first->input, first->line, first->offset},
                                          .step = STEP_NONE};
}

/* What a framework does where its log is silent. */
static void told_assumed(const struct making *making, struct told *told, size_t *count)
{
    struct text framework = {"", 0};
    for (size_t i = 0; i < *count; i++)
        if (text_is(told[i].fact.key, "framework"))
            framework = told[i].fact.value;
    struct fact_naming naming;
    const struct vocabulary *vocabulary = making->collector->options.vocabulary;
    for (size_t n = 0; framework.size > 0 && n < FACTS_ASSUMED &&
                       vocabulary_assumed(vocabulary, framework, n, &naming);
         n++)
        told[(*count)++] = (struct told){.fact = {.key = naming.key,
                                                  .state = naming.none ? FACT_NONE : FACT_KNOWN,
                                                  .value = naming.value,
                                                  .number = naming.number,
                                                  .source = FACT_ASSUMED,
                                                  .step = STEP_NONE}};
}

/* Values of the weights in the last checkpoint, all its files together; 0 where what it holds is
   not the whole model: adapters, optimizer state alone. */
static uint64_t weights_count(const struct run *run, struct place *place)
{
    uint64_t count = 0;
    if (run->checkpoint_count == 0)
        return 0;
    const struct checkpoint *last = &run->checkpoints[run->checkpoint_count - 1];
    for (size_t c = run->checkpoint_count; c > 0 && run->checkpoints[c - 1].step == last->step &&
                                           run->checkpoints[c - 1].epoch == last->epoch;
         c--) {
        const struct checkpoint *checkpoint = &run->checkpoints[c - 1];
        if (last->step == STEP_NONE && last->epoch == STEP_NONE && run->checkpoint_count > 1)
            return 0; /* which files belong together is not known */
        for (size_t i = 0; i < checkpoint->count; i++) {
            const struct tensor *tensor = &run->tensors[checkpoint->first + i];
            if (tensor_is_adapter(tensor->name))
                return 0;
            if (tensor->dtype > DTYPE_FLOAT8_E5M2FNUZ || tensor_is_state(tensor->name) ||
                tensor_is_buffer(tensor->name) || tensor->stats.count < 2 ||
                !(tensor_has(tensor->name, "weight") || tensor_has(tensor->name, "kernel") ||
                  tensor_has(tensor->name, "bias")))
                continue;
            if (count == 0)
                *place = (struct place){.input = tensor->input, .offset = tensor->offset};
            count += tensor->stats.count;
        }
    }
    return count;
}

static bool told_weights(struct making *making, struct told *told, size_t *count)
{
    struct place place = {0};
    const uint64_t weights = weights_count(making->run, &place);
    if (weights == 0 || pace_of(making) == making->run->series_count)
        return true;
    const struct text value = arena_print(making->arena, "%llu", (unsigned long long)weights);
    told[(*count)++].fact = (struct fact){.key = TEXT("parameters"),
                                          .state = FACT_KNOWN,
                                          .value = value,
                                          .number = (double)weights,
                                          .source = FACT_CHECKPOINT,
                                          .place = place,
                                          .step = STEP_NONE};
    return value.data != NULL;
}

static bool facts_make(struct making *making)
{
    const struct group *group = making->group;
    const struct collector_options *options = &making->collector->options;
    size_t count = 0, most = options->fact_count + FACTS_DERIVED + FACTS_ASSUMED;
    for (size_t i = 0; i < group->count; i++)
        most += group->portions[i]->told_count;
    struct told *told = arena_take(making->arena, most, sizeof(*told));
    if (!told)
        return false;
    for (size_t i = 0; i < options->fact_count; i++)
        told[count++].fact = options->facts[i];
    for (size_t i = 0; i < group->count; i++)
        for (size_t k = 0; k < group->portions[i]->told_count; k++)
            told[count++] = group->portions[i]->told[k];
    if (!told_derived(making, told, &count) || !told_weights(making, told, &count))
        return false;
    told_framework(making, told, &count);
    told_assumed(making, told, &count);
    return facts_decide(making->arena, told, count, making->run);
}

static void plan_make(struct making *making)
{
    struct run *run = making->run;
    const size_t pace = pace_of(making);
    if (run->planned_steps != STEP_NONE || pace == run->series_count)
        return;
    const bool epochs = making->details[pace].epochs;
    const struct fact *fact = run_fact(run, epochs ? "planned_epochs" : "planned_steps", STEP_NONE);
    if (fact && fact->state == FACT_KNOWN && fact->number > 0 && fact->number < 1e15)
        run->planned_steps = (int64_t)fact->number;
}

static int by_place(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->place.input != y->place.input)
        return x->place.input < y->place.input ? -1 : 1;
    if (x->place.line != y->place.line)
        return x->place.line < y->place.line ? -1 : 1;
    return (x->place.offset > y->place.offset) - (x->place.offset < y->place.offset);
}

/* Tensors as they stand in their files, checkpoints in order of their steps. */
static bool tensors_make(struct making *making)
{
    const struct group *group = making->group;
    struct run *run = making->run;
    const struct collector *collector = making->collector;
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        count += group->portions[i]->tensor_count;
    for (size_t i = 0; i < collector->portion_count; i++)
        count += collector->portions[i].offered ? collector->portions[i].tensor_count : 0;
    struct tensor *tensors = arena_take(making->arena, count + 1, sizeof(*tensors));
    struct checkpoint *points = arena_take(making->arena, group->count, sizeof(*points));
    if (!tensors || !points)
        return false;
    for (size_t i = 0; i < group->count; i++) {
        const struct portion *portion = group->portions[i];
        struct source *source = &making->collector->sources[portion->input - 1];
        if (portion->tensor_count == 0)
            continue;
        source->step = portion->step;
        source->epoch = portion->epoch;
        if (!portion->samples)
            points[run->checkpoint_count++] = (struct checkpoint){.input = portion->input,
                                                                  .step = portion->step,
                                                                  .epoch = portion->epoch,
                                                                  .first = run->tensor_count,
                                                                  .count = portion->tensor_count};
        for (size_t k = 0; k < portion->tensor_count; k++) {
            tensors[run->tensor_count] = portion->tensors[k];
            tensors[run->tensor_count++].step = portion->step;
        }
    }
    for (size_t i = 0; i < collector->portion_count; i++) {
        const struct portion *portion = &collector->portions[i];
        for (size_t k = 0; portion->offered && k < portion->tensor_count; k++)
            tensors[run->tensor_count++] = portion->tensors[k];
    }
    run->tensors = tensors;
    run->checkpoints = points;
    return true;
}

/* Messages, lives and times of all portions. */
static bool rest_make(struct making *making)
{
    const struct group *group = making->group;
    struct run *run = making->run;
    size_t messages = 0, lives = 0, offered = 0;
    for (size_t i = 0; i < making->collector->portion_count; i++)
        offered += making->collector->portions[i].offered;
    for (size_t i = 0; i < group->count; i++) {
        messages += group->portions[i]->message_count;
        lives += group->portions[i]->life_count;
    }
    struct message *all = arena_take(making->arena, messages + 1, sizeof(*all));
    struct life_seen *seen = arena_take(making->arena, lives + 1, sizeof(*seen));
    uint32_t *inputs = arena_take(making->arena, group->count + offered, sizeof(*inputs));
    if (!all || !seen || !inputs)
        return false;
    run->time = (struct run_time){.first = (double)NAN, .last = (double)NAN};
    for (size_t i = 0; i < group->count; i++) {
        const struct portion *portion = group->portions[i];
        for (size_t k = 0; k < portion->message_count; k++) {
            if (portion->messages[k].count < portion->messages[k].row->times)
                continue;
            all[run->message_count] = portion->messages[k];
            if (all[run->message_count].rank == -1)
                all[run->message_count].rank = portion->rank;
            run->message_count++;
        }
        for (size_t k = 0; k < portion->life_count; k++)
            seen[run->life_count++] = portion->lives[k];
        gaps_merge(&run->time, &portion->time);
        run->names_lost += portion->names_lost;
        inputs[run->input_count++] = portion->input;
        if (portion->group != FORMAT_CHECKPOINT && (portion->group != FORMAT_SIDE || i == 0))
            run->end = portion->end;
    }
    for (size_t i = 0; i < making->collector->portion_count; i++) {
        const struct portion *portion = &making->collector->portions[i];
        if (portion->offered)
            inputs[run->input_count++] = portion->input;
    }
    qsort(all, run->message_count, sizeof(*all), by_place);
    run->messages = all;
    run->lives = seen;
    run->inputs = inputs;
    return true;
}

/* "runs/42" where a run is all of its folder, else its first log; "#2" where an input has more. */
static bool id_make(struct making *making)
{
    const struct portion *portion = making->group->portions[0];
    struct text path = portion->path;
    if (making->group->folder) {
        path = making->group->name;
        while (path.size > 1 && path.data[path.size - 1] == '/')
            path.size--;
    }
    making->run->id = portion->of > 1 ? arena_print(making->arena, "%.*s#%zu", (int)path.size,
                                                    path.data, portion->number + 1)
                                      : path;
    return making->run->id.data != NULL;
}

bool run_make(struct collector *collector, const struct group *group, struct run *run,
              struct error *error)
{
    struct making making = {
        .collector = collector, .arena = collector->arena, .group = group, .run = run};
    *run = (struct run){.speaking_rank = -1};
    if (!id_make(&making) || !segments_make(&making) || !tensors_make(&making))
        return memory_ended(error);
    if (!run_compare(collector, group, run, error))
        return false;
    if (!series_make(&making) || !rest_make(&making))
        return memory_ended(error);
    mains_choose(run, making.series, making.details);
    steps_make(&making);
    if (!facts_make(&making))
        return memory_ended(error);
    plan_make(&making);
    return true;
}
