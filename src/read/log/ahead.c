/* Chunks in front of the reader. A plan covers a part of the window for one pattern: short as long
   as its lines are few among others, then all the rest of the window, then the windows behind it,
   whose parts are given as soon as they are read. */
/* SPDX-License-Identifier: MIT */
#include "read/log/ahead.h"

#include "read/log/fetch.h"
#include "stalldoc/helper.h"

enum {
    PARTS = 8, /* chunks at once */
    LINES_LEAST = 16,
    LINES_GROW = 4,
    LINES_MOST = 1152,
    SHARED_LEAST = 256 << 10, /* bytes that are worth a thread */
};

struct part {
    struct task task;
    struct chunk *chunk;
    size_t start, end; /* bytes of the plan */
};

struct ahead {
    struct helper *helper;
    bool alone; /* there is none to be had */
    /* The plan. */
    uint64_t serial; /* of the pattern; 0: there is no plan */
    struct pattern pattern;
    struct text text;
    uint64_t offset;
    size_t bytes; /* of a part */
    size_t lines; /* that a part is made for */
    size_t taken; /* bytes of it that were asked for */
    size_t given; /* where the next part begins */
    bool whole;   /* to the end of the window */
    struct text after;
    size_t after_given;         /* of the next window, where it is known already */
    size_t first, count, early; /* parts, the last of which belong to the next window */
    struct part parts[PARTS];   /* a ring */
};

static void part_run(void *context)
{
    chunk_read(context);
}

static struct ahead *ahead_open(struct reader *reader)
{
    struct ahead *ahead = block_take(sizeof *ahead);
    if (!ahead)
        return NULL;
    memset(ahead, 0, sizeof *ahead);
    ahead->alone = !reader->reading->threads;
    ahead->lines = LINES_LEAST;
    return reader->ahead = ahead;
}

static struct part *part_first(struct ahead *ahead)
{
    return &ahead->parts[ahead->first];
}

static void part_leave(struct ahead *ahead)
{
    task_cancel(ahead->helper, &part_first(ahead)->task);
    ahead->first = (ahead->first + 1) % PARTS;
    ahead->count--;
}

static void plan_end(struct ahead *ahead)
{
    while (ahead->count > 0)
        part_leave(ahead);
    ahead->early = 0;
    ahead->serial = 0;
}

/* Behind the last line end within `size` bytes from `start`; behind the next one where there is
   none. 0: there is none at all. */
static size_t lines_end(struct text text, size_t start, size_t size)
{
    if (size >= text.size - start) {
        while (text.size > start && text.data[text.size - 1] != '\n')
            text.size--;
        return text.size;
    }
    const char *newline = memchr(text.data + start + size, '\n', text.size - start - size);
    return newline ? (size_t)(newline - text.data) + 1 : 0;
}

/* From *given on. */
static bool part_give(struct reader *reader, struct ahead *ahead, struct text text, uint64_t offset,
                      size_t *given)
{
    struct part *part = &ahead->parts[(ahead->first + ahead->count) % PARTS];
    const size_t start = *given, end = lines_end(text, start, ahead->bytes);
    if (end <= start) {
        *given = text.size;
        return true;
    }
    if (!part->chunk) {
        if (!(part->chunk = block_take(sizeof *part->chunk)))
            return false;
        part->chunk->laid = 0;
    }
    struct chunk *chunk = part->chunk;
    chunk->pattern = ahead->pattern;
    chunk->wording = &reader->patterns->wording;
    chunk->messages = reader->reading->messages;
    chunk->text = text_cut(text, start, end - start);
    chunk->offset = offset + start;
    chunk->generation = reader->stream->generation;
    part->start = start;
    part->end = *given = end;
    part->task = (struct task){.run = part_run, .context = chunk};
    task_give(ahead->helper, &part->task);
    ahead->count++;
    return true;
}

/* Parts of the next window. A line that goes on there begins it. */
static bool early_give(struct reader *reader, struct ahead *ahead)
{
    const size_t end = lines_end(ahead->text, 0, ahead->text.size);
    const struct text tail = text_cut(ahead->text, end, ahead->text.size - end);
    if (!ahead->after.data) {
        if (!fetch_join(reader->fetch, ahead->helper, tail, &ahead->after))
            return true;
        ahead->after_given = 0;
    }
    while (ahead->count < PARTS && ahead->after_given < ahead->after.size) {
        const size_t count = ahead->count;
        if (!part_give(reader, ahead, ahead->after, ahead->offset + end, &ahead->after_given))
            return false;
        ahead->early += ahead->count - count;
    }
    return true;
}

/* One part where all is done by the caller, a ring of them where another thread helps. */
static bool parts_give(struct reader *reader, struct ahead *ahead)
{
    const size_t most = ahead->helper ? PARTS : 1;
    if (ahead->helper && ahead->count > PARTS / 2)
        return true;
    while (ahead->count < most && ahead->given < ahead->text.size)
        if (!part_give(reader, ahead, ahead->text, ahead->offset, &ahead->given))
            return false;
    return ahead->count == most || !ahead->helper || !ahead->whole || early_give(reader, ahead);
}

