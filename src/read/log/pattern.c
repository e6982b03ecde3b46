/* Known lines. A pattern is the form of a line that was read by its plan once: literal text, digits
   that may be any digits, numbers. Two ways to match, the quicker first:

   image  the line with its widths: every byte is compared with the remembered line at once, and
          each number stands at a known place (speed.md 2.2)
   walk   literal, number, literal, number: for numbers whose width changes (speed.md 2.3)

   What a pattern reads is what the plan would have read; whatever it does not know goes the slow
   way. A word that kept changing while the plan stayed the same is a slot of letters. */
/* SPDX-License-Identifier: MIT */
#include "read/log/pattern_form.h"

#include "read/log/bytes.h"
#include "read/log/digits.h"
#include "read/log/emit.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WORD_BYTES = 40 };

bool patterns_open(struct reader *reader, struct error *error)
{
    reader->patterns = arena_take(reader->arena, 1, sizeof *reader->patterns);
    if (reader->patterns)
        life_lengths(reader->patterns->lengths);
    return reader->patterns || error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                                         "no memory to read a log");
}

void patterns_forget(struct reader *reader)
{
    struct patterns *patterns = reader->patterns;
    for (size_t i = 0; patterns && i < PATTERNS; i++)
        patterns->slots[i].used = patterns->slots[i].used && !patterns->slots[i].entry;
    if (patterns)
        patterns->last = NULL;
}

struct pattern *pattern_room(struct patterns *patterns)
{
    return &patterns->slots[patterns->next++ % PATTERNS];
}

/* ---- Numbers ---- */

struct number_read {
    double value;
    int16_t places;
    bool integer;
};

static double scaled(uint64_t digits, int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    /* Exact in double, and so is the power: one rounding. */
    if (digits <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)digits / powers[-exponent]
                            : (double)digits * powers[exponent];
    return number_scale(digits, exponent);
}

static const uint64_t tens[] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
};

static void number_make(const char *text, const struct shape_of *shape, struct number_read *out)
{
    const char *end = text + shape->end;
    uint64_t digits = digits_value(end, shape->fraction);
    int power = shape->power ? (int)digits_value(text + shape->power_end, shape->power) : 0;
    power = shape->power_negative ? -power : power;
    if (shape->whole) {
        const char *point = end - shape->fraction - (shape->fraction > 0);
        digits += digits_value(point, shape->whole) * tens[shape->fraction];
    }
    double value = scaled(digits, power - shape->fraction);
    out->value = shape->negative ? -value : value;
    out->places = (int16_t)(shape->fraction - power);
    out->integer = shape->fraction == 0 && shape->power == 0;
}

bool pattern_shape(const char *text, size_t at, struct shape_of *shape, size_t *end)
{
    size_t i = at;
    *shape = (struct shape_of){.negative = text[i] == '-'};
    i += text[i] == '-' || text[i] == '+';
    unsigned whole = digits_count(text + i, DIGITS_MAX + 1), fraction = 0;
    i += whole;
    if (whole == 0)
        return false;
    if (text[i] == '.') {
        fraction = digits_count(text + i + 1, DIGITS_MAX + 1);
        if (fraction == 0)
            return false;
        i += fraction + 1;
    }
    if (whole + fraction > DIGITS_MAX - 1)
        return false;
    shape->whole = (uint8_t)whole;
    shape->fraction = (uint8_t)fraction;
    shape->end = (uint16_t)i;
    if ((text[i] | 32) == 'e') {
        size_t k = i + 1;
        bool negative = text[k] == '-';
        k += text[k] == '-' || text[k] == '+';
        unsigned power = digits_count(text + k, 5);
        if (power > 4)
            return false;
        if (power > 0) {
            i = k + power;
            shape->power = (uint8_t)power;
            shape->power_end = (uint16_t)i;
            shape->power_negative = negative;
        }
    }
    *end = i;
    return text[i] != '.' && !(text[i] == ',' && byte_is_digit(text[i + 1]));
}

/* ---- Matching ---- */

