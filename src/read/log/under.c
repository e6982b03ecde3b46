/* under: rows of an aligned table that leave cells blank; each of the others stands under its name.
 */
/* SPDX-License-Identifier: MIT */
#include "read/log/table.h"

enum {
    SLACK = 2, /* bytes: a value too wide for its column moves the cells behind it */
    CELLS_LEAST = 3,
};

size_t under_indent(const struct line *line)
{
    const char *start = line->raw.data, *at = line->content.data;
    if (!start || !at || at < start || at > start + line->raw.size)
        return 0; /* not a part of the line */
    size_t blanks = 0;
    while (at > start && at[-1] == ' ') {
        at--;
        blanks++;
    }
    return blanks;
}

void under_note(struct table *table, const struct aligned *head, const struct cells *names)
{
    table->edges = 0;
    if (names->count > EDGES_MAX || names->count != table->cells ||
        text_count(head->text, '\t') > 0)
        return;
    for (size_t i = 0; i < names->count; i++) {
        const size_t left = head->indent + (size_t)(names->cell[i].data - head->text.data);
        table->left[i] = (uint16_t)left;
        table->right[i] = (uint16_t)(left + names->cell[i].size);
    }
    table->edges = (uint16_t)names->count;
}

static size_t apart(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/* The column from `from` on whose name begins or ends where the cell does; `edges`: none. */
static size_t column_of(const struct table *table, size_t from, size_t left, size_t right,
                        size_t *off)
{
    size_t best = table->edges;
    *off = SLACK + 1;
    for (size_t i = from; i < table->edges; i++) {
        const size_t a = apart(table->left[i], left), b = apart(table->right[i], right);
        const size_t now = a < b ? a : b;
        if (now < *off) {
            *off = now;
            best = i;
        }
    }
    return best;
}

bool under_spread(const struct table *table, const struct aligned *row, const struct cells *cells,
                  struct cells *spread)
{
    size_t column = 0, exact = 0;
    if (table->edges == 0 || cells->count < CELLS_LEAST || cells->count >= table->edges ||
        text_count(row->text, '\t') > 0)
        return false;
    for (size_t i = 0; i < table->edges; i++)
        spread->cell[i] = TEXT("");
    for (size_t i = 0; i < cells->count; i++, column++) {
        const size_t left = row->indent + (size_t)(cells->cell[i].data - row->text.data);
        size_t off;
        column = column_of(table, column, left, left + cells->cell[i].size, &off);
        if (column == table->edges)
            return false;
        exact += off == 0;
        spread->cell[column] = cells->cell[i];
    }
    spread->count = table->edges;
    return 2 * exact > cells->count && spread->cell[0].size > 0;
}

bool under_fits(const struct aligned *head, const struct cells *names, const struct aligned *row,
                const struct cells *cells)
{
    struct table table = {.cells = (uint32_t)names->count};
    struct cells spread;
    under_note(&table, head, names);
    return under_spread(&table, row, cells, &spread);
}
