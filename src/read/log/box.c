/* Boxes of keys and values: one record, flushed at the closing rule. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/cells.h"
#include "read/log/sentence.h"

#include <string.h>

static struct text box_copy(struct box *box, struct text a, struct text b)
{
    bool join = a.size > 0 && a.data[a.size - 1] != '/';
    size_t size = a.size + b.size + join;
    if (size > sizeof box->bytes - box->used)
        return (struct text){"", 0};
    char *out = box->bytes + box->used;
    if (a.size > 0)
        memcpy(out, a.data, a.size);
    if (join)
        out[a.size] = '/';
    if (b.size > 0)
        memcpy(out + a.size + join, b.data, b.size);
    box->used += size;
    return (struct text){out, size};
}

static struct box *box_open(struct reader *reader, const struct line *line, struct error *error)
{
    struct stream *stream = reader->stream;
    if (!stream->box)
        stream->box = arena_take(reader->arena, 1, sizeof *stream->box);
    struct box *box = stream->box;
    if (!box) {
        error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0}, "no memory for a box");
        return NULL;
    }
    if (box->count == 0 && box->group.size == 0) {
        box->used = 0;
        box->step_rank = 99;
        box->rounded = false;
        position_clear(&box->position);
        box->line = line->number;
        box->offset = line->offset;
        box->time = line->time;
    }
    return box;
}

/* The key is a place: it goes into the position of the record. */
static bool box_place(struct reader *reader, struct box *box, struct text key,
                      const struct cell_value *value)
{
    enum place_word place = vocabulary_place(reader->vocabulary, last_word(key));
    if (place == PLACE_NONE || value->kind != CELL_NUMBER)
        return false;
    int rank = vocabulary_place_rank(reader->vocabulary, last_word(key));
    if (!value->number.finite || value->number.value != trunc(value->number.value) ||
        fabs(value->number.value) > 9e15)
        return true;
    int64_t k = (int64_t)value->number.value;
    if (place == PLACE_EPOCH)
        box->position.epoch = k;
    else if (place == PLACE_BATCH)
        box->position.batch = k;
    else if (value->rounded)
        box->rounded = true;
    else if (rank < box->step_rank) {
        box->position.step = k;
        box->step_rank = rank;
    }
    return true;
}

bool box_line(struct reader *reader, const struct line *line, bool *taken, struct error *error)
{
    struct cells cells;
    struct cell_value value;
    cells_between_pipes(line->content, &cells);
    *taken = false;
    if (cells.count < 2 || cells.count > 3)
        return true;
    cell_read(cells.cell[1], reader->comma, &value);
    struct text key = cells.cell[0];
    if (value.kind == CELL_NAME || key.size == 0)
        return true;
    struct box *box = box_open(reader, line, error);
    if (!box)
        return false;
    *taken = true;
    if (value.kind == CELL_EMPTY) { /* a group, for the indented keys below it */
        if (key.data[key.size - 1] == '/' || cells.cell[1].size == 0)
            box->group = box_copy(box, (struct text){"", 0}, key);
        return true;
    }
    /* Rows of a group are indented. */
    struct text raw = text_trim(line->content);
    bool indented = raw.size > 3 && raw.data[1] == ' ' && raw.data[2] == ' ';
    struct text name = box_copy(box, indented ? box->group : (struct text){"", 0}, key);
    if (box_place(reader, box, key, &value) || box->count == BOX_ROWS || name.size == 0)
        return true;
    struct naming naming =
        vocabulary_naming(reader->vocabulary, name, (struct text){"", 0}, PHASE_NONE);
    if (naming.refused)
        return true;
    box->names[box->count] = name;
    box->units[box->count] = name_intern(reader, value.unit);
    box->values[box->count] = value.number.value;
    box->places[box->count++] = value.number.places;
    return true;
}

bool box_close(struct reader *reader, struct stream *stream, struct error *error)
{
    struct box *box = stream->box;
    if (!box || (box->count == 0 && box->group.size == 0))
        return true;
    struct column columns[BOX_ROWS];
    bool known = false;
    for (size_t i = 0; i < box->count; i++) {
        bool only;
        enum phase phase = phase_of_name(reader->vocabulary, box->names[i], &only);
        columns[i] = (struct column){box->names[i], box->units[i], phase};
        known = known ||
                vocabulary_naming(reader->vocabulary, box->names[i], box->units[i], phase).known;
    }
    struct row row = {
        .sheet = known ? sheet_find(reader, columns, box->count) : NULL,
        .values = box->values,
        .places = box->places,
        .position = box->position,
        .rank = stream->rank,
        .line = box->line,
        .offset = box->offset,
        .time = box->time,
        .origin = ORIGIN_BOX,
        .text = {"", 0},
    };
    box->count = 0;
    box->group = (struct text){"", 0};
    if (!row.sheet)
        return true;
    struct position own = row.position;
    position_inherit(stream, row.line, &row.position, &row.grain);
    if (box->rounded && own.step == STEP_NONE) { /* it orders, it does not identify */
        row.position = own;
        row.position.generation = stream->generation;
        row.grain = (uint8_t)((row.grain & ~GRAIN_CARRIED) | GRAIN_STEP);
    } else if (!(row.grain & GRAIN_CARRIED))
        stream_place(stream, &own, row.line);
    return batch_add(reader, &row, error);
}
