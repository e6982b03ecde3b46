/* What a pickled call says of a tensor or an array. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_TREE_TENSOR_H
#define READ_TREE_TENSOR_H

#include "read/checkpoint/tree.h"

enum tensor_found tree_tensor(struct tree *tree, uint32_t index, struct tensor_view *view,
                              struct error *error);

/* The node of the values of a sparse tensor; 0: it is none. */
uint32_t tree_sparse_values(const struct tree *tree, uint32_t index);

/* The numbers of a torch.Size, a tuple or a list; false: it is none of them. */
bool pickle_shape(const struct pickle *pickle, const struct node *node, int64_t *dims,
                  uint8_t *rank);

/* Whether all that a view reaches lies in a storage of so many elements. */
bool view_inside(const struct tensor_view *view, uint64_t elements);

#endif
