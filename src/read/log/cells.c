/* Cells of table rows and what they hold. */
/* SPDX-License-Identifier: MIT */
#include "read/log/cells.h"
#include "read/log/bytes.h"

static void add(struct cells *cells, struct text text)
{
    if (cells->count < COLUMNS_MAX)
        cells->cell[cells->count++] = text_trim(text);
}

void cells_at(struct text text, char delimiter, struct cells *cells)
{
    size_t start = 0;
    cells->count = 0;
    for (size_t i = 0; i <= text.size; i++)
        if (i == text.size || text.data[i] == delimiter) {
            add(cells, text_cut(text, start, i - start));
            start = i + 1;
        }
}

static size_t pipe_at(struct text text, size_t i)
{
    if (text.data[i] == '|')
        return 1;
    return bar_glyph(text, i);
}

void cells_between_pipes(struct text text, struct cells *cells)
{
    text = text_trim(text);
    size_t start = 0;
    bool first = true;
    cells->count = 0;
    for (size_t i = 0; i < text.size;) {
        size_t n = pipe_at(text, i);
        if (n == 0) {
            i++;
            continue;
        }
        if (!first || i > 0)
            add(cells, text_cut(text, start, i - start));
        first = false;
        i += n;
        start = i;
    }
    if (start < text.size)
        add(cells, text_cut(text, start, text.size));
}

static void cells_split(struct text text, bool gaps, struct cells *cells)
{
    size_t start = SIZE_MAX;
    cells->count = 0;
    for (size_t i = 0; i <= text.size; i++) {
        bool blank = i == text.size || text.data[i] == ' ' || text.data[i] == '\t';
        if (!blank) {
            if (start == SIZE_MAX)
                start = i;
            continue;
        }
        bool ends = i == text.size || !gaps || text.data[i] == '\t' || i + 1 == text.size ||
                    text.data[i + 1] == ' ' || text.data[i + 1] == '\t';
        if (start != SIZE_MAX && ends) {
            add(cells, text_cut(text, start, i - start));
            start = SIZE_MAX;
        }
    }
}

void cells_at_gaps(struct text text, struct cells *cells)
{
    cells_split(text, true, cells);
}

void cells_at_blanks(struct text text, struct cells *cells)
{
    cells_split(text, false, cells);
}

static bool is_empty(struct text cell)
{
    static const char *const words[] = {"-", "n/a", "#na#", "na", "none", "null", "--", NULL};
    return cell.size == 0 || text_in(cell, words);
}

static bool read_pair(struct text cell, struct cell_value *value)
{
    struct number k, total;
    if (!number_take(cell, COMMA_GROUPS, &k) || !k.integer || text_byte(cell, k.size) != '/')
        return false;
    struct text rest = text_cut(cell, k.size + 1, cell.size);
    if (!number_take(rest, COMMA_GROUPS, &total) || !total.integer || total.size != rest.size)
        return false;
    value->kind = CELL_PAIR;
    value->number = k;
    value->k = (int64_t)k.value;
    value->total = (int64_t)total.value;
    return true;
}

/* `[2.5e-01, 1e-02]`: the parts of a loss, whose sum it is; `[]` is empty. */
static bool read_list(struct text cell, enum comma comma, struct cell_value *value)
{
    struct cells parts;
    if (cell.size < 2 || cell.data[0] != '[' || cell.data[cell.size - 1] != ']')
        return false;
    cells_at(text_cut(cell, 1, cell.size - 2), ',', &parts);
    value->kind = CELL_EMPTY;
    for (size_t i = 0; i < parts.count; i++) {
        struct number number;
        if (parts.cell[i].size == 0 && parts.count == 1)
            return true;
        if (!number_take(parts.cell[i], comma, &number) || number.size != parts.cell[i].size) {
            value->kind = CELL_NAME;
            return true;
        }
        if (i > 0)
            number.value += value->number.value;
        value->number = number;
    }
    value->kind = parts.count > 0 ? CELL_NUMBER : CELL_EMPTY;
    value->summed = parts.count > 1;
    return true;
}

void cell_read(struct text cell, enum comma comma, struct cell_value *value)
{
    *value = (struct cell_value){.kind = CELL_NAME, .unit = {"", 0}};
    if (cell.size > 1 && cell.data[0] == '"' && cell.data[cell.size - 1] == '"')
        cell = text_cut(cell, 1, cell.size - 2);
    if (is_empty(cell)) {
        value->kind = CELL_EMPTY;
        return;
    }
    struct moment moment;
    if (read_pair(cell, value) || read_list(cell, comma, value))
        return;
    size_t time = byte_is_digit(cell.data[0]) ? time_take(cell, 0, &moment) : 0;
    if (cell.data[0] == '(' && cell.size > 2)
        time = time_take(cell, 1, &moment) + 2;
    if (time > 2 && time >= cell.size) {
        value->kind = CELL_EMPTY;
        return;
    }
    if (!number_take(cell, comma, &value->number))
        return;
    struct text unit = text_cut(cell, value->number.size, cell.size);
    if (unit.size > 8)
        return;
    for (size_t i = 0; i < unit.size; i++)
        if (!byte_is_letter(unit.data[i]) && unit.data[i] != '%' && unit.data[i] != '/' &&
            unit.data[i] != '*')
            return;
    value->kind = CELL_NUMBER;
    value->unit = unit;
    /* 2.06e+04 orders, 1.000e+03 is exact down to the unit. */
    for (size_t i = 0; value->number.places < 0 && i < value->number.size; i++)
        value->rounded = value->rounded || (cell.data[i] | 0x20) == 'e';
}
