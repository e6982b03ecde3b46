/* The format `text`: any text with numbers, read by line templates. */
/* SPDX-License-Identifier: MIT */
#include "read/log/ahead.h"
#include "read/log/bytes.h"
#include "read/log/feed.h"
#include "read/log/fetch.h"
#include "read/log/pattern.h"
#include "read/log/reader.h"
#include "read/log/screen.h"
#include "read/log/sentence.h"
#include "read/log/stanza.h"
#include "read/log/table.h"
#include "read/log/tail.h"

#include <string.h>

enum {
    SCORE_TEXT = 10,
    SCORE_EMPTY = 1,
    CONTROL_PERMILLE = 50, /* more is no text */
    HEAD_BYTES = 256 << 10,
    LEARN_WINDOWS = 4, /* whose first bytes are asked for ranks in front of the lines */
    ROWS_MET = 32,     /* fixed texts of one line */
    RECENT_BYTES = 4096,
    ENTRY_USEFUL = ENTRY_ROW | ENTRY_BOX | ENTRY_MESSAGE | ENTRY_SETTING | ENTRY_LIFE |
                   ENTRY_PHASE | ENTRY_PAIR | ENTRY_FACTS,
};

static bool is_utf16(struct span head)
{
    return head.size >= 2 && ((head.data[0] == 0xFF && head.data[1] == 0xFE) ||
                              (head.data[0] == 0xFE && head.data[1] == 0xFF));
}

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    if (head.size == 0)
        return SCORE_EMPTY;
    if (is_utf16(head))
        return SCORE_TEXT;
    size_t controls = 0, newlines = 0, bytes = 0;
    bool hole = true; /* of zeros between lines, as a file has that was truncated while written */
    for (size_t i = 0; i < head.size; i++) {
        uint8_t c = head.data[i];
        hole = (hole && c == 0) || c == '\n' || c == '\r';
        if (hole && c == 0)
            continue;
        controls += c < 0x20 && !strchr("\t\n\r\b\f\033\a", c);
        controls += c == 0 || c == 0x7F;
        newlines += c == '\n' || c == '\r';
        bytes++;
    }
    if (controls * 1000 > bytes * CONTROL_PERMILLE)
        return 0;
    return bytes > 0 && (newlines > 0 || controls == 0) ? SCORE_TEXT : 0;
}

/* ---- Fixed messages ---- */

struct met {
    uint32_t rows[ROWS_MET];
    size_t columns[ROWS_MET], count;
};

static void note(void *context, uint32_t row, size_t column)
{
    struct met *met = context;
    if (met->count == ROWS_MET)
        return;
    met->rows[met->count] = row;
    met->columns[met->count++] = column;
}

static size_t column_of(const struct met *met, uint32_t row)
{
    for (size_t i = 0; i < met->count; i++)
        if (met->rows[i] == row)
            return met->columns[i];
    return 0;
}

static bool messages_of(struct reader *reader, const struct line *line, bool possible,
                        struct error *error)
{
    const struct message_table *table = reader->reading->messages;
    struct stream *stream = reader->stream;
    if (!table)
        return true;
    if (!stream->traceback) {
        stream->traceback = traceback_open(reader->arena, table);
        if (!stream->traceback)
            return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                             "no memory for tracebacks");
    }
    struct met met = {.count = 0};
    size_t content = (size_t)(line->content.data - line->raw.data);
    if (possible)
        message_search(table, line->raw, content, note, &met);
    struct message_seen seen = {
        .place = {reader->input, line->number, line->offset},
        .line = line->raw,
        .rank = stream->rank,
        .step = stream->placed ? stream->position.step : STEP_NONE,
        .time = line->time,
        .said = met.count > 0 && isnan(line->time) ? time_said(line->raw) : 0,
    };
    uint32_t rows[ROWS_MET];
    size_t count = met.count;
    memcpy(rows, met.rows, sizeof rows);
    if (traceback_wants(stream->traceback, rows, count))
        count = traceback_line(stream->traceback, line->raw, content, &seen, rows, count);
    if (count > 0 && !batch_flush(reader, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        seen.message = rows[i];
        seen.column = column_of(&met, rows[i]);
        if (!reader->sink->message(reader->sink, &seen, error))
            return false;
    }
    return true;
}

