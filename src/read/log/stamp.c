/* The time of day that a line carries: in front of it, under a key of a record, or in a cell. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/stamp.h"

#include "read/log/bytes.h"
#include "read/log/reader.h"

#include <string.h>

enum { FRONT_MAX = 512 }; /* of a line, for what stands in front of it */

/* Text without the sequences that colour it; loggers colour the time. */
static struct text without_escapes(struct text line, char *buffer)
{
    size_t size = 0;
    for (size_t i = 0; i < line.size && size < FRONT_MAX; i++) {
        if (line.data[i] == '\x1b' && text_byte(line, i + 1) == '[') {
            for (i += 2; byte_is_digit(text_byte(line, i)) || text_byte(line, i) == ';';)
                i++;
            continue; /* at its last letter */
        }
        buffer[size++] = line.data[i];
    }
    return (struct text){buffer, size};
}

static struct text front_stamp(struct text front)
{
    struct reader reader = {0};
    struct line line = {.raw = front};
    prefix_strip(&reader, &line);
    return line.stamp;
}

/* `3: 2024-01-01 10:00:00 ...`: behind the rank that a launcher put before each line. */
static struct text ranked_stamp(struct text front)
{
    size_t i = 0;
    while (byte_is_digit(text_byte(front, i)))
        i++;
    if (i == 0 || text_byte(front, i) != ':' || text_byte(front, i + 1) != ' ')
        return TEXT("");
    return front_stamp(text_cut(front, i + 2, front.size));
}

/* All of the text is a date with a clock, or a clock. */
static bool is_stamp(struct text text)
{
    struct moment moment;
    return text.size > 0 && time_take(text, 0, &moment) == text.size &&
           (moment.kind == TIME_DATE || moment.kind == TIME_CLOCK) && !isnan(moment.seconds);
}

/* Seconds since 1970, as records of trackers have them: from 2001 to 2286. */
static bool is_seconds(struct text text)
{
    size_t digits = 0;
    while (byte_is_digit(text_byte(text, digits)))
        digits++;
    char next = text_byte(text, digits);
    return digits == 10 && (next == '.' || next == ',' || next == '}' || next == ' ');
}

static bool says_time(struct text key)
{
    static const char *const keys[] = {"time",      "timestamp", "_timestamp", "@timestamp",
                                       "date",      "datetime",  "ts",         "asctime",
                                       "wall_time", "walltime",  "created_at"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (text_folds_to(key, keys[i]))
            return true;
    return false;
}

static struct text value_at(struct text line, size_t i)
{
    while (text_byte(line, i) == ' ')
        i++;
    bool quoted = text_byte(line, i) == '"';
    i += quoted;
    struct text rest = text_cut(line, i, line.size);
    if (quoted) {
        struct text value = text_cut(rest, 0, text_find(rest, TEXT("\"")));
        return is_stamp(value) || is_seconds(value) ? value : TEXT("");
    }
    if (!is_seconds(rest))
        return TEXT("");
    size_t end = 0;
    while (byte_is_digit(text_byte(rest, end)) || text_byte(rest, end) == '.')
        end++;
    return text_cut(rest, 0, end);
}

/* `{"timestamp": "2024-01-01T10:00:00Z", "loss": 2.5}` */
static struct text record_stamp(struct text line)
{
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] != '"')
            continue;
        struct text rest = text_cut(line, i + 1, line.size);
        struct text key = text_cut(rest, 0, text_find(rest, TEXT("\"")));
        i += key.size + 1;
        if (text_byte(line, i + 1) != ':' || !says_time(key))
            continue;
        struct text value = value_at(line, i + 2);
        if (value.size)
            return value;
    }
    return TEXT("");
}

/* `10,2024-01-01 10:00:00,2.5`: a cell that is nothing but a date. */
static struct text cell_stamp(struct text line)
{
    struct moment moment;
    for (size_t at = 0; at < line.size;) {
        struct text rest = text_cut(line, at, line.size);
        size_t end = 0;
        while (end < rest.size && !strchr(",;\t", rest.data[end]))
            end++;
        struct text cell = text_trim(text_cut(rest, 0, end));
        if (cell.size > 1 && cell.data[0] == '"' && cell.data[cell.size - 1] == '"')
            cell = text_cut(cell, 1, cell.size - 2);
        if (is_stamp(cell) && time_take(cell, 0, &moment) && moment.kind == TIME_DATE)
            return cell;
        at += end + 1;
    }
    return TEXT("");
}

/* Behind a comma stand three digits of a second; anything else there is the next cell. */
static struct text without_cell(struct text stamp, struct text front)
{
    size_t comma = 0; /* `Mar 29, 22:22:23` has one of its own */
    while (comma < stamp.size &&
           !(stamp.data[comma] == ',' && byte_is_digit(text_byte(stamp, comma + 1))))
        comma++;
    size_t end = comma + 1;
    while (byte_is_digit(text_byte(stamp, end)))
        end++;
    bool cells = stamp.size > 0 && text_byte(front, (size_t)(stamp.data - front.data) + end) == ',';
    return end == comma + 4 && !cells ? stamp : text_cut(stamp, 0, comma);
}

size_t stamp_take(struct text line, char stamp[STAMP_MAX])
{
    char buffer[FRONT_MAX];
    struct text front = without_escapes(line, buffer), found;
    if (text_starts(text_trim(front), "{")) {
        found = record_stamp(line);
    } else {
        found = without_cell(front_stamp(front), front);
        if (!found.size)
            found = ranked_stamp(front);
        if (!found.size)
            found = cell_stamp(line);
    }
    if (found.size == 0 || found.size > STAMP_MAX)
        return 0;
    memcpy(stamp, found.data, found.size);
    return found.size;
}
