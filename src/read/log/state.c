/* What a stream remembers between lines: its place, its heading, its ranks. */
/* SPDX-License-Identifier: MIT */
#include "read/log/reader.h"

enum { STRONG_LINES = 200 }; /* how long a strong heading is evidence */

void position_clear(struct position *position)
{
    *position = position_nowhere();
}

void position_set(struct position *position, unsigned field, int64_t value)
{
    switch ((enum field)field) {
    case FIELD_STEP:
        position->step = value;
        break;
    case FIELD_STEP_TOTAL:
        position->step_total = value;
        break;
    case FIELD_BATCH:
        position->batch = value;
        break;
    case FIELD_BATCH_TOTAL:
        position->batch_total = value;
        break;
    case FIELD_EPOCH:
        position->epoch = value;
        break;
    case FIELD_EPOCH_TOTAL:
        position->epoch_total = value;
        break;
    case FIELD_COUNT:
        break;
    }
}

struct stream *stream_of(struct reader *reader, int32_t rank, struct error *error)
{
    if (reader->stream && reader->stream->rank == rank)
        return reader->stream;
    if (!reader->streams)
        reader->streams = arena_take(reader->arena, STREAM_CHAINS, sizeof *reader->streams);
    struct stream **chain =
        reader->streams ? &reader->streams[(uint32_t)rank % STREAM_CHAINS] : NULL;
    for (struct stream *stream = chain ? *chain : NULL; stream; stream = stream->next)
        if (stream->rank == rank)
            return reader->stream = stream;
    if (reader->stream_count == LIMIT_RANKS) /* the rest is read as one */
        return reader->stream;
    struct stream *stream = chain ? arena_take(reader->arena, 1, sizeof *stream) : NULL;
    if (!stream) {
        error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                  "no memory for the ranks of a log");
        return NULL;
    }
    stream->rank = rank;
    position_clear(&stream->position);
    stream->total = STEP_NONE;
    stream->next = *chain;
    *chain = stream;
    reader->stream_count++;
    return reader->stream = stream;
}

uint8_t position_grain(const struct position *position)
{
    uint8_t grain = 0;
    if (position->step != STEP_NONE)
        grain |= GRAIN_STEP;
    if (position->batch != STEP_NONE)
        grain |= GRAIN_BATCH;
    if (position->epoch != STEP_NONE || !isnan(position->epoch_fraction))
        grain |= GRAIN_EPOCH;
    return grain;
}

void position_inherit(const struct stream *stream, uint64_t line, struct position *position,
                      uint8_t *grain)
{
    *grain = position_grain(position);
    position->generation = stream->generation;
    const struct position *known = &stream->position;
    if (*grain == 0) {
        *grain = GRAIN_CARRIED;
        if (stream->placed) {
            uint32_t generation = position->generation;
            *position = *known;
            position->generation = generation;
        }
        position->strong = stream->placed && line <= stream->strong_until;
        return;
    }
    if (position->epoch == STEP_NONE && isnan(position->epoch_fraction) && stream->placed &&
        (position->step == STEP_NONE || stream->last_heading > 0)) {
        position->epoch = known->epoch;
        position->epoch_total = known->epoch_total;
        position->strong = line <= stream->strong_until;
    }
}

bool stream_tests(struct stream *stream, const struct position *own)
{
    int64_t total = own->step_total != STEP_NONE ? own->step_total : own->batch_total;
    bool within = own->epoch == STEP_NONE || own->epoch == stream->position.epoch;
    if (total == STEP_NONE) /* its steps, counted anew */
        return stream->heading == PHASE_VALIDATION && within && own->step != STEP_NONE &&
               own->step < stream->position.step;
    if (total == stream->total)
        return false;
    if (stream->heading == PHASE_VALIDATION && within && total < stream->total)
        return true;
    stream->total = total;
    return false;
}

void stream_place(struct stream *stream, const struct position *own, uint64_t line)
{
    (void)line;
    if (stream->traceback) /* whoever goes on survived */
        traceback_progress(stream->traceback, own);
    int64_t epoch = stream->position.epoch, total = stream->position.epoch_total;
    double fraction = stream->position.epoch_fraction;
    stream->position = *own;
    if (own->epoch == STEP_NONE && isnan(own->epoch_fraction)) {
        stream->position.epoch = epoch;
        stream->position.epoch_total = total;
        stream->position.epoch_fraction = fraction;
    }
    stream->placed = true;
    stream->heading = PHASE_NONE;
}

void stream_epoch(struct stream *stream, const struct position *own)
{
    struct position *known = &stream->position;
    if (own->epoch == STEP_NONE || (stream->placed && known->step != STEP_NONE))
        return;
    if (known->epoch != own->epoch)
        position_clear(known);
    known->epoch = own->epoch;
    known->epoch_total = own->epoch_total;
    stream->placed = true;
}

void stream_heading(struct stream *stream, uint64_t line, bool strong)
{
    stream->generation++;
    stream->last_heading = line;
    if (strong)
        stream->strong_until = line + STRONG_LINES;
}

void stream_reset(struct stream *stream)
{
    position_clear(&stream->position);
    stream->placed = false;
    stream->generation++;
    stream->heading = PHASE_NONE;
    stream->strong_until = 0;
    stream->singles = 0;
}
