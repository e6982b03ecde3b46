/* Tables: a header of names and rows of values, at commas, tabs or semicolons. Written by Lightning
   (metrics.csv: sparse rows), Keras (CSVLogger), Ultralytics (results.csv: padded names),
   Stable-Baselines and Spinning Up (progress.csv, progress.txt), guided-diffusion, CatBoost
   (learn_error.tsv), pandas. A file that is no table throughout is the log reader's. */
/* SPDX-License-Identifier: MIT */
#include "read/document/lines.h"
#include "read/document/rows.h"
#include "read/log/moment.h"
#include "read/side/said.h"

#include <string.h>

enum {
    CSV_CELLS_MAX = 512,
    ROWS_TESTED = 64,
    NAME_WORDS = 4,     /* a name is no sentence */
    NUMERIC_SHARE = 60, /* percent of the cells of a row that are numbers or empty */
    LONG_SHARE = 25,    /* the same where each row tells one value and its name */
};

enum cell_state { CELL_ABSENT, CELL_NUMBER, CELL_OTHER };

struct record { /* the cells of a line, without their quotes and the blanks around */
    struct text cells[CSV_CELLS_MAX];
    enum cell_state states[CSV_CELLS_MAX]; /* these two after row_is */
    struct number numbers[CSV_CELLS_MAX];
    size_t count;
};

static struct text cell_clean(struct text cell)
{
    cell = text_trim(cell);
    if (cell.size >= 2 && (cell.data[0] == '"' || cell.data[0] == '\'') &&
        cell.data[cell.size - 1] == cell.data[0])
        cell = text_trim(text_cut(cell, 1, cell.size - 2));
    return cell;
}

static void record_cut(struct text line, char delimiter, struct record *record)
{
    size_t start = 0;
    bool quoted = false;
    record->count = 0;
    for (size_t i = 0; i <= line.size; i++) {
        if (i < line.size && line.data[i] == '"')
            quoted = !quoted;
        if (i < line.size && (quoted || line.data[i] != delimiter))
            continue;
        if (record->count < CSV_CELLS_MAX)
            record->cells[record->count++] = cell_clean(text_cut(line, start, i - start));
        start = i + 1;
    }
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) || c == '_' || c == '#' ||
           c == '|';
}

static bool cell_is_name(struct text cell, bool first)
{
    size_t words = 1;
    if (cell.size == 0 || text_starts(cell, "Unnamed: "))
        return first; /* pandas does not name its index */
    for (size_t i = 0; i < cell.size; i++) {
        char c = cell.data[i];
        if (c == '=' || c == '{' || c == '}' ||
            (c == ':' && i + 1 < cell.size && cell.data[i + 1] == ' '))
            return false;
        words += c == ' ' && cell.data[i + 1 < cell.size ? i + 1 : i] != ' ';
    }
    struct number number;
    return letter(cell.data[0]) && words <= NAME_WORDS && !number_parse(cell, &number);
}

static bool header_is(const struct record *record)
{
    size_t named = 0;
    for (size_t i = 0; i < record->count; i++) {
        if (!cell_is_name(record->cells[i], i == 0))
            return false;
        named += record->cells[i].size > 0;
    }
    return record->count >= 2 && named >= 1;
}

static bool cell_absent(struct text cell)
{
    if (cell.size == 0)
        return true;
    if (cell.data[0] != '-' && cell.data[0] != '#' && (cell.data[0] | 0x20) != 'n')
        return false;
    static const char *const words[] = {"-", "n/a", "N/A", "#na#", "None", "null", "NA", NULL};
    for (size_t i = 0; words[i]; i++)
        if (text_is(cell, words[i]))
            return true;
    return false;
}

/* "1:06:15" and "00:43", in seconds. */
static bool clock_parse(struct text cell, struct number *number)
{
    double total = 0;
    size_t parts = 0;
    while (parts < 3) {
        size_t colon = text_find(cell, TEXT(":"));
        struct number part;
        if (!number_parse(text_cut(cell, 0, colon), &part) || part.value < 0 || !part.finite)
            return false;
        total = total * 60 + part.value;
        parts++;
        if (colon == cell.size) {
            *number = (struct number){
                .value = total, .size = cell.size, .integer = part.integer, .finite = true};
            return parts > 1;
        }
        cell = text_cut(cell, colon + 1, cell.size);
    }
    return false;
}

