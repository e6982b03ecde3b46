/* A pickle machine that builds nodes (CPython's Lib/pickletools.py describes the opcodes).

   GLOBAL pushes a name, REDUCE, NEWOBJ and BUILD only tie nodes together: what the file asks to be
   called is recorded and never done. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pickle.h"

#include "stalldoc/number.h"

#include "read/checkpoint/pickle_push.h"

#include <string.h>

enum {
    OPCODES_MAX = 50000000,
    MEMO_SLACK = 1024,
};

enum { ITEMS, PAIRS }; /* what is appended */

static uint32_t collect(struct machine *m, enum node_kind kind)
{
    size_t first, count = machine_unmark(m, &first);
    uint32_t index = machine_node(m, kind);
    if (m->failed)
        return 0;
    if (count > 0) /* the stack may not be there yet */
        machine_items(m, index, m->stack + first, count);
    m->depth = first;
    return index;
}

static uint32_t tuple_of(struct machine *m, size_t count)
{
    uint32_t items[3] = {0};
    for (size_t i = count; i > 0; i--)
        items[i - 1] = machine_pop(m);
    uint32_t index = machine_node(m, NODE_TUPLE);
    if (!m->failed)
        machine_items(m, index, items, count);
    return index;
}

static void memo_put(struct machine *m, uint64_t index)
{
    uint32_t value = machine_top(m);
    if (m->failed)
        return;
    if (index > 4 * m->opcodes + MEMO_SLACK) {
        machine_malformed(m, "a memo index far beyond what was stored");
        return;
    }
    size_t wanted = (size_t)index + 1;
    if (wanted > m->memo_count) {
        uint32_t *memo =
            arena_grow(m->arena, m->memo, m->memo_count, &m->memo_capacity, wanted, sizeof(*memo));
        if (!memo) {
            machine_fail(m, ERROR_MEMORY, "no memory for its memo");
            return;
        }
        m->memo = memo;
        for (size_t i = m->memo_count; i < wanted; i++)
            memo[i] = UINT32_MAX;
        m->memo_count = wanted;
    }
    m->memo[index] = value;
}

static void memo_get(struct machine *m, uint64_t index)
{
    if (index >= m->memo_count || m->memo[index] == UINT32_MAX)
        machine_malformed(m, "a memo entry that was never stored");
    else
        machine_push(m, m->memo[index]);
}

static uint64_t memo_line(struct machine *m)
{
    struct number number;
    struct text line = line_take(m);
    if (!number_parse(line, &number) || !(number.value >= 0 && number.value <= 4e9)) {
        if (!m->cursor.overrun)
            machine_malformed(m, "a memo index that is no number");
        return UINT64_MAX;
    }
    return (uint64_t)number.value;
}

static uint32_t object_node(struct machine *m, uint32_t class, uint32_t arguments)
{
    uint32_t index = machine_node(m, NODE_OBJECT);
    if (!m->failed) {
        machine_at(m, index)->class = class;
        machine_at(m, index)->arguments = arguments;
    }
    m->pickle->calls++;
    return index;
}

/* OrderedDict() and its kind are dictionaries; what they were called with are their items. */
static uint32_t dict_of_pairs(struct machine *m, uint32_t arguments)
{
    uint32_t index = machine_node(m, NODE_DICT);
    if (m->failed || machine_at(m, arguments)->count == 0)
        return index;
    uint32_t list = machine_at(m, arguments)->items[0];
    if (machine_at(m, list)->kind == NODE_DICT) {
        machine_items(m, index, machine_at(m, list)->items, machine_at(m, list)->count);
        return index;
    }
    for (uint32_t i = 0; i < machine_at(m, list)->count && !m->failed; i++) {
        const struct node *pair = machine_at(m, machine_at(m, list)->items[i]);
        if ((pair->kind == NODE_TUPLE || pair->kind == NODE_LIST) && pair->count == 2)
            machine_items(m, index, pair->items, 2);
    }
    return index;
}

static void reduce(struct machine *m)
{
    uint32_t arguments = machine_pop(m), callable = machine_pop(m);
    if (m->failed)
        return;
    if (machine_at(m, arguments)->kind != NODE_TUPLE) {
        machine_malformed(m, "a call whose arguments are no tuple");
        return;
    }
    bool dict = pickle_is_global(m->pickle, callable, "collections", "OrderedDict") ||
                pickle_is_global(m->pickle, callable, "collections", "Counter");
    machine_push(m, dict ? dict_of_pairs(m, arguments) : object_node(m, callable, arguments));
}

static void append(struct machine *m, size_t first, size_t count, bool pairs)
{
    m->depth = first;
    uint32_t target = machine_top(m);
    if (m->failed)
        return;
    struct node *node = machine_at(m, target);
    bool fits =
        node->kind == NODE_OBJECT ||
        (pairs ? node->kind == NODE_DICT : node->kind == NODE_LIST || node->kind == NODE_SET);
    if (!fits || (pairs && count % 2)) {
        machine_malformed(m, "items for what holds none");
        return;
    }
    node->pairs = node->pairs || pairs;
    machine_items(m, target, m->stack + first, count);
}

