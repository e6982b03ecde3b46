/* From the first line of a template to its plan: which number is what. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <string.h>

enum {
    KEY_WORDS = 8,       /* more is a sentence */
    BLANK_KEY_WORDS = 4, /* without a separator */
    HEADING_BYTES = 96,
    LONG_LINE = 2048, /* of longer ones, where they are no records, the first slots are read */
    LONG_SLOTS = 64,
};

static bool sentence_open(struct reader *reader, struct error *error)
{
    struct sentence *sentence = arena_take(reader->arena, 1, sizeof *sentence);
    if (sentence) {
        sentence->mentions = arena_take(reader->arena, NUMBERS_MAX, sizeof *sentence->mentions);
        sentence->group_of = arena_take(reader->arena, NUMBERS_MAX, sizeof *sentence->group_of);
        sentence->listed = arena_take(reader->arena, NUMBERS_MAX, sizeof *sentence->listed);
        sentence->bytes = arena_take(reader->arena, SENTENCE_BYTES, 1);
        sentence->values = arena_take(reader->arena, NUMBERS_MAX, sizeof *sentence->values);
        sentence->columns = arena_take(reader->arena, COLUMNS_MAX, sizeof *sentence->columns);
    }
    if (!sentence || !sentence->mentions || !sentence->group_of || !sentence->listed ||
        !sentence->bytes || !sentence->values || !sentence->columns)
        return error_set(error, ERROR_MEMORY, (struct place){reader->input, 0, 0},
                         "no memory to understand lines");
    sentence->reader = reader;
    sentence->cut = &reader->cut;
    reader->sentence = sentence;
    return true;
}

/* ---- What kind of line it is ---- */

struct tally {
    size_t words, numerics, separators, pipes, rules, others, braces;
};

static struct tally tally_of(const struct sentence *sentence)
{
    struct tally tally = {0};
    const struct cut *cut = sentence->cut;
    size_t count = cut->bar < cut->count ? cut->bar : cut->count;
    for (size_t i = 0; i < count; i++) {
        const struct token *token = &cut->tokens[i];
        switch (token->kind) {
        case TOKEN_WORD:
        case TOKEN_KEY:
        case TOKEN_STRING:
        case TOKEN_OPAQUE:
            tally.words++;
            break;
        case TOKEN_NUMBER:
            if (text_count(token_unit(cut, token), '_') > 0) /* `2d_loss` */
                tally.words++;
            else
                tally.numerics++;
            break;
        case TOKEN_TIME:
        case TOKEN_ABSENT:
            tally.numerics++;
            break;
        case TOKEN_PUNCT:
            tally.pipes += token->byte == '|';
            if (strchr("-=+|*_~.#", token->byte)) /* of glyphs three bytes each */
                tally.rules += token->end > token->start + 3 ? (token->end - token->start) / 3 : 1;
            tally.others += strchr("-=+|*_~.#", token->byte) == NULL;
            tally.separators += token->byte == '=' || token->byte == ':';
            tally.braces += token->byte == '{' || token->byte == '}';
            break;
        default:
            break;
        }
    }
    if (cut->bar < cut->count && tally.separators > 0) /* `640: 100%|###|` behind a row */
        tally.separators--;
    return tally;
}

static bool is_box(const struct sentence *sentence, const struct tally *tally)
{
    const struct cut *cut = sentence->cut;
    if (tally->pipes != 3 || cut->bar < cut->count || tally->words == 0 || tally->numerics > 1)
        return false;
    size_t first = solid_after(sentence, 0);
    if (!is_punct(&cut->tokens[0], '|') && !is_punct(&cut->tokens[first], '|'))
        return false;
    size_t last = solid_before(sentence, cut->count, 0);
    if (!is_punct(&cut->tokens[last], '|'))
        return false;
    size_t i = is_punct(&cut->tokens[0], '|') ? first : solid_after(sentence, first);
    return cut->tokens[i].kind == TOKEN_WORD;
}

