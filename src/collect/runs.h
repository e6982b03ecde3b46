/* Portions of inputs to runs. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_RUNS_H
#define COLLECT_RUNS_H

#include "collector.h"

struct group { /* portions that are one run */
    struct portion **portions;
    size_t count, capacity;
    bool parts;  /* the logs among them follow one another */
    bool folder; /* all that is in the folder `name` */
    struct text name;
};

/* groups.c: which portions belong together. */
bool groups_make(struct collector *collector, struct group **groups, size_t *count);

/* force.c: of the facts told, which are in force; reorders nothing. */
bool facts_decide(struct arena *arena, struct told *told, size_t count, struct run *run);

/* framework.c: NULL where nothing tells; *sign is the series that does. */
const char *framework_guess(const struct run *run, const struct details *details,
                            const struct series **sign);

/* runs.c */
bool run_make(struct collector *collector, const struct group *group, struct run *run,
              struct error *error);

#endif