/* A number behind which at most a suffix or a percent sign stands. */
static bool cell_number(struct text cell, enum comma comma, struct number *number)
{
    if (!number_take(cell, comma, number))
        return false;
    struct text rest = text_trim(text_cut(cell, number->size, cell.size));
    if (rest.size == 0 || text_is(rest, "%"))
        return true;
    if (rest.data[0] == ':')
        return clock_parse(cell, number);
    double factor = text_is(rest, "K") || text_is(rest, "k") ? 1e3
                    : text_is(rest, "M")                     ? 1e6
                    : text_is(rest, "G")                     ? 1
                                                             : 0;
    number->value *= factor;
    return factor > 0;
}

/* A time, or "3/100": no number, but a value. */
static bool cell_is_value(struct text cell)
{
    struct number number;
    struct moment moment;
    size_t slash = text_find(cell, TEXT("/"));
    return time_take(cell, 0, &moment) > 0 ||
           (slash < cell.size && number_parse(text_cut(cell, 0, slash), &number) &&
            number_parse(text_cut(cell, slash + 1, cell.size), &number));
}

struct layout {
    char delimiter;
    enum comma comma;
    bool single; /* each row tells one value and its name: `1,val,loss,0.5` */
    size_t columns, rows;
};

static bool row_is(struct record *record, const struct layout *layout)
{
    const size_t columns = layout->columns, share = layout->single ? LONG_SHARE : NUMERIC_SHARE;
    size_t good = 0;
    if (record->count > columns || record->count * 2 < columns)
        return false;
    for (size_t i = 0; i < record->count; i++) {
        struct text cell = record->cells[i];
        record->states[i] = cell_absent(cell)                                       ? CELL_ABSENT
                            : cell_number(cell, layout->comma, &record->numbers[i]) ? CELL_NUMBER
                                                                                    : CELL_OTHER;
        good += record->states[i] != CELL_OTHER || cell_is_value(cell);
    }
    return good * 100 >= record->count * share;
}

static struct text without_mark(struct text text)
{
    return text_starts(text, "\xEF\xBB\xBF") ? text_cut(text, 3, text.size) : text;
}

/* Commas in numbers are decimal where they do not separate cells and no full stop stands in any. */
static enum comma comma_of(struct text rows, char delimiter)
{
    return delimiter != ',' && memchr(rows.data, ',', rows.size) &&
                   !memchr(rows.data, '.', rows.size)
               ? COMMA_DECIMAL
               : COMMA_GROUPS;
}

static bool tells_single(const struct record *header)
{
    bool name = false, value = false;
    for (size_t i = 0; i < header->count; i++) {
        name = name || tells_name(header->cells[i]);
        value = value || tells_value(header->cells[i]);
    }
    return name && value;
}

/* Are all lines of the head, the last one if it is whole, a header and its rows? */
static bool layout_test(struct text head, char delimiter, struct record *record,
                        struct layout *layout)
{
    struct text line = {0}, rest = without_mark(head);
    while (lines_cut(&rest, &line) && text_trim(line).size == 0)
        ;
    if (!line.data)
        line = rest, rest.size = 0;
    record_cut(line, delimiter, record);
    if (!header_is(record))
        return false;
    *layout = (struct layout){.delimiter = delimiter,
                              .comma = comma_of(rest, delimiter),
                              .single = tells_single(record),
                              .columns = record->count};
    char first[64];
    struct text name = text_cut(record->cells[0], 0, sizeof(first));
    memcpy(first, name.data, name.size);
    while (layout->rows < ROWS_TESTED && lines_cut(&rest, &line)) {
        if (text_trim(line).size == 0)
            continue;
        record_cut(line, delimiter, record);
        bool again = text_equal(text_cut(record->cells[0], 0, sizeof(first)),
                                (struct text){first, name.size});
        if (row_is(record, layout))
            layout->rows++;
        else if (name.size == 0 || !again) /* a header may stand again, which makes no table */
            return false;
    }
    return true;
}

static bool layout_find(struct text head, struct record *record, struct layout *layout)
{
    static const char delimiters[] = "\t;,";
    layout->columns = 0;
    for (size_t i = 0; delimiters[i]; i++) {
        struct layout found;
        if (layout_test(head, delimiters[i], record, &found) && found.columns > layout->columns)
            *layout = found;
    }
    return layout->columns > 0;
}

static int probe(struct span head, struct text file_name)
{
    struct record record;
    struct layout layout;
    bool named = text_ends(file_name, ".csv") || text_ends(file_name, ".tsv");
    struct text text = {(const char *)head.data, head.size};
    if (!layout_find(text, &record, &layout))
        return 0;
    if (layout.rows == 0)
        return named ? 60 : 0;
    return named ? 85 : 75;
}

struct table {
    struct lines lines;
    struct layout layout;
    struct record header, record;
    struct text value; /* what a column named "Value" holds: the file's name tells */
    struct writer *writer;
    uint64_t header_hash;
};

