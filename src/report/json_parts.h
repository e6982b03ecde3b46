/* What the JSON of `analyze` and of `inspect` have in common. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_JSON_PARTS_H
#define STALLDOC_REPORT_JSON_PARTS_H

#include "report/json_write.h"
#include "report/quote.h"

struct spot { /* a place as `location` has it */
    struct place place;
    struct text line;   /* where it is at hand, for inputs that cannot be opened again; "" */
    uint64_t end_line;  /* 0: one line */
    int64_t step;       /* STEP_NONE */
    struct text tag;    /* "" none */
    struct text tensor; /* "" none */
    uint64_t length;    /* bytes of the tensor in its input; 0: not known */
    bool ranked;        /* `rank` is known */
    int32_t rank;
};

void json_tool(struct json *json);
void json_inputs(struct json *json, const struct collection *collection);
/* `points`: of a curve beside each series; 0 none. `glob` NULL: all; `head` 0: all. */
void json_series(struct json *json, const struct collection *collection, size_t points,
                 const char *glob, size_t head);
void json_facts(struct json *json, const struct run *run, struct quotes *quotes);
void json_location(struct json *json, const char *name, const struct spot *spot,
                   struct quotes *quotes);
/* Of the values by their buckets, each weighed by its readings; MISSING where there are none. */
double track_median(const struct track *track);

#endif
