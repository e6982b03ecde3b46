/* The JSON stream. */
/* SPDX-License-Identifier: MIT */
#include "report/json_write.h"

#include "stalldoc/number.h"
#include <inttypes.h>
#include <math.h>

static void begin(struct json *json, const char *name)
{
    struct out *out = json->out;
    bool flat = json->flat && json->depth >= json->flat;
    if (json->depth) {
        if (json->filled[json->depth])
            out_literal(out, flat ? ", " : ",");
        if (!flat) {
            out_literal(out, "\n");
            for (size_t i = 0; i < json->depth; i++)
                out_literal(out, " ");
        }
        json->filled[json->depth] = true;
    }
    if (name) {
        out_json(out, text_of(name));
        out_literal(out, ": ");
    }
}

void json_open(struct json *json, const char *name, char bracket, bool flat)
{
    begin(json, name);
    out_literal(json->out, bracket == '{' ? "{" : "[");
    json->depth++;
    json->brackets[json->depth] = bracket;
    json->filled[json->depth] = false;
    if (flat && !json->flat)
        json->flat = json->depth;
}

void json_close(struct json *json)
{
    bool flat = json->flat && json->depth >= json->flat;
    char bracket = json->brackets[json->depth];
    bool filled = json->filled[json->depth];
    if (json->flat == json->depth)
        json->flat = 0;
    json->depth--;
    if (filled && !flat) {
        out_literal(json->out, "\n");
        for (size_t i = 0; i < json->depth; i++)
            out_literal(json->out, " ");
    }
    out_literal(json->out, bracket == '{' ? "}" : "]");
    if (json->depth == 0)
        out_literal(json->out, "\n");
}

void json_text(struct json *json, const char *name, struct text text)
{
    begin(json, name);
    out_json(json->out, text);
}

void json_string(struct json *json, const char *name, const char *string)
{
    begin(json, name);
    if (string)
        out_json(json->out, text_of(string));
    else
        out_literal(json->out, "null");
}

void json_number(struct json *json, const char *name, double value)
{
    char printed[40];
    number_print(value, printed);
    begin(json, name);
    if (isfinite(value))
        out_literal(json->out, printed);
    else
        out_json(json->out, text_of(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"));
}

void json_share(struct json *json, const char *name, double value)
{
    /* Rounding here, not in printf, keeps "-0.00" away. */
    json_number(json, name, isfinite(value) ? round(value * 100) / 100 + 0.0 : value);
}

void json_signed(struct json *json, const char *name, int64_t value)
{
    begin(json, name);
    out_print(json->out, "%" PRId64, value);
}

void json_unsigned(struct json *json, const char *name, uint64_t value)
{
    begin(json, name);
    out_print(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *name, bool value)
{
    begin(json, name);
    out_literal(json->out, value ? "true" : "false");
}

void json_null(struct json *json, const char *name)
{
    begin(json, name);
    out_literal(json->out, "null");
}

void json_texts(struct json *json, const char *name, const struct text *texts, size_t count)
{
    json_open(json, name, '[', false);
    for (size_t i = 0; i < count; i++)
        json_text(json, NULL, texts[i]);
    json_close(json);
}
