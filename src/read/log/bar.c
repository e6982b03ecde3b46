/* Progress bars: redraws are running means, the last drawing of a bar is its point. */
/* SPDX-License-Identifier: MIT */
#include "read/log/reader.h"

#include <math.h>
#include <string.h>

enum {
    FEW_REDRAWS = 3, /* with more the redraws are the series */
    SHORTER = 3,     /* times, of a validation behind a pass of training */
};

/* k and N of the bar; false where it has no N. */
static bool bar_counter(const struct position *position, int64_t *k, int64_t *total)
{
    if (position->batch != STEP_NONE && position->batch_total != STEP_NONE) {
        *k = position->batch;
        *total = position->batch_total;
        return true;
    }
    *k = position->step;
    *total = position->step_total;
    return *k != STEP_NONE && *total != STEP_NONE;
}

static bool is_speed(struct reader *reader, const struct column *column)
{
    enum kind kind = memo_naming(reader, column->name, column->unit, column->phase).kind;
    return kind == KIND_STEP_TIME || kind == KIND_THROUGHPUT;
}

static bool is_bare(struct reader *reader, const struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        if (!is_speed(reader, &sheet->columns[i]))
            return false;
    return true;
}

/* The columns are among those that `all` has, but for the speed. */
static bool has_columns(struct reader *reader, const struct sheet *all, const struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const struct column *column = &sheet->columns[i];
        bool found = is_speed(reader, column);
        for (size_t k = 0; k < all->count && !found; k++)
            found = text_equal(all->columns[k].name, column->name) &&
                    all->columns[k].phase == column->phase;
        if (!found)
            return false;
    }
    return true;
}

/* All but the speed, which a bar that was seen to grow has anew where it is drawn once more. */
static bool same_values(struct reader *reader, const struct bar *bar, const struct row *row)
{
    if (!bar->held || bar->row.sheet != row->sheet)
        return false;
    for (size_t i = 0; i < row->sheet->count; i++) {
        const struct column *column = &row->sheet->columns[i];
        const double a = bar->values[i], b = row->values[i];
        if (a == b || (isnan(a) && isnan(b) && value_missing(a) == value_missing(b)))
            continue;
        if (bar->stride == 0 || !is_speed(reader, column))
            return false;
    }
    return true;
}

/* Where bars have no words, one much shorter right behind a whole long one, with its columns and in
   its epoch, is the validation of it. So is one that has nothing but its speed, there or where a
   long one was stopped for it. */
static bool is_validation(struct reader *reader, const struct bar *bar, const struct row *row,
                          int64_t total)
{
    if (!bar->held || bar->validates || row->phase != PHASE_NONE || bar->row.phase != PHASE_NONE ||
        row->position.epoch != bar->epoch || total > bar->total / SHORTER)
        return false;
    if (is_bare(reader, row->sheet))
        return bar->finished || bar->k - bar->from >= SHORTER;
    return bar->finished && has_columns(reader, bar->row.sheet, row->sheet);
}

static bool is_new(struct reader *reader, const struct bar *bar, const struct stream *stream,
                   const struct row *row, const struct line *line, int64_t k, int64_t total)
{
    if (!bar->open || k < bar->k || total != bar->total || row->position.epoch != bar->epoch ||
        stream->generation != bar->generation)
        return true;
    if (!bar->finished || k != total || line->number == bar->line || line->redraw)
        return false;
    /* Without a place and seen at its end alone it is another pass of a single batch; else right
       below its values were set once more. */
    if (bar->stride == 0 && row->position.epoch == STEP_NONE)
        return true;
    return bar->row.sheet == row->sheet && line->number != bar->line + 1 &&
           !same_values(reader, bar, row);
}

static bool hold(struct reader *reader, struct bar *bar, const struct row *row, struct error *error)
{
    if (!bar->values) {
        bar->values = arena_take(reader->arena, COLUMNS_MAX, sizeof *bar->values);
        bar->places = arena_take(reader->arena, COLUMNS_MAX, sizeof *bar->places);
        if (!bar->values || !bar->places)
            return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                             "no memory for a progress bar");
    }
    memcpy(bar->values, row->values, row->sheet->count * sizeof *bar->values);
    memcpy(bar->places, row->places, row->sheet->count * sizeof *bar->places);
    bar->row = *row;
    bar->row.values = bar->values;
    bar->row.places = bar->places;
    bar->row.text = (struct text){"", 0}; /* the window moves on */
    bar->held = true;
    return true;
}

/* A bar that is drawn every third batch ends at 69/70: its last redraw is its point. */
bool bar_close(struct reader *reader, struct stream *stream, bool last, struct error *error)
{
    struct bar *bar = &stream->bar;
    bool late = bar->open && !bar->finished && bar->held && bar->stride > 1 &&
                bar->k + bar->stride > bar->total;
    /* The only thing that was drawn at all. */
    late =
        late || (last && bar->open && bar->held && bar->ended == 0 && bar->redraws < FEW_REDRAWS);
    bar->open = false;
    if (!late)
        return true;
    bar->ended++;
    bar->row.origin = ORIGIN_BAR;
    return batch_add(reader, &bar->row, error);
}

bool bar_row(struct reader *reader, struct stream *stream, struct row *row, const struct line *line,
             int64_t share, struct error *error)
{
    struct bar *bar = &stream->bar;
    int64_t k, total;
    row->origin = ORIGIN_REDRAW;
    if (!bar_counter(&row->position, &k, &total) || total <= 0) {
        if (share < 0)
            return batch_add(reader, row, error);
        k = share;
        total = 100;
    }
    tie_bar(stream, k, total, line->number);
    if (is_new(reader, bar, stream, row, line, k, total)) {
        bool validates = is_validation(reader, bar, row, total);
        if (!bar_close(reader, stream, false, error))
            return false;
        bar->open = true;
        bar->finished = bar->held = false;
        bar->validates = validates;
        bar->stride = 0;
        bar->total = total;
        bar->from = k;
        bar->epoch = row->position.epoch;
        bar->generation = stream->generation;
        bar->number++;
    } else if (k > bar->k) {
        bar->stride = k - bar->k;
    } else if (bar->finished && bar->stride > 0 && same_values(reader, bar, row)) {
        return true; /* drawn once more at its end */
    }
    if (bar->finished && k > total) { /* it runs past its end */
        bar->k = k;
        return true;
    }
    if (bar->validates)
        row->phase = PHASE_VALIDATION;
    bar->k = k;
    bar->line = line->number;
    row->position.generation = bar->number;
    bar->redraws++;
    if (k >= total) {
        /* Its first full drawing ends both: the bar and the series of its redraws. */
        if (!bar->finished && !batch_add(reader, row, error))
            return false;
        row->origin = ORIGIN_BAR;
        bar->finished = true;
        bar->ended++;
    }
    if (!hold(reader, bar, row, error))
        return false;
    return batch_add(reader, row, error);
}
