/* The stack, marks and nodes of the pickle machine. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_PICKLE_MACHINE_H
#define READ_PICKLE_MACHINE_H

#include "read/checkpoint/pickle.h"

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
    uint64_t operand; /* of the opcode that is done */
    unsigned what;    /* and which of its kind it is */
};

/* The first failure stands. Returns false. */
bool machine_fail(struct machine *m, enum error_kind kind, const char *what);
bool machine_malformed(struct machine *m, const char *what);

uint32_t machine_node(struct machine *m, enum node_kind kind);
struct node *machine_at(struct machine *m, uint32_t index);
void machine_items(struct machine *m, uint32_t index, const uint32_t *items, size_t count);

void machine_push(struct machine *m, uint32_t index);
uint32_t machine_pop(struct machine *m);
uint32_t machine_top(struct machine *m);
/* Nothing below it is taken: the topmost mark. */
size_t machine_fence(const struct machine *m);
void machine_mark(struct machine *m);
/* Takes the topmost mark off; *first is the stack index of what stood above it. */
size_t machine_unmark(struct machine *m, size_t *first);

#endif
