/* What stands between a name and its value: brackets, and what says how the value is kept. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <string.h>

static bool holds(const struct sentence *sentence, size_t first, size_t end, char byte)
{
    for (size_t i = first; i < end; i++)
        if (is_punct(token_at(sentence, i), byte))
            return true;
    return false;
}

void mentions_drop(struct sentence *sentence, size_t first, size_t end)
{
    for (size_t i = 0; i < sentence->count; i++)
        if (sentence->mentions[i].first >= first && sentence->mentions[i].first < end)
            sentence->mentions[i].dropped = true;
}

/* The numbers between the tokens [open, close) are given up: *left moves in front of them. */
static void numbers_drop(struct sentence *sentence, size_t open, size_t close, size_t *left)
{
    mentions_drop(sentence, open, close);
    *left = 0;
    for (size_t j = 0; j < sentence->count; j++)
        if (sentence->mentions[j].end <= open && sentence->mentions[j].end > *left)
            *left = sentence->mentions[j].end;
}

static bool is_phase(const struct sentence *sentence, struct text word)
{
    bool only = false;
    return phase_of_name(sentence->reader->vocabulary, word, &only) != PHASE_NONE && only;
}

/* `TRAIN(3): [100/200] loss`: it counts the epochs, and qualifies nothing. */
static bool counts_epochs(const struct sentence *sentence, const struct mention *mention,
                          struct text word)
{
    return mention->bracket == '[' && mention->total_number != NO_NUMBER &&
           is_phase(sentence, word);
}

size_t qualifier_skip(struct sentence *sentence, struct mention *mention, size_t i, size_t *left)
{
    if (i == SIZE_MAX)
        return i;
    size_t open = bracket_open(sentence, i, 0);
    if (open == SIZE_MAX || open == 0)
        return i;
    bool numbers = *left > open;
    size_t before = solid_before(sentence, open, 0);
    if (before == SIZE_MAX)
        return i;
    const struct token *token = token_at(sentence, before);
    bool named = token->kind == TOKEN_WORD;
    if (numbers) {
        bool glued =
            before + 1 == open && mention->separator &&
            !(sentence->count > 0 && sentence->mentions[sentence->count - 1].place != PLACE_NONE);
        if (!named || !(glued || holds(sentence, open, i, '=')) ||
            counts_epochs(sentence, mention, token_text(sentence->cut, token)))
            return i;
        numbers_drop(sentence, open, i, left);
        mention->qualified = true;
    } else if (!mention->separator && mention->bracket != '[') {
        return i;
    } else if (i == open + 2 && token_at(sentence, open + 1)->kind == TOKEN_WORD) {
        const struct text word = token_text(sentence->cut, token_at(sentence, open + 1));
        if (!is_phase(sentence, word) || text_count(word, '/') > 0) /* `Epoch(train) [3]` */
            mention->unit = word;
    }
    return before;
}

/* Over `of type float` in front of the sign at `i`; the token that ends what is before. */
static size_t type_skip(const struct sentence *sentence, size_t i, size_t left)
{
    static const char *const signs = ".,;|";
    const struct token *token = token_at(sentence, i);
    if (token->kind == TOKEN_PUNCT && strchr(signs, token->byte))
        i = solid_before(sentence, i, left);
    const size_t type = i == SIZE_MAX ? i : solid_before(sentence, i, left);
    const size_t of = type == SIZE_MAX ? type : solid_before(sentence, type, left);
    if (of == SIZE_MAX || !word_is(sentence, type, "type") || !word_is(sentence, of, "of"))
        return i;
    return solid_before(sentence, of, left);
}

/* `Tensor loss of type float. Dims: (): 0.5`: what a print of tensors says of them stands behind
   the name. `i` ends it; the token that ends the name, else `i` again. */
size_t description_skip(struct sentence *sentence, size_t i, size_t *left)
{
    static const char *const sizes[] = {"dims", "dim", "shape", "size", NULL};
    if (i == SIZE_MAX)
        return i;
    const size_t open = bracket_open(sentence, i, 0);
    const size_t colon = open == SIZE_MAX ? i : solid_before(sentence, open, 0);
    if (colon == SIZE_MAX || !is_punct(token_at(sentence, colon), ':'))
        return i;
    const size_t word = solid_before(sentence, colon, 0);
    const size_t before = word == SIZE_MAX ? word : solid_before(sentence, word, 0);
    if (before == SIZE_MAX || token_at(sentence, word)->kind != TOKEN_WORD ||
        !text_in(token_text(sentence->cut, token_at(sentence, word)), sizes))
        return i;
    if (open != SIZE_MAX && *left > open)
        numbers_drop(sentence, open, i, left);
    return before < *left ? i : type_skip(sentence, before, *left);
}