static uint32_t gate_flags(const struct sentence *sentence)
{
    const struct cut *cut = sentence->cut;
    struct tally tally = tally_of(sentence);
    uint32_t flags = cut->number_count > 0 ? ENTRY_NUMBERS : 0;
    if (tally.words == 0 && tally.numerics == 0 && tally.others == 0 &&
        (tally.rules >= 4 || (cut->bar < cut->count && cut->number_count == 0)))
        return flags | ENTRY_RULE;
    flags |= tally.braces > 0 ? ENTRY_BRACES : 0;
    if (is_box(sentence, &tally))
        flags |= ENTRY_BOX;
    if (tally.numerics > 0 && tally.numerics * 10 >= 6 * (tally.words + tally.numerics) &&
        (tally.separators == 0 || tally.pipes > 3))
        flags |= ENTRY_ROW;
    if (tally.words >= 2 && tally.numerics * 3 <= tally.words && cut->text.size < RING_BYTES)
        flags |= ENTRY_HEAD;
    return flags;
}

/* ---- Marks of the whole line ---- */

static void look_for_bookkeeping(struct sentence *sentence)
{
    static const char *const stems[] = {"sav", "load", "resum", "download", "checkpoint", "restor"};
    for (size_t i = 0; i < sentence->cut->count; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_WORD)
            continue;
        struct text word = token_text(sentence->cut, token);
        for (size_t s = 0; s < sizeof stems / sizeof *stems; s++) {
            size_t n = strlen(stems[s]);
            if (word.size >= n && text_folds_to(text_cut(word, 0, n), stems[s]))
                sentence->marks |= MARK_BOOKKEEPING;
        }
    }
}

/* `loss 0.5 # batch of 3 nodes`: what a remark behind the values counts is no value. */
static void drop_remark(struct sentence *sentence)
{
    size_t remark = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        const size_t sign = solid_after(sentence, mention->end - 1u);
        if (remark > 0 && mention->place == PLACE_NONE && mention->first > remark)
            mention->dropped = true;
        else if (is_punct(token_at(sentence, sign), '#') && sign > mention->end &&
                 token_at(sentence, sign + 1)->kind == TOKEN_BLANK &&
                 token_at(sentence, sign + 2)->kind == TOKEN_WORD)
            remark = sign;
    }
}

/* The share of a bar is no value: `34%|###`, `[==>  ] 34%`. */
static void drop_share(struct sentence *sentence)
{
    size_t bar = sentence->cut->bar;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        size_t before = solid_before(sentence, mention->first, 0);
        bool beside = mention->first + 1u == bar || mention->end == bar || before == bar;
        if (!beside || mention->total_number != NO_NUMBER ||
            (before == bar && !text_is(mention->unit, "%")))
            continue;
        sentence->share = mention->number;
        mention->dropped = true;
        mention->place = PLACE_NONE;
    }
}

/* `1: 1123.4, 1100.2 avg`: the nameless one is the loss. */
static void name_beside_average(struct sentence *sentence)
{
    static const char *const averages[] = {"avg", "average", "avg loss", "average loss", NULL};
    for (size_t i = 0; i + 1 < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        const struct mention *next = &sentence->mentions[i + 1];
        if (!mention->dropped && !mention->integer && mention->side == SIDE_NONE &&
            next->side == SIDE_RIGHT && text_in(next->name, averages)) {
            mention->name = (struct text){"loss", 4};
            mention->side = SIDE_RIGHT;
            mention->words = 1;
        }
    }
}

/* `Averaged stats: loss: 0.5 (0.75)`: behind such a word the mean is meant, which stands in
   brackets behind the last of what it is taken over. */
static void take_averages(struct sentence *sentence)
{
    size_t first = 0;
    while (first < sentence->cut->count && token_at(sentence, first)->kind != TOKEN_WORD)
        first++;
    if (first == sentence->cut->count || !word_is(sentence, first, "averaged"))
        return;
    for (size_t i = 1; i < sentence->count; i++) {
        struct mention *mean = &sentence->mentions[i], *mention = mean - 1;
        const size_t open = solid_before(sentence, mean->first, 0);
        if (!mean->dropped || mention->dropped || mention->side != SIDE_LEFT || open == SIZE_MAX ||
            !is_punct(token_at(sentence, open), '(') ||
            solid_before(sentence, open, 0) != mention->end - 1u ||
            !is_punct(token_at(sentence, mean->first + 1u), ')'))
            continue;
        mention->number = mean->number;
        mention->integer = false;
        mention->end = mean->end;
    }
}

/* ---- The plan ---- */

