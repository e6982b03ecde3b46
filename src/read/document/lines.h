/* Lines of an input, one after the other, in one window. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_DOCUMENT_LINES_H
#define READ_DOCUMENT_LINES_H

#include "stalldoc/arena.h"
#include "stalldoc/input.h"

struct lines {
    struct input *input;
    char *buffer;
    size_t at, end;
    uint64_t base, number; /* offset of buffer[0]; lines so far */
    bool ended;
    struct error damage; /* why they ended, once the lines before it are delivered */
};

bool lines_open(struct lines *lines, struct input *input, struct arena *arena, struct error *error);
/* The next line without its end; of one longer than LIMIT_LINE the first part. `line->data` is NULL
   behind the last. Valid until the next call. Of a damaged input all whole lines before the damage,
   then false with *error. */
bool lines_next(struct lines *lines, struct text *line, struct place *place, struct error *error);
/* The first line of `rest`, which begins behind it afterwards; false: there is none that ends. */
bool lines_cut(struct text *rest, struct text *line);

#endif
