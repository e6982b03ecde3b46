/* Lines that do not stand in the input as they are (outputs of notebooks) for the log reader. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_FEED_H
#define STALLDOC_READ_LOG_FEED_H

#include "stalldoc/format.h"

struct log_feed;

/* In the reading's scratch; its input is not read. NULL with *error. */
struct log_feed *log_open(const struct reading *reading, struct error *error);
/* One line without its end; `place` is where it stands in the file. */
bool log_line(struct log_feed *feed, struct text line, struct place place, struct error *error);
/* Something new begins: places, phases, headers and bars do not go on. */
bool log_restart(struct log_feed *feed, struct place place, struct error *error);
/* What is pending goes out. To be called in any case, once. */
bool log_close(struct log_feed *feed, struct error *error);

#endif
