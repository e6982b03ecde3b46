/* A pickle machine that builds nodes (CPython's Lib/pickletools.py describes the opcodes).

   GLOBAL pushes a name, REDUCE, NEWOBJ and BUILD only tie nodes together: what the file asks to be
   called is recorded and never done. Every pop is checked against the topmost mark. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pickle.h"

#include "stalldoc/number.h"

#include <string.h>

enum {
    NODES_MAX = 4000000,
    STACK_MAX = 1000000,
    MARKS_MAX = 10000,
    OPCODES_MAX = 50000000,
    LINE_MAX_BYTES = 1024,
    MEMO_SLACK = 1024,
};

struct machine {
    struct cursor cursor;
    struct arena *arena;
    struct pickle *pickle;
    struct error *error;
    size_t node_capacity;
    uint32_t *stack;
    size_t depth, stack_capacity;
    size_t *marks;
    size_t mark_count, mark_capacity;
    uint32_t *memo;
    size_t memo_count, memo_capacity;
    uint64_t opcodes;
    size_t start; /* bytes at the beginning */
    bool failed;
};

static bool fail_with(struct machine *m, enum error_kind kind, const char *what)
{
    if (!m->failed)
        error_set(m->error, kind, m->cursor.place, "pickle: %s", what);
    m->failed = true;
    return false;
}

static bool malformed(struct machine *m, const char *what)
{
    return fail_with(m, ERROR_MALFORMED, what);
}

static uint32_t node_add(struct machine *m, enum node_kind kind)
{
    struct pickle *pickle = m->pickle;
    if (pickle->count >= NODES_MAX) {
        fail_with(m, ERROR_LIMIT, "more than 4,000,000 values");
        return 0;
    }
    struct node *nodes = arena_grow(m->arena, pickle->nodes, pickle->count, &m->node_capacity,
                                    (size_t)pickle->count + 1, sizeof(*nodes));
    if (!nodes) {
        fail_with(m, ERROR_MEMORY, "no memory for its values");
        return 0;
    }
    pickle->nodes = nodes;
    nodes[pickle->count] = (struct node){.kind = kind};
    return pickle->count++;
}

static struct node *at(struct machine *m, uint32_t index)
{
    return &m->pickle->nodes[index];
}

static void push(struct machine *m, uint32_t index)
{
    if (m->depth >= STACK_MAX) {
        fail_with(m, ERROR_LIMIT, "a stack of more than 1,000,000 values");
        return;
    }
    uint32_t *stack =
        arena_grow(m->arena, m->stack, m->depth, &m->stack_capacity, m->depth + 1, sizeof(*stack));
    if (!stack) {
        fail_with(m, ERROR_MEMORY, "no memory for its stack");
        return;
    }
    m->stack = stack;
    stack[m->depth++] = index;
}

static size_t fence(const struct machine *m)
{
    return m->mark_count ? m->marks[m->mark_count - 1] : 0;
}

static uint32_t pop(struct machine *m)
{
    if (m->depth <= fence(m)) {
        malformed(m, "an opcode takes more than the stack holds");
        return 0;
    }
    return m->stack[--m->depth];
}

static uint32_t top(struct machine *m)
{
    if (m->depth <= fence(m)) {
        malformed(m, "an opcode takes more than the stack holds");
        return 0;
    }
    return m->stack[m->depth - 1];
}

static void mark(struct machine *m)
{
    if (m->mark_count >= MARKS_MAX) {
        fail_with(m, ERROR_LIMIT, "more than 10,000 nested marks");
        return;
    }
    size_t *marks = arena_grow(m->arena, m->marks, m->mark_count, &m->mark_capacity,
                               m->mark_count + 1, sizeof(*marks));
    if (!marks) {
        fail_with(m, ERROR_MEMORY, "no memory for its stack");
        return;
    }
    m->marks = marks;
    marks[m->mark_count++] = m->depth;
}

/* Takes the topmost mark off; *first is the stack index of what stood above it. */
static size_t unmark(struct machine *m, size_t *first)
{
    if (m->mark_count == 0) {
        malformed(m, "a mark is missing");
        *first = m->depth;
        return 0;
    }
    *first = m->marks[--m->mark_count];
    return m->depth - *first;
}

