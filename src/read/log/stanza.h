/* Records of several lines: dictionaries, list items and indented pairs, whose place may stand
   behind the values. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_STANZA_H
#define STALLDOC_READ_LOG_STANZA_H

#include "read/log/reader.h"

/* Before the line's plan (NULL: none) is applied: ends the open stanza that it is no part of, opens
   one that it begins. */
bool stanza_line(struct reader *reader, const struct line *line, const struct entry *entry,
                 const struct plan *plan, struct error *error);
/* Behind it: ends the stanza that it closes. */
bool stanza_behind(struct reader *reader, struct error *error);
/* A place stands in the open stanza. */
bool stanza_placed(struct reader *reader, const struct position *own, struct error *error);
/* Keeps the row, copied, until its stanza ends; *taken: it was. */
bool stanza_hold(struct reader *reader, const struct row *row, bool *taken, struct error *error);
/* Ends the open stanza: what it holds goes out, with the place of the stanza where it has one. */
bool stanza_close(struct reader *reader, struct error *error);

#endif
