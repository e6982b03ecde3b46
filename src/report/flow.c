/* A word is kept until its end is known, then written on this line or the next. */
/* SPDX-License-Identifier: MIT */
#include "report/flow.h"

#include "report/utf8.h"
#include <stdarg.h>
#include <string.h>

static void blanks(struct out *out, int count)
{
    for (int i = 0; i < count; i++)
        out_literal(out, " ");
}

void flow_begin(struct flow *flow, struct out *out, int column, int indent)
{
    *flow = (struct flow){.out = out, .indent = indent, .fresh = true};
    blanks(out, column - out->column);
}

static void place_word(struct flow *flow, size_t width)
{
    struct out *out = flow->out;
    bool glued = flow->bol;
    flow->bol = false;
    if (flow->fresh || glued) {
        flow->fresh = false;
        return;
    }
    if (!flow->unwrapped && out->column + 1 + (int)width > out->width - 1) {
        out_literal(out, "\n");
        blanks(out, flow->indent);
    } else {
        out_literal(out, " ");
    }
}

static void flush_word(struct flow *flow)
{
    if (flow->size == 0)
        return;
    struct text word = {flow->word, flow->size};
    place_word(flow, text_width(word));
    out_text(flow->out, word);
    flow->size = 0;
}

void flow_text(struct flow *flow, struct text text)
{
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        if (byte == ' ' || byte == '\n' || byte == '\t') {
            flush_word(flow);
            continue;
        }
        if (flow->size == sizeof(flow->word)) {
            flush_word(flow);
            flow->bol = true; /* the same word goes on */
        }
        flow->word[flow->size++] = byte;
    }
}

void flow_string(struct flow *flow, const char *string)
{
    flow_text(flow, text_of(string));
}

void flow_print(struct flow *flow, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    flow_string(flow, line);
}

void flow_styled(struct flow *flow, enum style style, const char *word)
{
    flush_word(flow);
    place_word(flow, strlen(word));
    out_style(flow->out, style);
    out_literal(flow->out, word);
    out_style(flow->out, STYLE_PLAIN);
}

size_t text_fit(struct text text, size_t columns)
{
    size_t size = 0, width = 0;
    while (size < text.size) {
        uint32_t code;
        struct text rest = text_cut(text, size, text.size);
        size_t taken = utf8_take(rest, &code);
        rest.size = taken ? taken : 1;
        width += text_width(rest);
        if (width > columns)
            break;
        size += rest.size;
    }
    return size;
}

void flow_quoted(struct flow *flow, struct text text, size_t columns)
{
    size_t size = text_fit(text, columns);
    flow_text(flow, text_cut(text, 0, size));
    if (size < text.size)
        flow_string(flow, "...");
}

void flow_end(struct flow *flow)
{
    flush_word(flow);
    out_literal(flow->out, "\n");
}