/* Room doubles with the count, so the capacity need not be kept. */
static void items_add(struct machine *m, uint32_t index, const uint32_t *items, size_t count)
{
    struct node *node = at(m, index);
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
            fail_with(m, ERROR_MEMORY, "no memory for its values");
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

static uint32_t collect(struct machine *m, enum node_kind kind)
{
    size_t first, count = unmark(m, &first);
    uint32_t index = node_add(m, kind);
    if (m->failed)
        return 0;
    items_add(m, index, m->stack + first, count);
    m->depth = first;
    return index;
}

static uint32_t tuple_of(struct machine *m, size_t count)
{
    uint32_t items[3] = {0};
    for (size_t i = count; i > 0; i--)
        items[i - 1] = pop(m);
    uint32_t index = node_add(m, NODE_TUPLE);
    if (!m->failed)
        items_add(m, index, items, count);
    return index;
}

static uint32_t text_node(struct machine *m, enum node_kind kind, uint64_t size)
{
    struct span bytes = take_bytes(&m->cursor, size);
    uint32_t index = node_add(m, kind);
    if (!m->failed)
        at(m, index)->text = (struct text){(const char *)bytes.data, bytes.size};
    return index;
}

/* Up to a newline, which is taken too. */
static struct text line_take(struct machine *m)
{
    struct span rest = m->cursor.rest;
    size_t most = rest.size < LINE_MAX_BYTES ? rest.size : LINE_MAX_BYTES;
    const uint8_t *end = most ? memchr(rest.data, '\n', most) : NULL;
    if (!end) {
        if (rest.size < LINE_MAX_BYTES)
            m->cursor.overrun = true;
        else
            malformed(m, "a line without an end");
        return (struct text){0};
    }
    size_t size = (size_t)(end - rest.data);
    take_bytes(&m->cursor, size + 1);
    return (struct text){(const char *)rest.data, size};
}

static uint32_t integer_node(struct machine *m, int64_t value)
{
    uint32_t index = node_add(m, NODE_INTEGER);
    if (!m->failed)
        at(m, index)->integer = value;
    return index;
}

static uint32_t bool_node(struct machine *m, bool value)
{
    uint32_t index = node_add(m, NODE_BOOL);
    if (!m->failed)
        at(m, index)->integer = value;
    return index;
}

static uint32_t float_node(struct machine *m, double value)
{
    uint32_t index = node_add(m, NODE_FLOAT);
    if (!m->failed)
        at(m, index)->number = value;
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
            malformed(m, "a number that is none");
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
    uint32_t index = node_add(m, NODE_TEXT);
    if (!m->failed)
        at(m, index)->text = line;
    return index;
}

static uint32_t global_node(struct machine *m, struct text module, struct text name)
{
    uint32_t index = node_add(m, NODE_GLOBAL);
    if (!m->failed) {
        at(m, index)->text = module;
        at(m, index)->name = name;
    }
    return index;
}

static void memo_put(struct machine *m, uint64_t index)
{
    uint32_t value = top(m);
    if (m->failed)
        return;
    if (index > 4 * m->opcodes + MEMO_SLACK) {
        malformed(m, "a memo index far beyond what was stored");
        return;
    }
    size_t wanted = (size_t)index + 1;
    if (wanted > m->memo_count) {
        uint32_t *memo =
            arena_grow(m->arena, m->memo, m->memo_count, &m->memo_capacity, wanted, sizeof(*memo));
        if (!memo) {
            fail_with(m, ERROR_MEMORY, "no memory for its memo");
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
        malformed(m, "a memo entry that was never stored");
    else
        push(m, m->memo[index]);
}

static uint64_t memo_line(struct machine *m)
{
    struct number number;
    struct text line = line_take(m);
    if (!number_parse(line, &number) || number.value < 0 || number.value > 4e9) {
        if (!m->cursor.overrun)
            malformed(m, "a memo index that is no number");
        return UINT64_MAX;
    }
    return (uint64_t)number.value;
}

static uint32_t object_node(struct machine *m, uint32_t class, uint32_t arguments)
{
    uint32_t index = node_add(m, NODE_OBJECT);
    if (!m->failed) {
        at(m, index)->class = class;
        at(m, index)->arguments = arguments;
    }
    m->pickle->calls++;
    return index;
}

/* OrderedDict() and its kind are dictionaries; what they were called with are their items. */
static uint32_t dict_of_pairs(struct machine *m, uint32_t arguments)
{
    uint32_t index = node_add(m, NODE_DICT);
    if (m->failed || at(m, arguments)->count == 0)
        return index;
    uint32_t list = at(m, arguments)->items[0];
    if (at(m, list)->kind == NODE_DICT) {
        items_add(m, index, at(m, list)->items, at(m, list)->count);
        return index;
    }
    for (uint32_t i = 0; i < at(m, list)->count && !m->failed; i++) {
        const struct node *pair = at(m, at(m, list)->items[i]);
        if ((pair->kind == NODE_TUPLE || pair->kind == NODE_LIST) && pair->count == 2)
            items_add(m, index, pair->items, 2);
    }
    return index;
}

static void reduce(struct machine *m)
{
    uint32_t arguments = pop(m), callable = pop(m);
    if (m->failed)
        return;
    if (at(m, arguments)->kind != NODE_TUPLE) {
        malformed(m, "a call whose arguments are no tuple");
        return;
    }
    bool dict = pickle_is_global(m->pickle, callable, "collections", "OrderedDict") ||
                pickle_is_global(m->pickle, callable, "collections", "Counter");
    push(m, dict ? dict_of_pairs(m, arguments) : object_node(m, callable, arguments));
}

static void append(struct machine *m, size_t first, size_t count, bool pairs)
{
    m->depth = first;
    uint32_t target = top(m);
    if (m->failed)
        return;
    struct node *node = at(m, target);
    bool fits =
        node->kind == NODE_OBJECT ||
        (pairs ? node->kind == NODE_DICT : node->kind == NODE_LIST || node->kind == NODE_SET);
    if (!fits || (pairs && count % 2)) {
        malformed(m, "items for what holds none");
        return;
    }
    node->pairs = node->pairs || pairs;
    items_add(m, target, m->stack + first, count);
}

/* Up to `count` values below the top, without a mark. */
static void append_loose(struct machine *m, size_t count, bool pairs)
{
    if (m->depth < fence(m) + count) {
        malformed(m, "an opcode takes more than the stack holds");
        return;
    }
    append(m, m->depth - count, count, pairs);
}

static void append_marked(struct machine *m, bool pairs)
{
    size_t first, count = unmark(m, &first);
    if (!m->failed)
        append(m, first, count, pairs);
}

/* A second BUILD, or slots beside a dict: the later state is kept, as the walk merges neither. */
static void build(struct machine *m)
{
    uint32_t state = pop(m), target = top(m);
    if (m->failed)
        return;
    at(m, target)->state = state;
}

static void stack_global(struct machine *m)
{
    uint32_t name = pop(m), module = pop(m);
    if (m->failed)
        return;
    if (at(m, name)->kind != NODE_TEXT || at(m, module)->kind != NODE_TEXT) {
        malformed(m, "a global whose name is no text");
        return;
    }
    push(m, global_node(m, at(m, module)->text, at(m, name)->text));
}

static void instance(struct machine *m, bool lines)
{
    uint32_t class = 0;
    if (lines) {
        struct text module = line_take(m), name = line_take(m);
        class = global_node(m, module, name);
    }
    uint32_t arguments = collect(m, NODE_TUPLE);
    if (m->failed)
        return;
    struct node *tuple = at(m, arguments);
    if (!lines) {
        if (tuple->count == 0) {
            malformed(m, "an instance of nothing");
            return;
        }
        class = tuple->items[0];
        tuple->items++;
        tuple->count = 0; /* what a class of old style was called with is not looked at */
    }
    push(m, object_node(m, class, arguments));
}

static void new_object(struct machine *m, bool keywords)
{
    if (keywords)
        pop(m);
    uint32_t arguments = pop(m), class = pop(m);
    if (m->failed)
        return;
    bool dict = pickle_is_global(m->pickle, class, "collections", "OrderedDict");
    push(m, dict ? node_add(m, NODE_DICT) : object_node(m, class, arguments));
}

static void persistent(struct machine *m)
{
    uint32_t id = pop(m), index = node_add(m, NODE_PERSISTENT);
    if (m->failed)
        return;
    items_add(m, index, &id, 1);
    push(m, index);
}

static double float_be(struct machine *m)
{
    uint64_t bits = take_u64be(&m->cursor);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void pop_one(struct machine *m)
{
    if (m->mark_count && m->depth == fence(m))
        m->mark_count--;
    else
        pop(m);
}

static void put_dict(struct machine *m)
{
    uint32_t index = collect(m, NODE_DICT);
    if (!m->failed && at(m, index)->count % 2)
        malformed(m, "a dictionary with a key and no value");
    push(m, index);
}

static void size_signed(struct machine *m, enum node_kind kind)
{
    uint32_t size = take_u32le(&m->cursor);
    if (size > INT32_MAX)
        malformed(m, "a negative length");
    else
        push(m, text_node(m, kind, size));
}

/* Opcodes that push a value of their own. False: it is another one. */
static bool step_value(struct machine *m, uint8_t opcode)
{
    struct cursor *c = &m->cursor;
    switch (opcode) {
    case 0x4e:
        push(m, 0);
        return true;
    case 0x88:
        push(m, bool_node(m, true));
        return true;
    case 0x89:
        push(m, bool_node(m, false));
        return true;
    case 'J':
        push(m, integer_node(m, (int32_t)take_u32le(c)));
        return true;
    case 'K':
        push(m, integer_node(m, take_u8(c)));
        return true;
    case 'M':
        push(m, integer_node(m, take_u16le(c)));
        return true;
    case 0x8a:
        push(m, long_node(m, take_u8(c)));
        return true;
    case 0x8b: {
        uint32_t size = take_u32le(c);
        if (size > INT32_MAX)
            malformed(m, "a negative length");
        else
            push(m, long_node(m, size));
        return true;
    }
    case 'I':
    case 'L':
    case 'F':
        push(m, number_line(m));
        return true;
    case 'G':
        push(m, float_node(m, float_be(m)));
        return true;
    case 'X':
        push(m, text_node(m, NODE_TEXT, take_u32le(c)));
        return true;
    case 0x8c:
        push(m, text_node(m, NODE_TEXT, take_u8(c)));
        return true;
    case 0x8d:
        push(m, text_node(m, NODE_TEXT, take_u64le(c)));
        return true;
    case 'B':
        push(m, text_node(m, NODE_BYTES, take_u32le(c)));
        return true;
    case 'C':
        push(m, text_node(m, NODE_BYTES, take_u8(c)));
        return true;
    case 0x8e:
    case 0x96:
        push(m, text_node(m, NODE_BYTES, take_u64le(c)));
        return true;
    case 'T':
        size_signed(m, NODE_TEXT);
        return true;
    case 'U':
        push(m, text_node(m, NODE_TEXT, take_u8(c)));
        return true;
    case 'S':
        push(m, quoted_line(m));
        return true;
    case 'V': {
        struct text line = line_take(m);
        uint32_t index = node_add(m, NODE_TEXT);
        if (!m->failed)
            at(m, index)->text = line;
        push(m, index);
        return true;
    }
    case ']':
        push(m, node_add(m, NODE_LIST));
        return true;
    case ')':
        push(m, node_add(m, NODE_TUPLE));
        return true;
    case '}':
        push(m, node_add(m, NODE_DICT));
        return true;
    case 0x8f:
        push(m, node_add(m, NODE_SET));
        return true;
    case 'c': {
        struct text module = line_take(m), name = line_take(m);
        push(m, global_node(m, module, name));
        return true;
    }
    case 0x82:
        take_u8(c);
        push(m, global_node(m, TEXT("copyreg"), TEXT("extension")));
        return true;
    case 0x83:
        take_u16le(c);
        push(m, global_node(m, TEXT("copyreg"), TEXT("extension")));
        return true;
    case 0x84:
        take_u32le(c);
        push(m, global_node(m, TEXT("copyreg"), TEXT("extension")));
        return true;
    default:
        return false;
    }
}

/* Opcodes that rearrange. False: unknown. */
static bool step_stack(struct machine *m, uint8_t opcode)
{
    struct cursor *c = &m->cursor;
    size_t first;
    switch (opcode) {
    case 0x80:
        take_u8(c);
        return true;
    case 0x95:
        take_u64le(c);
        return true;
    case '(':
        mark(m);
        return true;
    case '0':
        pop_one(m);
        return true;
    case '1':
        unmark(m, &first);
        m->depth = first;
        return true;
    case '2':
        push(m, top(m));
        return true;
    case 'a':
        append_loose(m, 1, false);
        return true;
    case 'e':
    case 0x90:
        append_marked(m, false);
        return true;
    case 's':
        append_loose(m, 2, true);
        return true;
    case 'u':
        append_marked(m, true);
        return true;
    case 0x91:
        push(m, collect(m, NODE_SET));
        return true;
    case 't':
        push(m, collect(m, NODE_TUPLE));
        return true;
    case 0x85:
        push(m, tuple_of(m, 1));
        return true;
    case 0x86:
        push(m, tuple_of(m, 2));
        return true;
    case 0x87:
        push(m, tuple_of(m, 3));
        return true;
    case 'l':
        push(m, collect(m, NODE_LIST));
        return true;
    case 'd':
        put_dict(m);
        return true;
    case 'p':
        memo_put(m, memo_line(m));
        return true;
    case 'q':
        memo_put(m, take_u8(c));
        return true;
    case 'r':
        memo_put(m, take_u32le(c));
        return true;
    case 0x94:
        memo_put(m, m->memo_count);
        return true;
    case 'g':
        memo_get(m, memo_line(m));
        return true;
    case 'h':
        memo_get(m, take_u8(c));
        return true;
    case 'j':
        memo_get(m, take_u32le(c));
        return true;
    case 0x93:
        stack_global(m);
        return true;
    case 'R':
        reduce(m);
        return true;
    case 0x81:
        new_object(m, false);
        return true;
    case 0x92:
        new_object(m, true);
        return true;
    case 'i':
        instance(m, true);
        return true;
    case 'o':
        instance(m, false);
        return true;
    case 'b':
        build(m);
        return true;
    case 'Q':
        persistent(m);
        return true;
    default:
        return false;
    }
}

static bool run(struct machine *m)
{
    for (;;) {
        uint8_t opcode = take_u8(&m->cursor);
        if (m->cursor.overrun)
            return fail_with(m, ERROR_TRUNCATED, "it ends before its STOP");
        if (opcode == '.')
            break;
        if (++m->opcodes > OPCODES_MAX)
            return fail_with(m, ERROR_LIMIT, "more than 50,000,000 opcodes");
        if (!step_value(m, opcode) && !step_stack(m, opcode))
            return malformed(m, "an unknown opcode");
        if (m->cursor.overrun && !m->failed)
            return fail_with(m, ERROR_TRUNCATED, "it ends inside an opcode");
        if (m->failed)
            return false;
    }
    m->pickle->root = pop(m);
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
    node_add(&machine, NODE_NONE); /* index 0 */
    if (machine.failed || !run(&machine))
        return false;
    pickle->consumed = bytes.size - machine.cursor.rest.size;
    return true;
}

const struct node *pickle_node(const struct pickle *pickle, uint32_t index)
{
    return &pickle->nodes[index];
}

bool pickle_is_global(const struct pickle *pickle, uint32_t index, const char *module,
                      const char *name)
{
    const struct node *node = &pickle->nodes[index];
    return node->kind == NODE_GLOBAL && text_is(node->text, module) && text_is(node->name, name);
}

uint32_t pickle_member(const struct pickle *pickle, uint32_t index, const char *key)
{
    const struct node *node = &pickle->nodes[index];
    if (node->kind == NODE_OBJECT && !node->pairs && node->state)
        return pickle_member(pickle, node->state, key);
    if (node->kind != NODE_DICT && !(node->kind == NODE_OBJECT && node->pairs))
        return 0;
    uint32_t found = 0; /* of a key met twice the later value stands */
    for (uint32_t i = 0; i + 1 < node->count; i += 2) {
        const struct node *name = &pickle->nodes[node->items[i]];
        if (name->kind == NODE_TEXT && text_is(name->text, key))
            found = node->items[i + 1];
    }
    return found;
}

struct text pickle_unusual(const struct pickle *pickle, struct arena *arena)
{
    /* Modules that run programs, open connections or import by name. The list cannot be complete:
       the remark says "unusual", and nothing else hangs on it. */
    static const char *const modules[] = {
        "os",    "posix",     "nt",     "sys",        "subprocess", "socket",   "shutil",
        "runpy", "importlib", "pickle", "webbrowser", "pty",        "ctypes",   "asyncio",
        "bdb",   "timeit",    "code",   "requests",   "pip",        "commands", "multiprocessing",
        NULL,
    };
    static const char *const builtins[] = {
        "eval", "exec", "compile", "open", "getattr", "__import__", "apply", "execfile", NULL,
    };
    for (uint32_t i = 1; i < pickle->count; i++) {
        const struct node *node = &pickle->nodes[i];
        if (node->kind != NODE_GLOBAL)
            continue;
        size_t dot = text_find(node->text, TEXT("."));
        struct text module = text_cut(node->text, 0, dot);
        bool unusual = false;
        for (size_t k = 0; modules[k]; k++)
            unusual = unusual || text_is(module, modules[k]);
        if (text_is(module, "builtins") || text_is(module, "__builtin__"))
            for (size_t k = 0; builtins[k]; k++)
                unusual = unusual || text_is(node->name, builtins[k]);
        if (unusual)
            return arena_print(arena, "%.*s.%.*s", (int)node->text.size, node->text.data,
                               (int)node->name.size, node->name.data);
    }
    return (struct text){0};
}
