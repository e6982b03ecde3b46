/* Lines of a known form, read ahead of the place where the reader stands: in chunks, on two threads
   where there are two. The cut into chunks depends on the lines alone. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_AHEAD_H
#define STALLDOC_READ_LOG_AHEAD_H

#include "read/log/chunk.h"

struct ahead;
struct helper;

struct ahead_rows { /* lines one behind the other */
    struct chunk *chunk;
    size_t stretch, first, count; /* rows of the chunk */
    size_t size;                  /* bytes */
};

/* The rows that begin with `rest`, whose first byte stands at `offset`; rows->count is 0 where the
   first line is not of the pattern, or nothing was read ahead here. False: memory ended. */
bool ahead_rows(struct reader *reader, const struct pattern *pattern, struct text rest,
                uint64_t offset, struct ahead_rows *rows);
/* All lines of the window are done: what was read of it is forgotten. */
void ahead_leave(struct reader *reader);
/* The next window is there, from `offset` of the input on. False: memory ended. */
bool ahead_window(struct reader *reader, uint64_t offset);
/* Nothing is read ahead any longer. */
void ahead_drop(struct reader *reader);
/* The thread that helps, opened where there is none yet. NULL: there is none to be had. */
struct helper *ahead_share(struct reader *reader);
/* The one that is open by now. */
struct helper *ahead_helper(const struct reader *reader);
void ahead_close(struct reader *reader);

#endif
