/* Fixed texts, the life of the run, and the silences between time stamps. */
/* SPDX-License-Identifier: MIT */
#include "collector.h"

enum { MESSAGE_BYTES = 400, QUIET_LINES = 3 };
#define ABSOLUTE_TIME 1e8 /* seconds: over it a date, under it a time of day or elapsed */
#define GAP_LEAST 1e-3    /* seconds: the first bin */

static void end_follow(struct tape *tape, const struct place *place)
{
    if (place->line > tape->end.line)
        tape->end = *place;
}

static bool message_keep(struct tape *tape, struct message *message,
                         const struct message_seen *seen)
{
    if (message->kept_count == LIMIT_MESSAGES)
        return true;
    const struct text line = arena_text(&tape->arena, text_cut(seen->line, 0, MESSAGE_BYTES));
    if (!line.data)
        return false;
    if (message->kept_count == 0)
        message->line = line;
    message->kept[message->kept_count++] = line;
    return true;
}

static bool message_facts(struct tape *tape, const struct message_seen *seen, struct error *error)
{
    const struct message_table *table = tape->collector->options.messages;
    const struct message_row *row = &table->rows[seen->message];
    for (size_t i = 0; i < row->fact_count; i++) {
        const struct message_fact *fact = &row->facts[i];
        const struct text value =
            message_fact_value(table, seen->message, fact, seen->line, seen->column);
        if (value.size > 0 &&
            !fact_tell(tape, fact->key, value, FACT_MESSAGE, false, &seen->place, error))
            return false;
    }
    return true;
}

/* Half a power of two a bin: exponent and first digit of the binary number. */
static size_t bin_of(double seconds)
{
    const double scaled = seconds / GAP_LEAST;
    if (!(scaled >= 1))
        return 0;
    uint64_t bits;
    memcpy(&bits, &scaled, sizeof(bits));
    const uint64_t bin = (bits >> 51) - 2 * 1023 + 1;
    return bin < GAP_BINS ? (size_t)bin : GAP_BINS - 1;
}

static double bin_top(size_t bin)
{
    return bin == 0 ? GAP_LEAST : ldexp(bin % 2 ? 1.5 : 2, (int)(bin - 1) / 2) * GAP_LEAST;
}

static void gap_keep(struct gap *gaps, size_t *count, const struct gap *gap)
{
    size_t at = *count;
    while (at > 0 && gaps[at - 1].seconds < gap->seconds)
        at--;
    if (at == GAPS_MAX)
        return;
    if (*count < GAPS_MAX)
        ++*count;
    memmove(&gaps[at + 1], &gaps[at], (*count - at - 1) * sizeof(*gaps));
    gaps[at] = *gap;
}

static void silence(struct stream *stream, double time, const struct place *place)
{
    const double seconds = time - stream->time_last;
    if (!(seconds >= 0))
        return;
    stream->gap_bins[bin_of(seconds)]++;
    if (stream->gap_count == GAPS_MAX && seconds <= stream->gaps[GAPS_MAX - 1].seconds)
        return;
    const struct place *quiet = &stream->quiet;
    const struct gap gap = {.seconds = seconds,
                            .before = stream->time_place,
                            .after = *place,
                            .step = stream->last_step,
                            .explained = quiet->line > 0 && quiet->line < place->line &&
                                         quiet->line + QUIET_LINES > stream->time_place.line};
    gap_keep(stream->gaps, &stream->gap_count, &gap);
}

static inline void time_follow(struct stream *stream, double time, const struct place *place)
{
    const bool absolute = time > ABSOLUTE_TIME, before = stream->time_last > ABSOLUTE_TIME;
    if (!isnan(stream->time_last) && absolute != before) {
        if (before) /* elapsed times between dates say nothing new */
            return;
        stream->time_first = (double)NAN;
        stream->gap_count = 0;
        stream->stamps = 0;
        memset(stream->gap_bins, 0, sizeof(stream->gap_bins));
    } else if (!isnan(stream->time_last)) {
        silence(stream, time, place);
    }
    if (isnan(stream->time_first))
        stream->time_first = time;
    stream->time_last = time;
    stream->time_place = *place;
    stream->stamps++;
}

/* A date as stamps without a year have it: in 1970, where it has no 29th of February. */
static double yearless(double time)
{
    enum { DAY = 86400, FEBRUARY_ENDS = 59 };
    int64_t days = (int64_t)(time / DAY), year = 1970, length = 365;
    const double of_day = time - (double)days * DAY;
    for (; days >= length; length = 365 + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))) {
        days -= length;
        year++;
    }
    if (length == 366 && days >= FEBRUARY_ENDS)
        days--;
    return (double)(days * DAY) + of_day;
}

