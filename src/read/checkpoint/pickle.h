/* Pickles as data: opcodes build nodes, nothing is ever looked up or called. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_PICKLE_H
#define READ_PICKLE_H

#include "stalldoc/arena.h"

/* Nodes are named by their index; 0 is None and stands for "nothing". */
enum node_kind {
    NODE_NONE,
    NODE_BOOL,
    NODE_INTEGER, /* of 64 bits; longer ones are NODE_BYTES */
    NODE_FLOAT,
    NODE_TEXT,
    NODE_BYTES,
    NODE_LIST,
    NODE_TUPLE,
    NODE_SET,
    NODE_DICT,       /* items: key, value, key, value, ... */
    NODE_GLOBAL,     /* text: module; name */
    NODE_OBJECT,     /* made by calling `class` with `arguments`; items, state as they were added */
    NODE_PERSISTENT, /* first item: the persistent id */
};

struct node {
    enum node_kind kind;
    bool pairs; /* of an object: items are keys and values */
    union {
        int64_t integer;
        double number;
        struct text text; /* borrowed from the pickle's bytes */
        struct {
            uint32_t class, arguments;
        };
    };
    struct text name; /* of a global */
    uint32_t *items;  /* of containers and objects */
    uint32_t count;
    uint32_t state; /* what BUILD attached; 0: nothing */
};

struct pickle {
    struct node *nodes;
    uint32_t count;
    uint32_t root;
    size_t consumed; /* bytes up to and with STOP */
    uint32_t calls;  /* REDUCE, NEWOBJ, INST, OBJ met */
};

/* One pickle at the start of `bytes`. ERROR_TRUNCATED: it goes on behind them. */
bool pickle_read(struct span bytes, struct place place, struct arena *arena, struct pickle *pickle,
                 struct error *error);

const struct node *pickle_node(const struct pickle *pickle, uint32_t index);
/* The value of a text key in a dict, or in the state of an object; 0: none. */
uint32_t pickle_member(const struct pickle *pickle, uint32_t index, const char *key);
bool pickle_is_global(const struct pickle *pickle, uint32_t index, const char *module,
                      const char *name);
/* A global that is no part of the known families of training code; its name, else empty. */
struct text pickle_unusual(const struct pickle *pickle, struct arena *arena);

#endif
