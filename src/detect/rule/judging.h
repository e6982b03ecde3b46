/* Judging in progress. */
/* SPDX-License-Identifier: MIT */
#ifndef JUDGING_H
#define JUDGING_H

#include "detect/rule/condition.h"

struct note { /* what is known of a candidate beside what it says */
    const char *use_form;
    bool trend;  /* of the past where a later segment exists */
    bool remark; /* never over info */
    enum severity severity;
    double confidence;
    bool earlier;
};

struct judging {
    const struct run *run;
    const struct rules *rules;
    const struct detect_options *options;
    struct arena *arena;
    struct error *error;
    struct finding *findings; /* candidates first */
    struct note *notes;       /* beside them */
    size_t count, capacity, note_capacity;
    struct gated *gated;
    size_t gated_count, gated_capacity;
};

struct context judging_context(const struct judging *judging, const struct finding *at);
/* Runs a symptom's uses over all segments and adds the fixed texts. `reason` is filled where
   nothing was possible. */
bool detect_symptom(struct judging *judging, const struct symptom *symptom, struct text *reason);

#endif
