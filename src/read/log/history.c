/* A whole history: `{'loss': [0.9, 0.7], 'val_loss': [1.0, 0.8]}`, as programs print it at their
   end, in one line or a line for each number, or one list of it, `val_losses = [1.0, 0.8]`; numbers
   may stand as `np.float64(0.9)` or `tensor(0.9, device='cuda:0')`. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/sentence.h"
#include "read/log/table.h"

#include <string.h>

enum {
    LISTS_MOST = 32,
    READINGS_LEAST = 3,
    READINGS_ALONE = 8, /* of one list: fewer are parts of a reading */
    LEAD_MOST = HISTORY_NAME,
    GATHERED_MOST = 1 << 18,
};

struct lists {
    struct column columns[LISTS_MOST];
    struct text bodies[LISTS_MOST]; /* between the brackets; what is still to be read of them */
    size_t lengths[LISTS_MOST];
    size_t count;
};

/* Up to a comma outside parentheses, which goes with it. */
static struct text element_take(struct text *rest)
{
    size_t size = 0, depth = 0;
    while (size < rest->size && (depth > 0 || rest->data[size] != ',')) {
        depth += rest->data[size] == '(';
        depth -= depth > 0 && rest->data[size] == ')';
        size++;
    }
    const struct text element = text_trim(text_cut(*rest, 0, size));
    *rest = text_cut(*rest, size + 1, rest->size);
    return element;
}

static bool element_number(struct text element, enum comma comma, struct number *number)
{
    if (element.size > 0 && element.data[element.size - 1] == ')') {
        const size_t opens = text_find(element, TEXT("("));
        struct text inside = text_cut(element, opens + 1, element.size - opens - 2);
        element = element_take(&inside);
    }
    struct cell_value value;
    cell_read(element, comma, &value);
    *number = value.number;
    return value.kind == CELL_NUMBER && value.unit.size == 0;
}

/* 0: no list of numbers. */
static size_t body_length(struct text body, enum comma comma)
{
    size_t length = 0;
    for (; body.size > 0; length++) {
        struct number number;
        const struct text element = element_take(&body);
        if (element.size == 0 && body.size == 0)
            break;
        if (!element_number(element, comma, &number))
            return 0;
    }
    return length;
}

/* `'name': [...]` at the start of `rest`, which loses it; false: something else. */
static bool list_take(struct text *rest, enum comma comma, struct lists *lists)
{
    const struct text text = text_trim(*rest);
    if (text.size < 2 || (text.data[0] != '\'' && text.data[0] != '"') ||
        lists->count == LISTS_MOST)
        return false;
    const char quote[2] = {text.data[0], 0};
    const size_t name = text_find(text_cut(text, 1, text.size), text_of(quote));
    const size_t opens = text_find(text, TEXT("["));
    const size_t closes = text_find(text, TEXT("]"));
    if (closes >= text.size || opens >= closes || name + 2 > opens ||
        !text_is(text_trim(text_cut(text, name + 2, opens - name - 2)), ":"))
        return false;
    const struct text body = text_cut(text, opens + 1, closes - opens - 1);
    lists->columns[lists->count] = (struct column){text_cut(text, 1, name), {"", 0}, PHASE_NONE};
    lists->bodies[lists->count] = body;
    lists->lengths[lists->count++] = body_length(body, comma);
    *rest = text_trim(text_cut(text, closes + 1, text.size));
    if (rest->size > 0 && rest->data[0] == ',')
        *rest = text_cut(*rest, 1, rest->size);
    return true;
}

/* What lies between the braces of the line; empty: it has none around its end. */
static struct text braced(struct text text)
{
    const size_t opens = text_find(text, TEXT("{"));
    if (opens >= text.size || opens > LEAD_MOST || text.data[text.size - 1] != '}')
        return (struct text){0};
    const struct text lead = text_trim(text_cut(text, 0, opens));
    if (lead.size > 0 && lead.data[lead.size - 1] != ':' && lead.data[lead.size - 1] != '=')
        return (struct text){0};
    return text_cut(text, opens + 1, text.size - opens - 2);
}

