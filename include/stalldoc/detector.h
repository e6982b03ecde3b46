/* The mathematics of the rules: pure functions from series to candidates. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_DETECTOR_H
#define STALLDOC_DETECTOR_H

#include "stalldoc/finding.h"
#include "stalldoc/measure.h"

enum { PARAMETERS_MAX = 16, USE_SERIES_MAX = 4 };

struct parameter {
    const char *name, *unit;
    double low, high, usual;
    const char *about;
};

struct use { /* what a detector is given */
    const struct run *run;
    const struct series *series[USE_SERIES_MAX]; /* in the order the rule names their kinds */
    size_t series_count;
    uint32_t segment;                           /* which track of them */
    const struct track *tracks[USE_SERIES_MAX]; /* of that segment */
    const char *form;                           /* that the rule asks for */
    double parameters[PARAMETERS_MAX];          /* in the order of the detector's row */
    struct arena *arena;
};

struct candidates { /* the list that grows; all zero but the arena to begin with */
    struct arena *arena;
    struct candidate *items;
    size_t count, capacity;
};

struct detector {
    const char *name, *about;
    const struct parameter *parameters;
    size_t parameter_count;
    const char *const *values; /* that it measures; NULL behind the last */
    const char *const *forms;  /* that it sets itself; NULL: takes the use's form */
    /* How a run is walked: the series of the first kind one after the other, or once a run. */
    bool once;
    /* It looks for lines that a log may hold: it needs no sample of data, and that it ran does not
       mean that its rule could look at anything. */
    bool lines;
    bool (*detect)(const struct use *use, struct candidates *candidates, struct error *error);
};

bool candidates_add(struct candidates *candidates, const struct candidate *candidate,
                    struct error *error);

extern const struct detector *const detectors[]; /* NULL behind the last */
const struct detector *detector_named(struct text name);

#endif
