/* Sorted tables in the form of LevelDB, as TensorFlow's checkpoints use them. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_CHECKPOINT_TABLE_H
#define READ_CHECKPOINT_TABLE_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"

enum { TABLE_FOOTER = 48 };

/* Calls met(context, key, value) for every entry in order. The key is borrowed until it returns,
   the value stands in `scratch`. */
bool table_read(struct input *input, struct arena *scratch,
                bool (*met)(void *context, struct text key, struct span value, struct error *error),
                void *context, struct error *error);
/* The input ends in a table's mark. */
bool table_marked(struct input *input);
/* Unpacks Snappy; false where the bytes break its rules. `out` has exactly `size` bytes. */
bool snappy_unpack(struct span packed, uint8_t *out, size_t size);
/* The size that a packed block says it has; false where it says none. */
bool snappy_size(struct span packed, uint64_t *size);

#endif
