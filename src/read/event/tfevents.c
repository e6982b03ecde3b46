/* TensorBoard event files: TFRecords that hold Event messages.

   offset  size  of a record
   0       8     u64  length L of the data, little-endian
   8       4     u32  masked CRC-32C of those 8 bytes
   12      L     an Event message (tensorflow/core/util/event.proto)
   12+L    4     u32  masked CRC-32C of the data

   Writers met: TF 1 and 2, torch.utils.tensorboard, tensorboardX, Lightning, Keras. A file grows at
   its end and is cut there when its writer dies: a cut tail is said, what stands before is sound.
 */
/* SPDX-License-Identifier: MIT */
#include "read/event/tags.h"
#include "read/event/value.h"

#include "read/crc32c.h"
#include "read/wire.h"
#include "stalldoc/format.h"
#include "stalldoc/limits.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    HEADER = 12,
    PIECE = 256 << 10,       /* read at a time: stays in L2 until it is parsed */
    RECORD_PARSED = 4 << 20, /* longer records are images, audio and graphs: checked, not parsed */
};

static bool header_sound(const uint8_t *data)
{
    return crc32c_masked(crc32c(0, data, 8)) == wire_load32(data + 8);
}

static int probe(struct span head, struct text file_name)
{
    if (head.size >= HEADER && header_sound(head.data))
        return head.size > HEADER && head.data[HEADER] == 9 ? 99 : 60;
    /* A header that is damaged, or a file that was created and never flushed. */
    return text_find(file_name, TEXT("tfevents")) < file_name.size && head.size < HEADER ? 95
           : text_find(file_name, TEXT(".tfevents.")) < file_name.size                   ? 50
                                                                                         : 0;
}

struct event_message { /* one message, its parts borrowed */
    double time;
    int64_t step;
    struct span summary, session;
    bool has_summary, has_session;
};

static bool event_parse(struct span data, struct event_message *event)
{
    struct field field;
    *event = (struct event_message){.time = (double)NAN};
    while (wire_next(&data, &field)) {
        if (field.number == 1 && field.wire == WIRE_FIXED64)
            event->time = wire_double(field.integer);
        else if (field.number == 2 && field.wire == WIRE_VARINT)
            event->step = (int64_t)field.integer;
        else if (field.number == 5 && field.wire == WIRE_BYTES)
            event->summary = field.bytes, event->has_summary = true;
        else if (field.number == 7 && field.wire == WIRE_BYTES)
            event->session = field.bytes, event->has_session = true;
    }
    if (!(event->time >= 0))
        event->time = (double)NAN;
    return data.size == 0;
}

/* SessionLog: status 1 START, 2 STOP, 3 CHECKPOINT. */
static bool session_put(const struct reading *reading, struct tags *tags,
                        const struct event_message *event, uint64_t offset, struct error *error)
{
    struct span rest = event->session;
    struct field field;
    uint64_t status = 0;
    while (wire_next(&rest, &field))
        if (field.number == 1 && field.wire == WIRE_VARINT)
            status = field.integer;
    if (status < 1 || status > 3)
        return true;
    const struct life life = {
        .event = status == 1   ? EVENT_RESUME
                 : status == 2 ? EVENT_END
                               : EVENT_SAVE,
        .place = input_place(reading->input, offset),
        .rank = -1,
        .step = event->step,
        .time = event->time,
    };
    /* The first START of a file says only that it begins. */
    if (status == 1 && !tags_any(tags))
        return true;
    return tags_flush(tags, error) && reading->sink->life(reading->sink, &life, error);
}

/* The record of one simple_value with its fields in the order of their numbers, as every writer met
   has it: the general walk costs three times as much. False: that walk decides. */
