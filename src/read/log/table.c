/* Tables: a header waits for its first row, rows are read by their column (shapes of tables). */
/* SPDX-License-Identifier: MIT */
#include "read/log/table.h"
#include "read/log/bytes.h"
#include "read/log/cells.h"

#include <string.h>

enum {
    HEAD_MOST = 60,
    NUMERIC_PERCENT = 60,
    PIPED_PERCENT = 50, /* between pipes: names of a trial, its state and its place beside them */
    PHASED_LINES = 40,  /* rows of a table of phases follow within */
    PHASED_MOST = 8,    /* columns of such a table */
    STACKED_MOST = 24,  /* columns whose names stand in several lines */
};

static struct text without_bar(const struct cut *cut)
{
    struct text text = text_cut(cut->text, 0, cut->size);
    if (cut->bar >= cut->count)
        return text;
    text = text_cut(text, 0, cut->tokens[cut->bar].start);
    for (size_t i = cut->bar; i > 0; i--) { /* `640: 100%` */
        const struct token *token = &cut->tokens[i - 1];
        if (token->kind == TOKEN_PUNCT && token->byte == ':')
            return text_cut(text, 0, token->start);
    }
    return text;
}

static char delimiter_of(struct text text)
{
    static const char delimiters[] = "\t,;";
    for (size_t i = 0; delimiters[i]; i++)
        if (text_count(text, delimiters[i]) > 0)
            return delimiters[i];
    return '\0';
}

/* Of a head that plainly is one the rows may stand far below. */
static bool is_plain(struct reader *reader, const struct ring_line *kept)
{
    const struct text text = {kept->text, kept->size};
    const char delimiter = delimiter_of(text);
    struct cells head;
    if (text_count(text, '|') > 0)
        cells_between_pipes(text, &head);
    else if (delimiter)
        cells_at(text, delimiter, &head);
    else
        cells_at_blanks(text, &head);
    return head_says_all(reader, &head);
}

bool ring_add(struct reader *reader, const struct line *line, struct error *error)
{
    struct stream *stream = reader->stream;
    const struct text text = without_bar(&reader->cut);
    if (!stream->ring) {
        stream->ring = arena_take(reader->arena, RING_LINES + 1, sizeof *stream->ring);
        if (!stream->ring)
            return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                             "no memory for table heads");
    }
    stream->ring_head = (stream->ring_head + 1) % RING_LINES;
    struct ring_line *kept = &stream->ring[stream->ring_head];
    if (kept->size > 0 && kept->plain)
        stream->ring[RING_LINES] = *kept;
    kept->size = (uint16_t)(text.size < RING_BYTES ? text.size : RING_BYTES);
    kept->indent = under_indent(line);
    kept->at = stream->lines;
    memcpy(kept->text, text.data, kept->size);
    kept->plain = is_plain(reader, kept);
    return true;
}

/* ---- Rows ---- */

/* A mark behind a row, `0.5  <- best`, `0.5 *`, `0.5  # strange`, an arrow, a tick or a pictogram
   with its words, is none of its cells. */
static struct text without_note(const struct cut *cut, struct text text)
{
    if (cut->number_count == 0)
        return text;
    size_t i = cut->numbers[cut->number_count - 1] + 1u;
    while (i < cut->count && cut->tokens[i].end <= text.size &&
           (cut->tokens[i].kind == TOKEN_BLANK || cut->tokens[i].kind == TOKEN_GAP))
        i++;
    const struct token *note = &cut->tokens[i];
    if (i == 0 || i >= cut->count || note->start >= text.size ||
        cut->tokens[i - 1].kind == TOKEN_NUMBER)
        return text;
    unsigned char first = (unsigned char)text.data[note->start];
    bool mark = first == 0xE2 || first == 0xF0 || first == '*' || first == '<' || first == '#';
    return mark ? text_cut(text, 0, note->start) : text;
}

struct row_cells {
    struct aligned whole; /* without bars and notes */
    struct cells delimited, piped, blanks;
    char delimiter;
};

static bool mostly_numbers(const struct cells *cells, enum comma comma, size_t percent)
{
    size_t numbers = 0, filled = 0;
    for (size_t i = 0; i < cells->count; i++) {
        struct cell_value value;
        cell_read(cells->cell[i], comma, &value);
        filled += value.kind == CELL_NUMBER || value.kind == CELL_PAIR;
        numbers += value.kind != CELL_NAME;
    }
    return filled > 0 && numbers * 100 >= cells->count * percent;
}

