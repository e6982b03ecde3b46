/* wandb transaction logs, run-ID.wandb: LevelDB's log framing around protobuf records.

   offset  size  of the file
   0       4     ":W&B"
   4       2     0xBEE1, little-endian
   6       1     version, 0 or 1
   7             records in blocks of 32,768 bytes counted from offset 0

   offset  size  of a record; where fewer than 7 bytes are left in a block, zeros stand
   0       4     u32  CRC-32 (zlib's) of type and data; the comment in the source says CRC-32C
   4       2     u16  length of the data
   6       1     u8   type: 1 whole, 2 first, 3 middle, 4 last part
   7             data

   Of the records history (readings), config and run (settings), output (the console), stats (the
   machine) and exit are read. A file grows at its end and is cut there when its writer dies. */
/* SPDX-License-Identifier: MIT */
#include "read/crc32c.h"
#include "read/document/rows.h"
#include "read/document/tokenizer.h"
#include "read/log/feed.h"
#include "read/wire.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

enum {
    FILE_HEADER = 7,
    BLOCK = 32 << 10,
    HEADER = 7,
    RECORD_MAX = 4 << 20, /* longer ones hold tables and code */
    KEY_MAX = 512,
    LINE_PART = 64 << 10, /* a console line */
};

enum part { PART_NONE, PART_WHOLE, PART_FIRST, PART_MIDDLE, PART_LAST };

enum record {
    HISTORY = 2,
    OUTPUT = 4,
    CONFIG = 5,
    STATS = 7,
    OUTPUT_RAW = 13,
    RUN = 17,
    EXIT = 18
};

/* The console says what happened; its figures stand in the history already. */
struct console {
    struct sink sink; /* first */
    struct sink *to;
    struct writer *writer; /* whose rows come first */
};

struct wandb {
    const struct reading *reading;
    struct writer *writer;
    struct reading console_reading;
    struct console console;
    struct log_feed *feed;
    char *line; /* of the console, that grows */
    size_t line_used;
    uint64_t line_number;
    uint8_t *block, *record;
    size_t block_size, at, record_size;
    uint64_t block_offset, record_offset;
    uint64_t bad, first_bad;
    bool ended, too_long, open; /* open: first parts of a record were met */
};

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    static const uint8_t magic[] = {':', 'W', '&', 'B', 0xE1, 0xBE};
    return head.size >= FILE_HEADER && memcmp(head.data, magic, sizeof(magic)) == 0 ? 98 : 0;
}

/* ---- The console's sink ---- */

static struct sink *behind(struct sink *sink)
{
    return ((struct console *)sink)->to;
}

/* Rows that wait were logged before. */
static bool rows_first(struct sink *sink, struct error *error)
{
    return writer_flush(((struct console *)sink)->writer, error);
}

static bool console_bind(struct sink *sink, const struct shape *shape, uint32_t *id,
                         struct error *error)
{
    (void)sink;
    (void)shape;
    (void)error;
    *id = 0;
    return true;
}

static bool console_rows(struct sink *sink, const struct rows *rows, struct error *error)
{
    (void)sink;
    (void)rows;
    (void)error;
    return true;
}

static bool console_message(struct sink *sink, const struct message_seen *message,
                            struct error *error)
{
    return rows_first(sink, error) && behind(sink)->message(behind(sink), message, error);
}

static bool console_setting(struct sink *sink, const struct setting *setting, struct error *error)
{
    return behind(sink)->setting(behind(sink), setting, error);
}

static bool console_life(struct sink *sink, const struct life *life, struct error *error)
{
    return life->event == EVENT_START ||
           (rows_first(sink, error) && behind(sink)->life(behind(sink), life, error));
}

static bool console_tensor(struct sink *sink, const struct tensor_view *tensor, struct error *error)
{
    return behind(sink)->tensor(behind(sink), tensor, error);
}

static bool console_time(struct sink *sink, double time, const struct place *place, int32_t rank,
                         struct error *error)
{
    (void)sink;
    (void)time;
    (void)place;
    (void)rank;
    (void)error;
    return true;
}

static bool console_template(struct sink *sink, struct text text, uint64_t count, bool understood,
                             const struct place *first, struct error *error)
{
    (void)sink;
    (void)text;
    (void)count;
    (void)understood;
    (void)first;
    (void)error;
    return true;
}

static bool console_counts(struct sink *sink, const struct line_counts *counts, struct error *error)
{
    (void)sink;
    (void)counts;
    (void)error;
    return true;
}

/* ---- Records ---- */

static struct place place_of(const struct wandb *wandb)
{
    return input_place(wandb->reading->input, wandb->record_offset);
}

struct item { /* key and JSON value; nested keys are joined */
    struct text key, value;
};