/* Most of the last plan was of use: the next one is longer. */
static void lines_follow(struct ahead *ahead)
{
    if (2 * ahead->taken < ahead->text.size)
        ahead->lines = LINES_LEAST;
    else if (ahead->lines < LINES_MOST)
        ahead->lines *= LINES_GROW;
    if (ahead->lines > LINES_MOST)
        ahead->lines = LINES_MOST;
}

static bool plan_make(struct reader *reader, struct ahead *ahead, const struct pattern *pattern,
                      struct text rest, uint64_t offset)
{
    if (ahead->serial)
        lines_follow(ahead);
    plan_end(ahead);
    size_t lines = chunk_room(pattern) * 3 / 4;
    lines = lines < ahead->lines ? lines : ahead->lines;
    ahead->serial = pattern->serial;
    ahead->pattern = *pattern;
    ahead->bytes = lines * pattern->size;
    ahead->whole = ahead->lines == LINES_MOST;
    if (!ahead->whole)
        rest.size = lines_end(rest, 0, ahead->bytes);
    ahead->text = rest;
    ahead->after.data = NULL;
    ahead->offset = offset;
    ahead->given = ahead->taken = 0;
    if (rest.size >= SHARED_LEAST)
        ahead_share(reader);
    return parts_give(reader, ahead);
}

/* The part that holds the byte `at` of the plan; NULL where there is none. */
static bool part_at(struct reader *reader, struct ahead *ahead, size_t at, struct part **part)
{
    *part = NULL;
    while (ahead->count > ahead->early && at >= part_first(ahead)->end) {
        part_leave(ahead);
        if (!parts_give(reader, ahead))
            return false;
    }
    if (ahead->count == ahead->early)
        return true;
    *part = part_first(ahead);
    task_finish(ahead->helper, &(*part)->task);
    return true;
}

static void rows_find(struct chunk *chunk, size_t at, struct ahead_rows *rows)
{
    for (size_t s = 0; s < chunk->stretch_count; s++) {
        const struct stretch_of *stretch = &chunk->stretches[s];
        if (at < stretch->start || at >= stretch->end)
            continue;
        size_t row = stretch->first;
        while ((size_t)(chunk->texts[row].data - chunk->text.data) < at)
            row++;
        *rows = (struct ahead_rows){.chunk = chunk,
                                    .stretch = s,
                                    .first = row,
                                    .count = stretch->first + stretch->count - row,
                                    .size = stretch->end - at};
        return;
    }
}

bool ahead_rows(struct reader *reader, const struct pattern *pattern, struct text rest,
                uint64_t offset, struct ahead_rows *rows)
{
    struct ahead *ahead = reader->ahead ? reader->ahead : ahead_open(reader);
    *rows = (struct ahead_rows){.count = 0};
    if (!ahead)
        return false;
    const struct text text = ahead->text;
    const bool covered =
        ahead->serial && rest.data >= text.data && rest.data < text.data + text.size;
    if (covered && ahead->serial != pattern->serial)
        return true; /* one plan at a time */
    if (rest.size < pattern->size)
        return true;
    if (!covered && !plan_make(reader, ahead, pattern, rest, offset))
        return false;
    struct part *part;
    const size_t at = (size_t)(rest.data - ahead->text.data);
    if (!part_at(reader, ahead, at, &part))
        return false;
    if (part)
        rows_find(part->chunk, at - part->start, rows);
    ahead->taken += rows->size;
    return true;
}

/* A plan goes on behind its window where most of that was of use. */
void ahead_leave(struct reader *reader)
{
    struct ahead *ahead = reader->ahead;
    if (!ahead || !ahead->serial)
        return;
    const struct pattern *last = reader->patterns->last;
    if (!ahead->whole || 2 * ahead->taken < ahead->text.size || !last ||
        last->serial != ahead->serial)
        plan_end(ahead);
    while (ahead->count > ahead->early)
        part_leave(ahead);
}

bool ahead_window(struct reader *reader, uint64_t offset)
{
    struct ahead *ahead = reader->ahead;
    if (!ahead || !ahead->serial)
        return true;
    const struct fetch *fetch = reader->fetch;
    if (fetch->special) {
        plan_end(ahead);
        return true;
    }
    ahead->pattern = *reader->patterns->last;
    ahead->text = (struct text){fetch->buffer, fetch->size};
    ahead->offset = offset;
    ahead->given = ahead->after.data ? ahead->after_given : 0;
    ahead->after.data = NULL;
    ahead->taken = ahead->early = 0;
    return parts_give(reader, ahead);
}

void ahead_drop(struct reader *reader)
{
    if (reader->ahead)
        plan_end(reader->ahead);
}

struct helper *ahead_share(struct reader *reader)
{
    struct ahead *ahead = reader->ahead ? reader->ahead : ahead_open(reader);
    if (ahead && !ahead->alone && !ahead->helper) {
        ahead->helper = helper_open();
        ahead->alone = !ahead->helper;
    }
    return ahead ? ahead->helper : NULL;
}

struct helper *ahead_helper(const struct reader *reader)
{
    return reader->ahead ? reader->ahead->helper : NULL;
}

void ahead_close(struct reader *reader)
{
    struct ahead *ahead = reader->ahead;
    if (!ahead)
        return;
    ahead_drop(reader);
    helper_close(ahead->helper);
    for (size_t i = 0; i < PARTS; i++)
        block_free(ahead->parts[i].chunk);
    block_free(ahead);
    reader->ahead = NULL;
}
