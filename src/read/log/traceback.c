/* Python tracebacks and other ends, line by line: the last line of a block names the exception. */
/* SPDX-License-Identifier: MIT */
#include "traceback.h"
#include "read/message.h"
#include <string.h>

enum {
    PENDING_MAX = 8,  /* different ends of one stream that are kept until it goes on or ends */
    PENDING_ROWS = 4, /* fixed texts of one exception's line */
    LINE_KEPT = 480,
    BLOCK_LINES = 2000, /* a block that is longer is text about something else */
    CHAIN_LINES = 6,    /* "During handling .." stands within so many lines */
    BELOW_LINES = 256,  /* behind a name and a colon what happened stands within so many lines */
    IGNORED_LINES = 2,  /* "Exception ignored in" stands so close before its block */
    PREFIX_MAX = 96,    /* of a launcher, before every line of a block */
    KNOWN_MAX = 8,      /* exceptions that the run survived before */
    SURVIVED = 3,       /* records behind an exception after which it did not end the run */
};

struct pending {
    struct message_seen seen;
    uint32_t rows[PENDING_ROWS];
    size_t row_count;
    size_t size;
    char line[LINE_KEPT];
};

struct traceback {
    const struct message_table *table;
    struct arena *arena;
    /* Rows of the table that are ours; row_count where a table has none. */
    uint32_t header, ignored, exception_line, exception, nonfinite, peer, interrupted, worker, cut,
        stuck;
    bool open;               /* inside a block */
    bool ignore;             /* the block is one that Python itself ignores */
    bool done;               /* the run said that it is done */
    bool replace;            /* the next exception stands for the one before */
    bool keep;               /* the next exception is a consequence of the one before */
    bool waits;              /* the open block stands in a loader's queue */
    uint64_t ignored_at;     /* line that says so */
    uint64_t unsaid_at;      /* line of an exception that says below what it is; 0: none */
    uint32_t lines;          /* of the open block */
    uint32_t after;          /* lines since the last exception */
    uint32_t progress;       /* records since the first pending exception */
    struct pending *pending; /* PENDING_MAX, taken when the first is met */
    size_t count;
    char prefix[PREFIX_MAX]; /* before the open block's header */
    size_t prefix_size;
    bool prefixed; /* lines of the open block share it */
    uint64_t known[KNOWN_MAX];
    size_t known_count;
    bool placed;
    struct position position; /* of the last line that had one */
    size_t certain;           /* of them: a new attempt began behind these */
    struct message_seen at;   /* the open block's header */
};

static uint32_t row_of(const struct message_table *table, const char *id)
{
    uint32_t row = 0;
    while (row < table->row_count && strcmp(table->rows[row].id, id) != 0)
        row++;
    return row;
}

struct traceback *traceback_open(struct arena *arena, const struct message_table *table)
{
    struct traceback *t = arena_take(arena, 1, sizeof *t);
    if (!t)
        return NULL;
    t->table = table;
    t->arena = arena;
    t->header = row_of(table, "traceback");
    t->ignored = row_of(table, "traceback-ignored");
    t->exception_line = row_of(table, "exception-line");
    t->exception = row_of(table, "python-exception");
    t->nonfinite = row_of(table, "exception-nonfinite");
    t->peer = row_of(table, "exception-peer");
    t->interrupted = row_of(table, "interrupted");
    t->worker = row_of(table, "worker-exception");
    t->cut = row_of(table, "traceback-cut");
    t->stuck = row_of(table, "stuck-loader");
    return t;
}

/* Spellings of one row stand for its first. */
static uint32_t identity(const struct traceback *t, uint32_t row)
{
    return t->table->filter->identity[row];
}

static bool ours(const struct traceback *t, uint32_t row)
{
    row = identity(t, row);
    return row == t->header || row == t->ignored || row == t->exception_line;
}

static bool has_row(const struct traceback *t, const uint32_t *rows, size_t count, uint32_t row)
{
    for (size_t i = 0; i < count; i++)
        if (identity(t, rows[i]) == row)
            return true;
    return false;
}

static bool row_names(const struct message_row *row, const char *symptom)
{
    for (size_t i = 0; row->symptoms[i]; i++)
        if (strcmp(row->symptoms[i], symptom) == 0)
            return true;
    return false;
}

static bool ends_run(const struct traceback *t, uint32_t row)
{
    return row_names(&t->table->rows[row], "crash");
}

