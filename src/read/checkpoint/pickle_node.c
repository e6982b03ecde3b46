/* What a pickle holds, asked by name. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/pickle.h"

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