/* ---- One line ---- */

static bool line_settings(struct reader *reader, const struct line *line, const struct entry *entry,
                          struct error *error)
{
    if (!(entry->flags & (ENTRY_SETTING | ENTRY_PAIR)))
        return true;
    if ((entry->flags & ENTRY_PAIR) && (entry->flags & ENTRY_PLACED))
        return true;
    struct stream *stream = reader->stream;
    if ((entry->flags & ENTRY_DUMP) && line->number > stream->last_dump + DUMPS_APART) {
        if (!life_line(reader, line, EVENT_START, error))
            return false;
    }
    if (entry->flags & ENTRY_SETTING)
        stream->last_dump = line->number;
    return settings_line(reader, line, error);
}

/* Tables, boxes and headings; *taken says that nothing else is to be read. */
static bool line_gates(struct reader *reader, const struct line *line, const struct entry *entry,
                       bool *taken, struct error *error)
{
    struct stream *stream = reader->stream;
    uint32_t flags = entry->flags;
    *taken = true;
    if (flags & ENTRY_RULE)
        return box_close(reader, stream, error);
    stream->lines++;
    *taken = false;
    if (flags & ENTRY_BOX) {
        if (!box_line(reader, line, taken, error) || *taken)
            return *taken;
    } else if (stream->box && !box_close(reader, stream, error)) {
        return false;
    }
    const bool listed = text_ends(line->content, "]") || text_ends(line->content, "])");
    if (((flags & ENTRY_BRACES) || listed) && (!history_row(reader, line, taken, error) || *taken))
        return *taken;
    if (flags & ENTRY_ROW) {
        if (!table_line(reader, line, taken, error))
            return false;
        if (*taken)
            return true;
    }
    if ((flags & ENTRY_HEAD) && !ring_add(reader, line, error))
        return false;
    if (flags & ENTRY_PHASE)
        stream->heading = (enum phase)entry->phase;
    return true;
}

static bool entry_apply(struct reader *reader, const struct line *line, const struct entry *entry,
                        const struct plan *plan, struct error *error)
{
    bool taken = false;
    reader->counts.with_number += (entry->flags & ENTRY_NUMBERS) != 0;
    if (!messages_of(reader, line, (entry->flags & ENTRY_MESSAGE) != 0, error) ||
        ((entry->flags & ENTRY_LIFE) &&
         !(entry->event == EVENT_END && (entry->flags & ENTRY_PLACED)) &&
         !life_line(reader, line, (enum event)entry->event, error)) ||
        !line_settings(reader, line, entry, error))
        return false;
    uint32_t flags = entry->flags;
    if (!line_gates(reader, line, entry, &taken, error))
        return false;
    bool dump = (flags & ENTRY_DUMP) && !(flags & ENTRY_FACTS);
    if (dump || ((flags & ENTRY_FACTS) && !(flags & ENTRY_PLACED)))
        plan = NULL; /* to the facts alone */
    if (taken || plan) {
        reader->counts.understood += (flags & ENTRY_NUMBERS) != 0;
        return taken || plan_apply(reader, line, plan, error);
    }
    reader->counts.dead += (flags & ENTRY_NUMBERS) != 0;
    return true;
}

static bool content_read(struct reader *reader, struct line *line, struct error *error)
{
    struct text rest = line->content;
    for (size_t records = 0; rest.size > 0 && records < PARTS_MAX; records++) {
        bool fresh;
        struct plan *plan = NULL;
        line->content = rest;
        line_cut(reader, rest, &reader->cut);
        line->content.size = reader->cut.size;
        rest = text_cut(rest, reader->cut.size, rest.size);
        struct entry *entry = template_find(reader, line, &fresh, error);
        if (!entry)
            return false;
        if (fresh) {
            if (!understand(reader, line, entry, &plan, error))
                return false;
            if (plan) {
                entry = template_guard(reader, entry, line);
                if (!template_keep(reader, entry, plan, error))
                    return false;
            }
        } else {
            plan = entry->plan;
        }
        if ((records == 0 && !stanza_line(reader, line, entry, plan, error)) ||
            !entry_apply(reader, line, entry, plan, error))
            return false;
        screen_note(reader, plan || (entry->flags & ENTRY_USEFUL));
        if (plan && !reader->in_stanza && !reader->stream->tie.begun)
            pattern_learn(reader, line, entry, plan, fresh);
    }
    return stanza_behind(reader, error);
}