#ifdef __SSE2__
static bool image_same(const struct pattern *pattern, const char *text)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    size_t blocks = pattern->size / BLOCK;
    __m128i same = _mm_set1_epi8(-1);
    for (size_t i = 0;; i++) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(text + i * BLOCK));
        const __m128i image =
            _mm_loadu_si128((const __m128i *)(const void *)(pattern->image + i * BLOCK));
        const __m128i mask =
            _mm_loadu_si128((const __m128i *)(const void *)(pattern->digits + i * BLOCK));
        const __m128i t = _mm_sub_epi8(c, zero);
        const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(t, nine), t);
        const __m128i here = _mm_or_si128(_mm_and_si128(digit, mask), _mm_cmpeq_epi8(c, image));
        if (i == blocks) {
            unsigned bits = (unsigned)_mm_movemask_epi8(_mm_and_si128(same, here)) |
                            0xffffu << pattern->size % BLOCK;
            return (bits & 0xffff) == 0xffff && _mm_movemask_epi8(same) == 0xffff;
        }
        same = _mm_and_si128(same, here);
    }
}
#else
static bool image_same(const struct pattern *pattern, const char *text)
{
    for (size_t i = 0; i < pattern->size; i++)
        if (pattern->digits[i] ? !byte_is_digit(text[i]) : (uint8_t)text[i] != pattern->image[i])
            return false;
    return true;
}
#endif

static bool literal_same(const struct pattern *pattern, const struct slot *slot, const char *text)
{
    const uint8_t *image = pattern->image + slot->literal,
                  *digits = pattern->digits + slot->literal;
    for (size_t i = 0; i < slot->literal_size; i++)
        if ((uint8_t)text[i] != image[i] && !(digits[i] && byte_is_digit(text[i])))
            return false;
    return true;
}

/* A word that says something by itself is no mere filling. */
static bool word_plain(struct reader *reader, struct text word)
{
    return vocabulary_is_filling(reader->vocabulary, word) &&
           (!(reader->patterns->lengths[word.data[0] - 'a'] >> word.size & 1) || !life_word(word));
}

/* Where the filling word at `at` ends; false where none is there. */
static bool word_end(struct reader *reader, const char *text, size_t at, size_t *end)
{
    while (byte_is_letter(text[*end]))
        ++*end;
    const size_t size = *end - at;
    return size > 0 && size <= WORD_BYTES && word_plain(reader, (struct text){text + at, size});
}

/* Slot by slot; shapes holds those of the numbers. 0: not this pattern, else the line's size. */
static size_t walk(struct reader *reader, const struct pattern *pattern, const char *text,
                   size_t size, struct shape_of *shapes)
{
    size_t at = 0;
    for (size_t i = 0; i < pattern->slot_count; i++) {
        const struct slot *slot = &pattern->slots[i];
        if (at + slot->literal_size > size || !literal_same(pattern, slot, text + at))
            return 0;
        at += slot->literal_size;
        if (slot->kind == SLOT_END)
            return at;
        if (slot->blanks) {
            size_t before = at;
            while (text[at] == ' ')
                at++;
            if (at == before)
                return 0;
        }
        size_t end = at;
        if (!(slot->kind == SLOT_WORD ? word_end(reader, text, at, &end)
                                      : pattern_shape(text, at, &shapes[slot->value], &end)))
            return 0;
        at = end;
        if (at >= size || at >= LINE_BYTES)
            return 0;
    }
    return 0;
}

/* The walked line becomes the image: its widths are likelier to come again. */
static void image_renew(struct pattern *pattern, const char *text, size_t size,
                        const struct shape_of *shapes)
{
    uint8_t digits[LINE_BYTES] = {0};
    size_t at = 0;
    for (size_t i = 0; i < pattern->slot_count; i++) {
        struct slot *slot = &pattern->slots[i];
        size_t end = 0;
        struct shape_of shape;
        memcpy(digits + at, pattern->digits + slot->literal, slot->literal_size);
        slot->literal = (uint16_t)at;
        at += slot->literal_size;
        if (slot->kind != SLOT_NUMBER)
            break;
        while (slot->blanks && text[at] == ' ')
            at++;
        if (!pattern_shape(text, at, &shape, &end))
            return; /* cannot be: it was walked */
        for (; at < end; at++)
            digits[at] = byte_is_digit(text[at]) ? 0xff : 0;
    }
    memcpy(pattern->image, text, size);
    memcpy(pattern->digits, digits, size);
    memcpy(pattern->shapes, shapes, pattern->number_count * sizeof *shapes);
    pattern->size = size;
}

/* ---- What a matched line says ---- */