/* A metric alone may be of classes: it is a history where the loss before had as many readings. */
static bool is_history(const struct reader *reader, enum kind kind, size_t length)
{
    return kind == KIND_LOSS || kind == KIND_VAL_LOSS ||
           ((kind == KIND_METRIC || kind == KIND_VAL_METRIC) &&
            length == reader->stream->history.length);
}

/* The lists as long as the longest, one of them a loss; what is evaluated more seldom has no place
   in their rows. */
static size_t lists_even(struct reader *reader, struct lists *lists)
{
    size_t longest = 0, kept = 0;
    bool told = false;
    for (size_t i = 0; i < lists->count; i++)
        longest = lists->lengths[i] > longest ? lists->lengths[i] : longest;
    for (size_t i = 0; i < lists->count; i++) {
        if (lists->lengths[i] != longest)
            continue;
        const struct column *column = &lists->columns[i];
        const enum kind kind = memo_naming(reader, column->name, column->unit, column->phase).kind;
        told |= is_history(reader, kind, longest);
        lists->columns[kept] = *column;
        lists->bodies[kept++] = lists->bodies[i];
    }
    lists->count = kept;
    return told ? longest : 0;
}

void history_hear(struct reader *reader, const struct line *line)
{
    struct history_name *history = &reader->stream->history;
    struct text text = text_trim(line->content);
    if (text.size < 2 || text.size > HISTORY_NAME || text.data[text.size - 1] != ':')
        return;
    text.size--;
    if (!head_is_name(text))
        return;
    memcpy(history->bytes, text.data, text.size);
    history->size = text.size;
    history->line = line->number;
}

/* Without the call around a list, `np.array([1.0, 0.8])`; false: something else stands there. */
static bool call_open(struct text *text, size_t *opens)
{
    if (text->size < 2 || text->data[text->size - 1] != ')')
        return true;
    size_t begin = *opens;
    if (begin == 0 || text->data[begin - 1] != '(')
        return false;
    for (begin--;
         begin > 0 && (byte_is_word(text->data[begin - 1]) || text->data[begin - 1] == '.');)
        begin--;
    text->size--;
    *opens = begin;
    return true;
}

/* `val_losses = [1.0, 0.8]`, and nothing else; a name alone may stand on the line before. */
static bool list_alone(struct reader *reader, const struct line *line, struct lists *lists)
{
    const struct history_name *history = &reader->stream->history;
    struct text text = text_trim(line->content);
    const size_t list = text_find(text, TEXT("["));
    size_t opens = list;
    bool only;
    if (opens > LEAD_MOST || opens + 2 > text.size || !call_open(&text, &opens) ||
        text.data[text.size - 1] != ']' || text_find(text, TEXT("]")) + 1 != text.size)
        return false;
    struct text name = text_trim(text_cut(text, 0, opens));
    while (name.size > 0 && strchr("=:", name.data[name.size - 1]))
        name = text_trim(text_cut(name, 0, name.size - 1));
    if (name.size == 0 && history->size > 0 && line->number == history->line + 1)
        name = (struct text){history->bytes, history->size};
    if (!head_is_name(name))
        return false;
    lists->columns[0] =
        (struct column){name, {"", 0}, phase_of_name(reader->vocabulary, name, &only)};
    lists->bodies[0] = text_cut(text, list + 1, text.size - list - 2);
    lists->lengths[0] = body_length(lists->bodies[0], reader->comma);
    lists->count = 1;
    return lists->lengths[0] >= READINGS_ALONE;
}

