/* What ended a program, an exception above all, and what it survived. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_LOG_TRACEBACK_H
#define READ_LOG_TRACEBACK_H

#include "stalldoc/message.h"

struct traceback; /* of one stream */

/* NULL: no memory. */
struct traceback *traceback_open(struct arena *arena, const struct message_table *table);

/* True for a line that traceback_line has to see: a traceback stands open, or one of the rows that
   message_search met in it opens one, names an exception or says that the run ends. */
bool traceback_wants(const struct traceback *traceback, const uint32_t *rows, size_t row_count);
/* Nothing is held back until the run is seen to go on. */
bool traceback_settled(const struct traceback *traceback);

/* Takes a line. `content`: where it begins behind time, level and rank. `seen` has place, rank,
   step and time of the line. Which of the rows are to be sent at once is left in `rows`; the others
   are kept back, or were ours. Returns how many are left. */
size_t traceback_line(struct traceback *traceback, struct text line, size_t content,
                      const struct message_seen *seen, uint32_t *rows, size_t row_count);

/* A line with a place of its own was read in this stream: whoever goes on survived, unless it
   begins again. */
void traceback_progress(struct traceback *traceback, const struct position *position);
/* A line said that the run is done, or begins anew: what follows, or came before, is judged apart.
 */
void traceback_done(struct traceback *traceback);
bool traceback_restart(struct traceback *traceback, struct sink *sink, struct error *error);

/* The stream ends: sends what ended it. */
bool traceback_finish(struct traceback *traceback, struct sink *sink, struct error *error);

#endif
