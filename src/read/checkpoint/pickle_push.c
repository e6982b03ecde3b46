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
struct text line_take(struct machine *m)
{
    struct span rest = m->cursor.rest;
    size_t most = rest.size < LINE_MAX_BYTES ? rest.size : LINE_MAX_BYTES;
    const uint8_t *end = most ? memchr(rest.data, '\n', most) : NULL;
    if (!end) {
        if (rest.size < LINE_MAX_BYTES)
            m->cursor.overrun = true;
        else
            machine_malformed(m, "a line without an end");
        return (struct text){0};
    }
    size_t size = (size_t)(end - rest.data);
    take_bytes(&m->cursor, size + 1);
    return (struct text){(const char *)rest.data, size};
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
    struct text line = text_trim(line_take(m));
    if (line.size >= 2)
        line = text_cut(line, 1, line.size - 2);
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
    struct text line = line_take(m);
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
