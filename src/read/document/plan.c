/* What the names of a record mean: which are places, totals and times, and what is left. */
/* SPDX-License-Identifier: MIT */
#include "read/document/plan.h"
#include "read/log/moment.h"

#include <string.h>

static struct text last_part(struct text path)
{
    return text_cut(path, text_behind(path, '/'), path.size);
}

static struct text first_part(struct text path)
{
    return text_cut(path, 0, text_find(path, TEXT("/")));
}

/* The word that may be a place: the last part of the path; of a counter named
   "global_step/max_steps" the first. */
static struct text place_name(const struct vocabulary *vocabulary, const struct cell *cell)
{
    struct text last = last_part(cell->path);
    if (cell->has_total && vocabulary_place(vocabulary, last) == PLACE_NONE)
        return first_part(cell->path);
    return last;
}

bool word_in(struct text name, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (name.size == strlen(names[i]) && text_glob(text_of(names[i]), name, true))
            return true;
    return false;
}

/* Seconds since 1970, from seconds, milliseconds or more; NAN: this is no time of day. */
double cell_stamp(const struct cell *cell)
{
    struct moment moment;
    double value = cell->number.value;
    if (!cell->is_number)
        return time_take(cell->text, 0, &moment) > 0 && moment.kind == TIME_DATE ? moment.seconds
                                                                                 : (double)NAN;
    if (!(value > 1e9)) /* seconds of the run */
        return (double)NAN;
    while (value > 1e11)
        value /= 1e3;
    return value;
}

static bool is_stamp(const struct cell *cell)
{
    static const char *const names[] = {
        "_timestamp", "timestamp", "wall_time",  "walltime",   "wall time", "ts",
        "time_stamp", "unix_time", "created_at", "time",       "date",      "datetime",
        "asctime",    "time_ms",   "created",    "@timestamp", NULL};
    return word_in(last_part(cell->path), names) && !isnan(cell_stamp(cell));
}

/* "global_step/sec": what stands behind the slash is a unit. */
static bool is_rate(const struct vocabulary *vocabulary, struct text path)
{
    enum kind kind = vocabulary_naming(vocabulary, path, TEXT(""), PHASE_NONE).kind;
    return kind == KIND_STEP_TIME || kind == KIND_THROUGHPUT;
}

/* Of every kind of place the strongest name wins; the others are no values either. */
static void roles_of_places(const struct writer *writer, struct plan *plan)
{
    static const enum role roles[] = {
        [PLACE_STEP] = ROLE_STEP, [PLACE_BATCH] = ROLE_BATCH, [PLACE_EPOCH] = ROLE_EPOCH};
    const struct vocabulary *vocabulary = writer->reading->vocabulary;
    size_t best[PLACE_EPOCH + 1] = {0};
    int rank[PLACE_EPOCH + 1] = {0};
    for (size_t i = 0; i < writer->count; i++) {
        const struct cell *cell = &writer->cells[i];
        struct text name = place_name(vocabulary, cell);
        enum place_word word = vocabulary_place(vocabulary, name);
        if (word == PLACE_NONE || plan->roles[i] != ROLE_VALUE || is_rate(vocabulary, cell->path))
            continue;
        int strength = vocabulary_place_rank(vocabulary, name) + 1;
        plan->roles[i] = ROLE_NONE;
        if (rank[word] != 0 && rank[word] <= strength)
            continue;
        if (rank[word] != 0)
            plan->roles[best[word]] = ROLE_NONE;
        rank[word] = strength;
        best[word] = i;
        plan->roles[i] = (uint8_t)roles[word];
    }
    for (size_t i = 0; i < writer->count; i++)
        if (writer->cells[i].has_total && plan->roles[i] == ROLE_VALUE)
            plan->roles[i] = ROLE_NONE;
}

static void roles_of_totals(const struct writer *writer, struct plan *plan, bool step, bool epoch)
{
    for (size_t i = 0; i < writer->count; i++) {
        if (is_stamp(&writer->cells[i]))
            plan->roles[i] = ROLE_TIME;
        if (plan->roles[i] != ROLE_VALUE)
            continue;
        struct text name = last_part(writer->cells[i].path);
        struct fact_naming fact =
            vocabulary_fact(writer->reading->vocabulary, name, writer->cells[i].text);
        if (step && text_is(fact.key, "planned_steps"))
            plan->roles[i] = ROLE_STEP_TOTAL;
        else if (epoch && text_is(fact.key, "planned_epochs"))
            plan->roles[i] = ROLE_EPOCH_TOTAL;
    }
}

static bool has_role(const struct plan *plan, enum role role)
{
    for (size_t i = 0; i < plan->cell_count; i++)
        if (plan->roles[i] == role)
            return true;
    return false;
}

static bool judged(enum kind kind)
{
    return kind == KIND_LOSS || kind == KIND_VAL_LOSS || kind == KIND_METRIC ||
           kind == KIND_VAL_METRIC || kind == KIND_REWARD || kind == KIND_ADVERSARIAL ||
           kind == KIND_GRAD_NORM;
}