static bool piece_read(struct reader *reader, struct line *line, struct error *error)
{
    if (line->raw.size > LIMIT_LINE) {
        line->raw.size = LIMIT_LINE_PART;
        reader->counts.cut++;
    }
    while (line->raw.size > 0 && line->raw.data[0] == '\0')
        line->raw = text_cut(line->raw, 1, line->raw.size);
    prefix_strip(reader, line);
    if (!stream_of(reader, line->rank, error))
        return false;
    if (!isnan(line->time)) {
        const struct place place = {reader->input, line->number, line->offset};
        if (!reader->sink->time(reader->sink, line->time, &place, line->rank, error))
            return false;
    }
    if (line->content.size == 0)
        return stanza_close(reader, error) && box_close(reader, reader->stream, error);
    bool listed;
    if (!listing_line(reader, line, &listed, error) || listed)
        return listed;
    if (!nest_line(reader, line, error))
        return false;
    history_hear(reader, line);
    const struct text content = line->content;
    return content_read(reader, line, error) && history_gather(reader, line, content, error);
}

/* ---- The driver ---- */

struct feed {
    struct fetch fetch;
    uint64_t offset; /* of the window in the input */
    uint64_t lines;
    bool skipping;             /* the rest of a line that is too long */
    bool continued;            /* the line at the start of the window began earlier */
    char recent[RECENT_BYTES]; /* read last, in front of the window */
    size_t recent_size;
};

static bool physical_read(struct reader *reader, struct feed *feed, struct text text, bool ends,
                          struct error *error)
{
    if (!feed->continued) {
        feed->lines++;
        reader->counts.lines++;
    }
    struct line line = {
        .number = feed->lines,
        .offset = feed->offset + (uint64_t)(text.data - feed->fetch.buffer),
        .seen = text_cut(text, 0, LIMIT_LINE_PART),
    };
    bool skip = feed->skipping;
    feed->continued = !ends;
    if (ends)
        feed->skipping = false;
    return skip || line_split(reader, text, feed->fetch.special, &line, piece_read, error);
}

static char *last_return(char *data, size_t size)
{
    while (size > 0)
        if (data[--size] == '\r')
            return data + size;
    return NULL;
}

/* The buffer is full without a line end: redraws go on, of another line the head is read. */
static bool long_read(struct reader *reader, struct feed *feed, size_t *used, struct error *error)
{
    struct fetch *fetch = &feed->fetch;
    char *end = last_return(fetch->buffer, fetch->size);
    if (end) {
        *used = (size_t)(end - fetch->buffer) + 1;
        return physical_read(reader, feed, (struct text){fetch->buffer, *used - 1}, false, error);
    }
    *used = fetch->size;
    bool read = physical_read(reader, feed, (struct text){fetch->buffer, *used}, false, error);
    reader->counts.cut += !feed->skipping;
    feed->skipping = true;
    return read;
}

/* Lines that need no look at each of their tokens; *used is 0 where the first is none of them. */
static bool quick_read(struct reader *reader, struct feed *feed, size_t start, size_t *used,
                       struct error *error)
{
    const struct fetch *fetch = &feed->fetch;
    const struct text rest = {fetch->buffer + start, fetch->size - start};
    const uint64_t number = feed->lines + 1, offset = feed->offset + start;
    size_t lines = 1;
    *used = 0;
    if (fetch->special || feed->continued || reader->in_stanza || reader->in_history)
        return true;
    if (!pattern_read(reader, rest, number, offset, used, &lines, error) ||
        (!*used && !screen_pass(reader, rest, number, offset, used, &lines, error)))
        return false;
    feed->lines += *used ? lines : 0;
    return true;
}

/* The last word of a line in which the bytes were cut may be half of one: `lr 2.4` of 2.4e-05. */
static void cut_word_drop(struct fetch *fetch)
{
    while (fetch->size > 0 && !strchr(" \t\n", fetch->buffer[fetch->size - 1]))
        fetch->size--;
}