/* A name that an earlier column has too is its second: `loss#2`. A place says the same twice. */
static struct text name_again(const struct table *table, const struct reading *reading, size_t i)
{
    const struct text name = table->header.cells[i];
    size_t same = 1;
    for (size_t k = 0; k < i; k++)
        same += text_equal(table->header.cells[k], name);
    if (same == 1 || name.size == 0 || vocabulary_place(reading->vocabulary, name) != PLACE_NONE)
        return name;
    const struct text made =
        arena_print(reading->scratch, "%.*s#%zu", (int)name.size, name.data, same);
    return made.data ? made : name;
}

/* The names live as long as the reading. */
static bool header_take(struct table *table, const struct reading *reading, struct text line,
                        struct error *error)
{
    struct text copy = arena_text(reading->scratch, line);
    if (!copy.data)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    record_cut(copy, table->layout.delimiter, &table->header);
    table->header_hash = text_hash(line);
    for (size_t i = 0; i < table->header.count; i++) {
        struct text *name = &table->header.cells[i];
        if (name->size > 1 && name->data[0] == '#')
            *name = text_trim(text_cut(*name, 1, name->size));
        if (text_starts(*name, "Unnamed: "))
            *name = TEXT("");
        if (text_is(*name, "Value") && !table->layout.single) /* exported by TensorBoard */
            *name = table->value;
    }
    for (size_t i = table->header.count; i > 1; i--)
        table->header.cells[i - 1] = name_again(table, reading, i - 1);
    return true;
}

static bool row_take(struct table *table, struct place place, struct error *error)
{
    const struct record *record = &table->record;
    row_begin(table->writer, place);
    if (table->writer->row_number == 0 && table->header.cells[0].size == 0)
        table->writer->from_zero = text_is(record->cells[0], "0"); /* the index of pandas */
    for (size_t i = 0; i < record->count && i < table->header.count; i++) {
        struct text name = table->header.cells[i];
        if (record->states[i] == CELL_ABSENT || name.size == 0)
            continue;
        if (record->states[i] == CELL_NUMBER)
            row_add_number(table->writer, name, record->cells[i], &record->numbers[i]);
        else
            row_add(table->writer, name, record->cells[i], true);
    }
    return row_end(table->writer, error);
}

static bool start_tell(const struct reading *reading, struct place place, struct error *error)
{
    struct life life = {
        .event = EVENT_START, .place = place, .rank = -1, .step = STEP_NONE, .time = NAN};
    return reading->sink->life(reading->sink, &life, error);
}

static bool line_take(struct table *table, const struct reading *reading, struct text line,
                      struct place place, struct error *error)
{
    if (text_trim(line).size == 0)
        return true;
    if (table->header.count == 0)
        return said_tell(reading, without_mark(line), place, error) &&
               header_take(table, reading, without_mark(line), error);
    record_cut(line, table->layout.delimiter, &table->record);
    table->layout.columns = table->header.count;
    if (row_is(&table->record, &table->layout))
        return row_take(table, place, error);
    bool again = text_hash(line) == table->header_hash;
    bool grown = !again && header_is(&table->record) &&
                 text_equal(table->record.cells[0], table->header.cells[0]);
    if (again) /* the program was started again and wrote on */
        return writer_flush(table->writer, error) && start_tell(reading, place, error);
    return !grown || header_take(table, reading, line, error);
}

static bool read(const struct reading *reading, struct error *error)
{
    struct table *table = arena_take(reading->scratch, 1, sizeof(struct table));
    if (!table)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    struct span head;
    table->writer = writer_open(reading, error);
    if (!table->writer || !lines_open(&table->lines, reading->input, reading->scratch, error) ||
        !input_head(reading->input, &head, error))
        return false;
    table->writer->row_steps = true;
    table->writer->mute = true;
    table->value = file_series(input_path(reading->input));
    struct text text = {(const char *)head.data, head.size}, line;
    if (!layout_find(text, &table->record, &table->layout))
        table->layout = (struct layout){.delimiter = ','}; /* --type csv on something else */
    table->header.count = 0;
    struct place place;
    bool sound = true;
    while (sound && (sound = lines_next(&table->lines, &line, &place, error)) && line.data)
        sound = line_take(table, reading, line, place, error);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    return writer_close(table->writer, table->lines.number, late) && sound;
}

const struct format format_csv = {
    .name = "csv",
    .about = "tables with a header, at commas, tabs or semicolons",
    .group = FORMAT_DOCUMENT,
    .probe = probe,
    .read = read,
};