/* `|grad| 2.5`, `||g|| 2.5`: a norm, by the bars that stand at its word; else `i` again. */
static size_t barred_key(const struct sentence *sentence, size_t i, size_t left)
{
    size_t word = i;
    while (word > left && is_punct(token_at(sentence, word), '|'))
        word--;
    const size_t bars = i - word;
    if (bars == 0 || bars > 2 || word < left + bars || token_at(sentence, word)->kind != TOKEN_WORD)
        return i;
    for (size_t t = word - bars; t < word; t++)
        if (!is_punct(token_at(sentence, t), '|'))
            return i;
    return word;
}

/* `[Loss] nan`: words in brackets right in front of a number; else `i` again. */
size_t bracketed_key(const struct sentence *sentence, size_t i, size_t left)
{
    if (is_punct(token_at(sentence, i), '|'))
        return barred_key(sentence, i, left);
    if (!is_punct(token_at(sentence, i), ']'))
        return i;
    size_t open = bracket_open(sentence, i, left);
    if (open == SIZE_MAX || i < open + 2 || i > open + 6)
        return i;
    for (size_t t = open + 1; t < i; t++)
        if (token_at(sentence, t)->kind != TOKEN_WORD && token_at(sentence, t)->kind != TOKEN_BLANK)
            return i;
    bool only;
    struct text word = token_text(sentence->cut, token_at(sentence, i - 1));
    if (phase_of_name(sentence->reader->vocabulary, word, &only) != PHASE_NONE && only)
        return i;
    return i - 1;
}

size_t span_skip(struct sentence *sentence, size_t i, size_t *left)
{
    if (i == SIZE_MAX || token_at(sentence, i)->kind != TOKEN_WORD)
        return i;
    const struct text word = token_text(sentence->cut, token_at(sentence, i));
    const size_t number = solid_before(sentence, i, 0);
    const size_t over = number == SIZE_MAX ? number : solid_before(sentence, number, 0);
    if (over == SIZE_MAX || !number_is_plain(sentence, number) ||
        !(word_is(sentence, over, "over") || word_is(sentence, over, "across")) ||
        !(word_is_counted(word) ||
          vocabulary_place(sentence->reader->vocabulary, word) != PLACE_NONE))
        return i;
    const size_t name = solid_before(sentence, over, 0);
    if (name == SIZE_MAX)
        return i;
    numbers_drop(sentence, over, i, left);
    return name;
}

/* The bracket that closes at `at` holds nothing but the token that is returned; SIZE_MAX: more, or
   none closes there. */
static size_t subscript_at(const struct sentence *sentence, size_t at)
{
    const bool closed = at != SIZE_MAX && at >= 2 && is_punct(token_at(sentence, at), ']');
    if (!closed || !is_punct(token_at(sentence, at - 2), '['))
        return SIZE_MAX;
    return at - 1;
}

bool subscript_name(struct sentence *sentence, struct mention *mention, size_t i)
{
    size_t key = subscript_at(sentence, i), open;
    if (key != SIZE_MAX && token_at(sentence, key)->kind == TOKEN_NUMBER && key >= 2)
        key = subscript_at(sentence, key - 2); /* `['loss'][-1]` */
    if (key == SIZE_MAX || key < 2 || token_at(sentence, key)->kind != TOKEN_STRING)
        return false;
    open = key - 1;
    const size_t index = subscript_at(sentence, open - 1); /* `[0]['lr']` */
    const size_t owner = index == SIZE_MAX ? open - 1 : index - 2;
    if (index != SIZE_MAX && (index < 2 || token_at(sentence, index)->kind != TOKEN_NUMBER))
        return false;
    if (token_at(sentence, owner)->kind != TOKEN_WORD)
        return false;
    mentions_drop(sentence, owner, i);
    mention->name = token_inner(sentence->cut, token_at(sentence, key));
    mention->words = 1;
    mention->word_first = (uint16_t)owner;
    mention->word_end = (uint16_t)(i + 1);
    mention->side = SIDE_LEFT;
    return true;
}