static bool is_pair(const struct mention *mention)
{
    if (mention->dropped || mention->field != FIELD_NONE || mention->place != PLACE_NONE ||
        mention->lead || mention->index || mention->name.size == 0)
        return false;
    if (mention->keyed || mention->side == SIDE_HEIR || mention->side == SIDE_RIGHT)
        return true;
    return mention->words <= (mention->separator ? KEY_WORDS : BLANK_KEY_WORDS);
}

static bool is_value(const struct mention *mention)
{
    return !mention->naming.refused && is_pair(mention);
}

static bool is_loss(const struct mention *mention)
{
    return is_value(mention) && mention->naming.known &&
           (mention->naming.kind == KIND_LOSS || mention->naming.kind == KIND_ADVERSARIAL);
}

/* What is set is printed beside each loss: it may change. */
static bool is_setting(const struct sentence *sentence, const struct mention *mention)
{
    bool loss = false;
    for (size_t i = 0; mention->naming.setting && is_pair(mention) && i < sentence->count; i++)
        loss = loss ||
               (sentence->mentions[i].part == mention->part && is_loss(&sentence->mentions[i]));
    return loss;
}

static bool is_nameless_value(const struct mention *mention)
{
    return !mention->dropped && mention->field == FIELD_NONE && mention->place == PLACE_NONE &&
           mention->side == SIDE_NONE && !mention->integer && mention->unit.size == 0;
}

static void number_again(struct sentence *sentence, struct column *column, size_t count)
{
    char mark[2];
    if (!column_again(sentence->columns, count, column, mark))
        return;
    struct text name = sentence_copy(sentence, column->name);
    name.size += sentence_copy(sentence, (struct text){mark, sizeof(mark)}).size;
    column->name = name;
}

/* Bars and their like print it/s or s/it, as it comes: one series, in seconds. */
static bool flips(const struct mention *mention)
{
    return mention->side == SIDE_RIGHT && text_is(mention->name, "it/s");
}

/* `Accuracy: 9806/10000`: how many of how many. */
static bool is_share(const struct mention *mention)
{
    const enum kind kind = mention->naming.kind;
    return mention->total_number != NO_NUMBER && mention->naming.direction == DIRECTION_UP &&
           (kind == KIND_METRIC || kind == KIND_VAL_METRIC);
}

static bool add_value(struct sentence *sentence, const struct mention *mention, size_t *columns)
{
    struct plan *plan = &sentence->plan;
    if (*columns == COLUMNS_MAX || plan->value_count == NUMBERS_MAX)
        return false;
    struct column column = {mention->name, mention->unit, mention->phase};
    bool invert = flips(mention);
    if (invert)
        column.name = column.unit = (struct text){"s/it", 4};
    number_again(sentence, &column, *columns);
    sentence->columns[*columns] = column;
    sentence->values[plan->value_count++] =
        (struct plan_value){mention->number, (uint16_t)*columns,
                            is_share(mention) ? mention->total_number : NO_NUMBER, invert};
    (*columns)++;
    return true;
}

static void add_place(struct plan_part *part, uint16_t number, unsigned field, bool counter)
{
    if (part->place_count == PLACES_MAX)
        return;
    part->places[part->place_count++] = (struct plan_place){number, (uint8_t)field, counter};
}

static void add_places(struct sentence *sentence, struct plan_part *out, uint16_t part)
{
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        if (mention->part != part || mention->field == FIELD_NONE)
            continue;
        bool counter = mention->place == PLACE_NONE;
        add_place(out, mention->number, mention->field, counter);
        if (mention->total_number != NO_NUMBER)
            add_place(out, mention->total_number, mention->field + 1u, counter);
    }
}

/* One record of the line; false where the sheet could not be kept. */
static bool build_part(struct sentence *sentence, uint16_t part, bool *known)
{
    struct plan *plan = &sentence->plan;
    struct plan_part *out = &plan->parts[part];
    size_t columns = 0;
    *out = (struct plan_part){.first_value = plan->value_count};
    add_places(sentence, out, part);
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        if (mention->part != part || !(is_value(mention) || is_setting(sentence, mention)))
            continue;
        *known = *known || mention->naming.known;
        if (!add_value(sentence, mention, &columns))
            break;
    }
    if (columns == 0 && out->place_count > 0)
        for (size_t i = 0; i < sentence->count && columns == 0; i++)
            if (sentence->mentions[i].part == part && is_nameless_value(&sentence->mentions[i])) {
                add_value(sentence, &sentence->mentions[i], &columns);
            }
    out->value_count = (uint16_t)(plan->value_count - out->first_value);
    if (columns == 0)
        return true;
    out->sheet = sheet_find(sentence->reader, sentence->columns, columns);
    return out->sheet != NULL;
}

