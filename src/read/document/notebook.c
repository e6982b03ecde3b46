/* Jupyter notebooks (.ipynb): what the cells printed, read by the log reader. Streams, plain text,
   tracebacks, and tables in HTML, which become lines with tabs; sources, images and widgets are
   passed over. Cells stand in the document itself or, in old files, in its first worksheet. A cell
   that prints is a start: places and phases of the one before do not go on. */
/* SPDX-License-Identifier: MIT */
#include "read/document/tokenizer.h"
#include "read/document/walk.h"
#include "read/log/feed.h"

#include <string.h>

enum { ENTITY_MAX = 10, TAG_MAX = 12 };

struct html { /* state of the conversion to lines */
    bool tag, seen_table, in_table, entity;
    char name[TAG_MAX]; /* of the tag, or of the entity */
    size_t size;
    bool name_ended;
};

struct notebook {
    struct tokenizer tokenizer;
    struct log_feed *feed;
    char *line; /* the decoded line that grows */
    size_t used;
    struct place place; /* where it began */
    struct place cell;
    bool printed; /* the cell at hand said something */
    struct html html;
};

static int probe(struct span head, struct text file_name)
{
    static const char *const keys[] = {"cells", "worksheets", "nbformat", NULL};
    bool found, cut;
    if (walk_probe(head, keys, &found, &cut) == 0 || !found)
        return 0;
    struct text text = {(const char *)head.data, head.size};
    if (text_ends(file_name, ".ipynb"))
        return 98;
    return text_find(text, TEXT("\"cell_type\"")) < text.size ? 95 : 0;
}

static bool line_flush(struct notebook *notebook, struct error *error)
{
    struct text line = {notebook->line, notebook->used};
    notebook->used = 0;
    if (line.size == 0 && !notebook->printed)
        return true;
    if (!notebook->printed && !log_restart(notebook->feed, notebook->cell, error))
        return false;
    notebook->printed = true;
    return log_line(notebook->feed, line, notebook->place, error);
}

static bool byte_put(struct notebook *notebook, char byte, struct place place, struct error *error)
{
    if (notebook->used == 0)
        notebook->place = place;
    bool long_bar = byte == '\r' && notebook->used > LIMIT_LINE_MESSAGE / 2;
    if (byte == '\n' || long_bar)
        return line_flush(notebook, error);
    if (notebook->used < LIMIT_LINE_MESSAGE)
        notebook->line[notebook->used++] = byte;
    return true;
}

/* What a whole tag means for the lines: cells end with a tab, rows with a line end. */
static bool tag_put(struct notebook *notebook, struct place place, struct error *error)
{
    struct html *html = &notebook->html;
    struct text name = {html->name, html->size};
    html->tag = false;
    if (text_is(name, "table")) {
        html->seen_table = html->in_table = true;
        return notebook->used == 0 || line_flush(notebook, error);
    }
    if (text_is(name, "/table")) {
        html->in_table = false;
        return notebook->used == 0 || line_flush(notebook, error);
    }
    if (!html->in_table)
        return true;
    if (text_is(name, "/td") || text_is(name, "/th"))
        return byte_put(notebook, '\t', place, error);
    if (text_is(name, "/tr")) {
        while (notebook->used > 0 && notebook->line[notebook->used - 1] == '\t')
            notebook->used--;
        return byte_put(notebook, '\n', place, error);
    }
    return true;
}

static char entity_byte(struct text name)
{
    static const struct {
        const char *name;
        char byte;
    } entities[] = {{"lt", '<'},   {"gt", '>'},    {"amp", '&'},
                    {"quot", '"'}, {"apos", '\''}, {"#39", '\''}};
    for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
        if (text_is(name, entities[i].name))
            return entities[i].byte;
    return ' ';
}

/* Blanks between tags are none, inside a cell they are one. */
static bool html_text(struct notebook *notebook, char byte, struct place place, struct error *error)
{
    char last = notebook->used > 0 ? notebook->line[notebook->used - 1] : '\t';
    if (byte == '\n' || byte == '\t' || byte == '\r')
        byte = ' ';
    if (!notebook->html.in_table || (byte == ' ' && (last == ' ' || last == '\t')))
        return true;
    return byte_put(notebook, byte, place, error);
}

