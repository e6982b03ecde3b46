/* A run of our own making, and one detector on it. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_USED_H
#define TEST_USED_H

#include "made.h"
#include "stalldoc/detector.h"
#include "stalldoc/run.h"

#include <stdarg.h>

enum { USED_SERIES = 6 };

struct used {
    struct arena arena;
    struct made made[USED_SERIES];
    struct series series[USED_SERIES];
    struct segment segment;
    struct fact facts[8];
    struct run run;
    struct use use;
    struct candidates found;
};

static inline void used_begin(struct used *used)
{
    memset(used, 0, sizeof(*used));
    used->run = (struct run){
        .series = used->series,
        .segments = &used->segment,
        .segment_count = 1,
        .facts = used->facts,
        .planned_steps = STEP_NONE,
        .speaking_rank = -1,
    };
    used->use = (struct use){.run = &used->run, .arena = &used->arena};
    used->found = (struct candidates){.arena = &used->arena};
}

static inline void used_end(struct used *used)
{
    arena_free(&used->arena);
}

/* The next series: the main one of its kind. */
static inline struct series *used_series(struct used *used, enum kind kind, const char *tag,
                                         const double *values, size_t count, int places)
{
    size_t nth = used->run.series_count++;
    struct series *series = &used->series[nth];
    make_track(&used->made[nth], values, count, places, 1);
    *series = (struct series){
        .tag = text_of(tag),
        .input = 1,
        .rank = -1,
        .kind = kind,
        .main = true,
        .speaks = true,
        .direction = kind == KIND_LOSS || kind == KIND_VAL_LOSS ? DIRECTION_DOWN
                     : kind == KIND_METRIC || kind == KIND_VAL_METRIC || kind == KIND_REWARD
                         ? DIRECTION_UP
                         : DIRECTION_NONE,
        .whole = used->made[nth].track,
        .segments = &used->made[nth].track,
        .segment_count = 1,
    };
    return series;
}

/* Gives a series of used_series the same values `width` steps apart. */
static inline void used_apart(struct used *used, size_t nth, const double *values, size_t count,
                              int places, int64_t width)
{
    make_track(&used->made[nth], values, count, places, width);
    used->series[nth].whole = used->made[nth].track;
}

static inline void used_fact(struct used *used, const char *key, const char *value, double number)
{
    used->facts[used->run.fact_count++] = (struct fact){
        .key = text_of(key),
        .state = FACT_KNOWN,
        .value = text_of(value),
        .number = number,
        .step = STEP_NONE,
        .in_force = true,
    };
}

/* Runs a detector on the first `count` series; pairs of name and double change its parameters, a
   NULL behind the last. The last candidate, or NULL. */
static inline const struct candidate *used_run(struct used *used, const char *name,
                                               const char *form, size_t count, ...)
{
    const struct detector *detector = detector_named(text_of(name));
    if (!detector)
        return NULL;
    used->use.form = form;
    used->use.series_count = count;
    for (size_t i = 0; i < count; i++) {
        used->use.series[i] = &used->series[i];
        used->use.tracks[i] = &used->series[i].segments[0];
    }
    for (size_t i = 0; i < detector->parameter_count; i++)
        used->use.parameters[i] = detector->parameters[i].usual;
    va_list changes;
    va_start(changes, count);
    for (const char *key = va_arg(changes, const char *); key;
         key = va_arg(changes, const char *)) {
        double value = va_arg(changes, double);
        for (size_t i = 0; i < detector->parameter_count; i++)
            if (strcmp(detector->parameters[i].name, key) == 0)
                used->use.parameters[i] = value;
    }
    va_end(changes);
    used->found.count = 0;
    struct error error;
    if (!detector->detect(&used->use, &used->found, &error) || used->found.count == 0)
        return NULL;
    return &used->found.items[used->found.count - 1];
}

static inline double used_value(const struct candidate *candidate, const char *name)
{
    for (size_t i = 0; i < candidate->value_count; i++)
        if (strcmp(candidate->values[i].name, name) == 0)
            return candidate->values[i].number;
    return (double)NAN;
}

#endif