/* A heading says in words what its number is; `[0]:` does not. */
static bool in_words(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        if (mention->field != FIELD_NONE && mention->place != PLACE_NONE && !mention->lead &&
            !mention->index)
            return true;
    }
    return false;
}

static bool names_place(const struct plan *plan)
{
    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t i = 0; i < plan->parts[p].place_count; i++)
            if (!plan->parts[p].places[i].counter)
                return true;
    return false;
}

/* Nothing but places and their words: `Epoch 7`. */
static bool only_places(const struct sentence *sentence)
{
    size_t words = 0;
    for (size_t i = 0; i < sentence->cut->count; i++)
        words += token_at(sentence, i)->kind == TOKEN_WORD;
    for (size_t i = 0; i < sentence->count; i++) {
        if (sentence->mentions[i].field == FIELD_NONE)
            return false;
        words -= words < sentence->mentions[i].words ? words : sentence->mentions[i].words;
    }
    return words == 0;
}

static bool has_total(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++)
        if (sentence->mentions[i].field != FIELD_NONE &&
            (sentence->mentions[i].total_number != NO_NUMBER || sentence->mentions[i].bracket))
            return true;
    return false;
}

/* `epochs: 10, steps: 500, lr: 0.1`: the only places are plurals, beside other pairs. */
static bool only_plurals(const struct sentence *sentence)
{
    size_t places = 0, pairs = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        pairs += is_value(mention);
        if (is_value(mention) && mention->naming.kind <= KIND_VAL_METRIC && mention->naming.known)
            return false;
        if (mention->place == PLACE_NONE || mention->dropped)
            continue;
        places++;
        if (mention->total_number != NO_NUMBER || mention->lead || mention->index ||
            mention->name.size == 0 || (mention->name.data[mention->name.size - 1] | 0x20) != 's' ||
            mention->name.size < 4)
            return false;
    }
    return places > 0 && pairs >= 3;
}

/* `epochs: 300` alone is a setting, no heading. */
static bool is_plural_setting(const struct sentence *sentence)
{
    if (sentence->count != 1 || !sentence->mentions[0].separator ||
        sentence->mentions[0].total_number != NO_NUMBER || sentence->mentions[0].words != 1)
        return false;
    struct text name = sentence->mentions[0].name;
    return name.size > 3 && (name.data[name.size - 1] | 0x20) == 's';
}

/* `Average Precision @[IoU=0.50]`: nobody sets what is qualified so. */
static bool is_qualified(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        struct text name = sentence->mentions[i].name;
        if (text_find(name, TEXT("@[")) < name.size)
            return true;
    }
    return false;
}

static void set_flags(struct sentence *sentence, struct entry *entry)
{
    struct plan *plan = &sentence->plan;
    bool places = names_place(plan);
    bool bar = sentence->cut->bar < sentence->cut->count || (sentence->marks & MARK_TICKER);
    if (bar)
        plan->flags |= PLAN_BAR;
    if (places && !bar &&
        (plan->value_count > 0 ||
         (!(sentence->marks & MARK_BOOKKEEPING) && !is_plural_setting(sentence))))
        plan->flags |= PLAN_SETS;
    if (places && plan->value_count == 0 && sentence->line->content.size < HEADING_BYTES &&
        (has_total(sentence) || only_places(sentence)))
        plan->flags |= PLAN_STRONG;
    if (plan->value_count == 0 && phase_heading(sentence, &plan->phase))
        plan->flags |= PLAN_PHASE;
    if (!places && !bar && plan->value_count == 1 && !(sentence->marks & MARK_CHANGE) &&
        !is_qualified(sentence))
        plan->flags |= PLAN_SINGLE;
    if (sentence->marks & MARK_CHANGE)
        plan->flags |= PLAN_CHANGE;
    if ((sentence->marks & MARK_COMMAND) || (entry->flags & ENTRY_SETTING) ||
        only_plurals(sentence))
        plan->flags |= PLAN_SETTINGS;
}

