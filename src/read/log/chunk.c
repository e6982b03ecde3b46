/* Chunks: the lines of a pattern into columns of numbers, places and times. */
/* SPDX-License-Identifier: MIT */
#include "read/log/chunk.h"

#include "read/log/walk.h"

#include <math.h>

#define PLACE_MOST 9e15
enum { SAME_LEAST = 8 }; /* lines with one image: more are to come */

size_t chunk_room(const struct pattern *pattern)
{
    const size_t room = CHUNK_CELLS / (pattern->number_count ? pattern->number_count : 1);
    return room < CHUNK_ROWS ? room : CHUNK_ROWS;
}

static void place_put(struct position *position, unsigned field, double value, bool integer)
{
    if (integer)
        position_set(position, field, (int64_t)value);
    else
        position->epoch_fraction = value;
}

/* Rows up to `end` without a place. What a pattern says of a place it says in every line: rows that
   were laid for it before have nothing else. */
static void positions_lay(struct chunk *chunk, size_t end)
{
    struct position none;
    if (chunk->laid > 0 && (chunk->laid_serial != chunk->pattern.serial ||
                            chunk->laid_generation != chunk->generation))
        chunk->laid = 0;
    chunk->laid_serial = chunk->pattern.serial;
    chunk->laid_generation = chunk->generation;
    if (chunk->laid >= end)
        return;
    position_clear(&none);
    none.generation = chunk->generation;
    while (chunk->laid < end)
        chunk->positions[chunk->laid++] = none;
}

/* Places of the new rows: how many of them have all. */
static size_t positions_read(struct chunk *chunk, size_t count)
{
    const struct pattern *pattern = &chunk->pattern;
    struct position *positions = &chunk->positions[chunk->count];
    positions_lay(chunk, chunk->count + count);
    for (size_t n = 0; n < pattern->number_count; n++) {
        const struct target *target = &pattern->targets[n];
        const double *values = &chunk->cells[n * chunk->room + chunk->count];
        if (!target->place)
            continue;
        for (size_t i = 0; i < count; i++) {
            if (!(fabs(values[i]) < PLACE_MOST)) {
                count = i;
                break;
            }
            place_put(&positions[i], target->field, values[i], target->integer);
        }
    }
    return count;
}

/* Rows whose numbers and texts are there become part of the last stretch: how many. */
static size_t rows_end(struct chunk *chunk, size_t count)
{
    count = pattern_times(&chunk->pattern, &chunk->texts[chunk->count], count,
                          &chunk->times[chunk->count]);
    count = positions_read(chunk, count);
    if (count == 0)
        return 0;
    struct stretch_of *stretch = &chunk->stretches[chunk->stretch_count - 1];
    const struct text *last = &chunk->texts[chunk->count + count - 1];
    for (size_t i = 0; i < count; i++)
        chunk->offsets[chunk->count + i] =
            chunk->offset + (uint64_t)(chunk->texts[chunk->count + i].data - chunk->text.data);
    stretch->end = (size_t)(last->data + last->size + 1 - chunk->text.data);
    stretch->count += count;
    chunk->count += count;
    return count;
}

/* Lines at `at` that have the image: how many. */
static size_t images_read(struct chunk *chunk, size_t at)
{
    const size_t size = chunk->image.size;
    const char *text = chunk->text.data + at;
    int16_t places[SLOTS], *raised = chunk->places[chunk->stretch_count - 1];
    double *cells = chunk->cells + chunk->count;
    size_t most = (chunk->text.size - at) / size;
    if (most > chunk->room - chunk->count)
        most = chunk->room - chunk->count;
    if (most > IMAGE_LINES)
        most = IMAGE_LINES;
    const size_t same = image_lines(&chunk->image, text, most);
    if (same == 0)
        return 0;
    memcpy(places, raised, sizeof places);
    image_numbers(&chunk->image, text, same, cells, chunk->room, places);
    for (size_t i = 0; i < same; i++)
        chunk->texts[chunk->count + i] = (struct text){text + i * size, size - 1};
    const size_t count = rows_end(chunk, same);
    if (count > 0 && count < same) { /* the decimals of the others do not count */
        memcpy(places, raised, sizeof places);
        image_numbers(&chunk->image, text, count, cells, chunk->room, places);
    }
    if (count > 0)
        memcpy(raised, places, sizeof places);
    return count;
}

