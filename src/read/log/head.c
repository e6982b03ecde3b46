/* Heads of tables: names in cells, which of them are places, which are columns. */
/* SPDX-License-Identifier: MIT */
#include "read/log/cells.h"
#include "read/log/sentence.h"
#include "read/log/table.h"

#include <string.h>

enum {
    HEAD_WORDS = 4,
    HEAD_PLAIN = 3, /* columns at least */
    HEAD_FIRST = 2, /* of which one of the first is a place */
};

/* ---- Heads ---- */

static struct text unquoted(struct text name)
{
    while (name.size > 0 && strchr("\"'*#", name.data[0]) && name.size > 1)
        name = text_cut(name, 1, name.size);
    const bool opened = name.size > 0 && memchr(name.data, '(', name.size); /* `Box(P  R  mAP50)` */
    while (name.size > 0 && strchr(opened ? "\"':" : "\"':)", name.data[name.size - 1]))
        name.size--;
    return text_trim(name);
}

/* `2d_loss`: a name that begins with a digit, where a number has at most a unit. */
static bool begins_numbered(struct text cell)
{
    size_t i = 0;
    while (byte_is_digit(text_byte(cell, i)))
        i++;
    size_t joint = i;
    while (joint < cell.size && cell.data[joint] != '_')
        joint++;
    return i > 0 && byte_is_letter(text_byte(cell, i)) && joint > i && joint + 1 < cell.size;
}

/* `return nn.pad(x, **options)`: source code that a warning cites. */
static bool holds_call(struct text cell)
{
    size_t i = text_find(cell, TEXT("("));
    if (i == 0 || i == cell.size)
        return false;
    if (text_byte(cell, i + 1) == ')')
        return true;
    size_t word = i;
    while (word > 0 && byte_is_word(cell.data[word - 1]))
        word--;
    return word < i && word > 1 && cell.data[word - 1] == '.' && byte_is_word(cell.data[word - 2]);
}

bool head_is_name(struct text cell)
{
    size_t words = 1;
    if (cell.size == 0 || cell.size > NAME_MAX ||
        !(byte_is_letter(cell.data[0]) || strchr("_#\"'%|", cell.data[0]) || begins_numbered(cell)))
        return false;
    for (size_t i = 0; i < cell.size; i++) {
        if (strchr("={}", cell.data[i]))
            return false;
        if (cell.data[i] == ':' && i + 1 == cell.size)
            return false;
        words += cell.data[i] == ' ';
    }
    return words <= HEAD_WORDS && !holds_call(cell);
}

static bool all_names(const struct cells *cells)
{
    size_t empty = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].size == 0)
            empty++;
        else if (!head_is_name(cells->cell[i]))
            return false;
    }
    return cells->count >= 2 && empty <= 1 && cells->count <= COLUMNS_MAX;
}

struct head {
    struct reader *reader;
    const struct cells *cells;
    struct table table;
    struct column columns[COLUMNS_MAX];
    size_t count;
    bool known;
    int step, epoch, step_rank;
};

static void head_place(struct head *head, size_t i, struct text name)
{
    const struct vocabulary *vocabulary = head->reader->vocabulary;
    enum place_word place = vocabulary_place(vocabulary, last_word(name));
    size_t slash = 0;
    for (size_t j = 0; j < name.size; j++)
        if (name.data[j] == '/')
            slash = j + 1;
    if (place == PLACE_NONE && slash > 0)
        place = vocabulary_place(vocabulary, text_cut(name, slash, name.size));
    int rank = vocabulary_place_rank(vocabulary,
                                     slash ? text_cut(name, slash, name.size) : last_word(name));
    if (place == PLACE_EPOCH && head->epoch < 0) {
        head->epoch = (int)i;
        head->table.roles[i] = ROLE_PLACE - FIELD_EPOCH;
    } else if (place == PLACE_STEP && (head->step < 0 || rank < head->step_rank)) {
        if (head->step >= 0)
            head->table.roles[head->step] = ROLE_NONE;
        head->step = (int)i;
        head->step_rank = rank;
        head->table.roles[i] = ROLE_PLACE - FIELD_STEP;
    } else if (place == PLACE_BATCH) {
        head->table.roles[i] = ROLE_PLACE - FIELD_BATCH;
    } else if (place != PLACE_NONE) {
        head->table.roles[i] = ROLE_NONE;
    } else {
        head->table.roles[i] = 0;
    }
}

/* A name that an earlier column has too is its second, as in a record: `loss#2`. */
static struct text name_again(const struct head *head, const struct column *column)
{
    char bytes[NAME_MAX], mark[2];
    const struct text name = column->name;
    if (!column_again(head->columns, head->count, column, mark) ||
        name.size > NAME_MAX - sizeof(mark))
        return name;
    memcpy(bytes, name.data, name.size);
    memcpy(bytes + name.size, mark, sizeof(mark));
    return name_intern(head->reader, (struct text){bytes, name.size + sizeof(mark)});
}

