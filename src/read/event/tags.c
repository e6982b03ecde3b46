/* Tags of an event file. A step writes its tags in the same order as the step before, so the next
   tag is predicted and one comparison replaces the look-up. */
/* SPDX-License-Identifier: MIT */
#include "read/event/tags.h"

#include "read/event/hparams.h"
#include "stalldoc/limits.h"

#include <string.h>

enum {
    BATCH = 128,
    BATCH_SMALL = 8, /* a tag is born small: a thousand text tags must not take megabytes */
    NAME_MAX_BYTES = 512,
};

struct tag {
    struct text name;
    uint32_t shape;
    bool bound;
    struct tag *after; /* that followed it last time */
    struct tag *next;  /* in order of appearance */
    size_t count, capacity;
    double *values, *times;
    uint64_t *offsets, *lines;
    struct position *positions;
};

/* The phase that a path's pieces name: the last one that says so. */
static enum phase phase_of(const struct vocabulary *vocabulary, struct text path)
{
    enum phase phase = PHASE_NONE;
    for (size_t start = 0, i = 0; i <= path.size; i++) {
        bool word = i < path.size && (path.data[i] | 32) >= 'a' && (path.data[i] | 32) <= 'z';
        if (word)
            continue;
        if (i > start) {
            enum phase here = vocabulary_phase(vocabulary, text_cut(path, start, i - start));
            phase = here != PHASE_NONE ? here : phase;
        }
        start = i + 1;
    }
    return phase;
}

static struct text folder_of(const char *path)
{
    const struct text whole = text_of(path);
    const size_t end = text_behind(whole, '/');
    if (end == 0)
        return (struct text){0};
    const struct text folder = text_cut(whole, 0, end - 1);
    return text_cut(folder, text_behind(folder, '/'), folder.size);
}

bool tags_init(struct tags *tags, const struct reading *reading)
{
    *tags = (struct tags){.reading = reading, .capacity = 256};
    tags->folder = phase_of(reading->vocabulary, folder_of(input_path(reading->input)));
    tags->table = arena_take(reading->scratch, tags->capacity, sizeof(struct tag *));
    return tags->table != NULL;
}

bool tags_any(const struct tags *tags)
{
    return tags->count > 0;
}

static bool tag_room(struct tag *tag, struct arena *arena, size_t capacity)
{
    double *values = arena_take(arena, capacity, sizeof(*values));
    double *times = arena_take(arena, capacity, sizeof(*times));
    uint64_t *offsets = arena_take(arena, capacity, sizeof(*offsets));
    uint64_t *lines = arena_take(arena, capacity, sizeof(*lines));
    struct position *positions = arena_take(arena, capacity, sizeof(*positions));
    if (!values || !times || !offsets || !lines || !positions)
        return false;
    for (size_t i = 0; i < capacity; i++)
        positions[i] = position_nowhere();
    tag->values = values;
    tag->times = times;
    tag->offsets = offsets;
    tag->lines = lines;
    tag->positions = positions;
    tag->capacity = capacity;
    return true;
}

static bool tag_flush(struct tags *tags, struct tag *tag, struct error *error)
{
    const struct reading *reading = tags->reading;
    if (tag->count == 0)
        return true;
    if (!tag->bound) {
        enum phase phase = phase_of(reading->vocabulary, tag->name);
        const struct column column = {
            .name = tag->name,
            .unit = TEXT(""),
            .phase = phase != PHASE_NONE ? phase : tags->folder,
        };
        const struct shape shape = {
            .columns = &column,
            .column_count = 1,
            .grain = GRAIN_STEP,
            .origin = ORIGIN_EVENT,
            .rank = -1,
            .template = (uint32_t)(tag->name.size ? text_hash(tag->name) : 0),
        };
        if (!reading->sink->bind(reading->sink, &shape, &tag->shape, error))
            return false;
        tag->bound = true;
    }
    const int16_t places = 7; /* float32 has about 7 digits; the collector scales by magnitude */
    const double *values = tag->values;
    const struct rows rows = {
        .shape = tag->shape,
        .count = tag->count,
        .values = &values,
        .places = &places,
        .positions = tag->positions,
        .lines = tag->lines,
        .offsets = tag->offsets,
        .times = tag->times,
    };
    tag->count = 0;
    return reading->sink->rows(reading->sink, &rows, error);
}

bool tags_flush(struct tags *tags, struct error *error)
{
    for (struct tag *tag = tags->first; tag; tag = tag->next)
        if (!tag_flush(tags, tag, error))
            return false;
    return true;
}