/* Where the last line, which nobody ended, is sound. */
static size_t last_end(const struct feed *feed, size_t start)
{
    const struct fetch *fetch = &feed->fetch;
    const struct text before = start > 0 ? (struct text){fetch->buffer, start}
                                         : (struct text){feed->recent, feed->recent_size};
    return start + tail_size(before, (struct text){fetch->buffer + start, fetch->size - start});
}

static void recent_keep(struct feed *feed, size_t used)
{
    const size_t size = used < RECENT_BYTES ? used : RECENT_BYTES;
    if (size == 0)
        return;
    memcpy(feed->recent, feed->fetch.buffer + used - size, size);
    feed->recent_size = size;
}

static bool lines_read(struct reader *reader, struct feed *feed, bool last, struct error *error)
{
    struct fetch *fetch = &feed->fetch;
    size_t start = 0;
    while (start < fetch->size) {
        size_t used;
        if (!quick_read(reader, feed, start, &used, error))
            return false;
        start += used;
        if (used)
            continue;
        char *newline = memchr(fetch->buffer + start, '\n', fetch->size - start);
        if (!newline && !last)
            break;
        size_t end = newline ? (size_t)(newline - fetch->buffer) : fetch->size;
        if (!newline)
            end = last_end(feed, start);
        if (!physical_read(reader, feed, (struct text){fetch->buffer + start, end - start}, true,
                           error))
            return false;
        start = newline ? end + 1 : fetch->size;
    }
    if (start == 0 && fetch->size == FETCH_ROOM && !last)
        if (!long_read(reader, feed, &start, error))
            return false;
    screen_drop(reader);
    ahead_leave(reader);
    if (!batch_flush(reader, error))
        return false;
    recent_keep(feed, start);
    fetch_used(fetch, start);
    feed->offset += start;
    return true;
}

static bool skip_mark(struct feed *feed, struct reader *reader, struct error *error)
{
    struct fetch *fetch = &feed->fetch;
    const struct span head = {(const uint8_t *)fetch->buffer, fetch->size};
    if (is_utf16(head))
        return error_set(error, ERROR_UNSUPPORTED, input_place(reader->reading->input, 0),
                         "text in UTF-16 is not read; convert it to UTF-8 first");
    if (fetch->size >= 3 && memcmp(fetch->buffer, "\xEF\xBB\xBF", 3) == 0)
        memset(fetch->buffer, ' ', 3);
    return true;
}

static bool feed_run(struct reader *reader, struct feed *feed, struct error *error)
{
    struct fetch *fetch = &feed->fetch;
    bool first = true, sound = true;
    unsigned windows = 0;
    struct error damage = {.kind = ERROR_NONE};
    for (size_t got = 1; got > 0;) {
        sound = fetch_more(fetch, ahead_helper(reader), &got, &damage);
        if (!ahead_window(reader, feed->offset))
            return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                             "no memory to read a log");
        if (got > 0)
            fetch_ahead(fetch, ahead_helper(reader));
        if (first && !skip_mark(feed, reader, error))
            return false;
        first = false;
        if (windows < LEARN_WINDOWS && got > 0) {
            size_t head = fetch->size < HEAD_BYTES ? fetch->size : HEAD_BYTES;
            if (!head_learn(reader, (struct text){fetch->buffer, head}, error))
                return false;
            windows++;
        }
        if (!sound)
            cut_word_drop(fetch);
        if (!lines_read(reader, feed, got == 0, error))
            return false;
    }
    if (!sound && error)
        *error = damage;
    return sound;
}

static bool stream_finish(struct reader *reader, struct stream *stream, struct error *error)
{
    reader->stream = stream;
    return stanza_close(reader, error) && box_close(reader, stream, error) &&
           bar_close(reader, stream, true, error) &&
           (!stream->traceback || traceback_finish(stream->traceback, reader->sink, error));
}

static bool finish(struct reader *reader, struct error *error)
{
    for (size_t i = 0; reader->streams && i < STREAM_CHAINS; i++)
        for (struct stream *stream = reader->streams[i]; stream; stream = stream->next)
            if (!stream_finish(reader, stream, error))
                return false;
    if (!batch_flush(reader, error) || !templates_tell(reader, error) ||
        !reader->sink->counts(reader->sink, &reader->counts, error))
        return false;
    return !reader->starved || error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                                         "no memory for the names of a log");
}

