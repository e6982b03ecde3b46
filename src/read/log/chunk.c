/* Chunks: the lines of a pattern into columns of numbers, places and times. */
/* SPDX-License-Identifier: MIT */
#include "read/log/chunk.h"

#include <math.h>

#define PLACE_MOST 9e15

size_t chunk_room(const struct pattern *pattern)
{
    const size_t room = CHUNK_CELLS / (pattern->number_count ? pattern->number_count : 1);
    return room < CHUNK_ROWS ? room : CHUNK_ROWS;
}

/* Times of the new rows: how many of them have one. */
static size_t times_read(struct chunk *chunk, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double *time = &chunk->times[chunk->count + i];
        *time = (double)NAN;
        if (chunk->pattern.clock_size &&
            !pattern_time(&chunk->pattern, chunk->texts[chunk->count + i].data, time))
            return i;
    }
    return count;
}

static void place_put(struct position *position, unsigned field, double value, bool integer)
{
    if (integer)
        position_set(position, field, (int64_t)value);
    else
        position->epoch_fraction = value;
}

/* Places of the new rows: how many of them have all. */
static size_t positions_read(struct chunk *chunk, size_t count)
{
    const struct pattern *pattern = &chunk->pattern;
    struct position none, *positions = &chunk->positions[chunk->count];
    position_clear(&none);
    none.generation = chunk->generation;
    for (size_t i = 0; i < count; i++)
        positions[i] = none;
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
    count = times_read(chunk, count);
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
    size_t most = (chunk->text.size - at) / size;
    if (most > chunk->room - chunk->count)
        most = chunk->room - chunk->count;
    if (most > IMAGE_LINES)
        most = IMAGE_LINES;
    const size_t count = image_lines(&chunk->image, text, most);
    if (count == 0)
        return 0;
    image_numbers(&chunk->image, text, count, chunk->cells + chunk->count, chunk->room);
    for (size_t i = 0; i < count; i++)
        chunk->texts[chunk->count + i] = (struct text){text + i * size, size - 1};
    return rows_end(chunk, count);
}

static void places_image(struct chunk *chunk, const struct stretch_of *stretch, size_t before)
{
    const struct pattern *pattern = &chunk->pattern;
    int16_t *places = chunk->places[chunk->stretch_count - 1];
    for (size_t n = 0; n < pattern->number_count; n++) {
        const struct shape_of *shape = &pattern->shapes[n];
        size_t row = shape->power ? before : stretch->first + stretch->count - 1;
        for (; row < stretch->first + stretch->count; row++) {
            const int most = shape->fraction - shape_power(chunk->texts[row].data, shape);
            if (most > places[n])
                places[n] = (int16_t)most;
        }
    }
}

static bool places_fit(const struct pattern *pattern, const struct shape_of *shapes)
{
    for (size_t n = 0; n < pattern->number_count; n++)
        if (pattern->targets[n].place && pattern->targets[n].integer != shape_integer(&shapes[n]))
            return false;
    return true;
}

/* The line at `at` by a walk: its size, 0 where it is not of the pattern. */
static size_t walk_read(struct chunk *chunk, size_t at)
{
    struct pattern *pattern = &chunk->pattern;
    struct shape_of shapes[SLOTS];
    int16_t places[SLOTS];
    const char *text = chunk->text.data + at;
    const size_t size = pattern_walk(chunk->wording, pattern, text, chunk->text.size - at, shapes);
    if (size == 0 || !places_fit(pattern, shapes))
        return 0;
    if (pattern->wild && chunk->messages &&
        message_possible(chunk->messages, (struct text){text, size - 1}))
        return 0;
    for (size_t n = 0; n < pattern->number_count; n++)
        chunk->cells[n * chunk->room + chunk->count] =
            number_take_quick(text, &shapes[n], &places[n]);
    chunk->texts[chunk->count] = (struct text){text, size - 1};
    if (rows_end(chunk, 1) == 0)
        return 0;
    int16_t *most = chunk->places[chunk->stretch_count - 1];
    for (size_t n = 0; n < pattern->number_count; n++)
        most[n] = places[n] > most[n] ? places[n] : most[n];
    if (!pattern->wild && ++pattern->walked % WALKED == 0) {
        pattern_renew(pattern, text, size, shapes);
        image_make(pattern, &chunk->image);
    }
    return size;
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
    while (at < chunk->text.size && chunk->count < chunk->room) {
        const size_t before = chunk->count;
        if (!chunk->pattern.wild && images_read(chunk, at) > 0)
            places_image(chunk, stretch, before);
        else if (walk_read(chunk, at) == 0)
            break;
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