static void place_cell(struct position *position, int field, const struct cell_value *value)
{
    if (value->kind != CELL_NUMBER && value->kind != CELL_PAIR)
        return;
    bool whole =
        value->number.value == trunc(value->number.value) && fabs(value->number.value) < 9e15;
    if (!whole || value->rounded) {
        if (field == FIELD_EPOCH && value->number.finite)
            position->epoch_fraction = value->number.value;
        return;
    }
    int64_t k = (int64_t)value->number.value;
    int64_t total = value->kind == CELL_PAIR ? value->total : STEP_NONE;
    if (field == FIELD_STEP) {
        position->step = k;
        position->step_total = total;
    } else if (field == FIELD_EPOCH) {
        position->epoch = k;
        position->epoch_total = total;
    } else {
        position->batch = k;
        position->batch_total = total;
    }
}

struct row table_row(struct reader *reader, const struct line *line, enum origin origin)
{
    struct row row = {
        .values = reader->values,
        .places = reader->places,
        .rank = reader->stream->rank,
        .line = line->number,
        .offset = line->offset,
        .time = line->time,
        .text = line->seen,
        .origin = origin,
    };
    position_clear(&row.position);
    return row;
}

/* Parts add up to a loss; of other values the sum says nothing. */
static bool adds_up(struct reader *reader, const struct column *column)
{
    enum kind kind = memo_naming(reader, column->name, column->unit, column->phase).kind;
    return kind == KIND_LOSS || kind == KIND_VAL_LOSS;
}

/* A row with a bar behind it is drawn again and again: `640:  50%|###   |`. */
static enum origin row_origin(const struct cut *cut)
{
    if (cut->bar == 0 || cut->bar >= cut->count)
        return ORIGIN_TABLE;
    const struct token *share = &cut->tokens[cut->bar - 1];
    const bool drawn = share->kind == TOKEN_NUMBER && text_is(token_unit(cut, share), "%") &&
                       !text_is(token_inner(cut, share), "100");
    return drawn ? ORIGIN_REDRAW : ORIGIN_BAR;
}

static bool row_emit(struct reader *reader, const struct line *line, const struct table *table,
                     const struct cells *cells, struct error *error)
{
    struct row row = table_row(reader, line, row_origin(&reader->cut));
    row.sheet = table->sheet;
    for (size_t i = 0; i < table->sheet->count; i++) {
        reader->values[i] = value_missing_make();
        reader->places[i] = INT16_MIN;
    }
    enum phase phase = PHASE_NONE; /* `| 3 | val | 0.5 |` under `| epoch | split | loss |` */
    bool rounded = false;          /* a step with an exponent orders, it does not identify */
    for (size_t i = 0; i < cells->count && i < table->cells; i++) {
        struct cell_value value;
        cell_read(cells->cell[i], reader->comma, &value);
        if (value.kind == CELL_NAME && phase == PHASE_NONE)
            phase = vocabulary_phase(reader->vocabulary, cells->cell[i]);
        if (table->roles[i] <= ROLE_PLACE) {
            rounded = rounded || (value.rounded && table->roles[i] == ROLE_PLACE - FIELD_STEP);
            place_cell(&row.position, ROLE_PLACE - table->roles[i], &value);
        } else if (table->roles[i] >= 0 && (value.kind == CELL_NUMBER || value.kind == CELL_PAIR) &&
                   (!value.summed || adds_up(reader, &table->sheet->columns[table->roles[i]]))) {
            reader->values[table->roles[i]] = value.number.value;
            reader->places[table->roles[i]] = value.number.places;
        }
    }
    struct position own = row.position;
    position_inherit(reader->stream, line->number, &row.position, &row.grain);
    if (rounded)
        row.grain = (uint8_t)((row.grain & ~GRAIN_CARRIED) | GRAIN_STEP);
    if (!(row.grain & GRAIN_CARRIED) && !rounded)
        stream_place(reader->stream, &own, line->number);
    else
        row.phase = reader->stream->heading;
    row.phase = phase != PHASE_NONE ? phase : row.phase;
    return batch_add(reader, &row, error);
}

