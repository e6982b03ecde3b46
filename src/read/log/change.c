/* Changes that are told: `reducing loss scale from 2 to 1`. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <string.h>

enum { CHANGE_WORDS = 16 }; /* between the verb and `to` at most */

static bool change_verb(struct text word)
{
    static const char *const verbs[] = {
        "set",       "adjust",   "reduce",    "change",   "decrease", "increase",   "lower",
        "update",    "setting",  "adjusting", "reducing", "changing", "decreasing", "increasing",
        "lowering",  "updating", "reduces",   "sets",     "reduced",  "changed",    "adjusted",
        "decay",     "decayed",  "decaying",  "decays",   "dropped",  "dropping",   "annealed",
        "annealing", "lowered",  NULL};
    return text_in(word, verbs);
}

/* `Consider reducing ..`, `should be set to ..`: a hint or a plan, no change. */
static bool is_advice(const struct sentence *sentence, size_t verb)
{
    enum { NEAR = 3 }; /* tokens */
    static const char *const words[] = {"consider", "try",    "should",  "could",     "would",
                                        "will",     "please", "suggest", "recommend", NULL};
    for (size_t i = verb > NEAR ? verb - NEAR : 0; i < verb; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind == TOKEN_WORD && text_in(token_text(sentence->cut, token), words))
            return true;
    }
    return false;
}

/* `Attempted loss scale: 64, reducing to 32`: the name stands in front of the value before, and
   the latter is in force. */
static bool value_before(struct sentence *sentence, struct mention *mention, size_t verb)
{
    const size_t comma = solid_before(sentence, verb, 0);
    if (mention == sentence->mentions || comma == SIZE_MAX ||
        !is_punct(token_at(sentence, comma), ','))
        return false;
    struct mention *before = mention - 1;
    if (before->dropped || before->side != SIDE_LEFT || before->name.size == 0 ||
        solid_before(sentence, comma, 0) + 1 != before->end)
        return false;
    mention->name = before->name;
    mention->separator = before->separator;
    mention->words = before->words;
    mention->side = SIDE_LEFT;
    mention->field = FIELD_NONE;
    mention->place = PLACE_NONE;
    before->dropped = true;
    sentence->marks |= MARK_CHANGE;
    return true;
}

void change_name(struct sentence *sentence, struct mention *mention)
{
    size_t to = solid_before(sentence, mention->first, 0), words = 0;
    if (to != SIZE_MAX && is_punct(token_at(sentence, to), ':'))
        to = solid_before(sentence, to, 0);
    if (to == SIZE_MAX || !word_is(sentence, to, mention->changed ? "from" : "to"))
        return;
    size_t end = to, first = SIZE_MAX;
    for (size_t i = to; i > 0 && words < CHANGE_WORDS;) {
        i--;
        const struct token *token = token_at(sentence, i);
        if (token->kind == TOKEN_WORD) {
            if (change_verb(token_text(sentence->cut, token))) {
                first = i + 1;
                break;
            }
            if (word_is(sentence, i, "from") || word_is(sentence, i, "of") ||
                word_is(sentence, i, "by"))
                end = i;
            words++;
        } else if (token->kind == TOKEN_PUNCT && strchr(",;|{}", token->byte)) {
            return;
        }
    }
    if (first != SIZE_MAX && solid_before(sentence, to, 0) + 1 == first &&
        value_before(sentence, mention, first - 1))
        return;
    if (first == SIZE_MAX || first >= end)
        return;
    if (is_advice(sentence, first - 1)) {
        mention->dropped = true;
        return;
    }
    mention->name = words_join(sentence, first, end);
    mention->side = SIDE_LEFT;
    mention->separator = '>';
    mention->words = 1;
    mention->field = FIELD_NONE;
    mention->place = PLACE_NONE;
    mentions_drop(sentence, first, to);
    mention->dropped = mention->name.size == 0;
    sentence->marks |= MARK_CHANGE;
}
