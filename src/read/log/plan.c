/* Applies a plan to a line: places and values by their slots, the context of the stream. */
/* SPDX-License-Identifier: MIT */
#include "read/log/stanza.h"

enum {
    SINGLES_SETTINGS = 5, /* single pairs running that look like a print of settings */
    HEADING_NEAR = 32,    /* lines behind a heading in which they do not */
};

/* A float under epoch is progress; under another place it counts where it is whole. */
static void place_number(struct position *position, unsigned field, const struct number *number,
                         bool rounded)
{
    if (!number->finite)
        return;
    double whole = trunc(number->value);
    bool fits = whole == number->value && fabs(whole) < 9e15;
    if (number->integer && fits) {
        position_set(position, field, (int64_t)whole);
    } else if (field == FIELD_EPOCH) {
        position->epoch_fraction = number->value;
    } else if (fits && !rounded) {
        position_set(position, field, (int64_t)whole);
    }
}

/* The k and M of a counter multiply it, those of `10.0kit` too. */
static double multiplier(struct text unit)
{
    if (unit.size != 1 && !text_ends(unit, "it"))
        return 1;
    switch (unit.data[0]) {
    case 'k':
    case 'K':
        return 1e3;
    case 'M':
        return 1e6;
    default:
        return 1;
    }
}

/* The same keys, whatever units stand at their numbers: samples reach 998K and go on at 1M. */
static bool same_keys(const struct sheet *a, const struct sheet *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->columns[i].phase != b->columns[i].phase ||
            !text_equal(a->columns[i].name, b->columns[i].name))
            return false;
    return true;
}

/* The step that is meant where it is printed rounded to thousands or millions: the next one by the
   stride of those before, as far as the print allows; rows of other columns stand where these do.
   Source: rows of LeRobot, `step:800`, `step:1K`, `step:1K`, `step:1K`, `step:2K`. */
static int64_t round_step(struct round *round, const struct sheet *sheet, int64_t step, double unit)
{
    const bool known = round->sheet != NULL, same = known && same_keys(round->sheet, sheet);
    if (known && unit > 1) {
        const int64_t next = round->last + (same ? round->stride : 0);
        if (fabs((double)next - (double)step) <= unit)
            step = next;
    }
    const bool idle = round->stride == 0 && unit <= 1 && step > round->last;
    if (known && !same && !idle) /* rows that were printed once, as at the start, give no stride */
        return step;
    if (unit <= 1)
        round->stride = same && step > round->last ? step - round->last : 0;
    round->sheet = sheet;
    round->last = step;
    return step;
}

/* No counter is k of 0: such a pair is epoch and batch. */
static void unswap(struct stream *stream, struct position *position)
{
    if (position->batch == STEP_NONE || position->batch_total == STEP_NONE ||
        position->epoch != STEP_NONE || position->step != STEP_NONE)
        return;
    stream->swapped = stream->swapped || position->batch_total == 0;
    if (!stream->swapped)
        return;
    position->epoch = position->batch;
    position->batch = position->batch_total;
    position->batch_total = STEP_NONE;
}

static bool read_places(struct reader *reader, const struct plan_part *part,
                        struct position *position)
{
    const struct cut *cut = &reader->cut;
    bool named = false;
    position_clear(position);
    for (size_t i = 0; i < part->place_count; i++) {
        const struct plan_place *place = &part->places[i];
        struct number number;
        const struct token *token = &cut->tokens[cut->numbers[place->number]];
        if (!token_number(reader, cut, token, &number))
            continue;
        double factor = multiplier(token_unit(cut, token));
        if (factor > 1)
            number.value = nearbyint(number.value * factor);
        place_number(position, place->field, &number, (token->flags & FLAG_UPPER) != 0);
        named = named || !place->counter;
        if (place->field == FIELD_STEP && !place->counter && position->step != STEP_NONE)
            position->step = round_step(&reader->stream->round, part->sheet, position->step,
                                        factor > 1 ? factor * pow(10, -(double)number.places) : 1);
    }
    unswap(reader->stream, position);
    return named;
}

/* Of so many: a share with as many decimals as they can make differ. */
static void number_share(const struct reader *reader, uint16_t of, struct number *number)
{
    const struct cut *cut = &reader->cut;
    struct number whole;
    if (!token_number(reader, cut, &cut->tokens[cut->numbers[of]], &whole) || !whole.finite ||
        !(whole.value > 0))
        return;
    number->value /= whole.value;
    number->places = (int16_t)ceil(log10(whole.value));
}

