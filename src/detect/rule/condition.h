/* Conditions as loaded, and the gates that they ask for. */
/* SPDX-License-Identifier: MIT */
#ifndef CONDITION_H
#define CONDITION_H

#include "stalldoc/moment.h"
#include "stalldoc/rule.h"

enum gate {
    GATE_PRETRAINED,
    GATE_ANNEALED,
    GATE_CONVERGED,
    GATE_ADVERSARIAL,
    GATE_REINFORCEMENT,
    GATE_MASKED_START,
    GATE_EVALUATION_NEAR,
    GATE_SETTING_CHANGE,
    GATE_RESTART_NEAR,
    GATE_WENT_ON,
    GATE_LATE_EXCERPT,
    GATE_UNFINISHED,
    GATE_INPUTS_SCALED,
    GATE_TARGETS_CLASSES,
    GATE_TARGETS_BALANCED,
    GATE_WEIGHTS_SOUND,
    GATE_WEIGHTS_MOVE,
    GATE_WEIGHTS_FRESH,
    GATE_EVALUATION_MOVES,
    GATE_REWEIGHTED,
    GATE_HAS_ERROR,
    GATE_HAS_WARNING,
    GATE_COUNT
};
extern const char *const gate_names[GATE_COUNT];
bool gate_needs_onset(enum gate gate); /* marked * in stalldoc-rules(5) */
enum truth gate_truth(enum gate gate, const struct context *context);

/* What checkpoints say for the weights: gates of that name. UNKNOWN where there are none to tell.
 */
double start_level(const struct series *series); /* the middle of its first readings */
/* It begins near the end of the run before it in its log, far below the start of that one: weights
   are loaded, whatever the log says. */
enum truth begins_warm(const struct run *run);
enum truth weights_sound(const struct run *run); /* finite in a save after the loss was not */
enum truth weights_move(const struct run *run);  /* nearly all kernels, and not by a hair */
enum truth weights_fresh(const struct run *run); /* before training they were as is usual */

/* The loss of the validation data differs from one evaluation to the next, nearly each time.
   UNKNOWN below four evaluations. */
enum truth evaluation_moves(const struct run *run);

/* The weight of a part of the loss grows while the run goes on. */
enum truth reweighted(const struct run *run);

struct comparison {
    const char *const *words; /* `is`, as text; NULL: not asked for */
    const double *numbers;    /* beside them; NAN where the word is no number */
    size_t count;
    double above, below, at_least, at_most; /* NAN: not asked for */
    enum { ASK_COMPARE, ASK_KNOWN, ASK_UNKNOWN } ask;
};

struct condition {
    enum subject {
        SUBJECT_VALUE,
        SUBJECT_FORM,
        SUBJECT_FACT,
        SUBJECT_GATE,
        SUBJECT_SERIES,
        SUBJECT_SYMPTOM,
        SUBJECT_MESSAGE,
        SUBJECT_ALL,
        SUBJECT_ANY,
        SUBJECT_NOT,
    } subject;
    const char *name;         /* of value, fact, gate, series, symptom, message */
    const char *const *forms; /* NULL behind the last; NULL: any */
    enum gate gate;
    enum kind kind;
    uint64_t points;
    enum { WHEN_ANY, WHEN_BEFORE, WHEN_AFTER } when;
    double within; /* NAN: anywhere */
    struct comparison comparison;
    const struct condition *const *parts; /* of all, any, not */
    size_t part_count;
};

/* What a condition is about, in one word: a gate, a fact, a symptom, ... */
const char *condition_gate_name(const struct condition *condition);

#endif