bool traceback_wants(const struct traceback *t, const uint32_t *rows, size_t row_count)
{
    if (t->open || (t->count > 0 && t->after < CHAIN_LINES))
        return true;
    for (size_t i = 0; i < row_count; i++)
        if (ours(t, rows[i]) || ends_run(t, rows[i]))
            return true;
    return false;
}

bool traceback_settled(const struct traceback *t)
{
    return t->count == t->certain;
}

static bool name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* The dotted name at the start of `text`, if a colon or the end follows. */
static struct text name_take(struct text text)
{
    size_t size = 0;
    while (size < text.size && name_byte(text.data[size]))
        size++;
    const bool starts = size > 1 && !(text.data[0] >= '0' && text.data[0] <= '9') &&
                        text.data[0] != '.' && text.data[size - 1] != '.';
    if (!starts || (size < text.size && text.data[size] != ':'))
        return (struct text){0};
    return text_cut(text, 0, size);
}

/* Inside a block. */
static bool name_is_exception(struct text name)
{
    static const char *const ends[] = {"Error",         "Exception", "Interrupt", "Exit",
                                       "StopIteration", "Expired",   "Timeout",   "Fault",
                                       "Exhausted",     NULL};
    for (size_t i = 0; ends[i]; i++)
        if (text_ends(name, ends[i]) && name.size > strlen(ends[i]))
            return true;
    return text_is(name, "Exception");
}

static bool capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The module is named for its exceptions ("torch._dynamo.exc.RecompileLimitHit"): what it holds is
   one, whatever it is called. */
static bool module_of_exceptions(struct text module)
{
    static const char *const names[] = {".exc.", ".exceptions.", ".errors.", NULL};
    for (size_t i = 0; names[i]; i++)
        if (text_ends(module, names[i]))
            return true;
    return false;
}

/* Outside a block: a name like those of Python, and words behind it ("MeanError: 0.2" has none). */
static bool line_is_exception(struct text text, struct text name)
{
    size_t last = name.size;
    while (last > 0 && name.data[last - 1] != '.')
        last--;
    if (!text_ends(name, "Error") && !text_ends(name, "Exception") &&
        !text_is(name, "KeyboardInterrupt") && !module_of_exceptions(text_cut(name, 0, last)))
        return false;
    const struct text own = text_cut(name, last, name.size);
    if (own.size < 6 || !capital(own.data[0]))
        return false;
    const struct text rest = text_trim(text_cut(text, name.size + 1, text.size));
    if (rest.size == 0)
        return text_is(own, "KeyboardInterrupt") || text_is(own, "AssertionError") ||
               text_is(own, "NotImplementedError") || text_is(own, "MemoryError");
    for (size_t i = 0; i < rest.size; i++)
        if ((rest.data[i] >= 'a' && rest.data[i] <= 'z') || capital(rest.data[i]) ||
            (rest.data[i] & 0x80))
            return rest.size > 3;
    return text_is(own, "KeyError");
}

static char lower(char c)
{
    return capital(c) ? (char)(c + 32) : c;
}

static bool says(struct text text, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++) {
        size_t same = 0;
        while (same < size && lower(text.data[i + same]) == word[same])
            same++;
        const bool before = i > 0 && name_byte(text.data[i - 1]) && text.data[i - 1] != '.';
        const bool after = i + size < text.size && name_byte(text.data[i + size]) &&
                           text.data[i + size] != '.' && text.data[i + size] != 's';
        if (same == size && !before && !after)
            return true;
    }
    return false;
}

/* The text itself speaks of NaN or infinity: the program stopped itself. */
static bool says_nonfinite(struct text text)
{
    return says(text, "nan") || says(text, "inf") || says(text, "infinite") ||
           says(text, "infinity") || says(text, "non-finite") || says(text, "nonfinite") ||
           says(text, "not finite") || says(text, "overflow") || says(text, "exploded") ||
           says(text, "diverged");
}

/* Another process went first, or merely passed on what ended it. */
static bool name_of_peer(struct text name)
{
    static const char *const names[] = {"BrokenPipeError",
                                        "ConnectionResetError",
                                        "ConnectionRefusedError",
                                        "ConnectionAbortedError",
                                        "ChildFailedError",
                                        "CalledProcessError",
                                        "EOFError",
                                        "ProcessExitedException",
                                        "ProcessRaisedException",
                                        NULL};
    for (size_t i = 0; names[i]; i++)
        if (text_ends(name, names[i]))
            return true;
    return false;
}