static bool time_read(struct pattern *pattern, const char *text, double *time)
{
    struct moment moment;
    const char *clock = text + pattern->clock_at;
    size_t head = pattern->second_at - pattern->clock_at;
    if (head && memcmp(clock, pattern->minute, head) == 0) {
        const char *second = text + pattern->second_at;
        unsigned fraction = 0;
        double value = (double)digits_value(second + 2, 2);
        if (pattern->clock_size > head + 3 && (second[2] == '.' || second[2] == ','))
            fraction = digits_count(second + 3, 9);
        if (fraction)
            value = scaled(digits_value(second + 2, 2) * tens[fraction] +
                               digits_value(second + 3 + fraction, fraction),
                           -(int)fraction);
        *time = pattern->minute_time + value;
        return true;
    }
    size_t n = time_take((struct text){text, pattern->clock_at + pattern->clock_size},
                         pattern->clock_at, &moment);
    if (n != pattern->clock_size || moment.kind != TIME_DATE || isnan(moment.seconds))
        return false;
    *time = moment.seconds;
    if (head && head <= sizeof pattern->minute) {
        memcpy(pattern->minute, clock, head);
        pattern->minute_time = floor(moment.seconds / 60) * 60;
    }
    return true;
}

static bool numbers_put(struct reader *reader, const struct pattern *pattern, const char *text,
                        const struct shape_of *shapes, struct position *own, bool *named)
{
    position_clear(own);
    *named = false;
    for (size_t i = 0; i < pattern->number_count; i++) {
        const struct target *target = &pattern->targets[i];
        struct number_read number;
        number_make(text, &shapes[i], &number);
        if (!target->place) {
            reader->values[target->column] = number.value;
            reader->places[target->column] = number.places;
            continue;
        }
        if (number.integer != target->integer || fabs(number.value) >= 9e15)
            return false;
        if (number.integer)
            position_set(own, target->field, (int64_t)number.value);
        else
            own->epoch_fraction = number.value;
        *named = *named || !target->counter;
    }
    return true;
}

static bool line_put(struct reader *reader, struct pattern *pattern, struct row *row, bool named,
                     struct error *error)
{
    struct stream *stream = reader->stream;
    const struct position own = row->position;
    bool sets = named && pattern->flags & PLAN_SETS;
    stream->lines++;
    stream->singles = 0;
    reader->counts.lines++;
    reader->counts.with_number++;
    reader->counts.understood++;
    position_inherit(stream, row->line, &row->position, &row->grain);
    if (row->grain & GRAIN_CARRIED || !named)
        row->phase = stream->heading;
    if (sets)
        stream_place(stream, &own, row->line);
    return batch_add(reader, row, error);
}

/* True where the state of the stream lets the line pass without a look at it. */
static bool stream_free(struct reader *reader, const struct pattern *pattern)
{
    const struct stream *stream = stream_of(reader, pattern->rank, NULL);
    return stream && stream->rank == pattern->rank && !stream->box && !stream->swapped &&
           (stream->table.kind == TABLE_NONE || !(pattern->entry_flags & ENTRY_ROW)) &&
           !(stream->traceback && traceback_wants(stream->traceback, NULL, 0));
}

static bool try(struct reader *reader, struct pattern *pattern, struct text rest, struct row *row,
                size_t *used, struct error *error)
{
    struct patterns *patterns = reader->patterns;
    struct shape_of walked[SLOTS];
    const struct shape_of *shapes = pattern->shapes;
    bool named;
    *used = 0;
    if (!stream_free(reader, pattern))
        return true;
    size_t size = pattern->size;
    if (pattern->wild || size > rest.size || !image_same(pattern, rest.data)) {
        size = walk(reader, pattern, rest.data, rest.size, walked);
        shapes = walked;
        if (size == 0)
            return true;
        if (!pattern->wild && ++pattern->walked % WALKED == 0)
            image_renew(pattern, rest.data, size, walked);
        if (pattern->wild && reader->reading->messages &&
            message_possible(reader->reading->messages, text_cut(rest, 0, size - 1)))
            return true;
    }
    row->time = NAN;
    if ((pattern->clock_size && !time_read(pattern, rest.data, &row->time)) ||
        !numbers_put(reader, pattern, rest.data, shapes, &row->position, &named))
        return true;
    *used = size;
    pattern->imaged = shapes == pattern->shapes;
    row->sheet = pattern->sheet;
    row->values = reader->values;
    row->places = reader->places;
    row->rank = pattern->rank;
    row->origin = ORIGIN_LINE;
    row->text = text_cut(rest, 0, size - 1);
    const struct place place = {reader->input, row->line, row->offset};
    if (pattern->clock_size &&
        !reader->sink->time(reader->sink, row->time, &place, row->rank, error))
        return false;
    if (patterns->last)
        patterns->last->after = pattern;
    patterns->last = pattern;
    pattern->hits++;
    if (pattern->entry)
        pattern->entry->uses++;
    return line_put(reader, pattern, row, named, error);
}

/* ---- Lines of one image, one behind the other ---- */