static bool reader_open(struct reader *reader, struct error *error)
{
    struct arena *arena = reader->arena;
    reader->cut.tokens = arena_take(arena, TOKENS_MAX, sizeof *reader->cut.tokens);
    reader->cut.numbers = arena_take(arena, NUMBERS_MAX, sizeof *reader->cut.numbers);
    reader->values = arena_take(arena, COLUMNS_MAX, sizeof *reader->values);
    reader->places = arena_take(arena, COLUMNS_MAX, sizeof *reader->places);
    reader->scratch = arena_take(arena, LIMIT_LINE_MESSAGE, 1);
    if (!reader->cut.tokens || !reader->cut.numbers || !reader->values || !reader->places ||
        !reader->scratch)
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory to read a log");
    const char *path = input_path(reader->reading->input);
    reader->phase = phase_of_file(reader->vocabulary, path);
    reader->file_loss = loss_of_file(reader->vocabulary, path);
    if (!file_headed(reader, error)) /* its own head says more */
        return false;
    return templates_open(reader, error) && memos_open(reader, error) &&
           patterns_open(reader, error) && batch_open(reader, error);
}

static bool read(const struct reading *reading, struct error *error)
{
    struct reader *reader = arena_take(reading->scratch, 1, sizeof *reader);
    struct feed feed = {.lines = 0};
    bool done = false;
    if (!fetch_open(&feed.fetch, reading->input) || !reader) {
        error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "no memory to read a log");
    } else {
        *reader = (struct reader){
            .reading = reading,
            .sink = reading->sink,
            .arena = reading->scratch,
            .vocabulary = reading->vocabulary,
            .input = input_number(reading->input),
            .fetch = &feed.fetch,
        };
        if (reader_open(reader, error)) {
            done = feed_run(reader, &feed, error);
            struct error *late = done ? error : NULL; /* what was read is told in either case */
            done = finish(reader, late) && done;
        }
    }
    if (reader) { /* nothing looks at the window any longer */
        screen_drop(reader);
        ahead_drop(reader);
    }
    fetch_close(&feed.fetch, reader ? ahead_helper(reader) : NULL);
    if (reader)
        ahead_close(reader);
    return done;
}

/* ---- Lines from elsewhere ---- */

struct log_feed {
    struct reader reader;
};

struct log_feed *log_open(const struct reading *reading, struct error *error)
{
    struct log_feed *feed = arena_take(reading->scratch, 1, sizeof *feed);
    if (!feed) {
        error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "no memory to read a log");
        return NULL;
    }
    feed->reader = (struct reader){
        .reading = reading,
        .sink = reading->sink,
        .arena = reading->scratch,
        .vocabulary = reading->vocabulary,
        .input = input_number(reading->input),
    };
    return reader_open(&feed->reader, error) ? feed : NULL;
}

bool log_line(struct log_feed *feed, struct text text, struct place place, struct error *error)
{
    struct line line = {
        .number = place.line,
        .offset = place.offset,
        .seen = text_cut(text, 0, LIMIT_LINE_PART),
    };
    feed->reader.counts.lines++;
    return line_split(&feed->reader, text, text_special(text), &line, piece_read, error);
}

bool log_restart(struct log_feed *feed, struct place place, struct error *error)
{
    struct reader *reader = &feed->reader;
    const struct line line = {.number = place.line, .offset = place.offset, .time = NAN};
    for (size_t i = 0; reader->streams && i < STREAM_CHAINS; i++)
        for (struct stream *stream = reader->streams[i]; stream; stream = stream->next)
            if (!stream_finish(reader, stream, error) ||
                !life_line(reader, &line, EVENT_START, error))
                return false;
    return true;
}

bool log_close(struct log_feed *feed, struct error *error)
{
    return finish(&feed->reader, error);
}

const struct format format_text = {
    .name = "text",
    .about = "text logs of any program: pairs, dictionaries, tables, progress bars",
    .group = FORMAT_LOG,
    .probe = probe,
    .read = read,
};