static bool build_plan(struct sentence *sentence, struct entry *entry)
{
    struct plan *plan = &sentence->plan;
    *plan = (struct plan){.values = sentence->values, .share = sentence->share};
    bool known = false;
    uint16_t parts = sentence->count > 0 ? sentence->mentions[sentence->count - 1].part : 0;
    plan->part_count = (uint8_t)(parts + 1);
    for (uint16_t part = 0; part <= parts; part++)
        if (!build_part(sentence, part, &known))
            return false;
    bool places = names_place(plan);
    bool counted = plan->parts[0].place_count > 0;
    entry->flags |= counted ? ENTRY_PLACED : 0;
    set_flags(sentence, entry);
    if (plan->value_count == 0)
        return places && in_words(sentence) && (plan->flags & (PLAN_SETS | PLAN_PHASE)) &&
               !(plan->flags & PLAN_BAR);
    known = known || (sentence->marks & MARK_LAYERS);
    return known || (counted && (places || !(plan->flags & PLAN_BAR)));
}

/* `epoch,3,loss,0.5`, as a print with commas for blanks has it: words and a number take turns. */
static bool alternates(const struct cut *cut)
{
    size_t cells = 1, words = 0, numbers = 0;
    for (size_t i = 0; i <= cut->count; i++) {
        const struct token *token = &cut->tokens[i];
        if (i < cut->count && !is_punct(token, ',')) {
            words += token->kind == TOKEN_WORD;
            numbers += token->kind == TOKEN_NUMBER;
            if (token->kind != TOKEN_WORD && token->kind != TOKEN_NUMBER &&
                token->kind != TOKEN_BLANK)
                return false;
            continue;
        }
        const bool name = cells % 2 > 0;
        if (name ? words == 0 || numbers > 0 : words > 0 || numbers != 1)
            return false;
        words = numbers = 0;
        cells += i < cut->count;
    }
    return cells >= 4 && cells % 2 == 0;
}

static bool understand_numbers(struct sentence *sentence, struct entry *entry)
{
    struct cut *cut = &sentence->reader->cut;
    if (cut->text.size > LONG_LINE && cut->number_count > LONG_SLOTS &&
        !memchr(cut->text.data, '{', cut->text.size) && cut->tokens[0].kind != TOKEN_WORD)
        cut->number_count = LONG_SLOTS;
    sentence->marks |= alternates(cut) ? MARK_ALTERNATES : 0;
    groups_find(sentence);
    mentions_find(sentence);
    drop_remark(sentence);
    names_divide(sentence);
    if (cut->bar < cut->count)
        drop_share(sentence);
    name_beside_average(sentence);
    take_averages(sentence);
    places_assign(sentence);
    phases_assign(sentence);
    layers_name(sentence);
    headings_apply(sentence);
    names_imply(sentence);
    look_for_bookkeeping(sentence);
    return build_plan(sentence, entry);
}

bool understand(struct reader *reader, const struct line *line, struct entry *entry,
                struct plan **plan, struct error *error)
{
    if (!reader->sentence && !sentence_open(reader, error))
        return false;
    struct sentence *sentence = reader->sentence;
    sentence->line = line;
    sentence->used = sentence->group_count = sentence->count = 0;
    sentence->marks = 0;
    sentence->share = NO_NUMBER;
    *plan = NULL;
    if (reader->reading->messages && message_possible(reader->reading->messages, line->raw))
        entry->flags |= ENTRY_MESSAGE;
    /* So many forms of lines are noise: what comes once is not looked at any more. */
    if (reader->sheet_count == SHEETS_MAX && !(entry->flags & ENTRY_SHORT))
        return true;
    entry->flags |= gate_flags(sentence) | ENTRY_KNOWN;
    entry->flags |= settings_look(reader, line);
    entry->flags |= life_look(line->content, &entry->event);
    enum phase phase = PHASE_NONE;
    if (reader->cut.number_count == 0 && phase_heading(sentence, &phase)) {
        entry->flags |= ENTRY_PHASE;
        entry->phase = (uint8_t)phase;
    }
    if (reader->cut.number_count > 0 && understand_numbers(sentence, entry)) {
        entry->flags |= ENTRY_LIVE;
        *plan = &sentence->plan;
    }
    return true;
}