/* A value or a pair below the top, without a mark. */
static void append_loose(struct machine *m)
{
    const size_t count = m->what == PAIRS ? 2 : 1;
    if (m->depth < machine_fence(m) + count) {
        machine_malformed(m, "an opcode takes more than the stack holds");
        return;
    }
    append(m, m->depth - count, count, m->what == PAIRS);
}

static void append_marked(struct machine *m)
{
    size_t first, count = machine_unmark(m, &first);
    if (!m->failed)
        append(m, first, count, m->what == PAIRS);
}

/* A second BUILD, or slots beside a dict: the later state is kept, as the walk merges neither. */
static void build(struct machine *m)
{
    uint32_t state = machine_pop(m), target = machine_top(m);
    if (m->failed)
        return;
    machine_at(m, target)->state = state;
}

static void stack_global(struct machine *m)
{
    uint32_t name = machine_pop(m), module = machine_pop(m);
    if (m->failed)
        return;
    if (machine_at(m, name)->kind != NODE_TEXT || machine_at(m, module)->kind != NODE_TEXT) {
        machine_malformed(m, "a global whose name is no text");
        return;
    }
    machine_push(m, global_node(m, machine_at(m, module)->text, machine_at(m, name)->text));
}

static void instance(struct machine *m)
{
    const bool lines = m->what;
    uint32_t class = 0;
    if (lines) {
        struct text module = line_take(m), name = line_take(m);
        class = global_node(m, module, name);
    }
    uint32_t arguments = collect(m, NODE_TUPLE);
    if (m->failed)
        return;
    struct node *tuple = machine_at(m, arguments);
    if (!lines) {
        if (tuple->count == 0) {
            machine_malformed(m, "an instance of nothing");
            return;
        }
        class = tuple->items[0];
        tuple->items++;
        tuple->count = 0; /* what a class of old style was called with is not looked at */
    }
    machine_push(m, object_node(m, class, arguments));
}

static void new_object(struct machine *m)
{
    if (m->what) /* keywords */
        machine_pop(m);
    uint32_t arguments = machine_pop(m), class = machine_pop(m);
    if (m->failed)
        return;
    bool dict = pickle_is_global(m->pickle, class, "collections", "OrderedDict");
    machine_push(m, dict ? machine_node(m, NODE_DICT) : object_node(m, class, arguments));
}

static void persistent(struct machine *m)
{
    uint32_t id = machine_pop(m), index = machine_node(m, NODE_PERSISTENT);
    if (m->failed)
        return;
    machine_items(m, index, &id, 1);
    machine_push(m, index);
}

static void pop_one(struct machine *m)
{
    if (m->mark_count && m->depth == machine_fence(m))
        m->mark_count--;
    else
        machine_pop(m);
}

static void put_dict(struct machine *m)
{
    uint32_t index = collect(m, NODE_DICT);
    if (!m->failed && machine_at(m, index)->count % 2)
        machine_malformed(m, "a dictionary with a key and no value");
    machine_push(m, index);
}

/* ---- Opcodes that rearrange ---- */

static void pass(struct machine *m)
{
    (void)m; /* a version, a length of a frame */
}

static void pop_marked(struct machine *m)
{
    size_t first;
    machine_unmark(m, &first);
    m->depth = first;
}

static void duplicate(struct machine *m)
{
    machine_push(m, machine_top(m));
}

static void push_collected(struct machine *m)
{
    machine_push(m, collect(m, (enum node_kind)m->what));
}

static void push_tuple(struct machine *m)
{
    machine_push(m, tuple_of(m, m->what));
}

static void put(struct machine *m)
{
    memo_put(m, m->operand);
}

static void put_next(struct machine *m)
{
    memo_put(m, m->memo_count);
}

static void put_line(struct machine *m)
{
    memo_put(m, memo_line(m));
}

static void get(struct machine *m)
{
    memo_get(m, m->operand);
}

static void get_line(struct machine *m)
{
    memo_get(m, memo_line(m));
}

/* ---- The table ---- */

enum operand {
    NOTHING,
    U8,
    U16,
    U32,
    I32, /* a length that says it is signed */
    U64,
    BIG64,
};

