/* Records to rows: which of the names are places, and which names make one shape. */
/* SPDX-License-Identifier: MIT */
#include "read/document/rows.h"

#include <string.h>

enum role {
    ROLE_VALUE,
    ROLE_STEP,
    ROLE_BATCH,
    ROLE_EPOCH,
    ROLE_TIME,
    ROLE_STEP_TOTAL,
    ROLE_EPOCH_TOTAL,
    ROLE_NONE,
};

struct plan { /* what the names of a record mean */
    uint64_t hash;
    struct plan *next;
    size_t cell_count;
    uint8_t *roles;    /* [cell] */
    uint32_t *columns; /* [cell] of ROLE_VALUE */
    size_t column_count;
    uint32_t shape;
    size_t epoch;       /* cell of ROLE_EPOCH; cell_count: none */
    bool epoch_integer; /* how it was printed in the first record */
    bool settings;      /* no place and no series: a print of settings */
    bool epochs;        /* the epoch is a whole number */
    bool counted;       /* the number of the row is its step */
};

enum { PLANS_MAX = LIMIT_TEMPLATES };

static bool no_memory(const struct writer *writer, struct error *error)
{
    return error_set(error, ERROR_MEMORY, input_place(writer->reading->input, writer->offset),
                     "out of memory");
}

struct writer *writer_open(const struct reading *reading, struct error *error)
{
    struct writer *writer = arena_take(reading->scratch, 1, sizeof(struct writer));
    if (writer) {
        writer->reading = reading;
        writer->bytes = arena_take(reading->scratch, ROW_BYTES, 1);
        writer->values =
            arena_take(reading->scratch, (size_t)CELLS_MAX * BATCH_ROWS, sizeof(double));
    }
    if (writer && writer->bytes && writer->values)
        return writer;
    error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    return NULL;
}

void row_at(struct writer *writer, struct place place)
{
    writer->cell_line = place.line;
    writer->cell_offset = place.offset;
}

void row_begin(struct writer *writer, struct place place)
{
    writer->count = writer->used = 0;
    writer->line = place.line;
    writer->offset = place.offset;
    row_at(writer, place);
    writer->phase = PHASE_NONE;
}

static struct text keep(struct writer *writer, struct text text)
{
    if (text.size > ROW_BYTES - writer->used)
        text.size = ROW_BYTES - writer->used;
    char *bytes = writer->bytes + writer->used;
    memcpy(bytes, text.data, text.size);
    writer->used += text.size;
    return (struct text){bytes, text.size};
}

/* "96/294": a counter and its total. */
static bool counter_parse(struct text text, struct cell *cell)
{
    struct number total;
    size_t slash = text_find(text, TEXT("/"));
    if (slash == text.size || !number_parse(text_cut(text, 0, slash), &cell->number) ||
        !number_parse(text_cut(text, slash + 1, text.size), &total) || !cell->number.integer ||
        !total.integer)
        return false;
    cell->total = total.value;
    return cell->has_total = true;
}

void row_add(struct writer *writer, struct text path, struct text text, bool quoted)
{
    enum { TEXT_MAX = 256 };
    if (writer->count == CELLS_MAX || path.size > ROW_BYTES - writer->used)
        return;
    text = text_cut(text_trim(text), 0, TEXT_MAX);
    struct cell cell = {.path = keep(writer, path),
                        .text = keep(writer, text),
                        .line = writer->cell_line,
                        .offset = writer->cell_offset};
    cell.is_number = number_parse(text, &cell.number) || counter_parse(text, &cell);
    if (quoted && !cell.is_number && text.size < 32) {
        enum phase phase = vocabulary_phase(writer->reading->vocabulary, text);
        if (phase != PHASE_NONE)
            writer->phase = phase;
    }
    writer->cells[writer->count++] = cell;
}

void row_add_number(struct writer *writer, struct text path, struct text text,
                    const struct number *number)
{
    size_t count = writer->count;
    row_add(writer, path, text, false);
    if (writer->count == count)
        return;
    writer->cells[count].number = *number;
    writer->cells[count].is_number = true;
    writer->cells[count].has_total = false;
}

