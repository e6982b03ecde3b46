/* Rows on their way to the sink: gathered by shape, sent in batches. */
/* SPDX-License-Identifier: MIT */
#include "read/log/emit.h"

#include <string.h>

enum {
    SHAPES_MAX = 1 << 17,
    SHAPE_CHAINS = 4096,
};

struct shape_key {
    uint32_t sheet;
    int32_t rank;
    uint8_t grain, origin, phase, settings;
};

struct batch {
    struct known_shape *shape;
    const struct sheet *sheet;
    size_t count, room;        /* rows */
    double cells[BATCH_CELLS]; /* [column][room] */
    int16_t places[COLUMNS_MAX];
    struct position positions[BATCH_ROWS];
    uint64_t lines[BATCH_ROWS], offsets[BATCH_ROWS];
    double times[BATCH_ROWS];
    struct text texts[BATCH_ROWS];
};

struct known_shape {
    struct shape_key key;
    uint32_t id;
    struct known_shape *next;
};

struct emitter {
    struct known_shape *chains[SHAPE_CHAINS];
    struct known_shape *last;
    size_t shapes;
    struct batch batch; /* rows of one shape, in file order: names are shared between shapes */
    const double *columns[COLUMNS_MAX];
    struct column *phased; /* COLUMNS_MAX */
};

static bool no_memory(struct reader *reader, struct error *error)
{
    return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                     "no memory for the values of a log");
}

bool batch_open(struct reader *reader, struct error *error)
{
    reader->emitter = arena_take(reader->arena, 1, sizeof *reader->emitter);
    if (reader->emitter)
        reader->emitter->phased =
            arena_take(reader->arena, COLUMNS_MAX, sizeof *reader->emitter->phased);
    return (reader->emitter && reader->emitter->phased) || no_memory(reader, error);
}

static bool bind(struct reader *reader, const struct row *row, struct known_shape *shape,
                 struct error *error)
{
    struct emitter *emitter = reader->emitter;
    const struct sheet *sheet = row->sheet;
    for (size_t i = 0; i < sheet->count; i++) {
        emitter->phased[i] = sheet->columns[i];
        if (emitter->phased[i].phase == PHASE_NONE)
            emitter->phased[i].phase = row->phase != PHASE_NONE ? row->phase : reader->phase;
    }
    const struct shape told = {
        .columns = emitter->phased,
        .column_count = sheet->count,
        .grain = row->grain,
        .origin = row->origin,
        .rank = row->rank,
        .template = sheet->id,
        .settings = row->settings,
        .change = row->change,
    };
    return reader->sink->bind(reader->sink, &told, &shape->id, error);
}

static struct known_shape *shape_find(struct reader *reader, const struct row *row,
                                      struct error *error)
{
    struct emitter *emitter = reader->emitter;
    struct shape_key key;
    memset(&key, 0, sizeof key);
    key = (struct shape_key){row->sheet->id,       row->rank,           row->grain,
                             (uint8_t)row->origin, (uint8_t)row->phase, row->settings};
    if (emitter->last && memcmp(&emitter->last->key, &key, sizeof key) == 0)
        return emitter->last;
    uint64_t hash = ((uint64_t)key.sheet << 32) ^ (uint64_t)(uint32_t)key.rank << 20 ^
                    (uint64_t)key.grain << 8 ^ (uint64_t)key.origin << 4 ^
                    (uint64_t)key.phase << 1 ^ key.settings;
    hash = (hash * 0x9E3779B97F4A7C15u) >> 40;
    struct known_shape **chain = &emitter->chains[hash % SHAPE_CHAINS];
    for (struct known_shape *shape = *chain; shape; shape = shape->next)
        if (memcmp(&shape->key, &key, sizeof key) == 0)
            return emitter->last = shape;
    if (emitter->shapes == SHAPES_MAX)
        return NULL;
    struct known_shape *shape = arena_take(reader->arena, 1, sizeof *shape);
    if (!shape) {
        no_memory(reader, error);
        return NULL;
    }
    shape->key = key;
    if (!bind(reader, row, shape, error))
        return NULL;
    shape->next = *chain;
    *chain = shape;
    emitter->shapes++;
    return emitter->last = shape;
}

static void start(struct batch *batch, struct known_shape *shape, const struct sheet *sheet)
{
    batch->shape = shape;
    batch->sheet = sheet;
    batch->count = 0;
    batch->room = BATCH_CELLS / sheet->count;
    if (batch->room > BATCH_ROWS)
        batch->room = BATCH_ROWS;
    for (size_t i = 0; i < sheet->count; i++)
        batch->places[i] = INT16_MIN;
}

static bool send(struct reader *reader, struct batch *batch, struct error *error)
{
    struct emitter *emitter = reader->emitter;
    if (batch->count == 0)
        return true;
    for (size_t i = 0; i < batch->sheet->count; i++)
        emitter->columns[i] = batch->cells + i * batch->room;
    const struct rows rows = {
        .shape = batch->shape->id,
        .count = batch->count,
        .values = emitter->columns,
        .places = batch->places,
        .positions = batch->positions,
        .lines = batch->lines,
        .offsets = batch->offsets,
        .times = batch->times,
        .texts = batch->texts,
    };
    bool sent = reader->sink->rows(reader->sink, &rows, error);
    start(batch, batch->shape, batch->sheet);
    return sent;
}

bool batch_flush(struct reader *reader, struct error *error)
{
    return send(reader, &reader->emitter->batch, error);
}

/* The batch that takes rows of the row's shape, with room for one more; NULL where the shapes are
   full and the row is left out. */
static bool batch_room(struct reader *reader, const struct row *row, struct batch **room,
                       struct error *error)
{
    struct batch *batch = &reader->emitter->batch;
    struct known_shape *shape = shape_find(reader, row, error);
    *room = NULL;
    if (!shape) /* bounded: what is beyond is left out, an error ends the reading */
        return !error || error->kind == ERROR_NONE;
    if (shape != batch->shape || batch->count == batch->room) {
        if (!send(reader, batch, error))
            return false;
        start(batch, shape, row->sheet);
    }
    *room = batch;
    return true;
}

bool batch_add(struct reader *reader, const struct row *row, struct error *error)
{
    struct batch *batch;
    if (!batch_room(reader, row, &batch, error) || !batch)
        return !batch && (!error || error->kind == ERROR_NONE);
    size_t at = batch->count++;
    for (size_t i = 0; i < row->sheet->count; i++) {
        batch->cells[i * batch->room + at] = row->values[i];
        if (row->places[i] > batch->places[i])
            batch->places[i] = row->places[i];
    }
    batch->positions[at] = row->position;
    batch->lines[at] = row->line;
    batch->offsets[at] = row->offset;
    batch->times[at] = row->time;
    batch->texts[at] = row->text;
    return true;
}

bool rows_send(struct reader *reader, const struct row *row, struct rows *told, struct error *error)
{
    const struct known_shape *shape = shape_find(reader, row, error);
    if (!shape)
        return !error || error->kind == ERROR_NONE;
    told->shape = shape->id;
    return batch_flush(reader, error) && reader->sink->rows(reader->sink, told, error);
}
