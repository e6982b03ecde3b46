/* Quoted lines come from the inputs themselves: a run keeps only the few that it froze. */
/* SPDX-License-Identifier: MIT */
#include "report/quote.h"

#include "stalldoc/input.h"
#include <string.h>

enum { QUOTE_MAX = LIMIT_LINE_PART };

static bool open_input(struct quotes *quotes, uint32_t number)
{
    if (quotes->number == number)
        return quotes->input != NULL;
    if (quotes->input)
        input_close(quotes->input);
    quotes->input = NULL;
    quotes->number = number;
    if (number == 0 || number == quotes->unread || number > quotes->collection->source_count)
        return false;
    const struct source *source = &quotes->collection->sources[number - 1];
    if (source->binary || source->path.size == 0 || source->path.size >= 4096)
        return false;
    char path[4096];
    memcpy(path, source->path.data, source->path.size);
    path[source->path.size] = '\0';
    if (path_kind(path) != PATH_FILE || !input_open(path, number, &quotes->input, NULL)) {
        quotes->input = NULL;
        return false;
    }
    if (!input_seekable(quotes->input)) {
        input_close(quotes->input);
        quotes->input = NULL;
    }
    return quotes->input != NULL;
}

bool quote_line(struct quotes *quotes, const struct place *place, struct text *line)
{
    if (place->line == 0 || !open_input(quotes, place->input))
        return false;
    if (!quotes->buffer)
        quotes->buffer = block_take(QUOTE_MAX);
    uint64_t size = input_size(quotes->input);
    if (!quotes->buffer || place->offset >= size)
        return false;
    bool known = quotes->place.input == place->input && quotes->place.line == place->line &&
                 quotes->place.offset == place->offset;
    if (!known) {
        size_t wanted =
            size - place->offset < QUOTE_MAX ? (size_t)(size - place->offset) : QUOTE_MAX;
        quotes->place = (struct place){0};
        if (!input_pread(quotes->input, place->offset, wanted, quotes->buffer, NULL))
            return false;
        size_t length = 0;
        while (length < wanted && quotes->buffer[length] != '\n' && quotes->buffer[length] != '\r')
            length++;
        quotes->size = length;
        quotes->place = *place;
    }
    *line = (struct text){quotes->buffer, quotes->size};
    return true;
}

void quotes_close(struct quotes *quotes)
{
    if (quotes->input)
        input_close(quotes->input);
    if (quotes->buffer)
        block_free(quotes->buffer);
    *quotes = (struct quotes){0};
}
