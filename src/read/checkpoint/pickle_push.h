/* The opcodes that push a value of their own, for the table of pickle.c. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_PICKLE_PUSH_H
#define READ_PICKLE_PUSH_H

#include "read/checkpoint/pickle_machine.h"

struct text line_take(struct machine *m); /* up to a newline, which is taken too */
uint32_t global_node(struct machine *m, struct text module, struct text name);

void push_none(struct machine *m);
void push_bool(struct machine *m);
void push_integer(struct machine *m);
void push_signed(struct machine *m);
void push_long(struct machine *m);
void push_number_line(struct machine *m);
void push_float(struct machine *m);
void push_text(struct machine *m);
void push_quoted(struct machine *m);
void push_line(struct machine *m);
void push_empty(struct machine *m);
void push_global(struct machine *m);
void push_extension(struct machine *m);

#endif
