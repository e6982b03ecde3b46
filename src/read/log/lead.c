/* Numbers that open a line: `12: loss 0.5`, `3 100 | loss 0.5`, `1000 steps | loss 0.5`. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <math.h>
#include <string.h>

bool opens_line(const struct sentence *sentence, const struct mention *mention)
{
    for (size_t i = 0; i < mention->first; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind == TOKEN_WORD || token->kind == TOKEN_KEY || token->kind == TOKEN_STRING ||
            token->kind == TOKEN_OPAQUE || token->kind == TOKEN_BAR || is_punct(token, '%'))
            return false;
    }
    return true;
}

bool mention_nameless(const struct mention *mention)
{
    return !mention->dropped && mention->integer && mention->side == SIDE_NONE &&
           mention->unit.size == 0 && mention->total_number == NO_NUMBER;
}

/* `0:11:02 - 500 - loss`: a time and a dash stand in front. */
static bool behind_time(const struct sentence *sentence, const struct mention *mention)
{
    const struct line *line = sentence->line;
    return solid_before(sentence, mention->first, 0) == SIZE_MAX && !isnan(line->time) &&
           line->content.data > line->raw.data;
}

/* `100 train 2.5`, of which whole logs are made: a phase or the name of a series
   between the step and its value, and nothing else. */
static bool is_triple(const struct sentence *sentence)
{
    const struct mention *value = &sentence->mentions[1];
    if (sentence->count != 2 || value->words != 1 || value->integer || value->separator ||
        value->dropped || value->side != SIDE_LEFT || value->unit.size > 0 ||
        solid_before(sentence, value->word_first, 0) != sentence->mentions[0].first ||
        solid_after(sentence, value->end - 1u) != sentence->cut->count)
        return false;
    bool only;
    if (phase_of_name(sentence->reader->vocabulary, value->name, &only) != PHASE_NONE && only)
        return true;
    const struct naming naming = memo_naming(sentence->reader, value->name, TEXT(""), PHASE_NONE);
    return naming.known && !naming.refused && naming.kind <= KIND_LEARNING_RATE;
}

/* Integers that open the line: the step, or epoch and step. */
size_t leads_count(const struct sentence *sentence)
{
    static const char *const wrappers[] = {"tensor", "array", NULL};
    size_t leads = 0;
    while (leads < sentence->count && leads < 2 && mention_nameless(&sentence->mentions[leads]) &&
           opens_line(sentence, &sentence->mentions[leads]))
        leads++;
    if (leads == 0)
        return 0;
    const struct mention *last = &sentence->mentions[leads - 1];
    size_t next = solid_after(sentence, last->end - 1u);
    const struct token *sign = token_at(sentence, next);
    bool gap = token_at(sentence, last->end)->kind == TOKEN_GAP;
    bool dashed = is_punct(sign, '-') && token_at(sentence, next + 1)->kind == TOKEN_BLANK &&
                  behind_time(sentence, &sentence->mentions[0]);
    bool wrapped = sign->kind == TOKEN_WORD && is_punct(token_at(sentence, next + 1), '(') &&
                   text_in(token_text(sentence->cut, sign), wrappers);
    if (leads == 1 && is_triple(sentence))
        return leads;
    if (wrapped || dashed || is_punct(sign, ':') || is_punct(sign, '|') || is_punct(sign, ']') ||
        is_punct(sign, ')') || (gap && sign->kind == TOKEN_WORD))
        return leads;
    const struct mention *value = leads < sentence->count ? &sentence->mentions[leads] : NULL;
    return value && value->separator && value->words > 0 && value->words < 3 &&
                   value->word_first == next
               ? leads
               : 0;
}

/* Some number has a name in front of it that is one of training's. */
static bool tells_training(struct sentence *sentence)
{
    for (size_t i = 1; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        if (mention->dropped || mention->place != PLACE_NONE || mention->side != SIDE_LEFT)
            continue;
        const struct naming naming =
            memo_naming(sentence->reader, mention->name, mention->unit, PHASE_NONE);
        if (naming.known && !naming.refused && naming.kind <= KIND_GRAD_NORM)
            return true;
    }
    return false;
}

/* `t=3000 ret=350.5 pi=-9.5`: the time of an environment opens the line, where no other place is.
 */
static bool clock_mark(struct sentence *sentence)
{
    struct mention *mention = &sentence->mentions[0];
    if (sentence->count < 2 || mention->dropped || !mention->integer || mention->words != 1 ||
        mention->side != SIDE_LEFT || !mention->separator || mention->unit.size > 0 ||
        mention->total_number != NO_NUMBER || !text_folds_to(mention->name, "t") ||
        solid_before(sentence, mention->word_first, 0) != SIZE_MAX ||
        !(tells_training(sentence) || tells_return(sentence)))
        return false;
    for (size_t i = 0; i < sentence->count; i++)
        if (sentence->mentions[i].place != PLACE_NONE)
            return false;
    mention->place = PLACE_STEP;
    mention->place_rank = 94;
    return true;
}

void lead_mark(struct sentence *sentence)
{
    static const char *const signs = "|,:;-])>";
    struct mention *mention = &sentence->mentions[0];
    if (clock_mark(sentence) || sentence->count < 2 || mention->dropped || !mention->integer ||
        mention->words > 1 || mention->side == SIDE_LEFT || mention->side == SIDE_HEIR ||
        mention->unit.size > 0 || mention->total_number != NO_NUMBER ||
        mention->place != PLACE_NONE || !opens_line(sentence, mention))
        return;
    const size_t at = mention->first + 2u;
    const struct token *word = token_at(sentence, at);
    if (token_at(sentence, at - 1)->kind != TOKEN_BLANK || word->kind != TOKEN_WORD)
        return;
    const struct token *sign = token_at(sentence, solid_after(sentence, at));
    const struct text name = token_text(sentence->cut, word);
    const enum place_word place = vocabulary_place(sentence->reader->vocabulary, name);
    if (place == PLACE_NONE || sign->kind != TOKEN_PUNCT || !strchr(signs, sign->byte) ||
        !tells_training(sentence))
        return;
    mention->place = place;
    mention->place_rank = vocabulary_place_rank(sentence->reader->vocabulary, name);
    mention->name = name;
    mention->side = SIDE_RIGHT;
    mention->words = 1;
    mention->word_first = (uint16_t)at;
    mention->word_end = mention->end = (uint16_t)(at + 1);
}
