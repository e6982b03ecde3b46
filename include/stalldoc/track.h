/* Building a track point by point in bounded memory (series.h). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_TRACK_H
#define STALLDOC_TRACK_H

#include "stalldoc/series.h"

struct track_builder;

struct track_rows { /* points in file order; a value that is MISSING is passed over */
    size_t count;
    const double *values;
    const int64_t *steps;            /* STEP_NONE where there is none; NULL: nowhere */
    const uint64_t *lines, *offsets; /* may be NULL: 0 */
    const double *times;             /* NULL: unknown */
    const struct text *texts;        /* NULL: not at hand */
    uint32_t input;
    int16_t places; /* most decimals of these values */
};

/* Born small; grows with its points, to full state where `full` allows it. NULL: no memory. */
struct track_builder *track_open(struct arena *arena, enum kind kind, bool full);
bool track_add(struct track_builder *builder, const struct track_rows *rows, struct error *error);
/* Whether the last point has this value, in a print of at most as few decimals. */
bool track_agrees(const struct track_builder *builder, double value, int places);
/* The last point is printed again: its value (and place) is replaced. False: there is no point, or
   it was viewed already. */
bool track_replace(struct track_builder *builder, const struct point *point, double time);
/* Drops the points from `step` on, as a resumed run replaces them; buckets are cut there. */
void track_drop(struct track_builder *builder, int64_t step);
/* No more points come to this track, `heir` has those that follow: in a large arena the buckets of
   the closed one become fewer and the heir gets their memory. False: no memory. */
bool track_close(struct track_builder *builder, struct track_builder *heir);
/* The track as it stands; pointers into the builder's arena, good until more is added. False, and
   an empty track, where memory ended. */
bool track_view(struct track_builder *builder, struct track *track);

#endif
