/* Lines of files beside a run, held against the fixed texts. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_SIDE_SAID_H
#define READ_SIDE_SAID_H

#include "stalldoc/format.h"

/* Tells the sink which rows of messages.json the line holds. */
bool said_tell(const struct reading *reading, struct text line, struct place place,
               struct error *error);

#endif