static bool table_grow(struct tags *tags)
{
    size_t capacity = tags->capacity * 2;
    struct tag **table = arena_take(tags->reading->scratch, capacity, sizeof(*table));
    if (!table)
        return false;
    for (struct tag *tag = tags->first; tag; tag = tag->next) {
        size_t at = text_hash(tag->name) & (capacity - 1);
        while (table[at])
            at = (at + 1) & (capacity - 1);
        table[at] = tag;
    }
    tags->table = table;
    tags->capacity = capacity;
    return true;
}

/* NULL where memory ended, or where the names are full and *full says so. */
static struct tag *tag_add(struct tags *tags, struct text name, size_t at, bool *full)
{
    struct arena *arena = tags->reading->scratch;
    *full = tags->count >= LIMIT_NAMES;
    if (*full)
        return NULL;
    struct tag *tag = arena_take(arena, 1, sizeof(*tag));
    struct text copy = arena_text(arena, name);
    if (!tag || !copy.data || !tag_room(tag, arena, BATCH_SMALL))
        return NULL;
    tag->name = copy;
    tags->table[at] = tag;
    if (tags->last)
        tags->last->next = tag;
    else
        tags->first = tag;
    tags->last = tag;
    tags->count++;
    if (tags->count * 2 > tags->capacity && !table_grow(tags))
        return NULL;
    return tag;
}

/* Names are short and mostly the same: without the way through memcmp. */
static inline bool same_name(struct text a, struct text b)
{
    uint64_t x, y;
    if (a.size != b.size)
        return false;
    if (a.size < 8 || a.size > 32)
        return text_equal(a, b);
    for (size_t i = 0; i + 8 < a.size; i += 8) {
        memcpy(&x, a.data + i, 8);
        memcpy(&y, b.data + i, 8);
        if (x != y)
            return false;
    }
    memcpy(&x, a.data + a.size - 8, 8);
    memcpy(&y, b.data + b.size - 8, 8);
    return x == y;
}

static struct tag *tag_find(struct tags *tags, struct text name, bool *full)
{
    *full = false;
    struct tag *tag = tags->previous ? tags->previous->after : tags->first;
    if (tag && same_name(tag->name, name))
        return tag;
    size_t at = text_hash(name) & (tags->capacity - 1);
    while (tags->table[at] && !text_equal(tags->table[at]->name, name))
        at = (at + 1) & (tags->capacity - 1);
    return tags->table[at] ? tags->table[at] : tag_add(tags, name, at, full);
}

static bool tag_reading(struct tags *tags, struct tag *tag, double number,
                        const struct moment *moment, struct error *error)
{
    if (tag->count == tag->capacity) {
        if (!tag_flush(tags, tag, error))
            return false;
        if (tag->capacity < BATCH && !tag_room(tag, tags->reading->scratch, BATCH))
            return error_set(error, ERROR_MEMORY, input_place(tags->reading->input, moment->offset),
                             "no memory for the tags");
    }
    size_t i = tag->count++;
    tag->values[i] = number;
    tag->times[i] = moment->time;
    tag->offsets[i] = moment->offset;
    tag->positions[i].step = moment->step;
    return true;
}

static bool scalar_put(struct tags *tags, struct text name, double number,
                       const struct moment *moment, struct error *error)
{
    bool full;
    struct tag *tag = tag_find(tags, text_cut(name, 0, NAME_MAX_BYTES), &full);
    if (full)
        return true;
    if (!tag)
        return error_set(error, ERROR_MEMORY, input_place(tags->reading->input, moment->offset),
                         "no memory for the tags");
    if (tags->previous)
        tags->previous->after = tag;
    tags->previous = tag;
    return tag_reading(tags, tag, number, moment, error);
}

/* A histogram of gradients gives the norm of its tensor: a part of the gradient norm. */
static bool histogram_put(struct tags *tags, const struct event_value *value,
                          const struct moment *moment, struct error *error)
{
    char name[NAME_MAX_BYTES];
    static const char ending[] = "/grad_norm";
    struct text tag = text_cut(value->tag, 0, sizeof(name) - sizeof(ending));
    if (!text_glob(TEXT("*grad*"), tag, true))
        return true;
    memcpy(name, tag.data, tag.size);
    memcpy(name + tag.size, ending, sizeof(ending) - 1);
    return scalar_put(tags, (struct text){name, tag.size + sizeof(ending) - 1}, value->number,
                      moment, error);
}

bool tags_put(struct tags *tags, const struct event_value *value, const struct moment *moment,
              struct error *error)
{
    switch (value->content) {
    case EVENT_SCALAR:
        return scalar_put(tags, value->tag, value->number, moment, error);
    case EVENT_HISTOGRAM:
        return histogram_put(tags, value, moment, error);
    case EVENT_TEXT:
        return text_settings(tags->reading, value->tag, value->text, moment->offset, error);
    case EVENT_HPARAMS:
        return hparams_settings(tags->reading, value->text, moment->offset, error);
    case EVENT_NOTHING:
        break;
    }
    return true;
}
