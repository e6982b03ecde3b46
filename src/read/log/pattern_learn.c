/* Patterns made from lines that were read by their plans (pattern.c matches them). */
/* SPDX-License-Identifier: MIT */
#include "read/log/pattern_form.h"

#include "read/log/bytes.h"
#include "read/log/digits.h"

enum {
    FORBIDDEN = ENTRY_MESSAGE | ENTRY_RULE | ENTRY_HEAD | ENTRY_BOX | ENTRY_SETTING | ENTRY_LIFE |
                ENTRY_PHASE | ENTRY_DUMP,
    FORBIDDEN_PLAN = PLAN_BAR | PLAN_SINGLE | PLAN_SETTINGS | PLAN_CHANGE | PLAN_PHASE,
};

/* Only lines that are in the window as they were read, and whose state is of no account. */
static bool learnable(const struct line *line, const struct entry *entry, const struct plan *plan)
{
    const struct text raw = line->raw, content = line->content;
    bool alone = !(entry->flags & ENTRY_PAIR) || entry->flags & ENTRY_PLACED;
    return raw.data == line->seen.data && raw.size == line->seen.size && !line->redraw &&
           raw.size + 1 < LINE_BYTES && raw.data[raw.size] == '\n' &&
           content.data + content.size == raw.data + raw.size && alone &&
           !(entry->flags & FORBIDDEN) && !(plan->flags & FORBIDDEN_PLAN) &&
           plan->part_count == 1 && plan->parts[0].sheet;
}

static void digits_mark(struct pattern *pattern, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (byte_is_digit((char)pattern->image[i]))
            pattern->digits[i] = 0xff;
}

/* The date and time in the prefix; false where it has one of another kind. */
static bool clock_find(struct pattern *pattern, const struct line *line, size_t prefix)
{
    struct moment moment;
    struct text text = text_cut(line->raw, 0, prefix);
    if (isnan(line->time))
        return true;
    for (size_t i = 0; i < prefix; i++) {
        size_t n = byte_is_digit(text.data[i]) && (i == 0 || !byte_is_word(text.data[i - 1]))
                       ? time_take(text, i, &moment)
                       : 0;
        if (n == 0)
            continue;
        if (moment.kind != TIME_DATE || moment.seconds != line->time)
            return false;
        pattern->clock_at = pattern->second_at = i;
        pattern->clock_size = n;
        for (size_t k = i; k + 8 <= i + n; k++)
            if (text.data[k + 2] == ':' && text.data[k + 5] == ':')
                pattern->second_at = k + 6;
        if (pattern->second_at - i > sizeof pattern->minute)
            pattern->second_at = i;
        const size_t point = pattern->second_at + 2;
        if (n > pattern->second_at - i + 3 && (text.data[point] == '.' || text.data[point] == ','))
            pattern->second_places = digits_count(text.data + point + 1, 9);
        digits_mark(pattern, i, i + n);
        return true;
    }
    return false;
}

/* What the plan does with a number; false: something that is not copied here. */
static bool target_find(const struct reader *reader, const struct plan *plan, size_t number,
                        const struct token *token, struct target *target, bool *wanted)
{
    const struct plan_part *part = &plan->parts[0];
    struct text unit = token_unit(&reader->cut, token);
    *wanted = false;
    for (size_t i = 0; i < part->value_count; i++) {
        const struct plan_value *value = &plan->values[part->first_value + i];
        if (value->number != number)
            continue;
        if (*wanted || value->invert || value->of != NO_NUMBER)
            return false;
        *target = (struct target){.column = value->column};
        *wanted = true;
    }
    for (size_t i = 0; i < part->place_count; i++) {
        const struct plan_place *place = &part->places[i];
        bool integer = token->flags & FLAG_INTEGER;
        if (place->number != number)
            continue;
        if (*wanted || (!integer && place->field != FIELD_EPOCH) ||
            (unit.size == 1 && (unit.data[0] | 32) != 's'))
            return false;
        *target = (struct target){
            .place = true, .integer = integer, .counter = place->counter, .field = place->field};
        *wanted = true;
    }
    return true;
}

static struct slot *slot_add(struct pattern *pattern, size_t literal, size_t end, bool pad)
{
    if (pattern->slot_count == SLOTS)
        return NULL;
    struct slot *slot = &pattern->slots[pattern->slot_count++];
    size_t stop = end;
    while (pad && stop > literal && pattern->image[stop - 1] == ' ')
        stop--;
    *slot = (struct slot){
        .literal = (uint16_t)literal,
        .literal_size = (uint16_t)(stop - literal),
        .blanks = stop < end,
        .value = SLOT_UNREAD,
    };
    return slot;
}

