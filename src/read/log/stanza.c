/* Records of several lines: what stands in front of their place waits for it. */
/* SPDX-License-Identifier: MIT */
#include "read/log/stanza.h"

#include "read/log/bytes.h"

#include <string.h>

enum {
    HELD_ROWS = 64,
    HELD_VALUES = 256,
    HELD_TEXT = 240,    /* bytes of a line, as many as are kept of one further on */
    STANZA_LINES = 128, /* a longer one is no record */
};

enum form { FORM_NONE, FORM_BRACES, FORM_INDENT };

struct margin { /* the left side of a line */
    size_t indent;
    bool item;     /* of a list: `- loss: 0.5`; the indent is that of its key */
    bool document; /* `---` alone */
    bool prefixed; /* with a time or a level */
    bool group;    /* `"val": {` */
    int depth;     /* braces that it opens over those that it closes */
};

struct stanza {
    enum form form;
    bool ends;             /* with the line at hand */
    bool grouped;          /* a group of it had a name */
    bool plain;            /* no record: nothing is held any more */
    int depth;             /* of braces */
    size_t indent;         /* of its lines */
    uint64_t first;        /* line */
    struct stream *stream; /* whose lines they are */
    uint8_t fields;        /* places that stand in it: bits of a grain */
    size_t count, values;
    struct row rows[HELD_ROWS];
    double value[HELD_VALUES];
    int16_t place[HELD_VALUES];
    char text[HELD_ROWS][HELD_TEXT];
    uint64_t last;       /* the line before */
    struct margin above; /* of that */
    bool last_placed;
};

static struct margin margin_of(const struct line *line, const struct entry *entry)
{
    const struct text text = line->content;
    struct margin margin = {.indent = (size_t)(text.data - line->raw.data)};
    for (size_t i = 0; i < margin.indent && !margin.prefixed; i++)
        margin.prefixed = byte_class_of(line->raw.data[i]) != BYTE_BLANK;
    margin.item = text.size > 2 && text.data[0] == '-' && text.data[1] == ' ' &&
                  (byte_is_letter(text.data[2]) || strchr("\"'", text.data[2]));
    margin.indent += margin.item ? 2 : 0;
    margin.document = text.size == 3 && text_is(text, "---");
    if (entry->flags & ENTRY_BRACES) {
        margin.depth = (int)text_count(text, '{') - (int)text_count(text, '}');
        margin.group = text_ends(text, "\": {") || text_ends(text, "': {");
    }
    return margin;
}

/* One value or one place: a line of a stanza that only its indent shows. */
static bool is_pair(const struct plan *plan)
{
    if (!plan || plan->part_count != 1 || (plan->flags & (PLAN_BAR | PLAN_CHANGE)))
        return false;
    return plan->value_count == 0 ? plan->parts[0].place_count == 1
                                  : plan->value_count == 1 && plan->parts[0].place_count == 0;
}

static bool goes_on(const struct stanza *stanza, const struct margin *margin, uint64_t number)
{
    if (stanza->form == FORM_BRACES)
        return number < stanza->first + STANZA_LINES;
    return number == stanza->last + 1 && margin->indent == stanza->indent && !margin->item &&
           !margin->document && margin->depth == 0;
}

static enum form form_of(const struct stanza *stanza, const struct margin *margin,
                         const struct plan *plan, uint64_t number)
{
    const bool behind = number == stanza->last + 1;
    if (margin->depth > 0)
        return FORM_BRACES;
    if (!is_pair(plan))
        return FORM_NONE;
    const struct margin *above = &stanza->above;
    const bool hangs = above->prefixed && !margin->prefixed && margin->indent > 0;
    const bool deeper = behind && !stanza->last_placed && (margin->indent > above->indent || hangs);
    return margin->item || deeper || (behind && above->document) ? FORM_INDENT : FORM_NONE;
}

static void stanza_open(struct reader *reader, enum form form, const struct margin *margin,
                        uint64_t number)
{
    struct stanza *stanza = reader->stanza;
    stanza->form = form;
    stanza->ends = stanza->plain = stanza->grouped = false;
    stanza->depth = 0;
    stanza->indent = margin->indent;
    stanza->first = number;
    stanza->stream = reader->stream;
    stanza->fields = 0;
    stanza->count = stanza->values = 0;
    reader->in_stanza = true;
}