static bool rows_name(const struct traceback *t, const uint32_t *rows, size_t count,
                      const char *symptom)
{
    for (size_t i = 0; i < count; i++)
        if (row_names(&t->table->rows[rows[i]], symptom))
            return true;
    return false;
}

/* What an exception means: the rows of its line that say that a run ends, else one of ours. */
static void pending_rows(const struct traceback *t, struct pending *p, struct text text,
                         struct text name, const uint32_t *rows, size_t count)
{
    bool consequence = false;
    for (size_t i = 0; i < count && p->row_count < PENDING_ROWS; i++) {
        if (ours(t, rows[i]))
            continue;
        p->rows[p->row_count++] = rows[i];
        consequence |= t->table->rows[rows[i]].strength == STRENGTH_CONSEQUENCE;
    }
    if (consequence || rows_name(t, p->rows, p->row_count, "crash") || p->row_count == PENDING_ROWS)
        return;
    uint32_t own = t->exception;
    if (text_ends(name, "KeyboardInterrupt") || text_ends(name, "SystemExit"))
        own = t->interrupted;
    else if (name_of_peer(name))
        own = t->peer;
    else if (says_nonfinite(text) || rows_name(t, p->rows, p->row_count, "nan-loss") ||
             rows_name(t, p->rows, p->row_count, "nan-gradient"))
        own = t->nonfinite;
    if (own < t->table->row_count)
        p->rows[p->row_count++] = own;
    /* Whoever breaks off a run breaks it off where it waits. */
    if (own == t->interrupted && t->waits && p->row_count < PENDING_ROWS)
        p->rows[p->row_count++] = t->stuck;
}

/* Room for one more; NULL where it is told already, or there is none. */
static struct pending *pending_add(struct traceback *t, const struct message_seen *seen,
                                   struct text line, size_t column)
{
    if (!t->pending)
        t->pending = arena_take(t->arena, PENDING_MAX, sizeof *t->pending);
    if (!t->pending || t->count == PENDING_MAX)
        return NULL;
    if (t->count == t->certain)
        t->progress = 0;
    struct pending *p = &t->pending[t->count];
    p->seen = *seen;
    p->seen.column = column;
    p->row_count = 0;
    p->size = line.size < LINE_KEPT ? line.size : LINE_KEPT;
    memcpy(p->line, line.data, p->size);
    return p;
}

/* Counts the one just filled, unless it only repeats another: every rank tells the same. */
static void pending_count(struct traceback *t)
{
    const struct pending *p = &t->pending[t->count];
    for (size_t i = 0; i < t->count; i++)
        if (t->pending[i].row_count == p->row_count &&
            memcmp(t->pending[i].rows, p->rows, p->row_count * sizeof *p->rows) == 0)
            return;
    t->count += p->row_count > 0;
}

/* Of a line without its numbers: what the same exception says again. */
static uint64_t line_hash(const char *data, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        if (data[i] < '0' || data[i] > '9')
            hash = (hash ^ (uint8_t)data[i]) * 1099511628211u;
    return hash;
}

static bool known(const struct traceback *t, struct text text)
{
    const uint64_t hash = line_hash(text.data, text.size < LINE_KEPT ? text.size : LINE_KEPT);
    for (size_t i = 0; i < t->known_count; i++)
        if (t->known[i] == hash)
            return true;
    return false;
}

/* The run goes on: whatever looks like these is no end either. */
static void pending_drop(struct traceback *t)
{
    for (size_t i = t->certain; i < t->count && t->known_count < KNOWN_MAX; i++) {
        const struct pending *p = &t->pending[i];
        t->known[t->known_count++] = line_hash(
            p->line + p->seen.column, p->size > p->seen.column ? p->size - p->seen.column : 0);
    }
    t->count = t->certain;
}

/* Nothing but a heading, or the node it happened in. */
static bool says_nothing(struct text text)
{
    return text_ends(text, ":") || text_ends(text, "}}");
}

