/* A collector fed by hand: shapes and rows as a reader would send them. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_COLLECT_TAPE_H
#define TESTS_COLLECT_TAPE_H

#include "embedded.h"
#include "stalldoc/run.h"

#include "../check.h"

enum { FED_COLUMNS = 8 };

static const struct format fed_log = {.name = "text", .group = FORMAT_LOG};
static const struct format fed_document = {.name = "trainer-state", .group = FORMAT_DOCUMENT};
static const struct format fed_checkpoint = {.name = "torch", .group = FORMAT_CHECKPOINT};
static const struct format fed_events = {.name = "tfevents", .group = FORMAT_EVENTS};

struct fed {
    struct arena arena, rules;
    struct collector *collector;
    struct collection collection;
    struct sink *sink;
    uint32_t input;
    uint64_t line; /* of the last row */
    double time;   /* of the next row; NAN */
};

static inline void fed_open(struct fed *fed, enum run_mode mode)
{
    *fed = (struct fed){.time = (double)NAN};
    const struct collector_options options = {.vocabulary = embedded_vocabulary(&fed->rules, NULL),
                                              .from = STEP_NONE,
                                              .to = STEP_NONE,
                                              .mode = mode};
    assert_non_null(options.vocabulary);
    fed->collector = collector_open(&fed->arena, &options, NULL);
    assert_non_null(fed->collector);
}

static inline void fed_begin(struct fed *fed, const char *path, const char *folder,
                             const struct format *format)
{
    fed->line = 0;
    assert_true(collector_begin(fed->collector, path, text_of(folder), format, ++fed->input,
                                &fed->sink, NULL));
}

static inline void fed_end(struct fed *fed)
{
    assert_true(collector_end(fed->collector, STATUS_OK, 100, NULL, NULL));
}

static inline const struct run *fed_finish(struct fed *fed)
{
    assert_true(collector_finish(fed->collector, &fed->collection, NULL));
    return fed->collection.runs;
}

static inline void fed_close(struct fed *fed)
{
    arena_free(&fed->arena);
    arena_free(&fed->rules);
}

struct fed_shape {
    const char *names[FED_COLUMNS];
    uint8_t grain;
    enum origin origin;
    enum phase phase;
    int32_t rank; /* from 1; 0: none */
    uint32_t template;
    bool settings;
};

static inline uint32_t fed_bind(struct fed *fed, const struct fed_shape *like)
{
    struct column columns[FED_COLUMNS];
    struct shape shape = {.columns = columns,
                          .grain = like->grain,
                          .origin = like->origin,
                          .rank = like->rank - 1,
                          .template = like->template,
                          .settings = like->settings};
    for (; like->names[shape.column_count]; shape.column_count++)
        columns[shape.column_count] =
            (struct column){text_of(like->names[shape.column_count]), {"", 0}, like->phase};
    uint32_t id = 0;
    assert_true(fed->sink->bind(fed->sink, &shape, &id, NULL));
    return id;
}

static const struct position fed_nowhere = {.step = STEP_NONE,
                                            .step_total = STEP_NONE,
                                            .batch = STEP_NONE,
                                            .batch_total = STEP_NONE,
                                            .epoch = STEP_NONE,
                                            .epoch_total = STEP_NONE,
                                            .epoch_fraction = (double)NAN};

/* One row on the next line, with as many values as the shape has columns. */
static inline void fed_row(struct fed *fed, uint32_t shape, const struct position *at,
                           const double *values, size_t count)
{
    const double *columns[FED_COLUMNS];
    int16_t places[FED_COLUMNS];
    for (size_t c = 0; c < count; c++) {
        columns[c] = &values[c];
        places[c] = 4;
    }
    fed->line++;
    const uint64_t offset = fed->line * 50;
    const struct rows rows = {.shape = shape,
                              .count = 1,
                              .values = columns,
                              .places = places,
                              .positions = at,
                              .lines = &fed->line,
                              .offsets = &offset,
                              .times = isnan(fed->time) ? NULL : &fed->time};
    assert_true(fed->sink->rows(fed->sink, &rows, NULL));
}

static inline void fed_step(struct fed *fed, uint32_t shape, int64_t step, double value)
{
    struct position at = fed_nowhere;
    at.step = step;
    fed_row(fed, shape, &at, &value, 1);
}

static inline void fed_said(struct fed *fed, enum event event, int64_t loaded)
{
    fed->line++;
    const struct life life = {.event = event,
                              .place = {fed->input, fed->line, fed->line * 50},
                              .rank = -1,
                              .step = STEP_NONE,
                              .time = (double)NAN,
                              .state = loaded};
    assert_true(fed->sink->life(fed->sink, &life, NULL));
}

static inline void fed_life(struct fed *fed, enum event event)
{
    fed_said(fed, event, 0);
}

static inline void fed_load(struct fed *fed, int64_t state)
{
    fed_said(fed, EVENT_LOAD, state);
}

static inline void fed_setting(struct fed *fed, const char *key, const char *value,
                               enum setting_source source)
{
    fed->line++;
    const struct setting setting = {.key = text_of(key),
                                    .value = text_of(value),
                                    .source = source,
                                    .place = {fed->input, fed->line, fed->line * 50},
                                    .rank = -1};
    assert_true(fed->sink->setting(fed->sink, &setting, NULL));
}

static inline const struct series *fed_series(const struct run *run, const char *tag)
{
    for (size_t i = 0; i < run->series_count; i++)
        if (text_is(run->series[i].tag, tag))
            return &run->series[i];
    return NULL;
}

#endif