static const struct step {
    void (*run)(struct machine *m);
    enum operand operand;
    unsigned what;
} steps[256] = {
    ['N'] = {push_none, NOTHING, 0},
    [0x88] = {push_bool, NOTHING, true},
    [0x89] = {push_bool, NOTHING, false},
    ['J'] = {push_signed, U32, 0},
    ['K'] = {push_integer, U8, 0},
    ['M'] = {push_integer, U16, 0},
    [0x8a] = {push_long, U8, 0},
    [0x8b] = {push_long, I32, 0},
    ['I'] = {push_number_line, NOTHING, 0},
    ['L'] = {push_number_line, NOTHING, 0},
    ['F'] = {push_number_line, NOTHING, 0},
    ['G'] = {push_float, BIG64, 0},
    ['X'] = {push_text, U32, NODE_TEXT},
    [0x8c] = {push_text, U8, NODE_TEXT},
    [0x8d] = {push_text, U64, NODE_TEXT},
    ['B'] = {push_text, U32, NODE_BYTES},
    ['C'] = {push_text, U8, NODE_BYTES},
    [0x8e] = {push_text, U64, NODE_BYTES},
    [0x96] = {push_text, U64, NODE_BYTES},
    ['T'] = {push_text, I32, NODE_TEXT},
    ['U'] = {push_text, U8, NODE_TEXT},
    ['S'] = {push_quoted, NOTHING, 0},
    ['V'] = {push_line, NOTHING, 0},
    [']'] = {push_empty, NOTHING, NODE_LIST},
    [')'] = {push_empty, NOTHING, NODE_TUPLE},
    ['}'] = {push_empty, NOTHING, NODE_DICT},
    [0x8f] = {push_empty, NOTHING, NODE_SET},
    ['c'] = {push_global, NOTHING, 0},
    [0x82] = {push_extension, U8, 0},
    [0x83] = {push_extension, U16, 0},
    [0x84] = {push_extension, U32, 0},
    [0x80] = {pass, U8, 0},
    [0x95] = {pass, U64, 0},
    ['('] = {machine_mark, NOTHING, 0},
    ['0'] = {pop_one, NOTHING, 0},
    ['1'] = {pop_marked, NOTHING, 0},
    ['2'] = {duplicate, NOTHING, 0},
    ['a'] = {append_loose, NOTHING, ITEMS},
    ['e'] = {append_marked, NOTHING, ITEMS},
    [0x90] = {append_marked, NOTHING, ITEMS},
    ['s'] = {append_loose, NOTHING, PAIRS},
    ['u'] = {append_marked, NOTHING, PAIRS},
    [0x91] = {push_collected, NOTHING, NODE_SET},
    ['t'] = {push_collected, NOTHING, NODE_TUPLE},
    ['l'] = {push_collected, NOTHING, NODE_LIST},
    [0x85] = {push_tuple, NOTHING, 1},
    [0x86] = {push_tuple, NOTHING, 2},
    [0x87] = {push_tuple, NOTHING, 3},
    ['d'] = {put_dict, NOTHING, 0},
    ['p'] = {put_line, NOTHING, 0},
    ['q'] = {put, U8, 0},
    ['r'] = {put, U32, 0},
    [0x94] = {put_next, NOTHING, 0},
    ['g'] = {get_line, NOTHING, 0},
    ['h'] = {get, U8, 0},
    ['j'] = {get, U32, 0},
    [0x93] = {stack_global, NOTHING, 0},
    ['R'] = {reduce, NOTHING, 0},
    [0x81] = {new_object, NOTHING, false},
    [0x92] = {new_object, NOTHING, true},
    ['i'] = {instance, NOTHING, true},
    ['o'] = {instance, NOTHING, false},
    ['b'] = {build, NOTHING, 0},
    ['Q'] = {persistent, NOTHING, 0},
};

static uint64_t operand_take(struct machine *m, enum operand operand)
{
    struct cursor *c = &m->cursor;
    switch (operand) {
    case NOTHING:
        break;
    case U8:
        return take_u8(c);
    case U16:
        return take_u16le(c);
    case U32:
        return take_u32le(c);
    case I32: {
        uint32_t size = take_u32le(c);
        if (size > INT32_MAX)
            machine_malformed(m, "a negative length");
        return size;
    }
    case U64:
        return take_u64le(c);
    case BIG64:
        return take_u64be(c);
    }
    return 0;
}

/* False: an unknown opcode. */
static bool step_run(struct machine *m, const struct step *step)
{
    if (!step->run)
        return false;
    m->operand = operand_take(m, step->operand);
    m->what = step->what;
    if (!m->cursor.overrun && !m->failed)
        step->run(m);
    return true;
}

static bool run(struct machine *m)
{
    for (;;) {
        uint8_t opcode = take_u8(&m->cursor);
        if (m->cursor.overrun)
            return machine_fail(m, ERROR_TRUNCATED, "it ends before its STOP");
        if (opcode == '.')
            break;
        if (++m->opcodes > OPCODES_MAX)
            return machine_fail(m, ERROR_LIMIT, "more than 50,000,000 opcodes");
        if (!step_run(m, &steps[opcode]))
            return machine_malformed(m, "an unknown opcode");
        if (m->cursor.overrun && !m->failed)
            return machine_fail(m, ERROR_TRUNCATED, "it ends inside an opcode");
        if (m->failed)
            return false;
    }
    m->pickle->root = machine_pop(m);
    return !m->failed;
}

bool pickle_read(struct span bytes, struct place place, struct arena *arena, struct pickle *pickle,
                 struct error *error)
{
    *pickle = (struct pickle){0};
    struct machine machine = {
        .cursor = {.rest = bytes, .place = place},
        .arena = arena,
        .pickle = pickle,
        .error = error,
    };
    machine_node(&machine, NODE_NONE); /* index 0 */
    if (machine.failed || !run(&machine))
        return false;
    pickle->consumed = bytes.size - machine.cursor.rest.size;
    return true;
}