static void exception_keep(struct traceback *t, struct text line, struct text text,
                           struct text name, const struct message_seen *seen, const uint32_t *rows,
                           size_t count)
{
    t->after = 0;
    const bool zero = text_ends(name, "SystemExit") && text_ends(text_trim(text), "0");
    if (t->ignore || t->done || t->keep || zero || known(t, text))
        return;
    if (t->replace && t->count > t->certain)
        t->count--;
    struct pending *p = pending_add(t, seen, line, (size_t)(text.data - line.data));
    if (!p)
        return;
    pending_rows(t, p, text, name, rows, count);
    const bool unsaid = p->row_count == 1 && p->rows[0] == t->exception && says_nothing(text);
    const size_t before = t->count;
    pending_count(t);
    t->unsaid_at = unsaid && t->count > before ? seen->place.line : 0;
    t->replace = has_row(t, rows, count, t->worker) || text_ends(name, "ProcessRaisedException");
}

/* `InvalidArgumentError: Graph execution error:` and, after a list of calls, what happened: one
   failure, of which the line below speaks. */
static bool below_keep(struct traceback *t, struct text line, size_t content,
                       const struct message_seen *seen, const uint32_t *rows, size_t count)
{
    const bool close = t->unsaid_at > 0 && seen->place.line - t->unsaid_at <= BELOW_LINES;
    bool ends = false;
    for (size_t i = 0; i < count; i++)
        ends = ends || (!ours(t, rows[i]) && ends_run(t, rows[i]) &&
                        t->table->rows[rows[i]].strength != STRENGTH_CONSEQUENCE);
    if (!close || !ends || t->count == t->certain)
        return false;
    t->unsaid_at = 0;
    t->count--;
    struct pending *p = pending_add(t, seen, line, content);
    const struct text none = {0};
    pending_rows(t, p, text_cut(line, content, line.size), none, rows, count);
    pending_count(t);
    return true;
}

/* Rows that say that the run ends are kept back until it is seen to end; the others are left. */
static size_t ends_keep(struct traceback *t, struct text line, size_t content,
                        const struct message_seen *seen, uint32_t *rows, size_t count)
{
    if (below_keep(t, line, content, seen, rows, count))
        return 0;
    struct pending *p = NULL;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (ours(t, rows[i]))
            continue;
        if (ends_run(t, rows[i]) && !p)
            p = pending_add(t, seen, line, content);
        if (ends_run(t, rows[i]) && p && p->row_count < PENDING_ROWS)
            p->rows[p->row_count++] = rows[i];
        else if (!ends_run(t, rows[i]) || !t->pending)
            rows[left++] = rows[i];
    }
    if (p)
        pending_count(t);
    return left;
}

static void block_open(struct traceback *t, struct text line, const struct message_seen *seen)
{
    const uint64_t number = seen->place.line;
    size_t size = text_find(line, TEXT("Traceback (most recent"));
    if (text_ends(text_cut(line, 0, size), "Original "))
        size -= strlen("Original ");
    t->prefix_size = size < PREFIX_MAX ? size : 0;
    memcpy(t->prefix, line.data, t->prefix_size);
    t->prefixed = false;
    t->ignore = t->ignored_at > 0 && number <= t->ignored_at + IGNORED_LINES;
    t->open = true;
    t->waits = false;
    t->lines = 0;
    t->at = *seen;
}

static void block_close(struct traceback *t)
{
    t->open = t->ignore = t->keep = false;
}

/* Between blocks: words that chain the next one to the last. */
static void chain_read(struct traceback *t, struct text text)
{
    if (text_starts(text, "During handling of the above exception"))
        t->keep = true;
    else if (text_starts(text, "The above exception was the direct cause"))
        t->replace = true;
}

/* A line of source inside a block: far in, or numbered as a notebook prints it, with or without an
   arrow. What it says in words, the run did not say. */
static bool source_line(struct text text)
{
    size_t at = 0;
    while (at < text.size && text.data[at] == ' ')
        at++;
    const size_t far = at;
    while (at < text.size && (text.data[at] == '-' || text.data[at] == '>'))
        at++;
    if (at > far && at < text.size && text.data[at] == ' ')
        at++;
    size_t digits = at;
    while (digits < text.size && text.data[digits] >= '0' && text.data[digits] <= '9')
        digits++;
    const bool numbered = digits > at && digits < text.size && text.data[digits] == ' ';
    return far >= 4 || (at > 0 && numbered);
}

