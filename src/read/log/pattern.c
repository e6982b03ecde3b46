/* Known lines. A pattern is the form of a line that was read by its plan once: literal text, digits
   that may be any digits, numbers. Two ways to match, the quicker first:

   image  the line with its widths: every byte is compared with the remembered line at once, and
          each number stands at a known place (speed.md 2.2)
   walk   literal, number, literal, number: for numbers whose width changes (speed.md 2.3)

   What a pattern reads is what the plan would have read; whatever it does not know goes the slow
   way. A word that kept changing while the plan stayed the same is a slot of letters. */
/* SPDX-License-Identifier: MIT */
#include "read/log/pattern_form.h"

#include "read/log/ahead.h"
#include "read/log/bytes.h"
#include "read/log/emit.h"

static void wording_open(const struct reader *reader, struct wording *wording)
{
    wording->vocabulary = reader->vocabulary;
    life_lengths(wording->lengths);
}

bool patterns_open(struct reader *reader, struct error *error)
{
    reader->patterns = arena_take(reader->arena, 1, sizeof *reader->patterns);
    if (reader->patterns)
        wording_open(reader, &reader->patterns->wording);
    return reader->patterns || error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                                         "no memory to read a log");
}

void patterns_forget(struct reader *reader)
{
    struct patterns *patterns = reader->patterns;
    for (size_t i = 0; patterns && i < PATTERNS; i++)
        patterns->slots[i].used = patterns->slots[i].used && !patterns->slots[i].entry;
    if (patterns)
        patterns->last = NULL;
}

struct pattern *pattern_room(struct patterns *patterns)
{
    return &patterns->slots[patterns->next++ % PATTERNS];
}

/* ---- What a matched line says ---- */

static bool numbers_put(struct reader *reader, const struct pattern *pattern, const char *text,
                        const struct shape_of *shapes, struct position *own, bool *named)
{
    position_clear(own);
    *named = false;
    for (size_t i = 0; i < pattern->number_count; i++) {
        const struct target *target = &pattern->targets[i];
        int16_t places;
        const double value = number_make(text, &shapes[i], &places);
        if (!target->place) {
            reader->values[target->column] = value;
            reader->places[target->column] = places;
            continue;
        }
        if (shape_integer(&shapes[i]) != target->integer || fabs(value) >= 9e15)
            return false;
        if (target->integer)
            position_set(own, target->field, (int64_t)value);
        else
            own->epoch_fraction = value;
        *named = *named || !target->counter;
    }
    return true;
}

static bool line_put(struct reader *reader, struct pattern *pattern, struct row *row, bool named,
                     struct error *error)
{
    struct stream *stream = reader->stream;
    const struct position own = row->position;
    bool sets = named && pattern->flags & PLAN_SETS;
    stream->lines++;
    stream->singles = 0;
    reader->counts.lines++;
    reader->counts.with_number++;
    reader->counts.understood++;
    if (!record_place(stream, row, named) && sets)
        stream_place(stream, &own, row->line);
    return batch_add(reader, row, error);
}

/* True where the state of the stream lets the line pass without a look at it. */
static bool stream_free(struct reader *reader, const struct pattern *pattern)
{
    const struct stream *stream = stream_of(reader, pattern->rank, NULL);
    return stream && stream->rank == pattern->rank && !stream->box && !stream->swapped &&
           (stream->table.kind == TABLE_NONE || !(pattern->entry_flags & ENTRY_ROW)) &&
           !(stream->traceback && traceback_wants(stream->traceback, NULL, 0));
}

static bool try(struct reader *reader, struct pattern *pattern, struct text rest, struct row *row,
                size_t *used, struct error *error)
{
    struct patterns *patterns = reader->patterns;
    struct shape_of walked[SLOTS];
    const struct shape_of *shapes = pattern->shapes;
    bool named;
    *used = 0;
    if (!stream_free(reader, pattern))
        return true;
    size_t size = pattern->size;
    if (pattern->wild || size > rest.size || !pattern_image(pattern, rest.data)) {
        size = pattern_walk(&patterns->wording, pattern, rest.data, rest.size, walked);
        shapes = walked;
        if (size == 0)
            return true;
        if (!pattern->wild && ++pattern->walked % WALKED == 0)
            pattern_renew(pattern, rest.data, size, walked);
        if (pattern_tells(pattern, reader->reading->messages, text_cut(rest, 0, size - 1)))
            return true;
    }
    row->time = NAN;
    if ((pattern->clock_size && !pattern_time(pattern, rest.data, &row->time)) ||
        !numbers_put(reader, pattern, rest.data, shapes, &row->position, &named))
        return true;
    *used = size;
    row->sheet = pattern->sheet;
    row->values = reader->values;
    row->places = reader->places;
    row->rank = pattern->rank;
    row->origin = ORIGIN_LINE;
    row->text = text_cut(rest, 0, size - 1);
    const struct place place = {reader->input, row->line, row->offset};
    if (pattern->clock_size &&
        !reader->sink->time(reader->sink, row->time, &place, row->rank, error))
        return false;
    if (patterns->last)
        patterns->last->after = pattern;
    patterns->last = pattern;
    pattern->hits++;
    if (pattern->entry)
        pattern->entry->uses++;
    return line_put(reader, pattern, row, named, error);
}

/* ---- Lines of one pattern, one behind the other ---- */

struct run { /* of lines like the last one */
    struct text rest;
    uint64_t number, offset;
    size_t used, lines;
};

