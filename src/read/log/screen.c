/* Passes over prose: a line without any word that could matter is not cut into tokens. Where it is
   long its lines are sifted ahead, on two threads where there are two. */
/* SPDX-License-Identifier: MIT */
#include "read/log/screen.h"

#include "read/log/ahead.h"
#include "read/sift/sift.h"
#include "stalldoc/helper.h"

enum {
    PROSE = 512,      /* lines that gave nothing, over those that did */
    PROSE_MOST = 768, /* so many are remembered */
    USEFUL = 8,       /* what one that gave something weighs */
    PARTS = 4,        /* sifted at once */
    PART_BYTES = 32 << 10,
    REACH_LEAST = 2 << 10, /* of a plan; it grows where the last one was of use */
    REACH_GROW = 4,
    SHARED_LEAST = 256 << 10, /* bytes that are worth a thread */
};

struct part {
    struct task task;
    struct sift sift;
    size_t start, end; /* bytes of the plan */
};

struct screen {
    struct keywords *keywords;
    struct helper *helper;
    struct text plan; /* lines of the window */
    size_t reach;
    size_t taken; /* bytes of the plan that were passed over */
    size_t given; /* where the next part begins */
    size_t line;  /* of the first part, where the reader stands */
    size_t first, count;
    struct part parts[PARTS]; /* a ring */
};

static struct keywords *words_open(struct reader *reader)
{
    static const char *const words[] = {"nan", "inf", "infinity", "namespace", "stalldoc"};
    struct keywords *keywords = keywords_make(reader->vocabulary, reader->arena);
    if (!keywords)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        keywords_add(keywords, text_of(words[i]), KEYWORD_ALONE);
    life_keywords(keywords);
    return keywords;
}

static bool screen_open(struct reader *reader)
{
    struct screen *screen = arena_take(reader->arena, 1, sizeof *screen);
    if (!screen || !(screen->keywords = words_open(reader)))
        return false;
    screen->reach = REACH_LEAST;
    reader->screen = screen;
    return true;
}

/* ---- The plan ---- */

static struct part *part_first(struct screen *screen)
{
    return &screen->parts[screen->first];
}

static void part_leave(struct screen *screen)
{
    task_cancel(screen->helper, &part_first(screen)->task);
    screen->first = (screen->first + 1) % PARTS;
    screen->count--;
    screen->line = 0;
}

/* Most of the plan was of use: the next one is longer. */
static void reach_follow(struct screen *screen)
{
    if (2 * screen->taken < screen->plan.size)
        screen->reach = REACH_LEAST;
    else if (screen->reach < LIMIT_WINDOW)
        screen->reach *= REACH_GROW;
}

void screen_drop(struct reader *reader)
{
    struct screen *screen = reader->screen;
    if (!screen || screen->plan.size == 0)
        return;
    reach_follow(screen);
    while (screen->count > 0)
        part_leave(screen);
    screen->plan = (struct text){NULL, 0};
}

/* Behind the last line end within `size` bytes from `start`, else behind the next one. 0: there is
   none. */
static size_t lines_end(struct text text, size_t start, size_t size)
{
    size_t end = size < text.size - start ? start + size : text.size;
    const char *next = memchr(text.data + end, '\n', text.size - end);
    while (end > start && text.data[end - 1] != '\n')
        end--;
    if (end > start)
        return end;
    return next ? (size_t)(next - text.data) + 1 : 0;
}

static void part_run(void *context)
{
    sift_run(context);
}

/* One part where all is done by the caller, a ring of them where another thread helps. */
static void parts_give(struct reader *reader, struct screen *screen)
{
    const size_t most = screen->helper ? PARTS : 1;
    while (screen->count < most && screen->given < screen->plan.size) {
        struct part *part = &screen->parts[(screen->first + screen->count) % PARTS];
        part->start = screen->given;
        part->end = lines_end(screen->plan, part->start, PART_BYTES);
        part->sift.keywords = screen->keywords;
        part->sift.messages = reader->reading->messages;
        part->sift.text = text_cut(screen->plan, part->start, part->end - part->start);
        part->task = (struct task){.run = part_run, .context = &part->sift};
        task_give(screen->helper, &part->task);
        screen->given = part->end;
        screen->count++;
    }
}

static void plan_make(struct reader *reader, struct screen *screen, struct text rest)
{
    screen_drop(reader);
    rest.size = lines_end(rest, 0, screen->reach);
    screen->plan = rest;
    screen->given = screen->taken = 0;
    if (rest.size >= SHARED_LEAST)
        screen->helper = ahead_share(reader);
    parts_give(reader, screen);
}

