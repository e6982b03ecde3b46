/* The batch of rows that is being filled. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_EMIT_H
#define STALLDOC_READ_LOG_EMIT_H

#include "read/log/reader.h"

/* Rows of the row's shape that are gathered already: what was added before goes first. `told` has
   all but the shape. */
bool rows_send(struct reader *reader, const struct row *row, struct rows *told,
               struct error *error);

#endif