static struct text last_part(struct text path)
{
    size_t start = path.size;
    while (start > 0 && path.data[start - 1] != '/')
        start--;
    return text_cut(path, start, path.size);
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

static bool time_name(struct text name)
{
    static const char *const names[] = {"_timestamp", "timestamp", "wall_time",  "walltime", "ts",
                                        "time_stamp", "unix_time", "created_at", NULL};
    for (size_t i = 0; names[i]; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
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
        if (plan->roles[i] != ROLE_VALUE)
            continue;
        struct text name = last_part(writer->cells[i].path);
        struct fact_naming fact =
            vocabulary_fact(writer->reading->vocabulary, name, writer->cells[i].text);
        if (step && text_is(fact.key, "planned_steps"))
            plan->roles[i] = ROLE_STEP_TOTAL;
        else if (epoch && text_is(fact.key, "planned_epochs"))
            plan->roles[i] = ROLE_EPOCH_TOTAL;
        else if (time_name(name))
            plan->roles[i] = ROLE_TIME;
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

static void roles_fill(const struct writer *writer, struct plan *plan)
{
    for (size_t i = 0; i < writer->count; i++) {
        plan->roles[i] = writer->cells[i].is_number ? ROLE_VALUE : ROLE_NONE;
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

static bool plan_make(struct writer *writer, struct plan *plan, struct error *error)
{
    struct arena *arena = writer->reading->scratch;
    plan->cell_count = writer->count;
    plan->roles = arena_take(arena, writer->count + 1, sizeof(uint8_t));
    plan->columns = arena_take(arena, writer->count + 1, sizeof(uint32_t));
    struct column *columns = arena_take(arena, writer->count + 1, sizeof(struct column));
    if (!plan->roles || !plan->columns || !columns)
        return no_memory(writer, error);
    roles_fill(writer, plan);
    bool series = columns_fill(writer, plan, columns);
    for (size_t c = 0; c < plan->column_count; c++) {
        columns[c].name = arena_text(arena, columns[c].name);
        if (!columns[c].name.data)
            return no_memory(writer, error);
    }
    epoch_look(writer, plan);
    bool placed = has_role(plan, ROLE_STEP) || has_role(plan, ROLE_EPOCH);
    plan->settings = !series && !placed && !writer->always;
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

static uint64_t row_hash(const struct writer *writer)
{
    uint64_t hash = (uint64_t)writer->phase + 1;
    for (size_t i = 0; i < writer->count; i++) {
        const struct cell *cell = &writer->cells[i];
        uint64_t form = (uint64_t)cell->is_number << 1 | (uint64_t)cell->has_total;
        hash = (hash ^ text_hash(cell->path) ^ form) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool plan_fits(const struct plan *plan, const struct writer *writer, uint64_t hash)
{
    return plan->hash == hash && plan->cell_count == writer->count &&
           (plan->epoch == writer->count ||
            plan->epoch_integer == writer->cells[plan->epoch].number.integer);
}

static struct plan *plan_find(struct writer *writer, struct error *error)
{
    uint64_t hash = row_hash(writer);
    if (writer->plan && plan_fits(writer->plan, writer, hash))
        return writer->plan;
    struct plan **slot = &writer->plans[hash % (sizeof(writer->plans) / sizeof(writer->plans[0]))];
    for (struct plan *plan = *slot; plan; plan = plan->next)
        if (plan_fits(plan, writer, hash))
            return plan;
    if (writer->plan_count == PLANS_MAX)
        return NULL;
    struct plan *plan = arena_take(writer->reading->scratch, 1, sizeof(struct plan));
    if (!plan) {
        no_memory(writer, error);
        return NULL;
    }
    plan->hash = hash;
    if (!plan_make(writer, plan, error))
        return NULL;
    plan->next = *slot;
    *slot = plan;
    writer->plan_count++;
    return plan;
}

static int64_t whole(double value)
{
    enum { EXACT = 53 };
    if (!(value > -ldexp(1, EXACT) && value < ldexp(1, EXACT)))
        return STEP_NONE;
    return (int64_t)floor(value);
}

/* Seconds since 1970, from seconds, milliseconds or more. */
static double seconds(double value)
{
    while (value > 1e11)
        value /= 1e3;
    return value;
}

static void cell_put(struct writer *writer, const struct plan *plan, size_t i, size_t row)
{
    const struct cell *cell = &writer->cells[i];
    struct position *position = &writer->positions[row];
    double value = cell->number.value;
    switch ((enum role)plan->roles[i]) {
    case ROLE_VALUE:
        writer->values[plan->columns[i] * BATCH_ROWS + row] = value;
        if (cell->number.places > writer->places[plan->columns[i]])
            writer->places[plan->columns[i]] = cell->number.places;
        break;
    case ROLE_STEP:
        position->step = whole(value);
        if (cell->has_total)
            position->step_total = whole(cell->total);
        break;
    case ROLE_BATCH:
        position->batch = whole(value);
        if (cell->has_total)
            position->batch_total = whole(cell->total);
        break;
    case ROLE_EPOCH:
        if (plan->epochs && value == floor(value))
            position->epoch = whole(value);
        if (!cell->number.integer)
            position->epoch_fraction = value;
        if (cell->has_total)
            position->epoch_total = whole(cell->total);
        break;
    case ROLE_TIME:
        writer->times[row] = seconds(value);
        break;
    case ROLE_STEP_TOTAL:
        position->step_total = value > 0 ? whole(value) : STEP_NONE;
        break;
    case ROLE_EPOCH_TOTAL:
        position->epoch_total = value > 0 ? whole(value) : STEP_NONE;
        break;
    case ROLE_NONE:
        break;
    }
}

static void row_put(struct writer *writer, struct plan *plan)
{
    size_t row = writer->batch++;
    writer->positions[row] = (struct position){
        .step = STEP_NONE,
        .step_total = STEP_NONE,
        .batch = STEP_NONE,
        .batch_total = STEP_NONE,
        .epoch = STEP_NONE,
        .epoch_total = STEP_NONE,
        .epoch_fraction = NAN,
        .generation = writer->generation,
    };
    writer->lines[row] = writer->line;
    writer->offsets[row] = writer->offset;
    writer->times[row] = NAN;
    for (size_t c = 0; c < plan->column_count; c++)
        writer->values[c * BATCH_ROWS + row] = value_missing_make();
    for (size_t i = 0; i < plan->cell_count; i++)
        cell_put(writer, plan, i, row);
    if (plan->counted)
        writer->positions[row].step = (int64_t)writer->row_number;
}

bool writer_flush(struct writer *writer, struct error *error)
{
    const struct plan *plan = writer->plan;
    if (!plan || writer->batch == 0)
        return true;
    const double *columns[CELLS_MAX];
    for (size_t c = 0; c < plan->column_count; c++)
        columns[c] = writer->values + c * BATCH_ROWS;
    struct rows rows = {
        .shape = plan->shape,
        .count = writer->batch,
        .values = columns,
        .places = writer->places,
        .positions = writer->positions,
        .lines = writer->lines,
        .offsets = writer->offsets,
        .times = writer->times,
    };
    writer->batch = 0;
    struct sink *sink = writer->reading->sink;
    bool sound = sink->rows(sink, &rows, error);
    memset(writer->places, 0, sizeof(writer->places));
    return sound;
}

bool writer_close(struct writer *writer, uint64_t lines, struct error *error)
{
    struct sink *sink = writer->reading->sink;
    struct line_counts counts = {
        .lines = lines, .with_number = writer->row_number, .understood = writer->row_number};
    return writer_flush(writer, error) && sink->counts(sink, &counts, error);
}

bool writer_setting(struct writer *writer, struct text path, struct text text, struct place place,
                    struct error *error)
{
    struct sink *sink = writer->reading->sink;
    struct setting setting = {
        .key = path, .value = text, .source = writer->source, .place = place, .rank = -1};
    return sink->setting(sink, &setting, error);
}

static bool settings_put(struct writer *writer, struct error *error)
{
    uint32_t input = input_number(writer->reading->input);
    for (size_t i = 0; i < writer->count; i++) {
        const struct cell *cell = &writer->cells[i];
        struct place place = {input, cell->line, cell->offset};
        if (!writer_setting(writer, cell->path, cell->text, place, error))
            return false;
    }
    return true;
}

/* It is told by its run time. */
bool row_is_summary(const struct writer *writer)
{
    for (size_t i = 0; i < writer->count; i++)
        if (text_is(writer->cells[i].path, "train_runtime"))
            return true;
    return false;
}

bool row_end(struct writer *writer, struct error *error)
{
    if (writer->count == 0)
        return true;
    if (writer->only_settings)
        return settings_put(writer, error);
    struct error fresh = {0};
    struct plan *plan = plan_find(writer, &fresh);
    if (!plan) { /* too many different records: the rest is passed over */
        if (fresh.kind != ERROR_NONE && error)
            *error = fresh;
        return fresh.kind == ERROR_NONE;
    }
    if (plan->settings)
        return writer->mute || settings_put(writer, error);
    writer->row_number++;
    if (plan->column_count == 0)
        return true;
    if (plan != writer->plan || writer->batch == BATCH_ROWS) {
        if (!writer_flush(writer, error))
            return false;
        writer->plan = plan;
    }
    row_put(writer, plan);
    return true;
}

bool settings_name(struct text name)
{
    static const char *const names[] = {"config",   "hparams",          "args",
                                        "cfg",      "hyper_parameters", "hyperparameters",
                                        "env_info", "params",           NULL};
    for (size_t i = 0; names[i]; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
}

void path_push(struct path *path, struct text key)
{
    if (path->depth < LIMIT_DEPTH + 2)
        path->starts[path->depth] = path->size;
    path->depth++;
    if (path->size > 0 && key.size > 0 && path->size < PATH_MAX_BYTES)
        path->bytes[path->size++] = '/';
    if (key.size > PATH_MAX_BYTES - path->size)
        key.size = PATH_MAX_BYTES - path->size;
    memcpy(path->bytes + path->size, key.data, key.size);
    path->size += key.size;
}

void path_pop(struct path *path)
{
    path->depth--;
    if (path->depth < LIMIT_DEPTH + 2)
        path->size = path->starts[path->depth];
}

struct text path_text(const struct path *path)
{
    return (struct text){path->bytes, path->size};
}
