/* The windows of an input, the next one read while the lines of this one are. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_FETCH_H
#define STALLDOC_READ_LOG_FETCH_H

#include "stalldoc/format.h"
#include "stalldoc/helper.h"
#include "stalldoc/limits.h"

enum { FETCH_ROOM = LIMIT_LINE_MESSAGE + LIMIT_WINDOW };

struct fetch {
    struct input *input;
    /* The window: bytes not yet read as lines, with spare bytes on both sides. */
    char *buffer;
    size_t size;
    bool special; /* it holds bytes that need cleaning */
    /* The next one. */
    struct task task;
    bool given, sound, next_special;
    bool joined; /* the end of the window stands in front of it */
    size_t got, used;
    struct error damage;
    char *blocks[2]; /* of the window and of the next one, FETCH_ROOM bytes and the spare ones */
};

bool fetch_open(struct fetch *fetch, struct input *input);
/* Adds to the window what follows in the input: *got bytes, 0 at its end or where it is damaged
   (false, *damage). */
bool fetch_more(struct fetch *fetch, struct helper *helper, size_t *got, struct error *damage);
/* Has the helper read what comes next. */
void fetch_ahead(struct fetch *fetch, struct helper *helper);
/* The next window is read already and is plain: joins it to `tail`, the last bytes of this one, and
   tells where both will stand when the window holds no more than them. False: not so far. */
bool fetch_join(struct fetch *fetch, struct helper *helper, struct text tail, struct text *joined);
/* Forgets the first bytes of the window. */
void fetch_used(struct fetch *fetch, size_t size);
/* The helper is the one that was asked, or NULL. */
void fetch_close(struct fetch *fetch, struct helper *helper);
bool text_special(struct text text);

#endif
