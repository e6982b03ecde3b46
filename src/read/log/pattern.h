/* Lines whose form is known: matched as bytes, without being cut into tokens (speed.md 2). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_PATTERN_H
#define STALLDOC_READ_LOG_PATTERN_H

#include "read/log/reader.h"

/* A line was read by its plan: what follows may be like it. `once`: its template was new. */
void pattern_learn(struct reader *reader, const struct line *line, const struct entry *entry,
                   const struct plan *plan, bool once);
/* Reads the line at the start of `rest`, where its form is known, and those of the same form behind
   it; *used is their size with the line ends, 0 where it is not known. `rest` has spare bytes on
   both sides. */
bool pattern_read(struct reader *reader, struct text rest, uint64_t number, uint64_t offset,
                  size_t *used, size_t *lines, struct error *error);
bool patterns_open(struct reader *reader, struct error *error);
/* Entries moved or went: patterns that point at them are forgotten. */
void patterns_forget(struct reader *reader);

#endif
