/* A sink that writes down what a reader says, and the ways to drive a reader in tests. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_RECORDER_H
#define TEST_RECORDER_H

#include "embedded.h"
#include "read/deaf.h"
#include "stalldoc/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RECORDER_BYTES = 1 << 16, RECORDER_SHAPES = 64 };

struct recorder {
    struct sink sink; /* first */
    char text[RECORDER_BYTES];
    size_t used;
    struct shape shapes[RECORDER_SHAPES];
    size_t shape_count;
    struct arena arena;
};

__attribute__((format(printf, 2, 3))) static inline void recorder_say(struct recorder *recorder,
                                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(recorder->text + recorder->used, RECORDER_BYTES - recorder->used, format,
                         arguments);
    va_end(arguments);
    assert_true(size >= 0 && (size_t)size < RECORDER_BYTES - recorder->used);
    recorder->used += (size_t)size;
}

static inline bool recorder_bind(struct sink *sink, const struct shape *shape, uint32_t *id,
                                 struct error *error)
{
    struct recorder *recorder = (struct recorder *)sink;
    (void)error;
    assert_true(recorder->shape_count < RECORDER_SHAPES);
    struct shape *copy = &recorder->shapes[recorder->shape_count];
    *copy = *shape;
    struct column *columns = arena_take(&recorder->arena, shape->column_count, sizeof(*columns));
    for (size_t i = 0; i < shape->column_count; i++) {
        columns[i] = shape->columns[i];
        columns[i].name = arena_text(&recorder->arena, columns[i].name);
    }
    copy->columns = columns;
    *id = (uint32_t)recorder->shape_count++;
    return true;
}

static inline void recorder_row(struct recorder *recorder, const struct rows *rows, size_t row)
{
    const struct shape *shape = &recorder->shapes[rows->shape];
    const struct position *position = &rows->positions[row];
    recorder_say(recorder, "%d:", (int)rows->lines[row]);
    if (position->step != STEP_NONE)
        recorder_say(recorder, " step %d", (int)position->step);
    if (position->step_total != STEP_NONE)
        recorder_say(recorder, "/%d", (int)position->step_total);
    if (position->batch != STEP_NONE)
        recorder_say(recorder, " batch %d", (int)position->batch);
    if (position->epoch != STEP_NONE)
        recorder_say(recorder, " epoch %d", (int)position->epoch);
    if (position->epoch_total != STEP_NONE)
        recorder_say(recorder, "/%d", (int)position->epoch_total);
    if (!isnan(position->epoch_fraction))
        recorder_say(recorder, " at %g", position->epoch_fraction);
    recorder_say(recorder, " grain %d:", shape->grain);
    for (size_t c = 0; c < shape->column_count; c++) {
        double value = rows->values[c][row];
        if (value_missing(value))
            continue;
        recorder_say(recorder, " %.*s%s=%g", (int)shape->columns[c].name.size,
                     shape->columns[c].name.data,
                     shape->columns[c].phase == PHASE_VALIDATION ? "[v]" : "", value);
    }
    if (rows->times && !isnan(rows->times[row]))
        recorder_say(recorder, " t=%.0f", rows->times[row]);
    recorder_say(recorder, "\n");
}

static inline bool recorder_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    (void)error;
    for (size_t row = 0; row < rows->count; row++)
        recorder_row((struct recorder *)sink, rows, row);
    return true;
}

static inline bool recorder_message(struct sink *sink, const struct message_seen *message,
                                    struct error *error)
{
    (void)error;
    recorder_say((struct recorder *)sink, "message %u\n", (unsigned)message->message);
    return true;
}

static inline bool recorder_setting(struct sink *sink, const struct setting *setting,
                                    struct error *error)
{
    (void)error;
    recorder_say((struct recorder *)sink, "%d: set %.*s=%.*s\n", (int)setting->place.line,
                 (int)setting->key.size, setting->key.data, (int)setting->value.size,
                 setting->value.data);
    return true;
}

static inline bool recorder_life(struct sink *sink, const struct life *life, struct error *error)
{
    (void)error;
    recorder_say((struct recorder *)sink, "%d: event %d\n", (int)life->place.line,
                 (int)life->event);
    return true;
}