/* Whether the lines of the pattern need no look at the stream, one by one. */
static bool run_possible(const struct reader *reader, const struct pattern *pattern)
{
    const struct stream *stream = reader->stream;
    return pattern->runs && stream->heading == PHASE_NONE &&
           !(stream->traceback && !traceback_settled(stream->traceback));
}

static bool times_tell(struct reader *reader, const struct pattern *pattern,
                       const struct rows *rows, struct error *error)
{
    struct sink *sink = reader->sink;
    if (!pattern->clock_size)
        return true;
    if (sink->times)
        return sink->times(sink, rows, reader->input, pattern->rank, error);
    for (size_t i = 0; i < rows->count; i++) {
        const struct place place = {reader->input, rows->lines[i], rows->offsets[i]};
        if (!sink->time(sink, rows->times[i], &place, pattern->rank, error))
            return false;
    }
    return true;
}

/* What rows take over: the generation, and the epoch of the line in front where they have none. */
static void rows_inherit(const struct row *row, uint32_t generation, struct chunk *chunk,
                         size_t first, size_t count)
{
    struct position *positions = chunk->positions + first;
    const bool epoch = row->position.epoch != STEP_NONE && positions->epoch == STEP_NONE &&
                       isnan(positions->epoch_fraction);
    if (chunk->generation == generation && !epoch)
        return;
    chunk->laid = 0;
    for (size_t i = 0; i < count; i++) {
        positions[i].generation = generation;
        if (!epoch)
            continue;
        positions[i].epoch = row->position.epoch;
        positions[i].epoch_total = row->position.epoch_total;
    }
}

/* What a run's rows say, to the sink; the row is that of a line like them. */
static bool rows_tell(struct reader *reader, const struct pattern *pattern, const struct run *run,
                      const struct row *row, const struct ahead_rows *rows, struct error *error)
{
    struct chunk *chunk = rows->chunk;
    const size_t first = rows->first;
    for (size_t i = 0; i < rows->count; i++)
        chunk->lines[first + i] = run->number + run->lines + i;
    rows_inherit(row, reader->stream->generation, chunk, first, rows->count);
    const double *columns[SLOTS];
    int16_t places[SLOTS];
    for (size_t n = 0; n < pattern->number_count; n++) {
        const struct target *target = &pattern->targets[n];
        if (target->place)
            continue;
        columns[target->column] = chunk->cells + n * chunk->room + first;
        places[target->column] = chunk->places[rows->stretch][n];
    }
    struct rows told = {
        .count = rows->count,
        .values = columns,
        .places = places,
        .positions = chunk->positions + first,
        .lines = chunk->lines + first,
        .offsets = chunk->offsets + first,
        .times = chunk->times + first,
        .texts = chunk->texts + first,
    };
    return times_tell(reader, pattern, &told, error) && rows_send(reader, row, &told, error);
}

/* What the lines leave behind in the stream and the counts. */
static void run_end(struct reader *reader, struct pattern *pattern, const struct run *run,
                    const struct position *last)
{
    struct stream *stream = reader->stream;
    stream->lines += run->lines;
    reader->counts.lines += run->lines;
    reader->counts.with_number += run->lines;
    reader->counts.understood += run->lines;
    pattern->hits += (uint32_t)run->lines;
    if (pattern->entry)
        pattern->entry->uses += run->lines;
    if (run->lines > 0)
        stream_place(stream, last, run->number);
}

/* The lines behind one that was just read by the pattern; the row is that line's. */
static bool run_read(struct reader *reader, struct pattern *pattern, struct run *run,
                     const struct row *row, struct error *error)
{
    struct position last = row->position;
    while (run->used < run->rest.size) {
        struct ahead_rows rows;
        const struct text rest = text_cut(run->rest, run->used, run->rest.size);
        if (!ahead_rows(reader, pattern, rest, run->offset + run->used, &rows))
            return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                             "no memory to read a log");
        if (rows.count == 0)
            break;
        if (!rows_tell(reader, pattern, run, row, &rows, error))
            return false;
        last = rows.chunk->positions[rows.first + rows.count - 1];
        run->used += rows.size;
        run->lines += rows.count;
    }
    run_end(reader, pattern, run, &last);
    return true;
}

bool pattern_read(struct reader *reader, struct text rest, uint64_t number, uint64_t offset,
                  size_t *used, size_t *lines, struct error *error)
{
    *lines = 1;
    struct patterns *patterns = reader->patterns;
    struct pattern *last = patterns->last, *next = last ? last->after : NULL;
    struct pattern *order[2] = {next, next == last ? NULL : last};
    *used = 0;
    for (size_t i = 0; i < 2; i++) {
        struct row row = {.line = number, .offset = offset};
        if (!order[i] || !order[i]->used)
            continue;
        if (!try(reader, order[i], rest, &row, used, error))
            return false;
        if (*used && run_possible(reader, order[i])) {
            struct run run = {text_cut(rest, *used, rest.size), number + 1, offset + *used, 0, 0};
            bool read = run_read(reader, order[i], &run, &row, error);
            *used += run.used;
            *lines += run.lines;
            return read;
        }
        if (*used)
            return true;
    }
    for (size_t i = 0; i < PATTERNS && patterns->slots[i].used; i++) {
        struct pattern *pattern = &patterns->slots[i];
        struct row row = {.line = number, .offset = offset};
        if (pattern == order[0] || pattern == order[1] ||
            (uint8_t)rest.data[0] != pattern->image[0])
            continue;
        if (!try(reader, pattern, rest, &row, used, error))
            return false;
        if (*used)
            return true;
    }
    return true;
}