static void head_column(struct head *head, size_t i)
{
    struct text name = unquoted(head->cells->cell[i]);
    const struct vocabulary *vocabulary = head->reader->vocabulary;
    head->table.roles[i] = ROLE_NONE;
    if (name.size == 0)
        return;
    if (text_is(name, "#") || head->cells->cell[i].data[0] == '#')
        name = head->cells->cell[i].size > 1 ? name : head->cells->cell[i];
    head_place(head, i, name);
    if (head->table.roles[i] != 0)
        return;
    head->table.roles[i] = ROLE_NONE;
    bool only;
    struct column column = {name, {"", 0}, phase_of_name(vocabulary, name, &only)};
    struct naming naming = vocabulary_naming(vocabulary, name, column.unit, column.phase);
    if (naming.refused)
        return;
    head->known = head->known || naming.known;
    column.name = name_again(head, &column);
    head->table.roles[i] = (int16_t)head->count;
    head->columns[head->count++] = column;
}

/* Columns that are phases; the rows have names, whose column may have none (*skipped). */
static bool head_phased(const struct head *head, bool *skipped)
{
    size_t phases = 0;
    const struct cells *cells = head->cells;
    for (size_t i = 0; i < cells->count; i++)
        phases += vocabulary_phase(head->reader->vocabulary, cells->cell[i]) != PHASE_NONE;
    *skipped = phases == cells->count;
    return cells->count >= 2 &&
           (*skipped || (phases + 1 == cells->count &&
                         vocabulary_phase(head->reader->vocabulary, cells->cell[0]) == PHASE_NONE));
}

bool head_is_phases(const struct reader *reader, const struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++)
        if (vocabulary_phase(reader->vocabulary, cells->cell[i]) == PHASE_NONE)
            return false;
    return cells->count >= 2;
}

bool head_says_all(struct reader *reader, const struct cells *cells)
{
    const struct vocabulary *vocabulary = reader->vocabulary;
    size_t places = 0, known = 0, losses = 0;
    if (cells->count < HEAD_PLAIN)
        return false;
    for (size_t i = 0; i < HEAD_FIRST; i++)
        places += vocabulary_place(vocabulary, unquoted(cells->cell[i])) != PLACE_NONE;
    if (places == 0 || !all_names(cells))
        return false;
    for (size_t i = 0; i < cells->count; i++) {
        const struct text name = unquoted(cells->cell[i]);
        const struct naming naming = memo_naming(reader, name, TEXT(""), PHASE_NONE);
        const bool place = vocabulary_place(vocabulary, name) != PLACE_NONE;
        known += place || naming.known;
        losses += !place && naming.known && !naming.refused && naming.kind <= KIND_VAL_LOSS;
    }
    return losses > 0 && 2 * known > cells->count;
}

static bool table_open(struct stream *stream, const struct table *table)
{
    stream->other = stream->table;
    stream->table = *table;
    return true;
}

/* A total among parts of a loss, `box  obj  cls  total`, is the loss. */
static void name_total(struct head *head)
{
    const struct vocabulary *vocabulary = head->reader->vocabulary;
    struct column *total = NULL;
    size_t parts = 0;
    for (size_t i = 0; i < head->count; i++) {
        struct column *column = &head->columns[i];
        const struct naming naming =
            vocabulary_naming(vocabulary, column->name, column->unit, column->phase);
        if (text_folds_to(column->name, "total") || text_folds_to(column->name, "tot"))
            total = column;
        else if (naming.known && (naming.kind == KIND_LOSS || naming.kind == KIND_VAL_LOSS))
            parts++;
    }
    if (total && parts > 1)
        total->name = TEXT("total loss");
}

/* The rate that a table prints beside a loss is no setting, where it has no other. */
static void name_rate(struct head *head)
{
    struct column *base = NULL;
    bool loss = false, rate = false;
    for (size_t i = 0; i < head->count; i++) {
        struct column *column = &head->columns[i];
        const enum kind kind =
            memo_naming(head->reader, column->name, column->unit, column->phase).kind;
        loss = loss || kind == KIND_LOSS || kind == KIND_VAL_LOSS;
        rate = rate || kind == KIND_LEARNING_RATE;
        if (name_is_base_rate(column->name))
            base = column;
    }
    if (base && loss && !rate)
        base->name = TEXT("learning rate");
}

bool head_accept(struct reader *reader, const struct cells *cells, enum table_kind kind,
                 char delimiter)
{
    if (!all_names(cells))
        return false;
    struct head made = {.reader = reader, .cells = cells, .step = -1, .epoch = -1};
    made.table.kind = kind;
    made.table.delimiter = delimiter;
    made.table.cells = (uint32_t)cells->count;
    made.table.at = reader->stream->lines;
    bool skipped;
    if (head_phased(&made, &skipped)) {
        made.table.phased = true;
        made.table.cells += skipped;
        for (size_t i = 0; i < cells->count; i++)
            made.table.roles[i + skipped] =
                (int16_t)vocabulary_phase(reader->vocabulary, cells->cell[i]);
        return table_open(reader->stream, &made.table);
    }
    for (size_t i = 0; i < cells->count; i++)
        head_column(&made, i);
    if (!made.known || made.count == 0)
        return false;
    name_total(&made);
    name_rate(&made);
    made.table.sheet = sheet_find(reader, made.columns, made.count);
    if (!made.table.sheet)
        return false;
    return table_open(reader->stream, &made.table);
}
