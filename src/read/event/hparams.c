/* Settings in event files.

   HParamsPluginData: session_start_info 3 { hparams 1: map { key 1, google.protobuf.Value 2 } }.
   Value: number 2 (f64), string 3, bool 4. Integers arrive as doubles. */
/* SPDX-License-Identifier: MIT */
#include "read/event/hparams.h"

#include "read/wire.h"
#include "stalldoc/number.h"

#include <string.h>

enum { VALUE_MAX = 256, KEYS_MAX = 4096 };

static bool setting_put(const struct reading *reading, struct text key, struct text value,
                        uint64_t offset, struct error *error)
{
    const struct setting setting = {
        .key = key,
        .value = text_cut(value, 0, VALUE_MAX),
        .source = SETTING_CONFIG,
        .place = input_place(reading->input, offset),
        .rank = -1,
    };
    return key.size == 0 || reading->sink->setting(reading->sink, &setting, error);
}

static bool value_put(const struct reading *reading, struct text key, struct span value,
                      uint64_t offset, struct error *error)
{
    struct field field;
    char number[32];
    struct text text = {0};
    while (wire_next(&value, &field)) {
        if (field.number == 2 && field.wire == WIRE_FIXED64)
            text = (struct text){number, number_print(wire_double(field.integer), number)};
        else if (field.number == 3 && field.wire == WIRE_BYTES)
            text = wire_text(field.bytes);
        else if (field.number == 4 && field.wire == WIRE_VARINT)
            text = field.integer ? TEXT("true") : TEXT("false");
    }
    return text.size == 0 || setting_put(reading, key, text, offset, error);
}

static bool session_put(const struct reading *reading, struct span session, uint64_t offset,
                        struct error *error)
{
    struct field field, inner;
    while (wire_next(&session, &field)) {
        struct text key = {0};
        struct span value = {0};
        if (field.number != 1 || field.wire != WIRE_BYTES)
            continue;
        while (wire_next(&field.bytes, &inner)) {
            if (inner.number == 1 && inner.wire == WIRE_BYTES)
                key = wire_text(inner.bytes);
            else if (inner.number == 2 && inner.wire == WIRE_BYTES)
                value = inner.bytes;
        }
        if (!value_put(reading, key, value, offset, error))
            return false;
    }
    return true;
}

bool hparams_settings(const struct reading *reading, struct text content, uint64_t offset,
                      struct error *error)
{
    struct span rest = {(const uint8_t *)content.data, content.size};
    struct field field;
    while (wire_next(&rest, &field))
        if (field.number == 3 && field.wire == WIRE_BYTES &&
            !session_put(reading, field.bytes, offset, error))
            return false;
    return true;
}

/* The end of the JSON string whose first byte stands at `at`. */
static size_t string_end(struct text text, size_t at)
{
    while (at < text.size && text.data[at] != '"')
        at += text.data[at] == '\\' ? 2 : 1;
    return at < text.size ? at : text.size;
}

/* Behind the key that ends at `at`: where its value begins; the text's size where none does, or
   where it is a list or an object, which have no value of theirs. */
static size_t value_start(struct text text, size_t at)
{
    while (at < text.size && (text.data[at] == ' ' || text.data[at] == '\n'))
        at++;
    if (at >= text.size || text.data[at] != ':')
        return text.size;
    do
        at++;
    while (at < text.size && text.data[at] == ' ');
    return at >= text.size || text.data[at] == '{' || text.data[at] == '[' ? text.size : at;
}

/* `"key": value` pairs of a JSON object at any depth. */
static bool json_settings(const struct reading *reading, struct text text, uint64_t offset,
                          struct error *error)
{
    size_t keys = 0;
    for (size_t i = 0; i < text.size && keys < KEYS_MAX; i++) {
        if (text.data[i] != '"')
            continue;
        size_t start = i + 1, end = string_end(text, start);
        size_t at = value_start(text, end + 1), stop = at;
        i = end;
        if (at >= text.size)
            continue;
        if (text.data[at] == '"') {
            at++;
            stop = i = string_end(text, at);
        } else {
            while (stop < text.size && !strchr(",}] \n", text.data[stop]))
                stop++;
        }
        keys++;
        if (!setting_put(reading, text_cut(text, start, end - start), text_cut(text, at, stop - at),
                         offset, error))
            return false;
    }
    return true;
}

bool text_settings(const struct reading *reading, struct text tag, struct text text,
                   uint64_t offset, struct error *error)
{
    struct text body = text_trim(text);
    if (body.size && body.data[0] == '{')
        return json_settings(reading, body, offset, error);
    if (text_ends(tag, "/text_summary"))
        tag.size -= strlen("/text_summary");
    bool word = body.size && body.size < VALUE_MAX && !memchr(body.data, '\n', body.size) &&
                !memchr(tag.data, ' ', tag.size);
    return !word || setting_put(reading, tag, body, offset, error);
}
