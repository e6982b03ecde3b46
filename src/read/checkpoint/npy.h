/* One .npy array in an input. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_NPY_H
#define READ_NPY_H

#include "stalldoc/format.h"

/* Puts the array that begins at `offset` and has `size` bytes with its header. An array of objects
   or of text is named `<name>.(object)` or kept opaque. */
bool npy_put(const struct reading *reading, struct input *input, uint64_t offset, uint64_t size,
             struct text name, struct error *error);
/* The same of an array of `whole` bytes that `input` has the first of. */
bool npy_put_head(const struct reading *reading, struct input *input, uint64_t whole,
                  struct text name, struct error *error);

#endif