/* The date that a text tells of itself goes on with stamps that are dates, with a year or not. What
   is whole half hours behind them is told by a clock of another zone. */
static void said_follow(struct stream *stream, double said, const struct place *place)
{
    enum { STAMPS_LEAST = 20 }; /* of fewer nothing says that they come evenly */
    static const double least = 86400, most = 7 * 86400.0, zone = 1800, usual = 10;
    const bool absolute = stream->time_last > ABSOLUTE_TIME;
    const double time = absolute ? said : yearless(said), since = time - stream->time_last;
    const double pace = (stream->time_last - stream->time_first) / (double)stream->stamps;
    const bool elsewhere = since >= zone && fmod(since, zone) <= usual * pace;
    if (stream->stamps >= STAMPS_LEAST && stream->time_last > least && since >= 0 &&
        since <= most && !elsewhere)
        time_follow(stream, time, place);
}

bool tape_message(struct sink *sink, const struct message_seen *seen, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    struct stream *stream = tape_stream(tape, seen->rank);
    if (!stream)
        return memory_ended(error);
    const struct message_row *row = &tape->collector->options.messages->rows[seen->message];
    end_follow(tape, &seen->place);
    struct message *message = NULL;
    for (size_t i = stream->message_count; i > 0 && !message; i--)
        if (stream->messages[i - 1].row == row)
            message = &stream->messages[i - 1];
    if (!message) {
        if (stream->message_count >= STREAM_MESSAGES)
            return true;
        if (!ROOM(&tape->arena, stream->messages, stream->message_count, stream->message_capacity))
            return memory_ended(error);
        message = &stream->messages[stream->message_count++];
        *message = (struct message){.row = row,
                                    .place = seen->place,
                                    .column = seen->column,
                                    .step = seen->step,
                                    .time = seen->time,
                                    .rank = seen->rank};
    }
    if (!message_facts(tape, seen, error))
        return false;
    if (seen->said > 0)
        said_follow(stream, seen->said, &seen->place);
    message->count++;
    message->last_place = seen->place;
    message->last_step = seen->step;
    return message_keep(tape, message, seen) || memory_ended(error);
}

/* A banner or a resume after rows: what follows is a turn of its own, whatever it prints first. */
static bool life_turns(struct stream *stream, const struct life *life)
{
    /* A resume tells itself; a banner only behind rows with places. */
    bool stands = life->event == EVENT_RESUME &&
                  stream->last_line > stream->turns[stream->turn_count - 1].line;
    for (size_t i = 0; i < OWN_FIELDS; i++)
        stands = stands || stream->progress[0][i].last != STEP_NONE;
    if (!stands || (life->event != EVENT_RESUME && life->event != EVENT_START) ||
        stream->turn_count >= TURNS_MAX)
        return true;
    if (!turn_open(stream, life->place.line, life->place.offset))
        return false;
    struct turn *turn = &stream->turns[stream->turn_count - 1];
    turn->resumed = turn->resumed || life->event == EVENT_RESUME;
    turn->started = turn->started || life->event == EVENT_START;
    turn->started_line = life->place.line;
    return true;
}

static void life_apply(struct stream *stream, const struct life *life)
{
    if (life->event == EVENT_RESUME)
        stream->resumed = true;
    if (life->event == EVENT_START) {
        stream->started = true;
        stream->started_line = life->place.line;
    }
    if (life->event == EVENT_SAVE && life->state > 0)
        stream->saved = life->state;
    if (life->event != EVENT_END)
        stream->quiet = life->place;
}

/* A state of the last steps (of epochs where the run counts those), not of long ago; where none are
   printed, the one that was saved last. */
static bool stands_at(const struct stream *stream, int64_t state)
{
    static const double ahead = 1.1; /* what a bar printed last may not be told yet */
    const int64_t last = stream->trained != STEP_NONE ? stream->trained : stream->last_step;
    const double step = (double)last, number = (double)state;
    if (last == STEP_NONE)
        return stream->saved > 0 && state == stream->saved;
    return number <= ahead * step && 2 * number >= step;
}

