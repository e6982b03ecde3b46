/* The keys under which TensorFlow's tables keep slices of variables. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_TF_KEY_H
#define READ_TF_KEY_H

#include "stalldoc/arena.h"
#include "stalldoc/tensor.h"

struct tf_key {
    struct text name;
    uint8_t rank;
    int64_t *start, *length; /* [rank]; a length below 0 stands for all of the dimension */
};

/* False: no such key, or no memory. */
bool tf_key_parse(struct text key, struct arena *arena, struct tf_key *parsed);
/* Fills in the lengths that stand for all; false where the box lies outside of the shape. */
bool tf_key_box(const struct tf_key *key, const int64_t *shape);

#endif