static bool html_put(struct notebook *notebook, char byte, struct place place, struct error *error)
{
    struct html *html = &notebook->html;
    if (html->tag) {
        if (byte == '>')
            return tag_put(notebook, place, error);
        html->name_ended = html->name_ended || byte == ' ' || byte == '\n';
        if (!html->name_ended && html->size < TAG_MAX)
            html->name[html->size++] = byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte;
        return true;
    }
    if (html->entity) {
        html->entity = byte != ';' && html->size < ENTITY_MAX;
        if (html->entity) {
            html->name[html->size++] = byte;
            return true;
        }
        return html_text(notebook, entity_byte((struct text){html->name, html->size}), place,
                         error);
    }
    html->tag = byte == '<';
    html->entity = byte == '&';
    html->size = 0;
    html->name_ended = false;
    return html->tag || html->entity || html_text(notebook, byte, place, error);
}

static bool bytes_take(struct notebook *notebook, const struct json_token *token, bool html,
                       struct error *error)
{
    for (size_t i = 0; i < token->text.size; i++) {
        char byte = token->text.data[i];
        if (!(html ? html_put(notebook, byte, token->place, error)
                   : byte_put(notebook, byte, token->place, error)))
            return false;
    }
    return true;
}

static bool next(struct notebook *notebook, struct json_token *token, struct error *error)
{
    return tokenizer_next(&notebook->tokenizer, token, error);
}

/* A string in all its parts. */
static bool string_take(struct notebook *notebook, struct json_token *token, bool html,
                        struct error *error)
{
    while (bytes_take(notebook, token, html, error)) {
        if (token->last)
            return true;
        if (!next(notebook, token, error) || token->kind != JSON_STRING)
            return false;
    }
    return false;
}

enum text_kind { TEXT_STREAM, TEXT_LINES, TEXT_HTML };

static bool strings_take(struct notebook *notebook, struct json_token *token, enum text_kind kind,
                         struct error *error)
{
    while (next(notebook, token, error)) {
        if (token->kind == JSON_LIST_END || token->kind == JSON_END)
            return true;
        if (!(token->kind == JSON_STRING ? string_take(notebook, token, kind == TEXT_HTML, error)
                                         : tokenizer_skip(&notebook->tokenizer, token, error)))
            return false;
        if (kind == TEXT_LINES && notebook->used > 0 && !line_flush(notebook, error))
            return false;
    }
    return false;
}

/* Text is a string or a list of strings. A stream may go on in the next output. */
static bool text_take(struct notebook *notebook, struct json_token *token, enum text_kind kind,
                      struct error *error)
{
    notebook->html = (struct html){.seen_table = notebook->html.seen_table};
    if (kind != TEXT_STREAM && notebook->used > 0 && !line_flush(notebook, error))
        return false;
    if (token->kind == JSON_STRING) {
        if (!string_take(notebook, token, kind == TEXT_HTML, error))
            return false;
    } else if (token->kind == JSON_LIST) {
        if (!strings_take(notebook, token, kind, error))
            return false;
    } else {
        return tokenizer_skip(&notebook->tokenizer, token, error);
    }
    return kind == TEXT_STREAM || notebook->used == 0 || line_flush(notebook, error);
}

/* The members of an object go to `member`, whose key is in `key`. */
static bool members_take(struct notebook *notebook, struct json_token *token,
                         bool (*member)(struct notebook *notebook, struct text key,
                                        struct json_token *token, struct error *error),
                         struct error *error)
{
    char bytes[64];
    if (token->kind != JSON_OBJECT)
        return tokenizer_skip(&notebook->tokenizer, token, error);
    while (next(notebook, token, error)) {
        if (token->kind != JSON_KEY)
            return true;
        struct text key = text_cut(token->text, 0, sizeof(bytes));
        memcpy(bytes, key.data, key.size);
        key.data = bytes;
        if (!next(notebook, token, error) || !member(notebook, key, token, error))
            return false;
    }
    return false;
}