bool stanza_line(struct reader *reader, const struct line *line, const struct entry *entry,
                 const struct plan *plan, struct error *error)
{
    struct stanza *stanza = reader->stanza;
    if (!stanza)
        stanza = reader->stanza = arena_take(reader->arena, 1, sizeof *stanza);
    if (!stanza)
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory for the records of a log");
    const struct margin margin = margin_of(line, entry);
    if (reader->in_stanza &&
        (stanza->stream != reader->stream || !goes_on(stanza, &margin, line->number)) &&
        !stanza_close(reader, error))
        return false;
    const enum form form =
        reader->in_stanza ? FORM_NONE : form_of(stanza, &margin, plan, line->number);
    if (form != FORM_NONE)
        stanza_open(reader, form, &margin, line->number);
    if (reader->in_stanza && stanza->form == FORM_BRACES) {
        stanza->depth += margin.depth;
        stanza->grouped = stanza->grouped || margin.group;
        if (margin.depth < 0 && stanza->grouped) /* a group ends, and its phase */
            reader->stream->heading = PHASE_NONE;
        stanza->ends = stanza->depth <= 0;
    }
    stanza->last = line->number;
    stanza->above = margin;
    stanza->last_placed = plan && plan->parts[0].place_count > 0 && !reader->in_stanza;
    return true;
}

bool stanza_behind(struct reader *reader, struct error *error)
{
    return !reader->in_stanza || !reader->stanza->ends || stanza_close(reader, error);
}

static bool rows_release(struct reader *reader, bool placed, struct error *error)
{
    struct stanza *stanza = reader->stanza;
    const size_t count = stanza->count;
    stanza->count = stanza->values = 0;
    for (size_t i = 0; i < count; i++) {
        struct row *row = &stanza->rows[i];
        if (placed) {
            const bool strong = row->position.strong;
            position_clear(&row->position);
            position_inherit(stanza->stream, row->line, &row->position, &row->grain);
            row->position.strong = strong;
        }
        if (!batch_add(reader, row, error))
            return false;
    }
    return true;
}

bool stanza_close(struct reader *reader, struct error *error)
{
    if (!reader->in_stanza)
        return true;
    reader->in_stanza = false;
    return rows_release(reader, reader->stanza->fields != 0, error);
}

bool stanza_placed(struct reader *reader, const struct position *own, struct error *error)
{
    struct stanza *stanza = reader->stanza;
    if (!reader->in_stanza || stanza->plain)
        return true;
    const uint8_t grain = position_grain(own);
    stanza->plain = (stanza->fields & grain) != 0; /* of several records no one has them all */
    if (stanza->plain)
        stanza->fields = 0;
    else
        stanza->fields |= grain;
    return !stanza->plain || rows_release(reader, false, error);
}

/* The same key again: no record has it twice outside of groups. */
static bool is_again(const struct stanza *stanza, const struct row *row)
{
    for (size_t i = 0; stanza->form == FORM_INDENT && i < stanza->count; i++)
        if (stanza->rows[i].sheet == row->sheet)
            return true;
    return false;
}

bool stanza_hold(struct reader *reader, const struct row *row, bool *taken, struct error *error)
{
    struct stanza *stanza = reader->stanza;
    *taken = false;
    if (!reader->in_stanza || stanza->plain || !(row->grain & GRAIN_CARRIED))
        return true;
    if (stanza->count == HELD_ROWS || stanza->values + row->sheet->count > HELD_VALUES ||
        is_again(stanza, row)) {
        stanza->plain = true;
        return rows_release(reader, stanza->fields != 0, error);
    }
    const size_t at = stanza->count++, value = stanza->values;
    const struct text text = text_cut(row->text, 0, HELD_TEXT);
    memcpy(stanza->value + value, row->values, row->sheet->count * sizeof *stanza->value);
    memcpy(stanza->place + value, row->places, row->sheet->count * sizeof *stanza->place);
    memcpy(stanza->text[at], text.data, text.size);
    stanza->values += row->sheet->count;
    stanza->rows[at] = *row;
    stanza->rows[at].values = stanza->value + value;
    stanza->rows[at].places = stanza->place + value;
    stanza->rows[at].text = (struct text){stanza->text[at], text.size};
    *taken = true;
    return true;
}
