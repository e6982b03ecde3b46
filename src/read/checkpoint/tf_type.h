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

#endif