static bool number_add(const struct reader *reader, struct pattern *pattern,
                       const struct plan *plan, size_t prefix, size_t number, size_t *literal)
{
    const struct token *token = &reader->cut.tokens[reader->cut.numbers[number]];
    size_t at = prefix + token->inner, end = prefix + token->inner_end, found = 0;
    struct shape_of shape;
    struct target target;
    bool wanted;
    if (token->flags & FLAG_NAN ||
        !pattern_shape((const char *)pattern->image, at, &shape, &found) || found != end ||
        !target_find(reader, plan, number, token, &target, &wanted))
        return false;
    struct slot *slot = slot_add(pattern, *literal, at, !(token->flags & FLAG_QUOTED));
    if (!slot || pattern->number_count == SLOT_UNREAD)
        return false;
    if (wanted) {
        slot->value = (int16_t)pattern->number_count;
        pattern->shapes[pattern->number_count] = shape;
        pattern->targets[pattern->number_count++] = target;
    }
    digits_mark(pattern, at, end);
    *literal = end;
    return true;
}

/* A quoted time: digits and what stands between them. */
static bool is_clock(struct text text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!byte_is_digit(text.data[i]) && text.data[i] != ':' && text.data[i] != '.')
            return false;
    return text.size > 0;
}

/* Lines that say their own place inherit nothing: the stream needs the last of them only. */
static bool says_all(const struct pattern *pattern)
{
    bool step = false;
    for (size_t i = 0; i < pattern->number_count; i++) {
        const struct target *target = &pattern->targets[i];
        step = step || (target->place && !target->counter &&
                        (target->field == FIELD_STEP || target->field == FIELD_EPOCH));
    }
    return step && pattern->flags & PLAN_SETS;
}

static bool make(const struct reader *reader, const struct line *line, const struct plan *plan,
                 struct pattern *pattern)
{
    const struct cut *cut = &reader->cut;
    size_t prefix = (size_t)(line->content.data - line->raw.data), literal = 0, number = 0;
    memset(pattern, 0, sizeof *pattern);
    pattern->size = line->raw.size + 1;
    memcpy(pattern->image, line->raw.data, pattern->size);
    if (!clock_find(pattern, line, prefix))
        return false;
    for (size_t i = 0; i < cut->count; i++) {
        const struct token *token = &cut->tokens[i];
        if (token->kind == TOKEN_BAR)
            return false;
        if (token->kind == TOKEN_TIME ||
            (token->kind == TOKEN_STRING && is_clock(token_inner(cut, token))))
            digits_mark(pattern, prefix + token->start, prefix + token->end);
        if (token->kind == TOKEN_NUMBER &&
            !number_add(reader, pattern, plan, prefix, number++, &literal))
            return false;
    }
    struct slot *end = slot_add(pattern, literal, pattern->size, false);
    if (!end || number != cut->number_count ||
        pattern->number_count != plan->parts[0].value_count + plan->parts[0].place_count)
        return false;
    end->kind = SLOT_END;
    pattern->sheet = plan->parts[0].sheet;
    pattern->flags = plan->flags;
    pattern->rank = reader->stream->rank;
    pattern->used = true;
    pattern->runs = says_all(pattern);
    return true;
}

/* ---- Words that keep changing ---- */

struct place_of { /* of a word inside the literal before a slot */
    size_t slot, start, size;
    bool found;
};

static size_t word_start(const uint8_t *bytes, size_t at)
{
    while (at > 0 && byte_is_letter((char)bytes[at - 1]))
        at--;
    return at;
}

static size_t word_end(const char *bytes, size_t at, size_t size)
{
    while (at < size && byte_is_letter(bytes[at]))
        at++;
    return at;
}

/* The literal against the text at *at, where one word may differ. */
static bool literal_near(const struct pattern *pattern, size_t index, struct text text, size_t *at,
                         struct place_of *place)
{
    const struct slot *slot = &pattern->slots[index];
    const uint8_t *image = pattern->image + slot->literal,
                  *digits = pattern->digits + slot->literal;
    for (size_t i = 0; i < slot->literal_size; i++, (*at)++) {
        if (*at >= text.size)
            return false;
        if ((uint8_t)text.data[*at] == image[i] || (digits[i] && byte_is_digit(text.data[*at])))
            continue;
        size_t start = word_start(image, i);
        size_t end = word_end((const char *)image, start, slot->literal_size);
        size_t back = i - start;
        if (place->found || end == start || end == slot->literal_size || back > *at)
            return false;
        size_t other = word_end(text.data, *at - back, text.size);
        if (other == *at - back)
            return false;
        *place = (struct place_of){index, start, end - start, true};
        *at = other;
        i = end;
        if (*at >= text.size || (uint8_t)text.data[*at] != image[i])
            return false;
    }
    return true;
}