/* `loss | 0.51 | 0.54` under `name | Training | Validation`. */
static bool row_phased(struct reader *reader, const struct line *line, const struct table *table,
                       const struct cells *cells, struct error *error)
{
    struct column columns[PHASED_MOST];
    size_t count = 0;
    if (!head_is_name(cells->cell[0]))
        return true;
    for (size_t i = 1; i < cells->count && i < table->cells && count < PHASED_MOST; i++) {
        struct cell_value value;
        cell_read(cells->cell[i], reader->comma, &value);
        if (value.kind != CELL_NUMBER)
            continue;
        columns[count] = (struct column){cells->cell[0], {"", 0}, (enum phase)table->roles[i]};
        reader->values[count] = value.number.value;
        reader->places[count++] = value.number.places;
    }
    struct row row = table_row(reader, line, ORIGIN_TABLE);
    row.sheet = sheet_find(reader, columns, count);
    if (!row.sheet)
        return true;
    position_inherit(reader->stream, line->number, &row.position, &row.grain);
    return batch_add(reader, &row, error);
}

static bool fits(const struct table *table, const struct cells *cells)
{
    if (table->kind == TABLE_DELIMITED || table->phased)
        return cells->count == table->cells;
    return cells->count == table->cells || cells->count == table->cells + 1u ||
           cells->count + 1 == table->cells;
}

static const struct cells *cells_for(const struct row_cells *row, const struct table *table)
{
    switch (table->kind) {
    case TABLE_DELIMITED:
        return table->delimiter == row->delimiter ? &row->delimited : NULL;
    case TABLE_PIPED:
        return &row->piped;
    case TABLE_ALIGNED:
        return &row->blanks;
    default:
        return NULL;
    }
}

static bool size_matches(size_t head, size_t row, bool exact)
{
    return head == row || (!exact && (head + 1 == row || row + 1 == head));
}

/* `Epoch batch     loss`: names of two places with one blank between them are two columns, where
   the row has as many. */
static bool try_places(struct reader *reader, struct text text, const struct cells *gaps,
                       const struct row_cells *row)
{
    const struct vocabulary *vocabulary = reader->vocabulary;
    struct cells head;
    cells_at_blanks(text, &head);
    return gaps->count + 1 == row->blanks.count && head.count == row->blanks.count &&
           vocabulary_place(vocabulary, head.cell[0]) != PLACE_NONE &&
           vocabulary_place(vocabulary, head.cell[1]) != PLACE_NONE &&
           gaps->cell[0].size > head.cell[0].size &&
           head_accept(reader, &head, TABLE_ALIGNED, '\0');
}

static bool is_whole(const struct reader *reader, struct text cell)
{
    struct cell_value value;
    cell_read(cell, reader->comma, &value);
    return value.kind == CELL_NUMBER && value.number.integer && value.unit.size == 0;
}

/* `   epoch  loss` over `0      1   2.5`: data frames number their rows in front, without a name.
   The rows of one without a place have that number for it. */
static bool try_indexed(struct reader *reader, const struct cells *names,
                        const struct row_cells *row)
{
    const struct vocabulary *vocabulary = reader->vocabulary;
    const struct cells *cells = &row->blanks;
    struct cells head = {.count = names->count + 1};
    struct cell_value last;
    if (names->count < 2 || names->count >= HEAD_MOST || head.count != cells->count ||
        !is_whole(reader, cells->cell[0]))
        return false;
    cell_read(cells->cell[cells->count - 1], reader->comma, &last);
    const bool placed = vocabulary_place(vocabulary, names->cell[0]) != PLACE_NONE;
    size_t places = 0;
    for (size_t i = 0; i < names->count; i++)
        places += vocabulary_place(vocabulary, names->cell[i]) != PLACE_NONE;
    if (last.kind != CELL_NUMBER || places != placed || placed != is_whole(reader, cells->cell[1]))
        return false;
    head.cell[0] = placed ? TEXT("") : TEXT("#");
    memcpy(head.cell + 1, names->cell, names->count * sizeof *names->cell);
    return head_accept(reader, &head, TABLE_ALIGNED, '\0');
}

/* As many names as the row has cells, or more, some of which the row leaves blank. */
static bool try_aligned(struct reader *reader, const struct ring_line *kept,
                        const struct cells *head, const struct row_cells *row)
{
    const struct aligned names = {{kept->text, kept->size}, kept->indent};
    if (head->count < 2 || head->count > HEAD_MOST ||
        (!size_matches(head->count, row->blanks.count, false) &&
         !under_fits(&names, head, &row->whole, &row->blanks)) ||
        !head_accept(reader, head, TABLE_ALIGNED, '\0'))
        return false;
    under_note(&reader->stream->table, &names, head);
    return true;
}

