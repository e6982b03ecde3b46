/* The pickle machine's memory: every pop is checked against the topmost mark. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pickle_machine.h"

#include <string.h>

enum {
    NODES_MAX = 4000000,
    STACK_MAX = 1000000,
    MARKS_MAX = 10000,
};

bool machine_fail(struct machine *m, enum error_kind kind, const char *what)
{
    if (!m->failed)
        error_set(m->error, kind, m->cursor.place, "pickle: %s", what);
    m->failed = true;
    return false;
}

bool machine_malformed(struct machine *m, const char *what)
{
    return machine_fail(m, ERROR_MALFORMED, what);
}

uint32_t machine_node(struct machine *m, enum node_kind kind)
{
    struct pickle *pickle = m->pickle;
    if (pickle->count >= NODES_MAX) {
        machine_fail(m, ERROR_LIMIT, "more than 4,000,000 values");
        return 0;
    }
    struct node *nodes = arena_grow(m->arena, pickle->nodes, pickle->count, &m->node_capacity,
                                    (size_t)pickle->count + 1, sizeof(*nodes));
    if (!nodes) {
        machine_fail(m, ERROR_MEMORY, "no memory for its values");
        return 0;
    }
    pickle->nodes = nodes;
    nodes[pickle->count] = (struct node){.kind = kind};
    return pickle->count++;
}

struct node *machine_at(struct machine *m, uint32_t index)
{
    return &m->pickle->nodes[index];
}

void machine_push(struct machine *m, uint32_t index)
{
    if (m->depth >= STACK_MAX) {
        machine_fail(m, ERROR_LIMIT, "a stack of more than 1,000,000 values");
        return;
    }
    uint32_t *stack =
        arena_grow(m->arena, m->stack, m->depth, &m->stack_capacity, m->depth + 1, sizeof(*stack));
    if (!stack) {
        machine_fail(m, ERROR_MEMORY, "no memory for its stack");
        return;
    }
    m->stack = stack;
    stack[m->depth++] = index;
}

size_t machine_fence(const struct machine *m)
{
    return m->mark_count ? m->marks[m->mark_count - 1] : 0;
}

uint32_t machine_pop(struct machine *m)
{
    if (m->depth <= machine_fence(m)) {
        machine_malformed(m, "an opcode takes more than the stack holds");
        return 0;
    }
    return m->stack[--m->depth];
}

uint32_t machine_top(struct machine *m)
{
    if (m->depth <= machine_fence(m)) {
        machine_malformed(m, "an opcode takes more than the stack holds");
        return 0;
    }
    return m->stack[m->depth - 1];
}

void machine_mark(struct machine *m)
{
    if (m->mark_count >= MARKS_MAX) {
        machine_fail(m, ERROR_LIMIT, "more than 10,000 nested marks");
        return;
    }
    size_t *marks = arena_grow(m->arena, m->marks, m->mark_count, &m->mark_capacity,
                               m->mark_count + 1, sizeof(*marks));
    if (!marks) {
        machine_fail(m, ERROR_MEMORY, "no memory for its stack");
        return;
    }
    m->marks = marks;
    marks[m->mark_count++] = m->depth;
}

size_t machine_unmark(struct machine *m, size_t *first)
{
    if (m->mark_count == 0) {
        machine_malformed(m, "a mark is missing");
        *first = m->depth;
        return 0;
    }
    *first = m->marks[--m->mark_count];
    return m->depth - *first;
}

/* Room doubles with the count, so the capacity need not be kept. */
void machine_items(struct machine *m, uint32_t index, const uint32_t *items, size_t count)
{
    struct node *node = machine_at(m, index);
    size_t have = node->count, room = 1;
    while (room < have)
        room *= 2;
    room = have ? room : 0;
    if (have + count > room) {
        size_t wanted = room ? room : 1;
        while (wanted < have + count)
            wanted *= 2;
        uint32_t *grown = arena_take(m->arena, wanted, sizeof(*grown));
        if (!grown) {
            machine_fail(m, ERROR_MEMORY, "no memory for its values");
            return;
        }
        if (have)
            memcpy(grown, node->items, have * sizeof(*grown));
        node->items = grown;
    }
    if (count)
        memcpy(node->items + have, items, count * sizeof(*items));
    node->count = (uint32_t)(have + count);
}
