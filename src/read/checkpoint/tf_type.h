/* TensorFlow's element types and shapes, as all its files write them. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_TF_TYPE_H
#define READ_TF_TYPE_H

#include "stalldoc/tensor.h"

enum dtype tf_dtype(uint64_t number); /* DTYPE_OPAQUE: values are not read */
struct text tf_type(uint64_t number); /* the word for an opaque one: "string"; "" none */
/* The dimensions of a TensorShapeProto. False: more than TENSOR_RANK_MAX, or one that is unknown.
 */
bool tf_shape(struct span proto, int64_t *shape, uint8_t *rank);
/* The box of a TensorSliceProto in a tensor of this shape: extents that are not given are whole.
   False: not as many extents as dimensions, or one that lies outside. */
bool tf_slice(struct span proto, const int64_t *shape, uint8_t rank, int64_t *start,
              int64_t *length);

#endif
