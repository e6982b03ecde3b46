/* Lines of a pattern whose numbers change their width: literal, number, literal, number, many lines
   in one go (speed.md 2.3). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_WALK_H
#define STALLDOC_READ_LOG_WALK_H

#include "read/log/pattern_form.h"

struct walk {
    const struct pattern *pattern;
    const struct wording *wording;
    /* What is read: number n of line i in cells[n * room + i]. */
    double *cells;
    size_t room;
    struct text *texts; /* of the lines, without their ends */
    int16_t *places;    /* raised to the most decimals of each number */
};

/* How many lines from `text` on are of the pattern, up to `most`; `text` is whole lines, with spare
   bytes on both sides. */
size_t walk_lines(const struct walk *walk, struct text text, size_t most);

#endif
