/* Names of series, and the shapes of rows bound to them. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

#include <stdio.h>

enum { SLOTS = 4096, NAME_BYTES = 512 };
#define CLASS_NAMELESS 7.0 /* a bare column: the weakest loss (reader.md 10) */

bool memory_ended(struct error *error)
{
    return error_set(error, ERROR_MEMORY, (struct place){0}, "no memory for what is collected");
}

bool room_make(struct arena *arena, void **array, size_t count, size_t *capacity, size_t wanted,
               size_t size)
{
    void *grown = arena_grow(arena, *array, count, capacity, wanted, size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

struct stream *tape_stream(struct tape *tape, int32_t rank)
{
    for (size_t i = 0; i < tape->stream_count; i++)
        if (tape->streams[i]->rank == rank)
            return tape->streams[i];
    if (tape->stream_count >= LIMIT_RANKS)
        return tape->streams[tape->stream_count - 1];
    if (!ROOM(&tape->arena, tape->streams, tape->stream_count, tape->stream_capacity))
        return NULL;
    struct stream *stream = arena_take(&tape->arena, 1, sizeof(*stream));
    if (!stream)
        return NULL;
    *stream = (struct stream){.tape = tape,
                              .rank = rank,
                              .last_step = STEP_NONE,
                              .trained = STEP_NONE,
                              .time_first = (double)NAN,
                              .time_last = (double)NAN};
    for (size_t i = 0; i < OWN_FIELDS; i++)
        stream->progress[0][i] = stream->progress[1][i] = (struct progress){.last = STEP_NONE};
    if (!ROOM(&tape->arena, stream->turns, stream->turn_count, stream->turn_capacity))
        return NULL;
    stream->turns[stream->turn_count++] = (struct turn){0};
    tape->streams[tape->stream_count++] = stream;
    return stream;
}

static struct naming nameless(enum phase phase)
{
    return (struct naming){.kind = phase == PHASE_VALIDATION ? KIND_VAL_LOSS : KIND_LOSS,
                           .direction = DIRECTION_DOWN,
                           .class = CLASS_NAMELESS};
}

/* What a name is filed under. */
struct label {
    struct text key, unit;
    enum phase phase;
    enum origin origin;
    uint8_t grain;
    bool lead; /* the first column without a name */
};

static bool name_fits(const struct name *name, const struct stream *stream,
                      const struct label *label, uint64_t hash)
{
    return name->hash == hash && name->stream == stream && name->phase == label->phase &&
           name->grain == label->grain && name->redraw == (label->origin == ORIGIN_REDRAW) &&
           text_equal(name->key, label->key);
}

static struct name *name_make(struct tape *tape, struct stream *stream, const struct label *label,
                              uint64_t hash)
{
    const struct vocabulary *vocabulary = tape->collector->options.vocabulary;
    struct name *name = arena_take(&tape->arena, 1, sizeof(*name));
    if (!name)
        return NULL;
    *name = (struct name){.stream = stream,
                          .key = arena_text(&tape->arena, label->key),
                          .unit = arena_text(&tape->arena, label->unit),
                          .hash = hash,
                          .phase = label->phase,
                          .origin = label->origin,
                          .grain = label->grain,
                          .redraw = label->origin == ORIGIN_REDRAW,
                          .settings = true,
                          .change = true,
                          .order = tape->orders++,
                          .epoch_total = STEP_NONE,
                          .steps_per_epoch = STEP_NONE};
    if (!name->key.data || !name->unit.data)
        return NULL;
    name->naming = label->lead ? nameless(label->phase)
                               : vocabulary_naming(vocabulary, name->key, name->unit, name->phase);
    const enum phase said = vocabulary_phase(vocabulary, name->key);
    name->guessed =
        !name->naming.known && !label->lead && said != PHASE_NONE && name->unit.size == 0;
    if (name->guessed)
        name->naming = nameless(said);
    struct name **slot = &tape->slots[hash % tape->slot_count];
    name->next = *slot;
    *slot = name;
    tape->name_count++;
    return name;
}

/* NULL with *lost: there are too many; NULL otherwise: no memory. */
static struct name *name_of(struct tape *tape, struct stream *stream, const struct label *label,
                            bool *lost)
{
    if (!tape->slots) {
        tape->slots = arena_take(&tape->arena, SLOTS, sizeof(*tape->slots));
        if (!tape->slots)
            return NULL;
        tape->slot_count = SLOTS;
    }
    const uint64_t hash = text_hash(label->key) ^ ((uint64_t)(uint32_t)stream->rank << 32) ^
                          ((uint64_t)label->phase << 8) ^ label->grain;
    for (struct name *name = tape->slots[hash % SLOTS]; name; name = name->next)
        if (name_fits(name, stream, label, hash))
            return name;
    *lost = tape->name_count >= LIMIT_NAMES;
    return *lost ? NULL : name_make(tape, stream, label, hash);
}

static void name_template(struct name *name, uint32_t template)
{
    for (size_t i = 0; i < name->template_count; i++)
        if (name->templates[i] == template)
            return;
    if (name->template_count < TEMPLATES_KEPT)
        name->templates[name->template_count++] = template;
}

/* An epoch beside a step or batch tells no series apart. */
static uint8_t grain_of(uint8_t grain)
{
    return grain & (GRAIN_STEP | GRAIN_BATCH) ? grain & (uint8_t)~GRAIN_EPOCH : grain;
}

static bool names_bind(struct tape *tape, struct binding *binding, const struct shape *shape,
                       struct error *error)
{
    bool led = false, trains = false;
    for (size_t c = 0; c < shape->column_count; c++) {
        const struct column *column = &shape->columns[c];
        char bytes[32];
        struct label label = {.key = text_cut(column->name, 0, NAME_BYTES),
                              .unit = column->unit,
                              .phase = column->phase,
                              .origin = shape->origin,
                              .grain = grain_of(shape->grain)};
        if (label.key.size == 0) {
            const size_t number = c + 1 + (shape->origin == ORIGIN_BARE); /* behind the step */
            const int size = snprintf(bytes, sizeof(bytes), "column %zu", number);
            label.key = (struct text){bytes, size > 0 ? (size_t)size : 0};
            label.lead = !led;
            led = true;
        }
        bool lost = false;
        struct name *name = name_of(tape, binding->stream, &label, &lost);
        if (!name && !lost)
            return memory_ended(error);
        binding->names[c] = name;
        tape->names_lost += lost;
        if (!name)
            continue;
        name_template(name, shape->template);
        name->settings = name->settings && shape->settings;
        name->change = name->change && shape->change;
        const enum kind kind = name->naming.kind;
        if (leads(kind) > binding->leads && !name->naming.refused)
            binding->leads = leads(kind);
        trains = trains || kind == KIND_LOSS;
        binding->validation = binding->validation || column->phase == PHASE_VALIDATION ||
                              kind == KIND_VAL_LOSS || kind == KIND_VAL_METRIC;
    }
    /* Beside a training loss (Keras, tables) validation is a column, not what the row is about. */
    binding->validation = binding->validation && !trains;
    return true;
}

/* Room for one more binding. */
static bool bindings_widen(struct tape *tape)
{
    const size_t blocks = tape->binding_count / BINDINGS_BLOCK;
    if (tape->binding_count % BINDINGS_BLOCK)
        return true;
    if (!ROOM(&tape->arena, tape->bindings, blocks, tape->block_capacity))
        return false;
    tape->bindings[blocks] = arena_take(&tape->arena, BINDINGS_BLOCK, sizeof(**tape->bindings));
    return tape->bindings[blocks] != NULL;
}

bool tape_bind(struct sink *sink, const struct shape *shape, uint32_t *id, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    if (!bindings_widen(tape))
        return memory_ended(error);
    struct binding *binding = tape_binding(tape, tape->binding_count);
    *binding = (struct binding){
        .stream = tape_stream(tape, shape->rank),
        .names = arena_take(&tape->arena, shape->column_count + 1, sizeof(*binding->names)),
        .count = shape->column_count,
        .origin = shape->origin,
        .grain = shape->grain,
        .own = (shape->grain & (GRAIN_STEP | GRAIN_BATCH | GRAIN_EPOCH)) != 0,
        .settings = shape->settings,
        .placer = {.turn = UINT32_MAX}};
    if (!binding->stream || !binding->names)
        return memory_ended(error);
    if (!names_bind(tape, binding, shape, error))
        return false;
    *id = (uint32_t)tape->binding_count++;
    return true;
}