bool tape_life(struct sink *sink, const struct life *said, struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    struct stream *stream = tape_stream(tape, said->rank);
    struct life heard = *said;
    const struct life *life = &heard;
    if (!stream)
        return memory_ended(error);
    end_follow(tape, &said->place);
    if (said->event == EVENT_LOAD && !stands_at(stream, said->state))
        return true;
    const bool restarts = said->event == EVENT_RESTART;
    if (said->event == EVENT_LOAD || restarts)
        heard.event = EVENT_RESUME;
    for (size_t i = 0; i < tape->stream_count; i++)
        if (life->rank == -1 || tape->streams[i]->rank == life->rank) {
            if (!life_turns(tape->streams[i], life))
                return memory_ended(error);
            struct turn *turn = &tape->streams[i]->turns[tape->streams[i]->turn_count - 1];
            turn->restarted = turn->restarted || (restarts && turn->resumed);
            life_apply(tape->streams[i], life);
        }
    struct life_seen *same = NULL;
    size_t of_kind = 0;
    for (size_t i = 0; i < stream->life_count; i++)
        if (stream->lives[i].event == life->event) {
            same = &stream->lives[i];
            of_kind++;
        }
    const struct life_seen seen = {life->event, life->place, life->step, life->time};
    if (of_kind >= LIVES_MAX / 4 && same) { /* the last stands for the rest */
        *same = seen;
        return true;
    }
    if (!ROOM(&tape->arena, stream->lives, stream->life_count, stream->life_capacity))
        return memory_ended(error);
    stream->lives[stream->life_count++] = seen;
    return true;
}

bool tape_time(struct sink *sink, double time, const struct place *place, int32_t rank,
               struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    if (!isfinite(time))
        return true;
    struct stream *stream = tape_stream(tape, rank);
    if (!stream)
        return memory_ended(error);
    end_follow(tape, place);
    time_follow(stream, time, place);
    return true;
}

/* Times from row `from` on that follow one another as most do: how many. None of them makes a gap
   that is kept. */
static size_t times_usual(struct stream *stream, const struct rows *rows, uint32_t input,
                          size_t from)
{
    double before = stream->time_last;
    const bool absolute = before > ABSOLUTE_TIME;
    size_t i = from;
    if (stream->gap_count < GAPS_MAX)
        return 0;
    for (const double longest = stream->gaps[GAPS_MAX - 1].seconds; i < rows->count; i++) {
        const double time = rows->times[i], seconds = time - before;
        if (!(seconds >= 0 && seconds <= longest) || (time > ABSOLUTE_TIME) != absolute)
            break;
        stream->gap_bins[bin_of(seconds)]++;
        before = time;
    }
    if (i == from)
        return 0;
    stream->time_last = before;
    stream->time_place = (struct place){input, rows->lines[i - 1], rows->offsets[i - 1]};
    stream->stamps += i - from;
    return i - from;
}

bool tape_times(struct sink *sink, const struct rows *rows, uint32_t input, int32_t rank,
                struct error *error)
{
    struct tape *tape = (struct tape *)sink;
    struct stream *stream = NULL;
    struct place place = tape->end;
    for (size_t i = 0; i < rows->count;) {
        if (!isfinite(rows->times[i])) {
            i++;
            continue;
        }
        if (!stream && !(stream = tape_stream(tape, rank)))
            return memory_ended(error);
        const size_t usual = times_usual(stream, rows, input, i);
        i += usual > 0 ? usual : 1;
        place = (struct place){input, rows->lines[i - 1], rows->offsets[i - 1]};
        if (usual == 0)
            time_follow(stream, rows->times[i - 1], &place);
    }
    end_follow(tape, &place);
    return true;
}

void stream_time(const struct stream *stream, struct run_time *time)
{
    *time = (struct run_time){.first = stream->time_first,
                              .last = stream->time_last,
                              .stamps = stream->stamps,
                              .gap_count = stream->gap_count};
    uint64_t all = 0, seen = 0;
    for (size_t i = 0; i < GAP_BINS; i++)
        all += stream->gap_bins[i];
    double usual = 0;
    /* The longest is not what it is held against, however few they are. */
    const double most = all > 1 ? fmin(0.99 * (double)all, (double)all - 1) : (double)all;
    for (size_t i = 0; i < GAP_BINS && (double)seen < most; i++) {
        seen += stream->gap_bins[i];
        usual = bin_top(i);
    }
    memcpy(time->gaps, stream->gaps, sizeof(time->gaps));
    for (size_t i = 0; i < time->gap_count; i++)
        time->gaps[i].usual = usual;
}

void gaps_merge(struct run_time *time, const struct run_time *other)
{
    if (isnan(time->first) || other->first < time->first)
        time->first = other->first;
    if (isnan(time->last) || other->last > time->last)
        time->last = other->last;
    time->stamps += other->stamps;
    for (size_t i = 0; i < other->gap_count; i++)
        gap_keep(time->gaps, &time->gap_count, &other->gaps[i]);
}
