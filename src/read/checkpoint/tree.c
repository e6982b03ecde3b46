/* The walk over a pickle's nodes: paths are keys joined with '.', modules' inner dictionaries
   (_parameters, _buffers, _modules) leave no trace in them. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/tree.h"

#include "read/checkpoint/tree_tensor.h"
#include "stalldoc/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PATH_MAX_BYTES = 4096,
    DEPTH_MAX = 200,
    SETTING_DEPTH = 5,
    SETTINGS_MAX = 2000,
};

struct walk {
    struct tree *tree;
    char path[PATH_MAX_BYTES];
    size_t size;
    int depth;
    uint64_t visits, settings;
    struct error *error;
};

static bool walk_node(struct walk *walk, uint32_t index);

static const struct node *node_at(const struct walk *walk, uint32_t index)
{
    return pickle_node(walk->tree->pickle, index);
}

/* Adds a component; false where the path is full (the subtree is passed over). */
static bool path_add(struct walk *walk, struct text part)
{
    size_t dot = walk->size > walk->tree->prefix.size;
    if (part.size + dot > sizeof(walk->path) - walk->size)
        return false;
    if (dot)
        walk->path[walk->size++] = '.';
    memcpy(walk->path + walk->size, part.data, part.size);
    walk->size += part.size;
    return true;
}

static bool walk_named(struct walk *walk, struct text name, uint32_t index)
{
    size_t before = walk->size;
    bool sound = true;
    if (path_add(walk, name))
        sound = walk_node(walk, index);
    walk->size = before;
    return sound;
}

static bool walk_numbered(struct walk *walk, int64_t number, uint32_t index)
{
    char digits[24];
    int size = snprintf(digits, sizeof(digits), "%" PRId64, number);
    return walk_named(walk, (struct text){digits, (size_t)size}, index);
}

static bool is_inner(struct text key)
{
    return text_is(key, "_parameters") || text_is(key, "_buffers") || text_is(key, "_modules");
}

/* A module keeps its tensors in three dictionaries of its state. */
static bool is_module(const struct walk *walk, uint32_t state)
{
    return pickle_member(walk->tree->pickle, state, "_parameters") &&
           pickle_member(walk->tree->pickle, state, "_modules");
}

static bool walk_pairs(struct walk *walk, const struct node *node, bool module)
{
    for (uint32_t i = 0; i + 1 < node->count; i += 2) {
        const struct node *key = node_at(walk, node->items[i]);
        uint32_t value = node->items[i + 1];
        bool sound = true;
        if (key->kind == NODE_TEXT && module && is_inner(key->text))
            sound = walk_node(walk, value);
        else if (key->kind == NODE_TEXT)
            sound = walk_named(walk, key->text, value);
        else if (key->kind == NODE_INTEGER)
            sound = walk_numbered(walk, key->integer, value);
        else
            sound = walk_numbered(walk, i / 2, value);
        if (!sound)
            return false;
    }
    return true;
}

static bool walk_items(struct walk *walk, const struct node *node)
{
    for (uint32_t i = 0; i < node->count; i++)
        if (!walk_numbered(walk, i, node->items[i]))
            return false;
    return true;
}

/* State is a dictionary of attributes, or a pair of it and the slots. */
static bool walk_state(struct walk *walk, uint32_t state)
{
    const struct node *node = node_at(walk, state);
    if (node->kind == NODE_DICT)
        return walk_pairs(walk, node, is_module(walk, state));
    if (node->kind == NODE_TUPLE && node->count == 2)
        return walk_state(walk, node->items[0]) && walk_state(walk, node->items[1]);
    return true;
}

static bool walk_object(struct walk *walk, uint32_t index, const struct node *node)
{
    struct tensor_view view;
    const uint32_t values = tree_sparse_values(walk->tree, index);
    if (values) /* what is stored of a sparse tensor; its indices are no weights */
        return walk_named(walk, TEXT("values"), values);
    enum tensor_found found = tree_tensor(walk->tree, index, &view, walk->error);
    if (found == TENSOR_FAILED)
        return false;
    if (found == TENSOR_SOUND || found == TENSOR_NAMED || found == TENSOR_UNPLACED) {
        struct text path = {walk->path, walk->size};
        bool root = walk->size == walk->tree->prefix.size;
        view.name = root ? TEXT("(root)") : path;
        walk->tree->tensors++;
        walk->tree->missing += found == TENSOR_UNPLACED;
        return walk->tree->reading->sink->tensor(walk->tree->reading->sink, &view, walk->error);
    }
    if (found == TENSOR_SCALAR)
        return true;
    if (node->kind != NODE_OBJECT)
        return true;
    if (node->pairs ? !walk_pairs(walk, node, false) : !walk_items(walk, node))
        return false;
    return node->state == 0 || walk_state(walk, node->state);
}

static bool setting_put(struct walk *walk, struct text value)
{
    struct text path = {walk->path, walk->size};
    const struct setting setting = {
        .key = text_cut(path, walk->tree->prefix.size, path.size),
        .value = text_cut(value, 0, 256),
        .source = SETTING_CONFIG,
        .place = input_place(walk->tree->reading->input, 0),
        .rank = -1,
    };
    /* The optimizer's groups lie deeper: {"optimizer": {"param_groups": [{"betas": (0.9, ...)}]}}.
     */
    const bool group = text_find(path, TEXT("param_groups.0.")) < path.size;
    if (walk->depth > SETTING_DEPTH + 2 * group || walk->settings >= SETTINGS_MAX ||
        setting.key.size == 0)
        return true;
    walk->settings++;
    return walk->tree->reading->sink->setting(walk->tree->reading->sink, &setting, walk->error);
}

static bool walk_leaf(struct walk *walk, const struct node *node)
{
    char digits[40];
    switch (node->kind) {
    case NODE_BOOL:
        return setting_put(walk, node->integer ? TEXT("True") : TEXT("False"));
    case NODE_INTEGER:
        return setting_put(walk,
                           (struct text){digits, (size_t)snprintf(digits, sizeof(digits),
                                                                  "%" PRId64, node->integer)});
    case NODE_FLOAT:
        return setting_put(walk, (struct text){digits, number_print(node->number, digits)});
    case NODE_TEXT:
        return node->text.size > 256 || setting_put(walk, node->text);
    default:
        return true;
    }
}

static bool walk_node(struct walk *walk, uint32_t index)
{
    const struct node *node = node_at(walk, index);
    /* Shared nodes may be reached by exponentially many paths: the visits are bounded. */
    if (walk->depth >= DEPTH_MAX || walk->visits++ > 4 * (uint64_t)walk->tree->pickle->count)
        return true;
    bool sound = true;
    walk->depth++;
    switch (node->kind) {
    case NODE_DICT:
        sound = walk_pairs(walk, node, is_module(walk, index));
        break;
    case NODE_LIST:
    case NODE_TUPLE:
    case NODE_SET:
        sound = walk_items(walk, node);
        break;
    case NODE_OBJECT:
    case NODE_PERSISTENT:
        sound = walk_object(walk, index, node);
        break;
    default:
        sound = walk_leaf(walk, node);
    }
    walk->depth--;
    return sound;
}

bool tree_put(struct tree *tree, struct error *error)
{
    struct walk walk = {.tree = tree, .error = error};
    struct text prefix = text_cut(tree->prefix, 0, sizeof(walk.path) / 2);
    tree->prefix = prefix;
    memcpy(walk.path, prefix.data ? prefix.data : "", prefix.size);
    walk.size = prefix.size;
    return walk_node(&walk, tree->pickle->root);
}
