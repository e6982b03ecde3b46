/* What a pickled call says of a tensor or an array. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_TREE_TENSOR_H
#define READ_TREE_TENSOR_H

#include "read/checkpoint/tree.h"

enum tensor_found {
    TENSOR_NONE,     /* another kind of object */
    TENSOR_SOUND,    /* *view is complete but for its name */
    TENSOR_UNPLACED, /* its bytes are not there: dtype DTYPE_OPAQUE keeps it from being measured */
    TENSOR_SCALAR,   /* a NumPy scalar: no tensor, nothing below */
    TENSOR_FAILED,   /* *error says why reading ends */
};

enum tensor_found tree_tensor(struct tree *tree, uint32_t index, struct tensor_view *view,
                              struct error *error);

#endif
