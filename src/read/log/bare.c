/* Rows of numbers without a head: read once three of them agree. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/sentence.h"
#include "read/log/table.h"

#include <math.h>
#include <string.h>

enum {
    BARE_LEAST = 2,
    BARE_MOST = 20,
    SUM_LEAST = 2, /* columns that a total is the sum of */
};

#define FALLS_SHARE 0.02  /* of its first value: what a loss falls by over the first rows */
#define STEADY_SHARE 0.25 /* that the strides of a clock may differ by */

/* The column that is the sum of those right before it, in all rows: a total behind its parts. */
static size_t total_column(const struct bare *bare)
{
    for (size_t column = 1 + SUM_LEAST; column < bare->cells; column++)
        for (size_t first = column - SUM_LEAST; first >= 1; first--) {
            size_t agree = 0;
            for (size_t r = 0; r < bare->count; r++) {
                double sum = 0, most = 0;
                for (size_t i = first; i < column; i++) {
                    sum += bare->values[r][i];
                    most = fmax(most, fabs(bare->values[r][i]));
                }
                double total = bare->values[r][column];
                agree += fabs(sum - total) <= 0.002 * fabs(total) && total > most && total != 0;
            }
            if (agree == bare->count)
                return column;
        }
    return 0;
}

static bool column_falls(const struct bare *bare, size_t column)
{
    const double first = bare->values[0][column];
    double before = first;
    for (size_t r = 1; r < bare->count; r++) {
        if (!(bare->values[r][column] < before))
            return false;
        before = bare->values[r][column];
    }
    return first - before > FALLS_SHARE * fabs(first);
}

/* Stands as a setting or the seconds of an epoch do. */
static bool column_stands(const struct bare *bare, size_t column)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t r = 0; r < bare->count; r++) {
        low = fmin(low, bare->values[r][column]);
        high = fmax(high, bare->values[r][column]);
    }
    return high - low <= FALLS_SHARE * fmax(fabs(low), fabs(high));
}

/* Goes up with the steps, as a clock or a second count does. */
static bool column_clocks(const struct bare *bare, size_t column)
{
    double least = INFINITY, most = 0;
    for (size_t r = 1; r < bare->count; r++) {
        const double steps = bare->values[r][0] - bare->values[r - 1][0];
        const double stride = (bare->values[r][column] - bare->values[r - 1][column]) / steps;
        least = fmin(least, stride);
        most = fmax(most, stride);
    }
    return least > 0 && most - least <= STEADY_SHARE * most;
}

/* The column that is the loss, 0 none: the first, but where it stands or clocks, or another falls
   and it does not. */
static size_t loss_column(const struct bare *bare)
{
    if (bare->cells <= 2 || column_falls(bare, 1))
        return 1;
    for (size_t r = 0; r < bare->count; r++)
        if (!isfinite(bare->values[r][1]))
            return 1;
    for (size_t column = 2; column < bare->cells; column++)
        if (column_falls(bare, column))
            return column;
    return column_stands(bare, 1) || column_clocks(bare, 1) ? 0 : 1;
}

static const struct sheet *bare_sheet(struct reader *reader, const struct bare *bare)
{
    static const char digits[] = "0123456789";
    struct column columns[BARE_CELLS];
    char names[BARE_CELLS][12];
    size_t total = total_column(bare);
    for (size_t i = 1; i < bare->cells; i++) {
        memcpy(names[i], "column ", 7);
        size_t size = 7, n = i + 1;
        if (n >= 10)
            names[i][size++] = digits[n / 10];
        names[i][size++] = digits[n % 10];
        columns[i - 1] = (struct column){{names[i], size}, {"", 0}, PHASE_NONE};
    }
    if (total > 0)
        columns[total - 1].name = (struct text){"loss", 4};
    else if (loss_column(bare) > 0)
        columns[loss_column(bare) - 1].name = (struct text){"", 0};
    return sheet_find(reader, columns, bare->cells - 1);
}

static bool bare_emit(struct reader *reader, const struct line *line, size_t at,
                      struct error *error)
{
    struct bare *bare = &reader->stream->bare;
    struct row row = table_row(reader, line, ORIGIN_BARE);
    row.sheet = bare->sheet;
    row.values = bare->values[at] + 1;
    row.places = bare->places[at] + 1;
    row.line = bare->lines[at];
    row.offset = bare->offsets[at];
    if (row.line != line->number)
        row.text = (struct text){"", 0};
    row.position.step = (int64_t)bare->values[at][0];
    row.position.step_total = bare->totals[at];
    row.grain = GRAIN_STEP;
    row.position.generation = reader->stream->generation;
    return batch_add(reader, &row, error);
}

struct bare_cells {
    double values[BARE_CELLS];
    int16_t places[BARE_CELLS];
    int64_t total;
};

/* A step, which numpy.savetxt prints as all other numbers, 1.000e+03: exact down to the unit. */
static bool counts(struct text cell, const struct number *number)
{
    const bool exponent = memchr(cell.data, 'e', cell.size) || memchr(cell.data, 'E', cell.size);
    return number->integer || (exponent && number->finite && number->places >= 0 &&
                               number->value == trunc(number->value));
}