bool history_row(struct reader *reader, const struct line *line, bool *taken, struct error *error)
{
    const struct text text = text_trim(line->content);
    struct text rest = braced(text);
    struct lists lists = {.count = 0};
    if (reader->stream->placed) /* its readings were told one by one */
        return true;
    if (rest.size == 0 && !list_alone(reader, line, &lists))
        return true;
    while (rest.size > 0)
        if (!list_take(&rest, reader->comma, &lists))
            return true;
    const size_t length = lists_even(reader, &lists);
    if (length < READINGS_LEAST)
        return true;
    reader->stream->history.length = length;
    struct row row = table_row(reader, line, ORIGIN_TABLE);
    double values[LISTS_MOST];
    int16_t places[LISTS_MOST];
    row.sheet = sheet_find(reader, lists.columns, lists.count);
    row.values = values;
    row.places = places;
    row.grain = GRAIN_EPOCH;
    *taken = row.sheet != NULL;
    for (size_t i = 0; row.sheet && i < length; i++) {
        for (size_t k = 0; k < lists.count; k++) {
            struct number number;
            element_number(element_take(&lists.bodies[k]), reader->comma, &number);
            values[k] = number.value;
            places[k] = number.places;
        }
        position_clear(&row.position);
        row.position.epoch = (int64_t)i + 1;
        if (!batch_add(reader, &row, error))
            return false;
    }
    return true;
}

/* ---- Of several lines ---- */

struct gathered { /* the lines since a brace was opened, with a blank behind each */
    struct line first;
    size_t head, size, dead; /* bytes of the first line, of all; lines that gave nothing before */
    char bytes[GATHERED_MOST];
};

/* What a history may be broken behind. */
static bool is_broken(struct text text)
{
    return text.size > 0 && strchr(",[]{", text.data[text.size - 1]);
}

static bool opens_history(struct text text)
{
    const size_t opens = is_broken(text) ? text_find(text, TEXT("{")) : text.size;
    if (opens > LEAD_MOST || opens >= text.size)
        return false;
    const struct text inside = text_cut(text, opens + 1, text.size);
    return inside.size == 0 ||
           (strchr("'\"", inside.data[0]) && text_find(inside, TEXT("[")) < inside.size);
}

/* A part of a list of numbers, or the key of one. */
static bool continues_history(struct text text)
{
    const char c = text.size > 0 ? text.data[0] : '\0';
    if (c == '\'' || c == '"')
        return text_find(text, TEXT("[")) < text.size;
    return c != '\0' && c != '{' && (strchr("]}", c) || text.data[text.size - 1] != '{');
}

bool history_gather(struct reader *reader, const struct line *line, struct text content,
                    struct error *error)
{
    struct gathered *gathered = reader->gathered;
    const struct text text = text_trim(content);
    if (!reader->in_history) {
        if (!opens_history(text))
            return true;
        if (!gathered)
            gathered = reader->gathered = arena_take(reader->arena, 1, sizeof *gathered);
        if (!gathered)
            return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                             "no memory for the histories of a log");
        gathered->first = *line;
        gathered->head = text.size;
        gathered->size = 0;
        gathered->dead = reader->counts.dead;
    } else if (!continues_history(text)) {
        reader->in_history = false;
        return true;
    }
    reader->in_history = gathered->size + text.size < sizeof gathered->bytes;
    if (!reader->in_history)
        return true;
    memcpy(gathered->bytes + gathered->size, text.data, text.size);
    gathered->size += text.size;
    gathered->bytes[gathered->size++] = ' ';
    if (text.data[text.size - 1] != '}')
        return true;
    reader->in_history = false;
    bool taken = false;
    struct line whole = gathered->first;
    whole.content = (struct text){gathered->bytes, gathered->size};
    whole.seen = text_cut(whole.content, 0, gathered->head);
    if (!history_row(reader, &whole, &taken, error))
        return false;
    if (taken) {
        reader->counts.understood += reader->counts.dead - gathered->dead;
        reader->counts.dead = gathered->dead;
    }
    return true;
}