static bool scalar_parse(struct span data, struct event_message *event, struct event_value *value)
{
    const uint8_t *at = data.data, *end = at + data.size;
    uint64_t step = 0, size;
    if (data.size < 9 || at[0] != 0x09)
        return false;
    event->time = wire_double(wire_load64(at + 1));
    at += 9;
    if (at < end && *at == 0x10 && !(at = wire_varint_at(at + 1, end, &step)))
        return false;
    event->step = (int64_t)step;
    for (int level = 0; level < 2; level++) { /* the summary, its one value: to the end, both */
        if (at == end || *at != (level ? 0x0a : 0x2a) ||
            !(at = wire_varint_at(at + 1, end, &size)) || size != (size_t)(end - at))
            return false;
    }
    if (at == end || *at != 0x0a || !(at = wire_varint_at(at + 1, end, &size)) || size == 0 ||
        size > (size_t)(end - at))
        return false;
    *value = (struct event_value){.tag = {(const char *)at, (size_t)size}, .content = EVENT_SCALAR};
    at += size;
    if (end - at != 5 || *at != 0x15)
        return false;
    value->number = wire_float(wire_load32(at + 1));
    return true;
}

static bool record_put(const struct reading *reading, struct tags *tags, struct span data,
                       uint64_t offset, struct error *error)
{
    struct event_message event;
    struct event_value scalar;
    struct field field;
    if (scalar_parse(data, &event, &scalar)) {
        const struct moment moment = {event.step, event.time >= 0 ? event.time : (double)NAN,
                                      offset};
        return tags_put(tags, &scalar, &moment, error);
    }
    if (!event_parse(data, &event))
        return true; /* counted by the caller as one record that says nothing */
    if (event.has_session && !session_put(reading, tags, &event, offset, error))
        return false;
    struct span rest = event.summary;
    while (event.has_summary && wire_next(&rest, &field)) {
        struct event_value value;
        if (field.number != 1 || field.wire != WIRE_BYTES ||
            !event_value_parse(field.bytes, &value))
            continue;
        const struct moment moment = {event.step, event.time, offset};
        if (!tags_put(tags, &value, &moment, error))
            return false;
    }
    return true;
}

struct buffer { /* a window that slides over the stream */
    uint8_t *data;
    size_t start, end, capacity;
    uint64_t offset; /* of data[start] in the decoded input */
};

static bool buffer_fill(const struct reading *reading, struct buffer *buffer, size_t size,
                        bool *enough, struct error *error)
{
    while (buffer->end - buffer->start < size) {
        size_t got, held = buffer->end - buffer->start, room;
        /* To the front as soon as that costs next to nothing: what is read stays in cache. */
        if (buffer->capacity - buffer->start < size || held <= buffer->start / 8) {
            memmove(buffer->data, buffer->data + buffer->start, held);
            buffer->start = 0;
            buffer->end = held;
        }
        room = buffer->capacity - buffer->end;
        if (!input_read(reading->input, buffer->data + buffer->end, room < PIECE ? room : PIECE,
                        &got, error))
            return false;
        buffer->end += got;
        if (got == 0) {
            *enough = false;
            return true;
        }
    }
    *enough = true;
    return true;
}

/* Makes `size` bytes stand at data[start]; *enough tells whether the input had them. */
static inline bool buffer_need(const struct reading *reading, struct buffer *buffer, size_t size,
                               bool *enough, struct error *error)
{
    *enough = buffer->end - buffer->start >= size;
    return *enough || buffer_fill(reading, buffer, size, enough, error);
}

static void buffer_take(struct buffer *buffer, size_t size)
{
    buffer->start += size;
    buffer->offset += size;
}

/* A record too long to be kept: its checksum is taken piece by piece. */
static bool long_record(const struct reading *reading, struct buffer *buffer, uint64_t size,
                        bool *whole, bool *sound, struct error *error)
{
    uint32_t crc = 0;
    while (size) {
        size_t part = size < LIMIT_WINDOW ? (size_t)size : LIMIT_WINDOW;
        if (!buffer_need(reading, buffer, part, whole, error) || !*whole)
            return *whole;
        crc = crc32c(crc, buffer->data + buffer->start, part);
        buffer_take(buffer, part);
        size -= part;
    }
    if (!buffer_need(reading, buffer, 4, whole, error) || !*whole)
        return *whole;
    *sound = crc32c_masked(crc) == wire_load32(buffer->data + buffer->start);
    buffer_take(buffer, 4);
    return true;
}

