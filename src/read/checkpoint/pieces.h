/* Tensors that a checkpoint keeps in pieces: slices of variables, shards of ranks. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_PIECES_H
#define READ_PIECES_H

#include "stalldoc/format.h"

struct piece { /* a box of a tensor, row-major in an input */
    struct input *input;
    uint64_t offset;
    const int64_t *start, *length; /* [rank of the tensor] */
    struct piece *next;
};

/* Makes *view (its dtype, rank and shape are set) a row-major tensor over its pieces, as an input
   that closes with reading->input; a box met twice counts once. False with ERROR_MALFORMED where
   they leave a gap or reach outside, ERROR_TRUNCATED where one is not there whole, ERROR_LIMIT
   where they are cut too fine: then the view is absent. ERROR_MEMORY ends the reading. */
bool pieces_join(const struct reading *reading, const struct piece *pieces,
                 struct tensor_view *view, struct error *error);
/* Strides of a row-major tensor, and the bytes it needs; false on overflow. */
bool view_pack(struct tensor_view *view, uint64_t *bytes);

#endif