/* Every object of a list. */
static bool objects_take(struct notebook *notebook, struct json_token *token,
                         bool (*take)(struct notebook *notebook, struct json_token *token,
                                      struct error *error),
                         struct error *error)
{
    if (token->kind != JSON_LIST)
        return tokenizer_skip(&notebook->tokenizer, token, error);
    while (next(notebook, token, error)) {
        if (token->kind == JSON_LIST_END || token->kind == JSON_END)
            return true;
        if (!take(notebook, token, error))
            return false;
    }
    return false;
}

static bool output_member(struct notebook *notebook, struct text key, struct json_token *token,
                          struct error *error)
{
    if (text_is(key, "text"))
        return text_take(notebook, token, TEXT_STREAM, error);
    if (text_is(key, "traceback"))
        return text_take(notebook, token, TEXT_LINES, error);
    if (text_is(key, "html") || text_is(key, "text/html"))
        return text_take(notebook, token, TEXT_HTML, error);
    if (text_is(key, "text/plain") && !notebook->html.seen_table)
        return text_take(notebook, token, TEXT_LINES, error);
    if (text_is(key, "data"))
        return members_take(notebook, token, output_member, error);
    return tokenizer_skip(&notebook->tokenizer, token, error);
}

static bool output_take(struct notebook *notebook, struct json_token *token, struct error *error)
{
    notebook->html.seen_table = false;
    return members_take(notebook, token, output_member, error);
}

static bool cell_member(struct notebook *notebook, struct text key, struct json_token *token,
                        struct error *error)
{
    if (text_is(key, "outputs"))
        return objects_take(notebook, token, output_take, error);
    return tokenizer_skip(&notebook->tokenizer, token, error);
}

static bool cell_take(struct notebook *notebook, struct json_token *token, struct error *error)
{
    notebook->printed = false;
    notebook->cell = token->place;
    return members_take(notebook, token, cell_member, error) &&
           (notebook->used == 0 || line_flush(notebook, error));
}

static bool sheet_take(struct notebook *notebook, struct json_token *token, struct error *error);

static bool document_member(struct notebook *notebook, struct text key, struct json_token *token,
                            struct error *error)
{
    if (text_is(key, "cells"))
        return objects_take(notebook, token, cell_take, error);
    if (text_is(key, "worksheets"))
        return objects_take(notebook, token, sheet_take, error);
    return tokenizer_skip(&notebook->tokenizer, token, error);
}

static bool sheet_take(struct notebook *notebook, struct json_token *token, struct error *error)
{
    return members_take(notebook, token, document_member, error);
}

static bool notebook_read(struct notebook *notebook, struct error *error)
{
    struct json_token token = {0};
    while (next(notebook, &token, error)) {
        if (token.kind == JSON_END)
            return true;
        if (!sheet_take(notebook, &token, error))
            return false;
    }
    return false;
}

static bool read(const struct reading *reading, struct error *error)
{
    struct notebook *notebook = arena_take(reading->scratch, 1, sizeof(struct notebook));
    if (notebook)
        notebook->line = arena_take(reading->scratch, LIMIT_LINE_MESSAGE, 1);
    if (!notebook || !notebook->line)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    if (!tokenizer_open(&notebook->tokenizer, reading->input, reading->scratch, false, error))
        return false;
    notebook->feed = log_open(reading, error);
    if (!notebook->feed)
        return false;
    bool sound = notebook_read(notebook, error);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    if (notebook->used > 0)
        sound = line_flush(notebook, late) && sound;
    late = sound ? error : NULL;
    return log_close(notebook->feed, late) && sound;
}

const struct format format_notebook = {
    .name = "notebook",
    .about = "what the cells of a Jupyter notebook printed",
    .group = FORMAT_DOCUMENT,
    .probe = probe,
    .read = read,
};