struct damage { /* reading goes on after a bad record; the first is told at the end */
    uint64_t offset, count;
};

/* Files grow at their end, so a cut tail is no damage; but a file that is cut before its first
   value holds nothing that could be judged. */
static bool cut(const struct reading *reading, const struct tags *tags, uint64_t offset,
                struct error *error)
{
    if (!tags_any(tags))
        return error_set(error, ERROR_MALFORMED, input_place(reading->input, offset),
                         "its writer died early: no value stands before the record that is cut");
    return error_set(error, ERROR_TRUNCATED, input_place(reading->input, offset),
                     "the last record is cut");
}

/* A record that is parsed; one with a wrong checksum is passed over. */
static bool short_record(const struct reading *reading, struct buffer *buffer, size_t size,
                         struct tags *tags, uint64_t offset, bool *whole, bool *sound,
                         struct error *error)
{
    if (!buffer_need(reading, buffer, size + 4, whole, error) || !*whole)
        return *whole;
    const uint8_t *data = buffer->data + buffer->start;
    *sound = crc32c_masked(crc32c(0, data, size)) == wire_load32(data + size);
    if (*sound && !record_put(reading, tags, (struct span){data, size}, offset, error))
        return false;
    buffer_take(buffer, size + 4);
    return true;
}

static bool records_read(const struct reading *reading, struct buffer *buffer, struct tags *tags,
                         struct damage *damage, struct error *error)
{
    for (;;) {
        uint64_t offset = buffer->offset;
        bool whole, sound = true;
        if (!buffer_need(reading, buffer, HEADER, &whole, error))
            return false;
        if (!whole)
            return buffer->end == buffer->start || cut(reading, tags, offset, error);
        const uint8_t *head = buffer->data + buffer->start;
        uint64_t size = wire_load64(head);
        if (!header_sound(head))
            return error_set(error, ERROR_CHECKSUM, input_place(reading->input, offset),
                             "the length of a record, and with it the way to the next, fails its "
                             "checksum");
        buffer_take(buffer, HEADER);
        bool read = size > RECORD_PARSED ? long_record(reading, buffer, size, &whole, &sound, error)
                                         : short_record(reading, buffer, (size_t)size, tags, offset,
                                                        &whole, &sound, error);
        if (!read)
            return whole ? false : cut(reading, tags, offset, error);
        if (!sound && damage->count++ == 0)
            damage->offset = offset;
    }
}

static bool read_events(const struct reading *reading, struct error *error)
{
    struct buffer buffer = {.capacity = RECORD_PARSED + 2 * LIMIT_WINDOW};
    struct damage damage = {0};
    struct tags tags;
    struct error late = {0};
    buffer.data = block_take(buffer.capacity);
    if (!buffer.data || !tags_init(&tags, reading)) {
        block_free(buffer.data);
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0),
                         "no memory to read events");
    }
    bool sound = records_read(reading, &buffer, &tags, &damage, &late);
    bool flushed = tags_flush(&tags, error);
    block_free(buffer.data);
    if (!flushed)
        return false;
    if (!sound) {
        *error = late;
        return false;
    }
    if (buffer.offset == 0)
        return error_set(error, ERROR_TRUNCATED, input_place(reading->input, 0),
                         "an event file without a byte: its writer never flushed");
    if (damage.count)
        return error_set(error, ERROR_CHECKSUM, input_place(reading->input, damage.offset),
                         "records fail their checksum (%" PRIu64
                         ", the others were read), the first",
                         damage.count);
    return true;
}

const struct format format_tfevents = {
    .name = "tfevents",
    .about = "TensorBoard event file",
    .group = FORMAT_EVENTS,
    .probe = probe,
    .read = read_events,
};