static bool near(const struct pattern *pattern, struct text text, struct place_of *place)
{
    size_t at = 0;
    *place = (struct place_of){.found = false};
    for (size_t i = 0; i < pattern->slot_count; i++) {
        const struct slot *slot = &pattern->slots[i];
        struct shape_of shape;
        if (!literal_near(pattern, i, text, &at, place))
            return false;
        if (slot->kind == SLOT_END)
            return at == text.size && place->found;
        while (slot->blanks && at < text.size && text.data[at] == ' ')
            at++;
        if (at >= text.size || !pattern_shape(text.data, at, &shape, &at))
            return false;
    }
    return false;
}

static bool same_reading(const struct pattern *a, const struct pattern *b)
{
    if (a->sheet != b->sheet || a->flags != b->flags || a->rank != b->rank ||
        a->number_count != b->number_count)
        return false;
    for (size_t i = 0; i < a->number_count; i++) {
        const struct target *x = &a->targets[i], *y = &b->targets[i];
        if (x->place != y->place || x->integer != y->integer || x->counter != y->counter ||
            x->field != y->field || x->column != y->column)
            return false;
    }
    return true;
}

/* The word becomes a slot of its own. */
static bool widen(struct pattern *pattern, const struct place_of *place)
{
    struct slot *slot = &pattern->slots[place->slot];
    if (pattern->slot_count == SLOTS)
        return false;
    memmove(slot + 1, slot, (pattern->slot_count - place->slot) * sizeof *slot);
    pattern->slot_count++;
    uint16_t after = (uint16_t)(place->start + place->size);
    slot[1].literal = (uint16_t)(slot[1].literal + after);
    slot[1].literal_size = (uint16_t)(slot[1].literal_size - after);
    *slot = (struct slot){
        .kind = SLOT_WORD,
        .literal = slot->literal,
        .literal_size = (uint16_t)place->start,
        .value = SLOT_UNREAD,
    };
    pattern->wild = true;
    return true;
}

/* A line whose template is new, like the last such line but for a word. */
static void learn_once(struct reader *reader, struct pattern *made)
{
    struct patterns *patterns = reader->patterns;
    struct pattern *candidate = &patterns->candidate;
    struct place_of place;
    const struct text text = {(const char *)made->image, made->size}; /* with bytes to spare */
    if (!candidate->used || !same_reading(candidate, made) || !near(candidate, text, &place)) {
        *candidate = *made;
        return;
    }
    size_t at = place.slot << 16 | place.start;
    candidate->alike = candidate->alike_at == at ? candidate->alike + 1 : 1;
    candidate->alike_at = at;
    if (candidate->alike < WORDS_ALIKE || !widen(candidate, &place))
        return;
    const struct message_table *messages = reader->reading->messages;
    const struct text line = {(const char *)candidate->image, candidate->size - 1};
    candidate->lone = place.slot == 0 && messages && !message_near(messages, line, 0, line.size);
    candidate->word_at = place.start;
    candidate->serial = ++patterns->serials;
    *pattern_room(patterns) = *candidate;
    candidate->used = false;
}

void pattern_learn(struct reader *reader, const struct line *line, const struct entry *entry,
                   const struct plan *plan, bool once)
{
    struct patterns *patterns = reader->patterns;
    struct pattern *known = NULL;
    if (!learnable(line, entry, plan))
        return;
    for (size_t i = 0; !once && i < PATTERNS && patterns->slots[i].used; i++)
        if (patterns->slots[i].entry == entry)
            known = &patterns->slots[i];
    if (known && known->misses++ > known->hits + MISSES)
        return;
    struct pattern *made = &patterns->made;
    if (!make(reader, line, plan, made))
        return;
    made->entry_flags = entry->flags;
    made->serial = ++patterns->serials;
    if (once) {
        learn_once(reader, made);
        return;
    }
    made->entry = known ? known->entry : (struct entry *)(uintptr_t)entry;
    made->hits = known ? known->hits : 0;
    made->misses = known ? known->misses : 0;
    struct pattern *room = known ? known : pattern_room(patterns);
    *room = *made;
    if (patterns->last)
        patterns->last->after = room;
    patterns->last = room;
}