size_t traceback_line(struct traceback *t, struct text line, size_t content,
                      const struct message_seen *seen, uint32_t *rows, size_t row_count)
{
    const bool shares = t->open && t->prefix_size > 0 && line.size >= t->prefix_size &&
                        memcmp(line.data, t->prefix, t->prefix_size) == 0;
    if (shares) {
        t->prefixed = true;
        content = t->prefix_size;
    }
    const struct text text = text_trim(text_cut(line, content, line.size));
    struct text name = {0};
    if (shares || !t->open || !t->prefixed)
        name = name_take(text);
    if (t->after < CHAIN_LINES)
        t->after++;
    if (has_row(t, rows, row_count, t->ignored)) {
        t->ignored_at = seen->place.line;
        return ends_keep(t, line, content, seen, rows, row_count);
    }
    if (has_row(t, rows, row_count, t->header)) {
        block_open(t, line, seen);
        if (text_find(line, TEXT("call last):\\n")) == line.size)
            return ends_keep(t, line, content, seen, rows, row_count);
        /* The whole block is printed as one escaped text. */
        exception_keep(t, line, text, (struct text){0}, seen, rows, row_count);
        block_close(t);
        return 0;
    }
    if (t->open && ++t->lines > BLOCK_LINES)
        block_close(t);
    const bool indented = content == 0 && line.size > 1 && line.data[0] == ' ';
    const bool dotted = memchr(name.data ? name.data : "", '.', name.size) != NULL;
    const bool ends = t->open && (name_is_exception(name) || (!indented && dotted));
    if (ends || (!t->open && line_is_exception(text, name))) {
        exception_keep(t, line, text, name, seen, rows, row_count);
        block_close(t);
        return 0;
    }
    if (!t->open)
        chain_read(t, text);
    else if (source_line(text_cut(line, shares ? content : 0, line.size))) {
        t->waits = t->waits || has_row(t, rows, row_count, t->stuck);
        return 0;
    }
    return ends_keep(t, line, content, seen, rows, row_count);
}

/* By epoch, then step, then batch, as far as both know them. */
static int position_compare(const struct position *a, const struct position *b)
{
    const int64_t of_a[] = {a->epoch, a->step, a->batch};
    const int64_t of_b[] = {b->epoch, b->step, b->batch};
    for (size_t i = 0; i < sizeof(of_a) / sizeof(of_a[0]); i++)
        if (of_a[i] != STEP_NONE && of_b[i] != STEP_NONE && of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

void traceback_progress(struct traceback *t, const struct position *position)
{
    const int order = t->placed ? position_compare(position, &t->position) : 1;
    t->done = t->done && order == 0;
    t->position = *position;
    t->placed = true;
    if (t->count == t->certain)
        return;
    if (order < 0)
        t->certain = t->count; /* it begins again */
    else if (order > 0 && ++t->progress >= SURVIVED)
        pending_drop(t);
}

/* Of a run that was never seen to train that is no news: loops say it on every way out. */
void traceback_done(struct traceback *t)
{
    t->done = t->placed;
}

static bool pending_send(struct traceback *t, struct sink *sink, struct error *error)
{
    for (size_t i = 0; i < t->count; i++) {
        struct pending *p = &t->pending[i];
        p->seen.line = (struct text){p->line, p->size};
        for (size_t k = 0; k < p->row_count; k++) {
            p->seen.message = p->rows[k];
            if (!sink->message(sink, &p->seen, error))
                return false;
        }
    }
    t->count = t->certain = 0;
    return true;
}

bool traceback_restart(struct traceback *t, struct sink *sink, struct error *error)
{
    t->done = false;
    block_close(t);
    return pending_send(t, sink, error);
}

/* A notebook's header names the exception before the block: it may be a person who broke it off. */
static bool header_interrupts(const struct traceback *t)
{
    const struct text before = text_trim((struct text){t->prefix, t->prefix_size});
    return text_ends(before, "KeyboardInterrupt");
}

/* The input ends inside a block: the run died, of what is not said but by the header. */
static void cut_keep(struct traceback *t)
{
    const struct text header = TEXT("Traceback (most recent call last):");
    const bool cut = t->open && t->lines > 0 && !t->ignore && !t->done && t->count == t->certain;
    const uint32_t row = header_interrupts(t) ? t->interrupted : t->cut;
    struct pending *p = cut && row < t->table->row_count ? pending_add(t, &t->at, header, 0) : NULL;
    if (!p)
        return;
    p->rows[p->row_count++] = row;
    pending_count(t);
}

bool traceback_finish(struct traceback *t, struct sink *sink, struct error *error)
{
    cut_keep(t);
    block_close(t);
    return pending_send(t, sink, error);
}
