/* Lines for the formats that are tables. */
/* SPDX-License-Identifier: MIT */
#include "read/document/lines.h"
#include "stalldoc/limits.h"

#include <string.h>

enum { WINDOW = 2 * LIMIT_LINE };

bool lines_open(struct lines *lines, struct input *input, struct arena *arena, struct error *error)
{
    *lines = (struct lines){.input = input, .buffer = arena_take(arena, WINDOW, 1)};
    if (!lines->buffer)
        return error_set(error, ERROR_MEMORY, input_place(input, 0), "out of memory");
    return true;
}

static void fill(struct lines *lines)
{
    memmove(lines->buffer, lines->buffer + lines->at, lines->end - lines->at);
    lines->base += lines->at;
    lines->end -= lines->at;
    lines->at = 0;
    while (!lines->ended && lines->end < WINDOW) {
        size_t got = 0;
        const bool sound = input_read(lines->input, lines->buffer + lines->end, WINDOW - lines->end,
                                      &got, &lines->damage);
        lines->end += sound ? got : 0;
        lines->ended = !sound || got == 0;
        while (!sound && lines->end > 0 && lines->buffer[lines->end - 1] != '\n')
            lines->end--; /* a row that was cut may hold half a number */
    }
}

static struct text line_trim(const char *data, size_t size)
{
    while (size > 0 && data[size - 1] == '\r')
        size--;
    return (struct text){data, size};
}

/* What is left of a line that does not fit. */
static void pass_rest(struct lines *lines)
{
    for (;;) {
        lines->at = lines->end;
        fill(lines);
        const char *end = memchr(lines->buffer, '\n', lines->end);
        if (end || lines->end == 0) {
            lines->at = end ? (size_t)(end - lines->buffer) + 1 : 0;
            return;
        }
    }
}

bool lines_next(struct lines *lines, struct text *line, struct place *place, struct error *error)
{
    *line = (struct text){0};
    const char *start = lines->buffer + lines->at;
    const char *end = memchr(start, '\n', lines->end - lines->at);
    if (!end && !lines->ended) {
        if (lines->end - lines->at == WINDOW)
            pass_rest(lines);
        fill(lines);
        start = lines->buffer + lines->at;
        end = memchr(start, '\n', lines->end - lines->at);
    }
    size_t size = end ? (size_t)(end - start) : lines->end - lines->at;
    if (!end && size == 0) {
        const bool damaged = lines->damage.kind != ERROR_NONE;
        if (damaged && error)
            *error = lines->damage;
        return !damaged;
    }
    *place = input_place(lines->input, lines->base + lines->at);
    place->line = ++lines->number;
    lines->at += size + (end != NULL);
    *line = line_trim(start, size < LIMIT_LINE ? size : LIMIT_LINE);
    if (!end && !lines->ended)
        lines->at = 0; /* the next call passes over the rest */
    return true;
}

bool lines_cut(struct text *rest, struct text *line)
{
    const char *end = memchr(rest->data, '\n', rest->size);
    if (!end)
        return false;
    size_t size = (size_t)(end - rest->data);
    *line = line_trim(rest->data, size);
    *rest = text_cut(*rest, size + 1, rest->size);
    return true;
}
