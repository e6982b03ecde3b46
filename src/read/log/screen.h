/* Prose between and around the lines that tell something: passed over by its bytes. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_SCREEN_H
#define STALLDOC_READ_LOG_SCREEN_H

#include "read/log/reader.h"

/* What a line that was read in full gave; many in a row that gave nothing are prose. */
void screen_note(struct reader *reader, bool useful);
/* Passes over the lines at the start of `rest` that hold no word of the vocabulary and no fixed
   text; *used is their size with the line ends, *lines their number. Nothing is passed over but in
   prose, and while no table, box or traceback is open. `rest` has spare bytes behind it and no
   byte that has to be cleaned. */
bool screen_pass(struct reader *reader, struct text rest, uint64_t number, uint64_t offset,
                 size_t *used, size_t *lines, struct error *error);
/* The window ends: what was sifted of it is forgotten. */
void screen_drop(struct reader *reader);

#endif