static void read_values(struct reader *reader, const struct plan *plan,
                        const struct plan_part *part)
{
    const struct cut *cut = &reader->cut;
    for (size_t i = 0; i < part->value_count; i++) {
        const struct plan_value *value = &plan->values[part->first_value + i];
        struct number number;
        const struct token *token = &cut->tokens[cut->numbers[value->number]];
        bool read = token_number(reader, cut, token, &number);
        if (read && value->of != NO_NUMBER)
            number_share(reader, value->of, &number);
        if (value->invert && number.value != 0)
            number.value = 1 / number.value;
        reader->values[value->column] = read ? number.value : value_missing_make();
        reader->places[value->column] = read ? number.places : INT16_MIN;
    }
}

/* One pair after another without any place is a print of settings. */
static bool looks_like_settings(struct stream *stream, const struct line *line,
                                const struct plan *plan)
{
    if (plan->flags & PLAN_SETTINGS)
        return true;
    if (!(plan->flags & PLAN_SINGLE)) {
        stream->singles = 0;
        return false;
    }
    stream->singles = line->number == stream->last_single + 1 ? stream->singles + 1 : 1;
    stream->last_single = line->number;
    for (size_t i = 0; i < SINGLES_KEPT; i++) /* the same key again is no print of settings */
        if (stream->single_sheets[i] == plan->parts[0].sheet)
            stream->singles = 1;
    stream->single_sheets[line->number % SINGLES_KEPT] = plan->parts[0].sheet;
    return stream->singles >= SINGLES_SETTINGS &&
           (stream->last_heading == 0 || line->number > stream->last_heading + HEADING_NEAR);
}

/* The percentage of a bar; -1 none. */
static int64_t share_of(const struct reader *reader, const struct plan *plan)
{
    struct number number;
    if (plan->share == NO_NUMBER || plan->share >= reader->cut.number_count ||
        !token_number(reader, &reader->cut, &reader->cut.tokens[reader->cut.numbers[plan->share]],
                      &number) ||
        !number.finite || number.value < 0 || number.value > 100)
        return -1;
    return (int64_t)number.value;
}

bool record_place(struct stream *stream, struct row *row, bool named)
{
    const struct position own = row->position;
    position_inherit(stream, row->line, &row->position, &row->grain);
    if (row->grain & GRAIN_CARRIED || !named) {
        row->phase = stream->heading;
        return false;
    }
    if (!stream_tests(stream, &own))
        return false;
    uint32_t generation = row->position.generation;
    row->position = stream->position;
    row->position.generation = generation;
    row->phase = PHASE_VALIDATION;
    return true;
}

static bool apply_part(struct reader *reader, const struct line *line, const struct plan *plan,
                       const struct plan_part *part, bool settings, struct error *error)
{
    struct stream *stream = reader->stream;
    struct row row = {
        .sheet = part->sheet,
        .values = reader->values,
        .places = reader->places,
        .rank = stream->rank,
        .line = line->number,
        .offset = line->offset,
        .time = line->time,
        .text = line->seen,
        .settings = settings,
        .change = (plan->flags & PLAN_CHANGE) != 0,
        .origin = ORIGIN_LINE,
    };
    bool named = read_places(reader, part, &row.position);
    struct position own = row.position;
    bool sets = named && (plan->flags & PLAN_SETS) && !settings;
    if (!part->sheet) {
        if (sets) {
            if (!stanza_placed(reader, &own, error))
                return false;
            stream_place(stream, &own, line->number);
            stream_heading(stream, line->number, (plan->flags & PLAN_STRONG) != 0);
        }
        if (plan->flags & PLAN_PHASE)
            stream->heading = plan->phase;
        return true;
    }
    read_values(reader, plan, part);
    if (plan->flags & PLAN_CHANGE)
        settings = row.settings = false;
    if (!record_place(stream, &row, named) && sets) {
        if (!stanza_placed(reader, &own, error))
            return false;
        stream_place(stream, &own, line->number);
    }
    if (!(plan->flags & PLAN_BAR))
        tie_record(stream, &row.position, line->number);
    /* `| 7/445 [.., loss=0.9, global_step=7]`: each drawing has a step of its own. */
    const bool stepped = named && own.step != STEP_NONE && own.batch_total != STEP_NONE;
    if ((plan->flags & PLAN_BAR) && named)
        stream_epoch(stream, &own);
    if ((plan->flags & PLAN_BAR) && !stepped)
        return bar_row(reader, stream, &row, line, share_of(reader, plan), error);
    bool held;
    return stanza_hold(reader, &row, &held, error) && (held || batch_add(reader, &row, error));
}

bool plan_apply(struct reader *reader, const struct line *line, const struct plan *plan,
                struct error *error)
{
    bool settings = looks_like_settings(reader->stream, line, plan);
    for (size_t i = 0; i < plan->part_count; i++)
        if (!apply_part(reader, line, plan, &plan->parts[i], settings, error))
            return false;
    return true;
}
