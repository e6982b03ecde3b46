/* A sink for the tests of readers: keeps what was said as lines of text. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_HEARD_H
#define TEST_HEARD_H

#include "embedded.h"
#include "read/deaf.h"
#include "stalldoc/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct heard {
    struct sink sink;
    char text[1 << 16];
    size_t size;
    struct {
        char name[128];
        enum phase phase;
    } columns[64][16]; /* [shape][column] */
    uint32_t shapes;
    uint64_t rows, tensors, settings;
};

static inline void heard_add(struct heard *heard, const char *line)
{
    size_t size = strlen(line);
    if (heard->size + size + 2 > sizeof(heard->text))
        return;
    memcpy(heard->text + heard->size, line, size);
    heard->size += size;
    heard->text[heard->size++] = '\n';
    heard->text[heard->size] = 0;
}

static inline bool heard_bind(struct sink *sink, const struct shape *shape, uint32_t *id,
                              struct error *error)
{
    struct heard *heard = (struct heard *)sink;
    (void)error;
    *id = heard->shapes++;
    for (size_t i = 0; i < shape->column_count && i < 16 && *id < 64; i++) {
        snprintf(heard->columns[*id][i].name, sizeof(heard->columns[*id][i].name), "%.*s",
                 (int)shape->columns[i].name.size, shape->columns[i].name.data);
        heard->columns[*id][i].phase = shape->columns[i].phase;
    }
    return true;
}

static inline bool heard_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    struct heard *heard = (struct heard *)sink;
    (void)error;
    for (size_t row = 0; row < rows->count; row++) {
        char line[512];
        int at = 0;
        const struct position *p = &rows->positions[row];
        if (p->step == STEP_NONE)
            at = snprintf(line, sizeof(line), "step -");
        else
            at = snprintf(line, sizeof(line), "step %" PRId64, p->step);
        for (size_t i = 0; i < 16 && rows->shape < 64 && heard->columns[rows->shape][i].name[0];
             i++)
            if (!value_missing(rows->values[i][row]))
                at +=
                    snprintf(line + at, sizeof(line) - (size_t)at, " %s%s=%.9g",
                             heard->columns[rows->shape][i].phase == PHASE_VALIDATION ? "val:" : "",
                             heard->columns[rows->shape][i].name, rows->values[i][row]);
        heard->rows++;
        heard_add(heard, line);
    }
    return true;
}

static inline bool heard_seal(struct sink *sink, const struct seal *seal, struct error *error)
{
    struct heard *heard = (struct heard *)sink;
    char line[512];
    (void)error;
    snprintf(line, sizeof(line), "seal %.*s %" PRIu64 " %08" PRIx32, (int)seal->name.size,
             seal->name.data, seal->size, seal->crc);
    heard_add(heard, line);
    return true;
}

static inline bool heard_setting(struct sink *sink, const struct setting *setting,
                                 struct error *error)
{
    struct heard *heard = (struct heard *)sink;
    char line[512];
    (void)error;
    snprintf(line, sizeof(line), "setting %.*s=%.*s", (int)setting->key.size, setting->key.data,
             (int)setting->value.size, setting->value.data);
    heard->settings++;
    heard_add(heard, line);
    return true;
}

static inline bool heard_life(struct sink *sink, const struct life *life, struct error *error)
{
    static const char *const names[] = {"resume", "start", "save", "evaluation", "end", "restart", "load"};
    char line[64];
    (void)error;
    snprintf(line, sizeof(line), "life %s", names[life->event]);
    heard_add((struct heard *)sink, line);
    return true;
}

static inline bool heard_tensor(struct sink *sink, const struct tensor_view *tensor,
                                struct error *error)
{
    struct heard *heard = (struct heard *)sink;
    char line[512];
    (void)error;
    int at = snprintf(line, sizeof(line), "tensor %.*s %s [", (int)tensor->name.size,
                      tensor->name.data, dtype_name(tensor->dtype));
    for (int i = 0; i < tensor->rank; i++)
        at += snprintf(line + at, sizeof(line) - (size_t)at, "%s%" PRId64, i ? "," : "",
                       tensor->shape[i]);
    snprintf(line + at, sizeof(line) - (size_t)at, "]%s", tensor->head ? " head" : "");
    heard->tensors++;
    heard_add(heard, line);
    return true;
}

static inline bool heard_message(struct sink *sink, const struct message_seen *message,
                                 struct error *error)
{
    (void)error;
    char line[160];
    snprintf(line, sizeof(line), "message %" PRIu32, message->message);
    heard_add((struct heard *)sink, line);
    return true;
}

static inline void heard_init(struct heard *heard)
{
    memset(heard, 0, sizeof(*heard));
    heard->sink = (struct sink){
        .bind = heard_bind,
        .rows = heard_rows,
        .message = heard_message,
        .setting = heard_setting,
        .life = heard_life,
        .tensor = heard_tensor,
        .time = deaf_time,
        .template = deaf_template,
        .counts = deaf_counts,
    };
}

/* Reads `bytes` by the format; `limit` bounds the reader's memory (0: none). */
static inline bool heard_read(struct heard *heard, const struct format *format, const void *bytes,
                              size_t size, const char *name, size_t limit, struct error *error)
{
    static struct arena words; /* read once a test program */
    static const struct vocabulary *vocabulary;
    struct arena scratch = {.limit = limit};
    if (!vocabulary)
        vocabulary = embedded_vocabulary(&words, error);
    struct input *input;
    heard_init(heard);
    if (!input_memory((struct span){bytes, size}, name, 1, &input, error))
        return false;
    const struct reading reading = {
        .input = input,
        .scratch = &scratch,
        .sink = &heard->sink,
        .vocabulary = vocabulary,
        .max_line = LIMIT_LINE_MESSAGE,
        .stats = true,
    };
    bool sound = format->read(&reading, error);
    input_close(input);
    arena_free(&scratch);
    return sound;
}

#endif
