/* Tables of features, offered as samples: a line a sample, a column a feature.

   age,income,city        commas, semicolons or tabs; a first line without a number names columns
   41.5,52000,3
   ,61000.5,?             an empty cell, "?", "NA", "null" and their like are NaN

   All columns of numbers are one array "(table)", and each is one of its name; columns of words are
   left out, a table of nothing else has no array. What no memory is for behind the first samples is
   left out too. */
/* SPDX-License-Identifier: MIT */
#include "read/document/lines.h"
#include "stalldoc/format.h"
#include "stalldoc/number.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MOST = 4096, VALUES_MOST = 8 << 20 /* of a double each */, NAME_MOST = 128 };

struct table {
    const struct reading *reading;
    char separator;
    size_t columns, kept;
    uint64_t rows, odd; /* odd: lines of another number of cells */
    struct text *names; /* [columns] */
    uint64_t *words;    /* [columns] cells that are no number */
    double *values;     /* [rows * columns] */
    size_t count, capacity;
};

/* Never by itself: a file of numbers is a log until someone says what it is. */
static int probe(struct span head, struct text file_name)
{
    (void)head;
    (void)file_name;
    return 0;
}

static char separator_of(struct text line)
{
    const size_t commas = text_count(line, ','), tabs = text_count(line, '\t'),
                 others = text_count(line, ';');
    return tabs > 0 && tabs >= commas ? '\t' : others > commas ? ';' : ',';
}

/* The next cell, without its quotes; false behind the last. */
static bool cell_next(struct text line, char separator, size_t *at, struct text *cell)
{
    size_t end = *at;
    bool quoted = false;
    if (end > line.size)
        return false;
    while (end < line.size && (quoted || line.data[end] != separator))
        quoted ^= line.data[end++] == '"';
    *cell = text_trim(text_cut(line, *at, end - *at));
    if (cell->size > 1 && cell->data[0] == '"' && cell->data[cell->size - 1] == '"')
        *cell = text_trim(text_cut(*cell, 1, cell->size - 2));
    *at = end + 1;
    return true;
}

static bool is_missing(struct text cell)
{
    static const char *const words[] = {"",     "?",    "NA",   "N/A",  "n/a",
                                        "null", "NULL", "None", "none", "-"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text_is(cell, words[i]))
            return true;
    return false;
}

/* NaN where nothing stands there; false where words do. */
static bool value_of(struct text cell, double *value)
{
    struct number number;
    *value = (double)NAN;
    if (is_missing(cell))
        return true;
    if (!number_parse(cell, &number))
        return false;
    *value = number.value;
    return true;
}

static bool no_memory(const struct table *table, struct error *error)
{
    return error_set(error, ERROR_MEMORY, input_place(table->reading->input, 0),
                     "no memory for the table");
}

/* Whether the first line names columns: no cell of it is a number. */
static bool header_take(struct table *table, struct text line, bool *named, struct error *error)
{
    struct arena *arena = table->reading->scratch;
    struct text cell;
    size_t at = 0;
    double value;
    *named = true;
    table->separator = separator_of(line);
    table->names = arena_take(arena, COLUMNS_MOST, sizeof(*table->names));
    table->words = arena_take(arena, COLUMNS_MOST, sizeof(*table->words));
    if (!table->names || !table->words)
        return no_memory(table, error);
    while (table->columns < COLUMNS_MOST && cell_next(line, table->separator, &at, &cell)) {
        *named = *named && (is_missing(cell) || !value_of(cell, &value));
        table->names[table->columns] = arena_text(arena, text_cut(cell, 0, NAME_MOST));
        if (!table->names[table->columns++].data)
            return no_memory(table, error);
    }
    for (size_t i = 0; i < table->columns; i++)
        if (!*named || table->names[i].size == 0) {
            table->names[i] = arena_print(arena, "%zu", i);
            if (!table->names[i].data)
                return no_memory(table, error);
        }
    return true;
}

static bool row_take(struct table *table, struct text line, bool *full, struct error *error)
{
    struct text cell;
    size_t column = 0, at = 0;
    *full = table->count + table->columns > VALUES_MOST;
    if (*full)
        return true;
    double *values = arena_grow(table->reading->scratch, table->values, table->count,
                                &table->capacity, table->count + table->columns, sizeof(*values));
    if (!values)
        return no_memory(table, error);
    table->values = values;
    for (; column < table->columns && cell_next(line, table->separator, &at, &cell); column++)
        table->words[column] += !value_of(cell, &values[table->count + column]);
    if (column < table->columns || at <= line.size) {
        table->odd++;
        return true;
    }
    table->count += table->columns;
    table->rows++;
    return true;
}

static bool rows_take(struct table *table, struct error *error)
{
    struct lines lines;
    struct text line;
    struct place place;
    bool named = false, full = false;
    if (!lines_open(&lines, table->reading->input, table->reading->scratch, error))
        return false;
    while (!full) {
        if (!lines_next(&lines, &line, &place, error))
            return false;
        if (!line.data)
            return true;
        if (text_trim(line).size == 0)
            continue;
        if (table->columns == 0 && !header_take(table, line, &named, error))
            return false;
        if (named) { /* it is no sample */
            named = false;
            continue;
        }
        if (!row_take(table, line, &full, error))
            return false;
    }
    return true;
}

/* Columns that mostly hold words go, the others move together. */
static void columns_keep(struct table *table)
{
    for (size_t i = 0; i < table->columns; i++)
        if (table->words[i] * 2 <= table->rows)
            table->names[table->kept++] = table->names[i];
    size_t to = 0;
    for (uint64_t row = 0; row < table->rows; row++)
        for (size_t i = 0; i < table->columns; i++)
            if (table->words[i] * 2 <= table->rows)
                table->values[to++] = table->values[row * table->columns + i];
}

static bool arrays_put(const struct table *table, struct error *error)
{
    const struct reading *reading = table->reading;
    const size_t size = (size_t)table->rows * table->kept * sizeof(double);
    struct input *input =
        input_inside(reading->input, (struct span){(const uint8_t *)table->values, size}, error);
    if (!input)
        return false;
    struct tensor_view view = {.name = TEXT("(table)"),
                               .dtype = DTYPE_FLOAT64,
                               .rank = 2,
                               .shape = {(int64_t)table->rows, (int64_t)table->kept},
                               .stride = {(int64_t)table->kept, 1},
                               .input = input,
                               .size = size};
    if (!reading->sink->tensor(reading->sink, &view, error))
        return false;
    view.rank = 1;
    for (size_t i = 0; i < table->kept; i++) {
        view.name = table->names[i];
        view.first = (int64_t)i;
        if (!reading->sink->tensor(reading->sink, &view, error))
            return false;
    }
    return true;
}

static bool read_table(const struct reading *reading, struct error *error)
{
    struct table table = {.reading = reading};
    const struct place place = input_place(reading->input, 0);
    const bool sound = rows_take(&table, error);
    if (!sound && table.rows == 0)
        return false;
    if (table.odd > table.rows)
        return error_set(error, ERROR_MALFORMED, place,
                         "no table: most lines have another number of cells than the first");
    columns_keep(&table);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    return (table.rows == 0 || table.kept == 0 || arrays_put(&table, late)) && sound;
}

const struct format format_table = {
    .name = "table",
    .about = "table of features (.csv, .tsv), for --inputs and --targets",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_table,
};