static struct item item_of(struct span data, char bytes[KEY_MAX])
{
    struct item item = {{bytes, 0}, {0}};
    struct field field;
    while (wire_next(&data, &field)) {
        if (field.wire != WIRE_BYTES)
            continue;
        struct text text = wire_text(field.bytes);
        if (field.number == 16)
            item.value = text;
        if (field.number != 1 && field.number != 2)
            continue;
        if (item.key.size > 0 && item.key.size < KEY_MAX)
            bytes[item.key.size++] = '.';
        text = text_cut(text, 0, KEY_MAX - item.key.size);
        memcpy(bytes + item.key.size, text.data, text.size);
        item.key.size += text.size;
    }
    return item;
}

static bool quoted(struct text *value)
{
    if (value->size < 2 || value->data[0] != '"' || value->data[value->size - 1] != '"')
        return false;
    *value = text_cut(*value, 1, value->size - 2);
    return true;
}

static bool history_take(struct wandb *wandb, struct span data, struct error *error)
{
    char key[KEY_MAX];
    struct field field;
    row_begin(wandb->writer, place_of(wandb));
    while (wire_next(&data, &field)) {
        if (field.number != 1 || field.wire != WIRE_BYTES)
            continue;
        struct item item = item_of(field.bytes, key);
        struct number number;
        bool text = quoted(&item.value);
        if (number_parse(item.value, &number))
            row_add_number(wandb->writer, item.key, item.value, &number);
        else if (text)
            row_add(wandb->writer, item.key, item.value, true);
    }
    return row_end(wandb->writer, error);
}

/* Seconds of a protobuf Timestamp. */
static double stamp_of(struct span data)
{
    struct field field;
    while (wire_next(&data, &field))
        if (field.number == 1 && field.wire == WIRE_VARINT)
            return (double)field.integer;
    return (double)NAN;
}

/* How busy the busiest device is, of those that the process uses where that is told: a machine has
   devices that others use, or nobody. The rest of the statistics says nothing of the training. */
static bool stats_take(struct wandb *wandb, struct span data, struct error *error)
{
    char key[KEY_MAX];
    struct field field;
    struct number number, own = {.value = -1}, any = {.value = -1}, stamp = {.integer = true};
    while (wire_next(&data, &field)) {
        if (field.wire != WIRE_BYTES || (field.number != 2 && field.number != 3))
            continue;
        if (field.number == 2) {
            stamp.value = stamp_of(field.bytes);
            continue;
        }
        struct item item = item_of(field.bytes, key);
        bool of_process = text_glob(TEXT("gpu.process.*.gpu"), item.key, false);
        if (!text_glob(TEXT("gpu.*.gpu"), item.key, false) || !number_parse(item.value, &number))
            continue;
        struct number *most = of_process ? &own : &any;
        if (number.value > most->value)
            *most = number;
    }
    const struct number *busy = own.value >= 0 ? &own : &any;
    if (busy->value < 0)
        return true;
    row_begin(wandb->writer, place_of(wandb));
    row_add_number(wandb->writer, TEXT("gpu_util"), TEXT(""), busy);
    if (!isnan(stamp.value))
        row_add_number(wandb->writer, TEXT("_timestamp"), TEXT(""), &stamp);
    wandb->writer->always = true;
    bool sound = row_end(wandb->writer, error);
    wandb->writer->always = false;
    return sound;
}

/* A setting's JSON value: a scalar, or an object of settings. */
static bool setting_take(struct wandb *wandb, const struct item *item, struct error *error)
{
    struct tokenizer tokenizer;
    struct json_token token;
    struct path path = {0};
    tokenizer_over(&tokenizer, (struct span){(const uint8_t *)item->value.data, item->value.size},
                   false);
    path_push(&path, item->key);
    while (tokenizer_next(&tokenizer, &token, NULL) && token.kind != JSON_END) {
        struct text text = token.text;
        if (token.kind == JSON_KEY) {
            path_push(&path, token.text);
            continue;
        }
        if (token.kind == JSON_TRUE || token.kind == JSON_FALSE)
            text = token.kind == JSON_TRUE ? TEXT("true") : TEXT("false");
        if (token.kind == JSON_NULL)
            text = TEXT("none");
        if (token.kind == JSON_LIST && !tokenizer_skip(&tokenizer, &token, NULL))
            return true;
        if (token.kind == JSON_OBJECT)
            continue;
        bool scalar = token.kind != JSON_OBJECT_END && token.kind != JSON_LIST;
        if (scalar &&
            !writer_setting(wandb->writer, path_text(&path), text, place_of(wandb), error))
            return false;
        if (token.kind == JSON_STRING && !tokenizer_skip(&tokenizer, &token, NULL))
            return true;
        if (path.depth > 0)
            path_pop(&path);
    }
    return true;
}

