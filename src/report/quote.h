/* Lines of the inputs, read again to be quoted. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_QUOTE_H
#define STALLDOC_REPORT_QUOTE_H

#include "stalldoc/report.h"

struct input;
struct quotes { /* one input at a time is open; begin with {.collection = ..., .unread = ...} */
    const struct collection *collection;
    uint32_t unread; /* an input that cannot be opened again; 0 none */
    struct input *input;
    uint32_t number; /* of the input that was asked for last */
    char *buffer;
    struct place place; /* whose line stands in the buffer */
    size_t size;
};

/* The line at `place` without its end, at most 16 KiB; valid until the next call. False where it
   cannot be read again: compressed and binary inputs, standard input, a file that is gone. */
bool quote_line(struct quotes *quotes, const struct place *place, struct text *line);
void quotes_close(struct quotes *quotes);

#endif
