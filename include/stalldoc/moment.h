/* When things happened in a run, and what was in force then. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_MOMENT_H
#define STALLDOC_MOMENT_H

#include "stalldoc/finding.h"

struct moment {   /* an onset in comparable form */
    int64_t step; /* STEP_NONE */
    double time;  /* NAN */
    uint64_t line;
    uint32_t input;
    uint8_t grain; /* of the series whose step it is; 0: of none */
};
struct moment finding_moment(const struct finding *finding);
struct moment message_moment(const struct message *message);

/* From one moment to another. */
struct distance {
    int sign;        /* 1: later */
    double share;    /* of the run; NAN unknown */
    double readings; /* log intervals; NAN unknown */
};
/* By step where both have one of a kind, else by time, else by line in one input. False:
 * incomparable. */
bool moment_distance(const struct run *run, const struct moment *from, const struct moment *to,
                     struct distance *distance);
/* Within a share of the run, never under 3 readings; NAN: anywhere. */
bool distance_within(const struct distance *distance, double within);
/* `b` lies within a share of the run around `a`, never under 3 readings; NAN: anywhere. Onsets that
   cannot be compared do not. */
bool moment_within(const struct run *run, const struct finding *a, const struct finding *b,
                   double within);

/* A fact as conditions and placeholders see it: in force at `step`, STEP_NONE at the end; `lr` is
   the series' value there, else as configured. */
struct fact_seen {
    bool known, none;
    double number;     /* NAN: a word */
    struct text value; /* as written */
    struct place place;
};
struct fact_seen fact_seen_at(const struct run *run, const char *key, int64_t step);

/* `forms` NULL: any. */
bool form_listed(const char *const *forms, const char *form);
const struct value *candidate_value(const struct candidate *candidate, const char *name);

#endif
