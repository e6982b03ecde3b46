/* A line that is a list of numbers without names: parts of a loss, behind a training heading. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/table.h"

#include <string.h>

enum { LIST_LEAST = 3, LIST_MOST = 32, HEADING_LINES = 4 };
#define RATE_BELOW 0.02 /* the one number behind the step is a learning rate */

struct list {
    double values[LIST_MOST];
    int16_t places[LIST_MOST];
    size_t count; /* of values in front of the integer */
    int64_t step; /* the one integer; STEP_NONE */
    size_t rates; /* numbers behind it that are small enough for a learning rate */
};

static bool list_take(const struct reader *reader, struct text text, struct list *list)
{
    struct cells cells;
    size_t integers = 0;
    *list = (struct list){.step = STEP_NONE};
    cells_at(text_cut(text, 1, text.size - 2), ',', &cells);
    if (cells.count < LIST_LEAST || cells.count > LIST_MOST)
        return false;
    for (size_t i = 0; i < cells.count; i++) {
        struct cell_value value;
        cell_read(cells.cell[i], reader->comma, &value);
        if (value.kind != CELL_NUMBER || value.unit.size > 0)
            return false;
        if (value.number.integer && value.number.finite) {
            integers++;
            list->step = (int64_t)value.number.value;
        } else if (integers == 0 || (value.number.value > 0 && value.number.value < RATE_BELOW)) {
            list->rates += integers > 0;
            list->values[list->count] = value.number.value;
            list->places[list->count++] = value.number.places;
        }
    }
    if (list->rates > 1) {
        list->count -= list->rates;
        list->rates = 0;
    }
    if (integers != 1 || list->step < 0)
        list->step = STEP_NONE;
    return integers <= 1 && list->count - list->rates >= LIST_LEAST - 1;
}

static const struct sheet *list_sheet(struct reader *reader, size_t count, bool rate)
{
    static const char digits[] = "0123456789";
    struct column columns[LIST_MOST];
    char names[LIST_MOST][8];
    for (size_t i = 0; i < count; i++) {
        size_t n = i + 1, size = 5;
        memcpy(names[i], "list ", size);
        if (n >= 10)
            names[i][size++] = digits[n / 10];
        names[i][size++] = digits[n % 10];
        columns[i] = (struct column){{names[i], size}, {"", 0}, PHASE_NONE};
    }
    if (rate)
        columns[count - 1].name = TEXT("list lr");
    return sheet_find(reader, columns, count);
}

bool list_row(struct reader *reader, const struct line *line, bool *taken, struct error *error)
{
    const struct stream *stream = reader->stream;
    struct text text = text_trim(line->content);
    struct list list;
    if (text.size < 2 || text.data[0] != '[' || text.data[text.size - 1] != ']' ||
        !stream->placed || stream->heading == PHASE_VALIDATION ||
        line->number > stream->last_heading + HEADING_LINES || !list_take(reader, text, &list))
        return true;
    struct row row = table_row(reader, line, ORIGIN_LINE);
    row.sheet = list_sheet(reader, list.count, list.rates == 1);
    row.values = list.values;
    row.places = list.places;
    *taken = row.sheet != NULL;
    if (!row.sheet)
        return true;
    position_clear(&row.position);
    row.position.step = list.step;
    position_inherit(stream, line->number, &row.position, &row.grain);
    return batch_add(reader, &row, error);
}