static bool read_row(const struct reader *reader, const struct cells *cells, struct bare_cells *row)
{
    size_t numbers = 0;
    for (size_t i = 0; i < cells->count; i++) {
        struct cell_value value;
        cell_read(cells->cell[i], reader->comma, &value);
        bool number = value.kind == CELL_NUMBER || value.kind == CELL_PAIR;
        if (value.kind == CELL_NAME)
            return false;
        if (i == 0) {
            if (!number || !counts(cells->cell[i], &value.number) || value.unit.size > 0)
                return false;
            row->total = value.kind == CELL_PAIR ? value.total : STEP_NONE;
        }
        row->values[i] = number ? value.number.value : value_missing_make();
        row->places[i] = number ? value.number.places : INT16_MIN;
        numbers += number && (i == 0 || !value.number.integer);
    }
    return numbers >= 2;
}

/* A line of `head` from *at on, which goes on behind it; without what stands around. */
static struct text line_next(struct text head, size_t *at)
{
    const size_t start = *at;
    while (*at < head.size && head.data[*at] != '\n')
        ++*at;
    const struct text line = text_trim(text_cut(head, start, *at - start));
    *at += *at < head.size;
    return line;
}

/* `% training error (train set) vs. epoch`: what is drawn, not over what nor how it is marked. */
static struct text heading_of(struct text line)
{
    while (line.size > 0 && strchr("%# \t", line.data[0]))
        line = text_cut(line, 1, line.size);
    const struct text over[] = {TEXT(" vs"), TEXT(" per epoch"), TEXT(" over ")};
    for (size_t i = 0; i < sizeof over / sizeof *over; i++)
        line.size = text_find(line, over[i]);
    return text_trim(line);
}

bool file_headed(struct reader *reader, struct error *error)
{
    struct span bytes;
    if (!input_head(reader->reading->input, &bytes, error))
        return false;
    const struct text head = {(const char *)bytes.data, bytes.size};
    size_t at = 0;
    const struct text name = heading_of(line_next(head, &at)), first = line_next(head, &at);
    struct cells cells;
    struct number number;
    cells_at_gaps(name, &cells);
    const struct text plain = text_trim(text_cut(name, 0, text_find(name, TEXT("("))));
    if (cells.count != 1 || !head_is_name(plain) || !number_parse(first, &number) ||
        (number.integer && number.finite))
        return true;
    const struct naming naming = vocabulary_naming(reader->vocabulary, name, TEXT(""), PHASE_NONE);
    if (!naming.known || naming.refused || naming.kind > KIND_VAL_METRIC)
        return true;
    reader->file_loss = arena_text(reader->arena, name);
    reader->file_head = true;
    return reader->file_loss.data ||
           error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                     "no memory for the head of a log");
}

/* `0.51` and nothing else, from the first line of `train_loss.txt` on: the first column is what the
   file is called after, or its first line names. */
static bool file_row(struct reader *reader, const struct line *line, const struct cells *cells,
                     bool *taken, struct error *error)
{
    struct bare *bare = &reader->stream->bare;
    const uint64_t at = reader->file_head ? line->number - 1 : reader->stream->lines;
    bool only;
    if (bare->of_file + 1 != at || cells->count == 0 || cells->count > BARE_MOST ||
        (bare->of_file > 0 && cells->count != bare->cells))
        return true;
    for (size_t i = 0; i < cells->count; i++) {
        struct cell_value value;
        cell_read(cells->cell[i], reader->comma, &value);
        if (value.kind != CELL_NUMBER || value.unit.size > 0 ||
            (bare->of_file == 0 && value.number.integer && value.number.finite))
            return true;
        reader->values[i] = value.number.value;
        reader->places[i] = value.number.places;
    }
    const struct column column = {reader->file_loss, TEXT(""),
                                  phase_of_name(reader->vocabulary, reader->file_loss, &only)};
    bare->of_file++;
    bare->cells = cells->count;
    struct row row = table_row(reader, line, ORIGIN_TABLE);
    row.sheet = sheet_find(reader, &column, 1);
    *taken = true;
    return !row.sheet || batch_add(reader, &row, error);
}

bool bare_row(struct reader *reader, const struct line *line, const struct cells *cells,
              bool *taken, struct error *error)
{
    struct bare *bare = &reader->stream->bare;
    if (reader->file_loss.size > 0 && (!file_row(reader, line, cells, taken, error) || *taken))
        return *taken;
    if (cells->count < BARE_LEAST || cells->count > BARE_MOST)
        return true;
    bool follows = cells->count == bare->cells && bare->count > 0;
    size_t at = !follows ? 0 : bare->count < BARE_ROWS ? bare->count : BARE_ROWS - 1;
    if (bare->sheet && follows)
        at = 0;
    double before = follows ? bare->values[bare->sheet ? 0 : bare->count - 1][0] : 0;
    struct bare_cells own;
    if (!read_row(reader, cells, &own)) /* another print between them */
        return true;
    if (follows && own.values[0] <= before) { /* no step: begins anew */
        at = 0;
        follows = false;
    }
    memcpy(bare->values[at], own.values, sizeof own.values);
    memcpy(bare->places[at], own.places, sizeof own.places);
    bare->totals[at] = own.total;
    bare->lines[at] = line->number;
    bare->offsets[at] = line->offset;
    if (follows && bare->sheet) {
        *taken = true;
        return bare_emit(reader, line, 0, error);
    }
    bare->sheet = NULL;
    bare->cells = cells->count;
    bare->count = at + 1;
    *taken = true;
    if (bare->count < BARE_ROWS)
        return true;
    bare->sheet = bare_sheet(reader, bare);
    for (size_t i = 0; bare->sheet && i < BARE_ROWS; i++)
        if (!bare_emit(reader, line, i, error))
            return false;
    memcpy(bare->values[0], bare->values[at], sizeof bare->values[0]);
    bare->count = 1;
    return true;
}
