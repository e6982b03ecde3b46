/* Settings of YAML over several lines: `optimizer:` and, further in, `name: adam`. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { VALUE_BYTES = 64 };

/* A key alone, `lr:`, of letters, digits and their joints. */
static bool is_parent(struct text text)
{
    if (text.size < 3 || text.size > NEST_BYTES || text.data[text.size - 1] != ':' ||
        !byte_is_letter(text.data[0]))
        return false;
    for (size_t i = 0; i + 1 < text.size; i++)
        if (!byte_is_word(text.data[i]) && text.data[i] != '-')
            return false;
    return true;
}

/* What the key further in says of its parent: its value, or of some what it is called. */
static bool says_parent(struct text key, struct text parent)
{
    static const char *const values[] = {"value", NULL};
    static const char *const names[] = {"name", "type", "_target_", "class", NULL};
    static const char *const named[] = {
        "optimizer", "optim", "lr_scheduler", "scheduler", "criterion", "loss", NULL};
    return text_in(key, values) || (text_in(key, names) && text_in(parent, named));
}

/* Of `torch.optim.AdamW` the last part. */
static struct text bare_value(struct text value)
{
    value = text_trim(value);
    if (value.size >= 2 && strchr("'\"", value.data[0]) &&
        value.data[value.size - 1] == value.data[0])
        value = text_cut(value, 1, value.size - 2);
    if (value.size > 0 && byte_is_letter(value.data[0]))
        value = text_cut(value, text_behind(value, '.'), value.size);
    return value;
}

bool nest_line(struct reader *reader, const struct line *line, struct error *error)
{
    struct parent *nest = &reader->stream->parent;
    const size_t indent = (size_t)(line->content.data - line->raw.data);
    const struct text text = line->content;
    if (nest->size > 0 && (indent <= nest->indent || line->number > nest->line + NEST_LINES))
        nest->size = 0;
    if (is_parent(text)) {
        nest->size = text.size - 1;
        nest->indent = indent;
        nest->line = line->number;
        memcpy(nest->key, text.data, nest->size);
        return true;
    }
    const size_t sign = text_find(text, TEXT(": "));
    if (nest->size == 0 || sign == text.size || text.size - sign > VALUE_BYTES)
        return true;
    const struct text parent = {nest->key, nest->size};
    const struct text value = bare_value(text_cut(text, sign + 1, text.size));
    if (!says_parent(text_cut(text, 0, sign), parent) || value.size == 0 ||
        memchr(value.data, ' ', value.size))
        return true;
    nest->size = 0;
    return settings_pair(reader, line, parent, value, error);
}
