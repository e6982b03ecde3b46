/* Opcodes of a pickle that push a value of their own: numbers, texts, bytes, names. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pickle_push.h"

#include "stalldoc/number.h"

#include <string.h>

enum { LINE_MAX_BYTES = 1024 };

static uint32_t text_node(struct machine *m, enum node_kind kind, uint64_t size)
{
    struct span bytes = take_bytes(&m->cursor, size);
    uint32_t index = machine_node(m, kind);
    if (!m->failed)
        machine_at(m, index)->text = (struct text){(const char *)bytes.data, bytes.size};
    return index;
}

/* Up to a newline, which is taken too. */
static struct text line_of(struct machine *m, size_t limit)
{
    struct span rest = m->cursor.rest;
    size_t most = rest.size < limit ? rest.size : limit;
    const uint8_t *end = most ? memchr(rest.data, '\n', most) : NULL;
    if (!end) {
        if (rest.size < limit)
            m->cursor.overrun = true;
        else
            machine_malformed(m, "a line without an end");
        return (struct text){0};
    }
    size_t size = (size_t)(end - rest.data);
    take_bytes(&m->cursor, size + 1);
    return (struct text){(const char *)rest.data, size};
}

struct text line_take(struct machine *m)
{
    return line_of(m, LINE_MAX_BYTES);
}

/* The number behind \x, \u or \U, of `digits` digits; false: it has not as many. */
static bool escape_number(struct text rest, size_t digits, uint32_t *number)
{
    *number = 0;
    if (rest.size < digits)
        return false;
    for (size_t i = 0; i < digits; i++) {
        const char c = rest.data[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return false;
        *number = *number << 4 | (uint32_t)digit;
    }
    return true;
}

static size_t utf8_put(uint32_t point, char *out)
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xc0 | point >> 6);
        out[1] = (char)(0x80 | (point & 63));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (char)(0xe0 | point >> 12);
        out[1] = (char)(0x80 | (point >> 6 & 63));
        out[2] = (char)(0x80 | (point & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | (point >> 18 & 7));
    out[1] = (char)(0x80 | (point >> 12 & 63));
    out[2] = (char)(0x80 | (point >> 6 & 63));
    out[3] = (char)(0x80 | (point & 63));
    return 4;
}

/* Memory for a line without its escapes: none gets more than twice as long. */
static char *unescaped_take(struct machine *m, struct text line)
{
    char *out = arena_take(m->arena, 2 * line.size + 1, 1);
    if (!out)
        machine_fail(m, ERROR_MEMORY, "no memory for a text");
    return out;
}

/* Code points up to 255 stand as one byte, others and the backslash as \uXXXX or \UXXXXXXXX. */
static struct text raw_unicode(struct machine *m, struct text line)
{
    bool plain = true;
    for (size_t i = 0; i < line.size && plain; i++)
        plain = line.data[i] != '\\' && (uint8_t)line.data[i] < 0x80;
    char *out = plain ? NULL : unescaped_take(m, line);
    size_t size = 0;
    if (!out)
        return line;
    for (size_t i = 0; i < line.size;) {
        const char *at = line.data + i;
        uint32_t point = (uint8_t)*at;
        size_t used = 1;
        if (*at == '\\' && i + 1 < line.size && (at[1] == 'u' || at[1] == 'U')) {
            const size_t digits = at[1] == 'u' ? 4 : 8;
            if (escape_number(text_cut(line, i + 2, line.size), digits, &point))
                used = 2 + digits;
            else
                point = '\\';
        }
        size += utf8_put(point, out + size);
        i += used;
    }
    return (struct text){out, size};
}

/* One character of a text as Python 2 prints it; *used: how many it stands as. */
static char quoted_char(struct text rest, size_t *used)
{
    static const char names[] = "abfnrtv\\'\"", values[] = "\a\b\f\n\r\t\v\\'\"";
    uint32_t number;
    *used = 1;
    if (rest.data[0] != '\\' || rest.size < 2)
        return rest.data[0];
    const char *found = rest.data[1] ? strchr(names, rest.data[1]) : NULL;
    if (found) {
        *used = 2;
        return values[found - names];
    }
    if (rest.data[1] == 'x' && escape_number(text_cut(rest, 2, rest.size), 2, &number)) {
        *used = 4;
        return (char)number;
    }
    return rest.data[0];
}

