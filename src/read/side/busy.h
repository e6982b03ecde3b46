/* When something was busy, in bounded memory: intervals in any order, over any span. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_SIDE_BUSY_H
#define READ_SIDE_BUSY_H

#include <stdbool.h>
#include <stddef.h>

enum { BUSY_BINS = 8192 };

struct busy {               /* all zero to begin with */
    double base, width;     /* of bin 0; width 0: nothing yet */
    double bins[BUSY_BINS]; /* time in each, overlaps counted once for each interval */
};

/* False: a time that is none. */
bool busy_add(struct busy *busy, double begin, double length);
/* The share of the time from `begin` on that was busy, 0 to 1; NAN: nothing is known. */
double busy_share(const struct busy *busy, double begin, double length);

#endif
