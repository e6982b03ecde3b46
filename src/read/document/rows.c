/* Records to rows: which of the names are places, and which names make one shape. */
/* SPDX-License-Identifier: MIT */
#include "read/document/plan.h"

#include <string.h>

enum { PLANS_MAX = LIMIT_TEMPLATES };

bool writer_no_memory(const struct writer *writer, struct error *error)
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
    writer->texts = false;
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

/* A cell with its path and text; NULL where there is no room. */
static struct cell *cell_add(struct writer *writer, struct text path, struct text text)
{
    enum { TEXT_MAX = 256 };
    if (writer->count == CELLS_MAX || path.size > ROW_BYTES - writer->used)
        return NULL;
    struct cell *cell = &writer->cells[writer->count++];
    *cell = (struct cell){.path = keep(writer, path),
                          .text = keep(writer, text_cut(text, 0, TEXT_MAX)),
                          .line = writer->cell_line,
                          .offset = writer->cell_offset};
    return cell;
}

void row_add(struct writer *writer, struct text path, struct text text, bool quoted)
{
    text = text_trim(text);
    struct cell *cell = cell_add(writer, path, text);
    if (!cell)
        return;
    cell->is_number = number_parse(text, &cell->number) || counter_parse(text, cell);
    writer->texts = writer->texts || !cell->is_number;
    if (quoted && !cell->is_number && text.size < 32) {
        enum phase phase = vocabulary_phase(writer->reading->vocabulary, text);
        if (phase != PHASE_NONE)
            writer->phase = phase;
    }
}

void row_add_number(struct writer *writer, struct text path, struct text text,
                    const struct number *number)
{
    struct cell *cell = cell_add(writer, path, text);
    if (!cell)
        return;
    cell->number = *number;
    cell->is_number = true;
}

bool writer_setting(struct writer *writer, struct text path, struct text text, struct place place,
                    struct error *error)
{
    struct sink *sink = writer->reading->sink;
    struct setting setting = {
        .key = path, .value = text, .source = writer->source, .place = place, .rank = -1};
    return sink->setting(sink, &setting, error);
}

bool row_setting(struct writer *writer, size_t i, struct error *error)
{
    const struct cell *cell = &writer->cells[i];
    struct place place = {input_number(writer->reading->input), cell->line, cell->offset};
    return writer_setting(writer, cell->path, cell->text, place, error);
}

static bool settings_put(struct writer *writer, struct error *error)
{
    for (size_t i = 0; i < writer->count; i++)
        if (!row_setting(writer, i, error))
            return false;
    return true;
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
        writer_no_memory(writer, error);
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
        writer->times[row] = cell_stamp(cell);
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
    writer->positions[row] = position_nowhere();
    writer->positions[row].generation = writer->generation;
    writer->lines[row] = writer->line;
    writer->offsets[row] = writer->offset;
    writer->times[row] = NAN;
    for (size_t c = 0; c < plan->column_count; c++)
        writer->values[c * BATCH_ROWS + row] = value_missing_make();
    for (size_t i = 0; i < plan->cell_count; i++)
        cell_put(writer, plan, i, row);
    if (plan->counted)
        writer->positions[row].step = (int64_t)writer->row_number - writer->from_zero;
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

bool tells_name(struct text path)
{
    static const char *const names[] = {"name", "metric",   "metric_name", "key",
                                        "tag",  "variable", NULL};
    return word_in(path, names);
}

bool tells_value(struct text path)
{
    static const char *const values[] = {"value", "val", "metric_value", NULL};
    return word_in(path, values);
}

/* {"name": "loss", "value": 2.5, "step": 10}: the record tells one value and its name. */
static void row_name(struct writer *writer)
{
    struct cell *value = NULL;
    const struct cell *name = NULL;
    if (!writer->texts)
        return;
    for (size_t i = 0; i < writer->count; i++) {
        struct cell *cell = &writer->cells[i];
        if (cell->is_number && tells_value(cell->path))
            value = cell;
        else if (!cell->is_number && cell->text.size > 0 && tells_name(cell->path))
            name = cell;
    }
    if (value && name)
        value->path = name->text;
}

bool row_end(struct writer *writer, struct error *error)
{
    if (writer->count == 0)
        return true;
    row_name(writer);
    if (writer->only_settings)
        return settings_put(writer, error);
    struct error fresh = {0};
    struct plan *plan = plan_find(writer, &fresh);
    if (!plan) { /* too many different records: the rest is passed over */
        if (fresh.kind != ERROR_NONE && error)
            *error = fresh;
        return fresh.kind == ERROR_NONE;
    }
    if (plan->summary && writer->drop_summaries)
        return true;
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
    if (name.size < 3 || name.size > 16 || !strchr("chaep", name.data[0]))
        return false;
    for (size_t i = 0; names[i]; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
}

struct text file_series(const char *path)
{
    struct text text = text_of(path);
    const size_t start = text_behind(text, '/');
    size_t end = text.size;
    while (end > start && text.data[end - 1] != '.')
        end--;
    struct text stem = text_cut(text, start, end > start ? end - 1 - start : text.size);
    size_t tag = text_find(stem, TEXT("-tag-"));
    return tag < stem.size ? text_cut(stem, tag + sizeof("-tag-") - 1, stem.size) : stem;
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