static bool config_take(struct wandb *wandb, struct span data, struct error *error)
{
    char key[KEY_MAX];
    struct field field;
    while (wire_next(&data, &field)) {
        if (field.number != 1 || field.wire != WIRE_BYTES)
            continue;
        struct item item = item_of(field.bytes, key);
        if (!text_starts(item.key, "_wandb") && !setting_take(wandb, &item, error))
            return false;
    }
    return true;
}

static bool console_flush(struct wandb *wandb, struct error *error)
{
    struct place place = place_of(wandb);
    struct text line = {wandb->line, wandb->line_used};
    place.line = ++wandb->line_number;
    wandb->line_used = 0;
    return log_line(wandb->feed, line, place, error);
}

static bool output_take(struct wandb *wandb, struct span data, struct error *error)
{
    struct field field;
    while (wire_next(&data, &field)) {
        if (field.number != 3 || field.wire != WIRE_BYTES)
            continue;
        struct text text = wire_text(field.bytes);
        for (size_t i = 0; i < text.size; i++) {
            if (text.data[i] != '\n' && wandb->line_used < LINE_PART)
                wandb->line[wandb->line_used++] = text.data[i];
            bool full = wandb->line_used == LINE_PART && text.data[i] == '\r';
            if ((text.data[i] == '\n' || full) && !console_flush(wandb, error))
                return false;
        }
    }
    return true;
}

static bool exit_take(struct wandb *wandb, struct span data, struct error *error)
{
    struct field field;
    uint64_t code = 0;
    while (wire_next(&data, &field))
        if (field.number == 1 && field.wire == WIRE_VARINT)
            code = field.integer;
    struct life life = {.event = EVENT_END,
                        .place = place_of(wandb),
                        .rank = -1,
                        .step = STEP_NONE,
                        .time = (double)NAN};
    struct sink *sink = wandb->reading->sink;
    return code != 0 || (writer_flush(wandb->writer, error) && sink->life(sink, &life, error));
}

static bool run_take(struct wandb *wandb, struct span data, struct error *error)
{
    struct field field;
    while (wire_next(&data, &field))
        if (field.number == 4 && field.wire == WIRE_BYTES &&
            !config_take(wandb, field.bytes, error))
            return false;
    return true;
}

static bool record_take(struct wandb *wandb, struct error *error)
{
    struct span rest = {wandb->record, wandb->record_size};
    struct field field;
    while (wire_next(&rest, &field)) {
        if (field.wire != WIRE_BYTES)
            continue;
        bool sound = true;
        switch (field.number) {
        case HISTORY:
            sound = history_take(wandb, field.bytes, error);
            break;
        case OUTPUT:
        case OUTPUT_RAW:
            sound = output_take(wandb, field.bytes, error);
            break;
        case CONFIG:
            sound = config_take(wandb, field.bytes, error);
            break;
        case STATS:
            sound = stats_take(wandb, field.bytes, error);
            break;
        case RUN:
            sound = run_take(wandb, field.bytes, error);
            break;
        case EXIT:
            sound = exit_take(wandb, field.bytes, error);
            break;
        default:
            break;
        }
        if (!sound)
            return false;
    }
    return true;
}

/* ---- The framing ---- */

static bool block_read(struct wandb *wandb, struct error *error)
{
    wandb->block_offset += wandb->block_size;
    wandb->block_size = wandb->at = 0;
    while (wandb->block_size < BLOCK) {
        size_t got = 0;
        if (!input_read(wandb->reading->input, wandb->block + wandb->block_size,
                        BLOCK - wandb->block_size, &got, error))
            return false;
        if (got == 0) {
            wandb->ended = true;
            return true;
        }
        wandb->block_size += got;
    }
    return true;
}

static bool cut(const struct wandb *wandb, uint64_t offset, struct error *error)
{
    return error_set(error, ERROR_TRUNCATED, input_place(wandb->reading->input, offset),
                     "the last record is cut");
}

static bool part_sound(const uint8_t *header, const uint8_t *data, size_t size)
{
    uint32_t stored = (uint32_t)header[0] | (uint32_t)header[1] << 8 | (uint32_t)header[2] << 16 |
                      (uint32_t)header[3] << 24;
    uLong crc = crc32(crc32(0, header + 6, 1), data, (uInt)size);
    if ((uint32_t)crc == stored)
        return true;
    return crc32c_masked(crc32c(crc32c(0, header + 6, 1), data, size)) == stored;
}

