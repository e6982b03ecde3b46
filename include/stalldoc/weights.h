/* What the names of tensors tell, in any case of their letters. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_WEIGHTS_H
#define STALLDOC_WEIGHTS_H

#include "stalldoc/span.h"

bool tensor_has(struct text name, const char *part); /* of small letters; anywhere in the name */
bool tensor_is_state(struct text name);              /* what an optimizer keeps */
bool tensor_is_loose(struct text name); /* embeddings and norms: of other sizes by nature */
/* Zero at the start by design: adapters, gates, the last layer of a residual branch. */
bool tensor_starts_at_zero(struct text name);
/* Kept, not trained: running statistics, position tables, copies that follow the weights. */
bool tensor_is_buffer(struct text name);
bool tensor_is_adapter(struct text name);

#endif