/* A remembered line as the head of this row. */
static bool try_head(struct reader *reader, const struct ring_line *kept,
                     const struct row_cells *row)
{
    struct cells head;
    struct text text = {kept->text, kept->size};
    /* The names may stand at commas over rows at tabs. */
    const char delimiter =
        text_count(text, row->delimiter) > 0 ? row->delimiter : delimiter_of(text);
    if (row->delimiter && delimiter) {
        cells_at(text, delimiter, &head);
        if (size_matches(head.count, row->delimited.count, true) &&
            head_accept(reader, &head, TABLE_DELIMITED, row->delimiter))
            return true;
    }
    if (row->piped.count >= 2) {
        cells_between_pipes(text, &head);
        bool phases = head_is_phases(reader, &head) && head.count + 1 == row->piped.count;
        if ((phases || size_matches(head.count, row->piped.count, true)) &&
            head_accept(reader, &head, TABLE_PIPED, '|'))
            return true;
        return false;
    }
    cells_at_gaps(text, &head);
    if (head.count >= 2 && head.count <= HEAD_MOST && try_places(reader, text, &head, row))
        return true;
    if (try_indexed(reader, &head, row))
        return true;
    if (try_aligned(reader, kept, &head, row))
        return true;
    cells_at_blanks(text, &head);
    return try_aligned(reader, kept, &head, row);
}

/* The names of one column, which stand in several lines one below the other. */
static struct text stacked_name(const struct cells *lines, size_t count, size_t column, char *bytes)
{
    size_t size = 0;
    for (size_t i = count; i > 0; i--) { /* the newest line is the lowest */
        struct text part = lines[i - 1].cell[column];
        if (part.size == 0 || part.data[0] == '(' || size + part.size + 1 > NAME_MAX)
            continue;
        if (size > 0)
            bytes[size++] = ' ';
        memcpy(bytes + size, part.data, part.size);
        size += part.size;
    }
    return (struct text){bytes, size};
}

/* `| Mini-batch |` over `|    Loss    |`: lines of a head one below the other. */
static bool try_stacked(struct reader *reader, const struct row_cells *row)
{
    struct stream *stream = reader->stream;
    struct cells lines[RING_LINES], head = {.count = row->piped.count};
    char bytes[STACKED_MOST][NAME_MAX];
    size_t count = 0;
    if (head.count < 3 || head.count > STACKED_MOST)
        return false;
    for (size_t i = 0; stream->ring && i < RING_LINES; i++) {
        const struct ring_line *kept =
            &stream->ring[(stream->ring_head + RING_LINES - i) % RING_LINES];
        if (kept->size == 0 || kept->at + 1 + i != stream->lines)
            break;
        cells_between_pipes((struct text){kept->text, kept->size}, &lines[count]);
        if (lines[count].count != head.count)
            break;
        count++;
    }
    for (size_t i = 0; count > 1 && i < head.count; i++)
        head.cell[i] = stacked_name(lines, count, i, bytes[i]);
    return count > 1 && head_accept(reader, &head, TABLE_PIPED, '|');
}

/* `all  857  0.99` under `Epoch  box  total`: two writers, whose heads and rows overtake each
 * other. */
static bool begins_otherwise(const struct reader *reader, const struct ring_line *kept,
                             const struct row_cells *row)
{
    struct cells head;
    struct cell_value value;
    cells_at_blanks((struct text){kept->text, kept->size}, &head);
    if (head.count < row->blanks.count || row->blanks.count == 0 ||
        vocabulary_place(reader->vocabulary, head.cell[0]) == PLACE_NONE)
        return false;
    cell_read(row->blanks.cell[0], reader->comma, &value);
    return value.kind == CELL_NAME;
}

static bool find_head(struct reader *reader, const struct row_cells *row)
{
    struct stream *stream = reader->stream;
    if (try_stacked(reader, row))
        return true;
    for (size_t i = 0; stream->ring && i < RING_LINES; i++) {
        struct ring_line *kept = &stream->ring[(stream->ring_head + RING_LINES - i) % RING_LINES];
        if (kept->size == 0 || kept->at + RING_LINES < stream->lines)
            break;
        if (kept->at < stream->table.at && stream->table.kind != TABLE_NONE)
            break; /* older than the open table */
        if (!begins_otherwise(reader, kept, row) && try_head(reader, kept, row)) {
            kept->size = 0;
            return true;
        }
    }
    return false;
}

/* Other lines stand between head and rows: a head that plainly is one, of as many names as the row
   has cells, and a whole number under its place. */