/* The part that holds the byte `at` of the plan, sifted from there on at least; NULL: none. */
static struct part *part_at(struct reader *reader, struct screen *screen, size_t at)
{
    while (screen->count > 0 && at >= part_first(screen)->end) {
        part_leave(screen);
        parts_give(reader, screen);
    }
    if (screen->count == 0)
        return NULL;
    struct part *part = part_first(screen);
    task_finish(screen->helper, &part->task);
    const struct sift *sift = &part->sift;
    while (screen->line < sift->count && part->start + sift->lines[screen->line].end <= at)
        screen->line++;
    if (screen->line == sift->count) { /* there was no more room */
        part->start = at;
        part->sift.text = text_cut(screen->plan, at, part->end - at);
        sift_run(&part->sift);
        screen->line = 0;
    }
    return part;
}

/* ---- What is passed over ---- */

void screen_note(struct reader *reader, bool useful)
{
    if (useful)
        reader->prose -= reader->prose < USEFUL ? reader->prose : USEFUL;
    else if (reader->prose < PROSE_MOST)
        reader->prose++;
}

/* Nothing is open that the next line could go on with. */
static bool is_quiet(const struct reader *reader)
{
    const struct stream *stream = reader->stream;
    return reader->stream_count == 1 && !reader->in_stanza &&
           !vocabulary_has_maps(reader->vocabulary) &&
           !(stream->box && (stream->box->count > 0 || stream->box->group.size > 0)) &&
           !(stream->traceback && traceback_wants(stream->traceback, NULL, 0));
}

/* Its time, where it has one; *other: it is of another rank. */
static bool time_pass(struct reader *reader, struct text text, const struct place *place,
                      bool *other, struct error *error)
{
    struct line line = {.raw = text, .number = place->line, .offset = place->offset};
    prefix_strip(reader, &line);
    *other = line.rank != reader->stream->rank;
    return *other || isnan(line.time) ||
           reader->sink->time(reader->sink, line.time, place, line.rank, error);
}

struct passing {
    struct text rest;
    uint64_t number, offset; /* of its first line */
    size_t used, lines;
};

/* The sifted line at hand; *stop: it is to be read. */
static bool line_pass(struct reader *reader, struct passing *passing, const struct sifted *sifted,
                      size_t size, bool *stop, struct error *error)
{
    const struct text text = text_cut(passing->rest, passing->used, size - 1);
    const struct place place = {reader->input, passing->number + passing->lines,
                                passing->offset + passing->used};
    *stop = (sifted->flags & SIFTED_SPEAKS) != 0;
    if (!*stop && (sifted->flags & SIFTED_CLOCK) && !time_pass(reader, text, &place, stop, error))
        return false;
    if (*stop)
        return true;
    const bool numbers = (sifted->flags & SIFTED_NUMBERS) != 0;
    reader->counts.with_number += numbers;
    reader->counts.dead += numbers;
    reader->stream->lines += text.size > 0;
    passing->used += size;
    passing->lines++;
    return true;
}

/* Lines from the one at hand on, as far as they were sifted; *stop: one is to be read, or there is
   none. */
static bool lines_pass(struct reader *reader, struct passing *passing, bool *stop,
                       struct error *error)
{
    struct screen *screen = reader->screen;
    const struct text rest = text_cut(passing->rest, passing->used, passing->rest.size);
    const struct text *plan = &screen->plan; /* without data before the first */
    if (!(plan->size > 0 && rest.data >= plan->data && rest.data < plan->data + plan->size))
        plan_make(reader, screen, rest);
    size_t at = (size_t)(rest.data - screen->plan.data);
    const struct part *part = part_at(reader, screen, at);
    *stop = !part;
    for (; !*stop && screen->line < part->sift.count; screen->line += !*stop) {
        const struct sifted *sifted = &part->sift.lines[screen->line];
        const size_t size = part->start + sifted->end - at;
        if (!line_pass(reader, passing, sifted, size, stop, error))
            return false;
        at += *stop ? 0 : size;
        screen->taken += *stop ? 0 : size;
    }
    return true;
}

bool screen_pass(struct reader *reader, struct text rest, uint64_t number, uint64_t offset,
                 size_t *used, size_t *lines, struct error *error)
{
    struct passing passing = {.rest = rest, .number = number, .offset = offset};
    *used = *lines = 0;
    if (reader->prose < PROSE || !is_quiet(reader))
        return true;
    if (!reader->screen && !screen_open(reader))
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory to read a log");
    for (bool stop = false; !stop && passing.used < rest.size;)
        if (!lines_pass(reader, &passing, &stop, error))
            return false;
    *used = passing.used;
    *lines = passing.lines;
    reader->counts.lines += passing.lines;
    return true;
}