/* How many of the new rows have no line that says something in its words. */
static size_t messages_pass(const struct chunk *chunk, size_t count)
{
    for (size_t i = 0; chunk->pattern.wild && chunk->messages && i < count; i++)
        if (pattern_tells(&chunk->pattern, chunk->messages, chunk->texts[chunk->count + i]))
            return i;
    return count;
}

/* The last line that was walked becomes the image, now and then. */
static void image_follow(struct chunk *chunk, size_t count)
{
    struct pattern *pattern = &chunk->pattern;
    const struct text *last = &chunk->texts[chunk->count - 1];
    struct shape_of shapes[SLOTS];
    const bool due = pattern->walked / WALKED != (pattern->walked + count) / WALKED;
    pattern->walked += (uint32_t)count;
    if (pattern->wild || !due ||
        !pattern_walk(chunk->wording, pattern, last->data, last->size + 1, shapes))
        return;
    pattern_renew(pattern, last->data, last->size + 1, shapes);
    image_make(pattern, &chunk->image);
}

/* Lines at `at` by a walk, up to `most`: how many. */
static size_t walks_read(struct chunk *chunk, size_t at, size_t most)
{
    int16_t places[SLOTS], *raised = chunk->places[chunk->stretch_count - 1];
    const struct text text = text_cut(chunk->text, at, chunk->text.size);
    const struct walk walk = {.pattern = &chunk->pattern,
                              .wording = chunk->wording,
                              .cells = chunk->cells + chunk->count,
                              .room = chunk->room,
                              .texts = &chunk->texts[chunk->count],
                              .places = places};
    if (most > chunk->room - chunk->count)
        most = chunk->room - chunk->count;
    memcpy(places, raised, sizeof places);
    const size_t walked = walk_lines(&walk, text, most);
    const size_t count = rows_end(chunk, messages_pass(chunk, walked));
    if (count == 0)
        return 0;
    if (count < walked) { /* the decimals of the others do not count */
        memcpy(places, raised, sizeof places);
        walk_lines(&walk, text, count);
    }
    memcpy(raised, places, sizeof places);
    image_follow(chunk, count);
    return count;
}

static struct stretch_of *stretch_open(struct chunk *chunk, size_t at)
{
    struct stretch_of *stretch = &chunk->stretches[chunk->stretch_count];
    *stretch = (struct stretch_of){.start = at, .end = at, .first = chunk->count};
    for (size_t n = 0; n < chunk->pattern.number_count; n++)
        chunk->places[chunk->stretch_count][n] = INT16_MIN;
    chunk->stretch_count++;
    return stretch;
}

/* Lines at `at` until one is not of the pattern: where that is. */
static size_t stretch_read(struct chunk *chunk, size_t at)
{
    struct stretch_of *stretch = stretch_open(chunk, at);
    size_t reach = 1; /* lines to walk before the image is tried again */
    while (at < chunk->text.size && chunk->count < chunk->room) {
        const size_t same = chunk->pattern.wild ? 0 : images_read(chunk, at);
        if (same == 0 && walks_read(chunk, at, reach) == 0)
            break;
        if (same >= SAME_LEAST)
            reach = 1;
        else if (same == 0 && reach < WALKED)
            reach *= 2;
        at = stretch->end;
    }
    if (stretch->count == 0)
        chunk->stretch_count--;
    return at;
}

void chunk_read(struct chunk *chunk)
{
    size_t at = 0;
    chunk->count = chunk->stretch_count = 0;
    chunk->room = chunk_room(&chunk->pattern);
    image_make(&chunk->pattern, &chunk->image);
    while (at < chunk->text.size && chunk->count < chunk->room &&
           chunk->stretch_count < CHUNK_STRETCHES) {
        at = stretch_read(chunk, at);
        if (at == chunk->text.size || chunk->count == chunk->room)
            break;
        const char *newline = memchr(chunk->text.data + at, '\n', chunk->text.size - at);
        at = newline ? (size_t)(newline - chunk->text.data) + 1 : chunk->text.size;
    }
    chunk->stop = at;
}