/* The columns that are left; true where one of them is what a run is judged by. */
static bool columns_fill(const struct writer *writer, struct plan *plan, struct column *columns)
{
    bool series = false;
    for (size_t i = 0; i < writer->count; i++) {
        if (plan->roles[i] != ROLE_VALUE)
            continue;
        const struct cell *cell = &writer->cells[i];
        struct naming naming =
            vocabulary_naming(writer->reading->vocabulary, cell->path, TEXT(""), writer->phase);
        series = series || (judged(naming.kind) && !naming.refused);
        plan->columns[i] = (uint32_t)plan->column_count;
        columns[plan->column_count++] = (struct column){
            .name = cell->path,
            .unit = TEXT(""),
            .phase = naming.phase != PHASE_NONE ? naming.phase : writer->phase,
        };
    }
    return series;
}

/* "config/lr", a column of Ray Tune's progress.csv. */
static bool below_settings(struct text path)
{
    struct text first = first_part(path);
    return first.size < path.size && settings_name(first);
}

static void roles_fill(const struct writer *writer, struct plan *plan)
{
    for (size_t i = 0; i < writer->count; i++) {
        bool value = writer->cells[i].is_number && !below_settings(writer->cells[i].path);
        plan->roles[i] = value ? ROLE_VALUE : ROLE_NONE;
        for (size_t j = 0; j < i; j++) /* of a name that comes twice the last one stands */
            if (text_equal(writer->cells[i].path, writer->cells[j].path))
                plan->roles[j] = ROLE_NONE;
    }
    roles_of_places(writer, plan);
    roles_of_totals(writer, plan, has_role(plan, ROLE_STEP), has_role(plan, ROLE_EPOCH));
}

/* An epoch printed as 0.51 is no place, only progress. Where nothing finer is printed, a float
   that is whole at first ("3.0") counts epochs. */
static void epoch_look(const struct writer *writer, struct plan *plan)
{
    plan->epoch = plan->cell_count;
    for (size_t i = 0; i < plan->cell_count; i++)
        if (plan->roles[i] == ROLE_EPOCH)
            plan->epoch = i;
    if (plan->epoch == plan->cell_count)
        return;
    const struct number *number = &writer->cells[plan->epoch].number;
    plan->epoch_integer = number->integer;
    plan->epochs = number->integer || (!has_role(plan, ROLE_STEP) && number->finite &&
                                       number->value == floor(number->value));
}

/* {"event": "config", "epochs": 14, "batch_size": 32, "optimizer": "sgd"}: several known settings,
   of which a reading changes none; the number of epochs is no place then. */
static bool tells_settings(const struct writer *writer)
{
    enum { FACTS_LEAST = 3 };
    static const char *const moving[] = {"lr", "planned_steps", "planned_epochs", "samples", NULL};
    size_t facts = 0;
    for (size_t i = 0; i < writer->count; i++) {
        const struct cell *cell = &writer->cells[i];
        struct fact_naming fact =
            vocabulary_fact(writer->reading->vocabulary, cell->path, cell->text);
        facts += fact.key.size > 0 && !fact.refused && !word_in(fact.key, moving);
    }
    return facts >= FACTS_LEAST;
}

bool plan_make(struct writer *writer, struct plan *plan, struct error *error)
{
    struct arena *arena = writer->reading->scratch;
    plan->cell_count = writer->count;
    plan->roles = arena_take(arena, writer->count + 1, sizeof(uint8_t));
    plan->columns = arena_take(arena, writer->count + 1, sizeof(uint32_t));
    struct column *columns = arena_take(arena, writer->count + 1, sizeof(struct column));
    if (!plan->roles || !plan->columns || !columns)
        return writer_no_memory(writer, error);
    roles_fill(writer, plan);
    for (size_t i = 0; i < writer->count; i++)
        if (below_settings(writer->cells[i].path) && !row_setting(writer, i, error))
            return false;
    bool series = columns_fill(writer, plan, columns);
    for (size_t c = 0; c < plan->column_count; c++) {
        columns[c].name = arena_text(arena, columns[c].name);
        if (!columns[c].name.data)
            return writer_no_memory(writer, error);
    }
    epoch_look(writer, plan);
    for (size_t i = 0; i < writer->count; i++)
        plan->summary = plan->summary || text_is(writer->cells[i].path, "train_runtime");
    bool placed = has_role(plan, ROLE_STEP) || has_role(plan, ROLE_EPOCH);
    plan->settings = !series && (!placed || tells_settings(writer)) && !writer->always;
    plan->counted = writer->row_steps && !placed;
    unsigned grain = has_role(plan, ROLE_STEP) || plan->counted ? GRAIN_STEP : 0;
    if (has_role(plan, ROLE_BATCH))
        grain |= GRAIN_BATCH;
    if (plan->epochs || (has_role(plan, ROLE_EPOCH) && grain == 0))
        grain |= GRAIN_EPOCH;
    if (plan->settings || plan->column_count == 0)
        return true;
    struct shape shape = {.columns = columns,
                          .column_count = plan->column_count,
                          .grain = (uint8_t)grain,
                          .origin = ORIGIN_DOCUMENT,
                          .rank = -1,
                          .template = (uint32_t)writer->plan_count};
    struct sink *sink = writer->reading->sink;
    return sink->bind(sink, &shape, &plan->shape, error);
}
