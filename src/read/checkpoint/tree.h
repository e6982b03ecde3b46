/* The tree that a pickle describes: its tensors and arrays by path, its numbers as settings. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_TREE_H
#define READ_TREE_H

#include "read/checkpoint/pickle.h"

#include "stalldoc/format.h"

enum tensor_found {
    TENSOR_NONE,     /* another kind of object */
    TENSOR_SOUND,    /* *view is complete but for its name */
    TENSOR_NAMED,    /* sound, but of a type that is not measured, or saved without values */
    TENSOR_UNPLACED, /* its bytes are not there: dtype DTYPE_OPAQUE keeps it from being measured */
    TENSOR_SCALAR,   /* a NumPy scalar: no tensor, nothing below */
    TENSOR_FAILED,   /* *error says why reading ends */
};

struct tree {
    const struct reading *reading;
    const struct pickle *pickle;
    struct input *input;   /* that holds the storages and the pickle's own bytes */
    struct span bytes;     /* of the pickle */
    uint64_t bytes_offset; /* of them in the input; UINT64_MAX: they stand in memory only */
    struct text prefix;    /* "policy.pth:", else "" */
    bool swapped;          /* storages are big-endian */
    /* Where the storage of a key begins in the input. False: it is not there. */
    bool (*storage)(const struct tree *tree, struct text key, uint64_t bytes, uint64_t *offset);
    /* The tensor of a persistent id, in the oldest form; NULL: ids name storages only. */
    enum tensor_found (*tensor)(const struct tree *tree, uint32_t id, struct tensor_view *view);
    const void *context; /* of these */
    size_t coded;        /* tensors whose values are decoded, so far */
    uint64_t tensors;    /* put so far */
    uint64_t missing;    /* whose storage is absent or short: named, not measured */
};

/* Puts every tensor once a path, and scalars near the top as settings. */
bool tree_put(struct tree *tree, struct error *error);

struct persistent { /* ('storage', class, key, location, numel) */
    struct text key, class;
    enum dtype dtype;
    bool untyped;         /* numel counts bytes */
    uint64_t count;       /* numel */
    uint64_t first, view; /* of a legacy view: elements of the root storage; view 0: none */
};
enum dtype storage_dtype(struct text class); /* of "FloatStorage"; DTYPE_OPAQUE: none */
bool persistent_parse(const struct pickle *pickle, uint32_t node, struct persistent *storage);

#endif
