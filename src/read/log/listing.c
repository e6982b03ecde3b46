/* Lists of settings in two columns, name and value, with nothing but blanks between them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { HEADING_MOST = 60, HEADING_WORDS = 5 };

static bool rule_byte(char c)
{
    return c && strchr(" \t-=*#_", c) != NULL;
}

/* `Arguments:`, `------ training config ------` */
static bool is_heading(struct text text)
{
    static const char *const names[] = {
        "arguments", "args",    "config",          "configuration",
        "settings",  "options", "hyperparameters", "hyper-parameters",
        "hparams",   NULL};
    static const char *const beside[] = {"training",   "train",   "model",   "run",
                                         "the",        "all",     "command", "line",
                                         "experiment", "trainer", "parsed",  NULL};
    bool named = false, ruled = false;
    size_t words = 0;
    if (text.size < 4 || text.size > HEADING_MOST ||
        (text.data[text.size - 1] != ':' && !rule_byte(text.data[0])))
        return false;
    while (text.size > 0 && rule_byte(text.data[0])) {
        ruled = ruled || strchr("-=*#", text.data[0]);
        text = text_cut(text, 1, text.size);
    }
    while (text.size > 0 && rule_byte(text.data[text.size - 1]))
        text.size--;
    if (text.size > 0 && text.data[text.size - 1] == ':') {
        ruled = true;
        text.size--;
    }
    for (size_t at = 0; at < text.size; words++) {
        size_t end = at;
        while (end < text.size && text.data[end] != ' ')
            end++;
        const struct text word = text_cut(text, at, end - at);
        if (!text_in(word, names) && !text_in(word, beside))
            return false;
        named = named || text_in(word, names);
        for (at = end; at < text.size && text.data[at] == ' ';)
            at++;
    }
    return named && ruled && words <= HEADING_WORDS;
}

/* `weight_decay     0.01`; a value of several words stands in brackets or quotes. */
static bool cut_pair(struct text text, struct text *key, struct text *value)
{
    size_t end = 0;
    if (!byte_is_letter(text_byte(text, 0)))
        return false;
    while (end < text.size && (byte_is_word(text.data[end]) || strchr("-.", text.data[end])))
        end++;
    size_t at = end;
    while (at < text.size && strchr(" \t", text.data[at]))
        at++;
    *key = text_cut(text, 0, end);
    *value = text_trim(text_cut(text, at, text.size));
    if (at == end || value->size == 0 || strchr("=:", value->data[0]))
        return false;
    if (strchr("[({'\"", value->data[0]))
        return true;
    return !memchr(value->data, ' ', value->size) && !memchr(value->data, '\t', value->size);
}

bool listing_line(struct reader *reader, const struct line *line, bool *taken, struct error *error)
{
    struct stream *stream = reader->stream;
    struct text key, value;
    *taken = false;
    if (stream->last_listed > 0 && line->number == stream->last_listed + 1 &&
        cut_pair(line->content, &key, &value)) {
        stream->last_listed = line->number;
        *taken = true;
        return settings_pair(reader, line, key, value, error);
    }
    stream->last_listed = is_heading(line->content) ? line->number : 0;
    return true;
}