/* One part; a record that is whole is taken. */
static bool part_take(struct wandb *wandb, enum part part, const uint8_t *data, size_t size,
                      struct error *error)
{
    if (part == PART_WHOLE || part == PART_FIRST) {
        wandb->record_size = 0;
        wandb->too_long = false;
        wandb->open = true;
    }
    if (!wandb->open)
        return true; /* its first part was damaged */
    wandb->too_long = wandb->too_long || size > RECORD_MAX - wandb->record_size;
    if (!wandb->too_long) {
        memcpy(wandb->record + wandb->record_size, data, size);
        wandb->record_size += size;
    }
    if (part == PART_FIRST || part == PART_MIDDLE)
        return true;
    wandb->open = false;
    return wandb->too_long || record_take(wandb, error);
}

/* The records of the block at hand. */
static bool block_take_parts(struct wandb *wandb, struct error *error)
{
    while (wandb->block_size - wandb->at >= HEADER) {
        const uint8_t *header = wandb->block + wandb->at;
        size_t size = (size_t)header[4] | (size_t)header[5] << 8;
        uint64_t offset = wandb->block_offset + wandb->at;
        if (header[6] == PART_NONE && size == 0)
            return true; /* the rest of the block is empty */
        if (size > wandb->block_size - wandb->at - HEADER) {
            if (wandb->ended)
                return cut(wandb, offset, error);
            return error_set(error, ERROR_MALFORMED, input_place(wandb->reading->input, offset),
                             "a record reaches over the end of its block");
        }
        wandb->at += HEADER + size;
        if (header[6] == PART_WHOLE || header[6] == PART_FIRST)
            wandb->record_offset = offset;
        if (!part_sound(header, header + HEADER, size) || header[6] > PART_LAST) {
            if (wandb->bad++ == 0)
                wandb->first_bad = offset;
            wandb->open = false;
            continue;
        }
        if (!part_take(wandb, (enum part)header[6], header + HEADER, size, error))
            return false;
    }
    if (wandb->ended && wandb->block_size > wandb->at)
        return cut(wandb, wandb->block_offset + wandb->at, error);
    return true;
}

static bool blocks_read(struct wandb *wandb, struct error *error)
{
    while (!wandb->ended) {
        if (!block_read(wandb, error))
            return false;
        if (wandb->block_offset == 0)
            wandb->at = wandb->block_size < FILE_HEADER ? wandb->block_size : FILE_HEADER;
        if (!block_take_parts(wandb, error))
            return false;
    }
    if (wandb->open)
        return cut(wandb, wandb->record_offset, error);
    return wandb->block_offset + wandb->block_size >= FILE_HEADER || cut(wandb, 0, error);
}

static bool wandb_open(struct wandb *wandb, const struct reading *reading, struct error *error)
{
    wandb->reading = reading;
    wandb->block = arena_take(reading->scratch, BLOCK, 1);
    wandb->record = arena_take(reading->scratch, RECORD_MAX, 1);
    wandb->line = arena_take(reading->scratch, LINE_PART, 1);
    if (!wandb->block || !wandb->record || !wandb->line)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    wandb->writer = writer_open(reading, error);
    if (!wandb->writer)
        return false;
    wandb->writer->source = SETTING_CONFIG;
    wandb->writer->mute = true;
    wandb->console = (struct console){
        .sink = {console_bind, console_rows, console_message, console_setting, console_life,
                 console_tensor, console_time, console_template, console_counts, NULL, NULL},
        .to = reading->sink,
        .writer = wandb->writer};
    wandb->console_reading = *reading;
    wandb->console_reading.sink = &wandb->console.sink;
    wandb->feed = log_open(&wandb->console_reading, error);
    return wandb->feed != NULL;
}

static bool log_read(const struct reading *reading, struct error *error)
{
    struct wandb *wandb = arena_take(reading->scratch, 1, sizeof(struct wandb));
    if (!wandb)
        return error_set(error, ERROR_MEMORY, input_place(reading->input, 0), "out of memory");
    if (!wandb_open(wandb, reading, error))
        return false;
    bool sound = blocks_read(wandb, error);
    if (sound && wandb->bad > 0)
        sound =
            error_set(error, ERROR_CHECKSUM, input_place(reading->input, wandb->first_bad),
                      "records fail their checksum (%" PRIu64 ", the others were read), the first",
                      wandb->bad);
    struct error *late = sound ? error : NULL; /* the first failure is the one to tell */
    if (wandb->line_used > 0)
        sound = console_flush(wandb, late) && sound;
    late = sound ? error : NULL;
    sound = log_close(wandb->feed, late) && sound;
    late = sound ? error : NULL;
    return writer_flush(wandb->writer, late) && sound;
}

const struct format format_wandb = {
    .name = "wandb",
    .about = "wandb transaction log (run-ID.wandb)",
    .group = FORMAT_EVENTS,
    .probe = probe,
    .read = log_read,
};