static bool try_far(struct reader *reader, const struct ring_line *kept,
                    const struct row_cells *row)
{
    const struct text text = {kept->text, kept->size};
    const struct cells *cells = &row->blanks;
    struct cells head;
    if (row->piped.count >= 2) {
        cells = &row->piped;
        cells_between_pipes(text, &head);
    } else if (row->delimiter && text_count(text, row->delimiter) > 0) {
        cells = &row->delimited;
        cells_at(text, row->delimiter, &head);
    } else {
        cells_at_gaps(text, &head);
        if (head.count != cells->count)
            cells_at_blanks(text, &head);
    }
    if (head.count != cells->count || !head_says_all(reader, &head))
        return false;
    for (size_t i = 0; i < head.count; i++)
        if (vocabulary_place(reader->vocabulary, head.cell[i]) != PLACE_NONE)
            return is_whole(reader, cells->cell[i]) && try_head(reader, kept, row);
    return false;
}

static bool find_far(struct reader *reader, const struct row_cells *row)
{
    struct stream *stream = reader->stream;
    for (size_t i = 0; stream->ring && i <= RING_LINES; i++) {
        const size_t at =
            i < RING_LINES ? (stream->ring_head + RING_LINES - i) % RING_LINES : RING_LINES;
        struct ring_line *kept = &stream->ring[at];
        if (kept->size == 0 || !kept->plain ||
            (kept->at < stream->table.at && stream->table.kind != TABLE_NONE) ||
            !try_far(reader, kept, row))
            continue;
        kept->size = 0;
        return true;
    }
    return false;
}

static void split_row(const struct line *line, const struct cut *cut, struct row_cells *row)
{
    struct text text = without_note(cut, without_bar(cut));
    row->whole = (struct aligned){text, under_indent(line)};
    row->delimiter = delimiter_of(text);
    row->delimited.count = row->piped.count = row->blanks.count = 0;
    if (row->delimiter)
        cells_at(text, row->delimiter, &row->delimited);
    bool pipes = text_count(text, '|') > 0;
    for (size_t i = 0; !pipes && i < text.size; i++)
        pipes = bar_glyph(text, i) > 0;
    if (pipes)
        cells_between_pipes(text, &row->piped);
    if (text_count(text, '[') > 0) /* lists hold blanks of their own */
        cells_at_gaps(text, &row->blanks);
    else
        cells_at_blanks(text, &row->blanks);
}

/* A table that begins with a place wants one there, another has no k/N there. */
static bool begins(const struct reader *reader, const struct table *table,
                   const struct cells *cells)
{
    struct cell_value value;
    cell_read(cells->cell[0], reader->comma, &value);
    return table->roles[0] <= ROLE_PLACE ? value.kind == CELL_NUMBER || value.kind == CELL_PAIR
                                         : value.kind != CELL_PAIR;
}

/* Rows of training and of validation take turns under heads that were printed once. */
static void table_turn(const struct reader *reader, const struct row_cells *row)
{
    struct stream *stream = reader->stream;
    const struct table table = stream->table;
    const struct cells *cells = cells_for(row, &table), *others = cells_for(row, &stream->other);
    if (!cells || !others || cells->count == 0 || others->count == 0 ||
        !fits(&stream->other, others) || begins(reader, &table, cells) ||
        !begins(reader, &stream->other, others))
        return;
    stream->table = stream->other;
    stream->other = table;
}

bool table_line(struct reader *reader, const struct line *line, bool *taken, struct error *error)
{
    struct stream *stream = reader->stream;
    struct table *table = &stream->table;
    struct row_cells row;
    struct cells spread;
    *taken = false;
    if (!list_row(reader, line, taken, error) || *taken)
        return *taken;
    split_row(line, &reader->cut, &row);
    if (reader->file_head && row.blanks.count == 1)
        return bare_row(reader, line, &row.blanks, taken, error);
    if (!find_head(reader, &row) && !find_far(reader, &row))
        table_turn(reader, &row);
    const struct cells *cells = cells_for(&row, table);
    if (table->kind == TABLE_ALIGNED && under_spread(table, &row.whole, &row.blanks, &spread))
        cells = &spread;
    if (table->phased && stream->lines > table->at + PHASED_LINES)
        cells = NULL;
    const size_t percent = table->kind == TABLE_PIPED ? PIPED_PERCENT : NUMERIC_PERCENT;
    if (cells && fits(table, cells) && mostly_numbers(cells, reader->comma, percent)) {
        *taken = true;
        if (table->phased) {
            table->at = stream->lines;
            return row_phased(reader, line, table, cells, error);
        }
        return row_emit(reader, line, table, cells, error);
    }
    if (row.piped.count > 0)
        return true;
    return bare_row(reader, line, row.delimited.count > 1 ? &row.delimited : &row.blanks, taken,
                    error);
}
