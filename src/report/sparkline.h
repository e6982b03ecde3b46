/* A curve in one row of characters, with marks under it. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_SPARKLINE_H
#define STALLDOC_REPORT_SPARKLINE_H

#include "stalldoc/report.h"

enum { PLOT_COLUMNS_MAX = 60, PLOT_MARKS_MAX = 3 };

struct plot {
    const struct series *series;
    size_t count; /* columns */
    struct plot_cell {
        double value; /* the extreme that matters */
        int64_t at;   /* step or line of its first reading, where placed */
        bool placed, filled, nonfinite;
    } cells[PLOT_COLUMNS_MAX];
    double low, high; /* of the filled cells */
    bool logarithmic, any_nonfinite;
    bool steps; /* first and last are steps, else lines */
    int64_t first, last;
    struct plot_mark {
        size_t column;
        char text[48];
    } marks[PLOT_MARKS_MAX];
    size_t mark_count;
};

/* The readings around the finding's onset where they were kept, else the whole run. False where
   there is too little to see. */
bool plot_make(const struct finding *finding, size_t columns, struct plot *plot);
/* Adds a mark where `step` lies in the window and no other mark says the same. */
void plot_mark(struct plot *plot, int64_t step, bool finite, const char *text);
/* Indented by `indent` columns. */
void plot_print(const struct plot *plot, int indent, struct out *out);

#endif