static bool cells_put(const struct pattern *pattern, const char *text, struct batch *batch,
                      size_t at, struct position *own)
{
    for (size_t i = 0; i < pattern->number_count; i++) {
        const struct target *target = &pattern->targets[i];
        struct number_read number;
        number_make(text, &pattern->shapes[i], &number);
        if (!target->place) {
            batch->cells[target->column * batch->room + at] = number.value;
            if (number.places > batch->places[target->column])
                batch->places[target->column] = number.places;
        } else if (fabs(number.value) >= 9e15) {
            return false;
        } else if (number.integer) {
            position_set(own, target->field, (int64_t)number.value);
        } else {
            own->epoch_fraction = number.value;
        }
    }
    return true;
}

struct run { /* of lines like the last one */
    struct text rest;
    uint64_t number, offset;
    size_t used, lines;
};

/* Fills the batch with the lines at run->rest for as long as they have the pattern's image. The
   batch is that of the row, which is of such a line. */
static bool batch_fill(struct reader *reader, struct pattern *pattern, struct batch *batch,
                       struct run *run, const struct row *row, struct error *error)
{
    struct position position;
    const size_t size = pattern->size;
    position_clear(&position);
    position.generation = reader->stream->generation;
    while (batch->count < batch->room && run->used + size <= run->rest.size) {
        const char *text = run->rest.data + run->used;
        size_t at = batch->count;
        double time = NAN;
        if (!image_same(pattern, text) || (pattern->clock_size && !time_read(pattern, text, &time)))
            break;
        const uint64_t number = run->number + run->lines, offset = run->offset + run->used;
        const struct place place = {reader->input, number, offset};
        if (!cells_put(pattern, text, batch, at, &position))
            break;
        if (pattern->clock_size &&
            !reader->sink->time(reader->sink, time, &place, row->rank, error))
            return false;
        batch->positions[at] = position;
        batch->lines[at] = number;
        batch->offsets[at] = offset;
        batch->times[at] = time;
        batch->texts[at] = (struct text){text, size - 1};
        batch->count++;
        run->used += size;
        run->lines++;
    }
    return true;
}

/* What the lines leave behind in the stream and the counts. */
static void run_end(struct reader *reader, struct pattern *pattern, const struct run *run,
                    const struct position *last)
{
    struct stream *stream = reader->stream;
    stream->lines += run->lines;
    reader->counts.lines += run->lines;
    reader->counts.with_number += run->lines;
    reader->counts.understood += run->lines;
    pattern->hits += (uint32_t)run->lines;
    if (pattern->entry)
        pattern->entry->uses += run->lines;
    if (run->lines > 0)
        stream_place(stream, last, run->number);
}

/* The lines behind one that was just read by the pattern's image; the row is that line's. */
static bool run_read(struct reader *reader, struct pattern *pattern, struct run *run,
                     const struct row *row, struct error *error)
{
    struct position last = row->position;
    for (size_t before = SIZE_MAX; before != run->lines;) {
        struct batch *batch;
        before = run->lines;
        if (!batch_room(reader, row, &batch, error))
            return false;
        if (!batch)
            break;
        if (!batch_fill(reader, pattern, batch, run, row, error))
            return false;
        if (run->lines > before)
            last = batch->positions[batch->count - 1];
    }
    run_end(reader, pattern, run, &last);
    return true;
}

bool pattern_read(struct reader *reader, struct text rest, uint64_t number, uint64_t offset,
                  size_t *used, size_t *lines, struct error *error)
{
    *lines = 1;
    struct patterns *patterns = reader->patterns;
    struct pattern *last = patterns->last, *next = last ? last->after : NULL;
    struct pattern *order[2] = {next, next == last ? NULL : last};
    *used = 0;
    for (size_t i = 0; i < 2; i++) {
        struct row row = {.line = number, .offset = offset};
        if (!order[i] || !order[i]->used)
            continue;
        if (!try(reader, order[i], rest, &row, used, error))
            return false;
        if (*used && order[i]->runs && order[i]->imaged) {
            struct run run = {text_cut(rest, *used, rest.size), number + 1, offset + *used, 0, 0};
            bool read = run_read(reader, order[i], &run, &row, error);
            *used += run.used;
            *lines += run.lines;
            return read;
        }
        if (*used)
            return true;
    }
    for (size_t i = 0; i < PATTERNS && patterns->slots[i].used; i++) {
        struct pattern *pattern = &patterns->slots[i];
        struct row row = {.line = number, .offset = offset};
        if (pattern == order[0] || pattern == order[1] ||
            (uint8_t)rest.data[0] != pattern->image[0])
            continue;
        if (!try(reader, pattern, rest, &row, used, error))
            return false;
        if (*used)
            return true;
    }
    return true;
}