static inline bool recorder_tensor(struct sink *sink, const struct tensor_view *tensor,
                                   struct error *error)
{
    (void)sink;
    (void)tensor;
    (void)error;
    return true;
}

static inline void recorder_open(struct recorder *recorder)
{
    memset(recorder, 0, sizeof(*recorder));
    recorder->sink = (struct sink){recorder_bind,
                                   recorder_rows,
                                   recorder_message,
                                   recorder_setting,
                                   recorder_life,
                                   recorder_tensor,
                                   deaf_time,
                                   deaf_template,
                                   deaf_counts,
                                   NULL,
                                   NULL};
}

static bool recorder_threads;
static struct arena recorder_vocabulary_arena;
static struct vocabulary *recorder_vocabulary;

static inline int recorder_setup(void **state)
{
    (void)state;
    struct error error = {0};
    recorder_vocabulary = embedded_vocabulary(&recorder_vocabulary_arena, &error);
    return recorder_vocabulary ? 0 : -1;
}

static inline int recorder_teardown(void **state)
{
    (void)state;
    arena_free(&recorder_vocabulary_arena);
    return 0;
}

/* Reads `size` bytes through `format` as a file named `name` in a folder of its own; what was said
   is in recorder->text. */
static inline bool recorder_read(struct recorder *recorder, const struct format *format,
                                 const char *name, const char *data, size_t size, size_t limit,
                                 struct error *error)
{
    char folder[] = "/tmp/stalldoc-test-XXXXXX", path[64 + sizeof(folder)];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
    struct input *input = NULL;
    assert_true(input_open(path, 1, &input, error));
    recorder_open(recorder);
    struct arena scratch = {.limit = limit};
    struct reading reading = {.input = input,
                              .scratch = &scratch,
                              .sink = &recorder->sink,
                              .vocabulary = recorder_vocabulary,
                              .threads = recorder_threads,
                              .max_line = 1 << 20};
    bool sound = format->read(&reading, error);
    input_close(input);
    arena_free(&scratch);
    arena_free(&recorder->arena);
    unlink(path);
    rmdir(folder);
    return sound;
}

static inline void recorder_expect(const struct format *format, const char *name, const char *data,
                                   const char *expected)
{
    static struct recorder recorder;
    struct error error = {0};
    if (!recorder_read(&recorder, format, name, data, strlen(data), 0, &error))
        print_error("%s\n", error.message);
    assert_string_equal(recorder.text, expected);
    assert_int_equal(error.kind, ERROR_NONE);
}

/* However much of it is there, nothing breaks, and what is said is a beginning of the whole where
   `prefix` asks for it. */
static inline void recorder_cut(const struct format *format, const char *name, const char *data,
                                bool prefix)
{
    static struct recorder whole, part;
    struct error error = {0};
    recorder_read(&whole, format, name, data, strlen(data), 0, &error);
    for (size_t size = 0; size < strlen(data); size++) {
        error = (struct error){0};
        bool sound = recorder_read(&part, format, name, data, size, 0, &error);
        assert_true(sound == (error.kind == ERROR_NONE));
        assert_true(sound || error.kind == ERROR_TRUNCATED || error.kind == ERROR_MALFORMED);
        if (prefix)
            assert_memory_equal(whole.text, part.text, part.used);
    }
}

/* With every amount of memory there is an error or the whole. */
static inline void recorder_starve(const struct format *format, const char *name, const char *data)
{
    static struct recorder whole, part;
    struct error error = {0};
    assert_true(recorder_read(&whole, format, name, data, strlen(data), 0, &error));
    bool sound = false;
    for (size_t limit = 1; !sound; limit += limit < 4096 ? 256 : limit / 8) {
        error = (struct error){0};
        sound = recorder_read(&part, format, name, data, strlen(data), limit, &error);
        if (!sound)
            assert_int_equal(error.kind, ERROR_MEMORY);
    }
    assert_string_equal(whole.text, part.text);
}

static inline int recorder_probe(const struct format *format, const char *name, const char *data)
{
    return format->probe((struct span){(const uint8_t *)data, strlen(data)}, text_of(name));
}

#endif
