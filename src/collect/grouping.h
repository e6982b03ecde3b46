/* Portions of inputs on their way into groups, each of which is a run. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_GROUPING_H
#define COLLECT_GROUPING_H

#include "runs.h"

struct member { /* a portion on its way into a group */
    struct portion *portion;
    struct text folder, file;
    struct text twin, part, ranks; /* keys: what twins, parts and ranks have in common; "" none */
    int32_t rank;
    int64_t first, last; /* steps of its fullest series; STEP_NONE */
    double begins, ends; /* dates; NAN */
    double order;        /* what the members of a group are sorted by, before their names */
    struct group *group;
};

struct grouping {
    struct collector *collector;
    struct member *members;
    size_t count;
    struct group *groups;
    size_t group_count;
};

/* groups.c */
struct text folder_of(struct text path); /* with its '/'; "": none */
/* All of `from` into `into`; false: no memory. */
bool group_absorb(struct grouping *grouping, struct group *into, struct group *from);

/* companions.c: event files of a folder, checkpoints of a line, and both with their log. */
bool companions_join(struct grouping *grouping);

#endif