static struct text unquoted(struct machine *m, struct text line)
{
    char *out = line.size && memchr(line.data, '\\', line.size) ? unescaped_take(m, line) : NULL;
    size_t size = 0, used;
    if (!out)
        return line;
    for (size_t i = 0; i < line.size; i += used)
        out[size++] = quoted_char(text_cut(line, i, line.size), &used);
    return (struct text){out, size};
}

static uint32_t integer_node(struct machine *m, int64_t value)
{
    uint32_t index = machine_node(m, NODE_INTEGER);
    if (!m->failed)
        machine_at(m, index)->integer = value;
    return index;
}

static uint32_t bool_node(struct machine *m, bool value)
{
    uint32_t index = machine_node(m, NODE_BOOL);
    if (!m->failed)
        machine_at(m, index)->integer = value;
    return index;
}

static uint32_t float_node(struct machine *m, double value)
{
    uint32_t index = machine_node(m, NODE_FLOAT);
    if (!m->failed)
        machine_at(m, index)->number = value;
    return index;
}

/* LONG1 and LONG4: two's complement, little-endian, of any length. */
static uint32_t long_node(struct machine *m, uint64_t size)
{
    if (size > 8)
        return text_node(m, NODE_BYTES, size);
    struct span bytes = take_bytes(&m->cursor, size);
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size; i++)
        value |= (uint64_t)bytes.data[i] << (8 * i);
    if (bytes.size && bytes.size < 8 && bytes.data[bytes.size - 1] & 128)
        value |= UINT64_MAX << (8 * bytes.size);
    return integer_node(m, (int64_t)value);
}

static uint32_t number_line(struct machine *m)
{
    struct text line = line_take(m);
    struct number number;
    if (text_is(line, "00") || text_is(line, "01"))
        return bool_node(m, line.data[1] == '1');
    if (line.size && line.data[line.size - 1] == 'L')
        line.size--;
    if (!number_parse(line, &number)) {
        if (!m->cursor.overrun)
            machine_malformed(m, "a number that is none");
        return 0;
    }
    return number.integer && number.value > -9e18 && number.value < 9e18
               ? integer_node(m, (int64_t)number.value)
               : float_node(m, number.value);
}

static uint32_t quoted_line(struct machine *m)
{
    struct text line = text_trim(line_of(m, SIZE_MAX));
    if (line.size >= 2)
        line = unquoted(m, text_cut(line, 1, line.size - 2));
    uint32_t index = machine_node(m, NODE_TEXT);
    if (!m->failed)
        machine_at(m, index)->text = line;
    return index;
}

uint32_t global_node(struct machine *m, struct text module, struct text name)
{
    uint32_t index = machine_node(m, NODE_GLOBAL);
    if (!m->failed) {
        machine_at(m, index)->text = module;
        machine_at(m, index)->name = name;
    }
    return index;
}

void push_none(struct machine *m)
{
    machine_push(m, 0);
}

void push_bool(struct machine *m)
{
    machine_push(m, bool_node(m, m->what));
}

void push_integer(struct machine *m)
{
    machine_push(m, integer_node(m, (int64_t)m->operand));
}

void push_signed(struct machine *m)
{
    machine_push(m, integer_node(m, (int32_t)m->operand));
}

void push_long(struct machine *m)
{
    machine_push(m, long_node(m, m->operand));
}

void push_number_line(struct machine *m)
{
    machine_push(m, number_line(m));
}

void push_float(struct machine *m)
{
    double value;
    memcpy(&value, &m->operand, sizeof(value));
    machine_push(m, float_node(m, value));
}

void push_text(struct machine *m)
{
    machine_push(m, text_node(m, (enum node_kind)m->what, m->operand));
}

void push_quoted(struct machine *m)
{
    machine_push(m, quoted_line(m));
}

void push_line(struct machine *m)
{
    struct text line = raw_unicode(m, line_of(m, SIZE_MAX));
    uint32_t index = machine_node(m, NODE_TEXT);
    if (!m->failed)
        machine_at(m, index)->text = line;
    machine_push(m, index);
}

void push_empty(struct machine *m)
{
    machine_push(m, machine_node(m, (enum node_kind)m->what));
}

void push_global(struct machine *m)
{
    struct text module = line_take(m), name = line_take(m);
    machine_push(m, global_node(m, module, name));
}

void push_extension(struct machine *m)
{
    machine_push(m, global_node(m, TEXT("copyreg"), TEXT("extension")));
}
