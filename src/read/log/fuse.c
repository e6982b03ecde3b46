/* Numbers that belong together: k / N, sums, ranges, changes. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

bool number_is_plain(const struct sentence *sentence, size_t i)
{
    const struct token *token = token_at(sentence, i);
    return token->kind == TOKEN_NUMBER && (token->flags & FLAG_INTEGER) &&
           token_unit(sentence->cut, token).size == 0;
}

bool word_is(const struct sentence *sentence, size_t i, const char *lower)
{
    return token_at(sentence, i)->kind == TOKEN_WORD &&
           text_folds_to(token_text(sentence->cut, token_at(sentence, i)), lower);
}

/* a + b = c: the value is the sum. */
static bool fuse_sum(const struct sentence *sentence, struct mention *mention, size_t plus,
                     size_t addend)
{
    if (!is_punct(token_at(sentence, plus), '+') ||
        token_at(sentence, addend)->kind != TOKEN_NUMBER)
        return false;
    size_t equals = solid_after(sentence, addend), sum = solid_after(sentence, equals);
    if (!is_punct(token_at(sentence, equals), '=') || token_at(sentence, sum)->kind != TOKEN_NUMBER)
        return false;
    mention->number = (uint16_t)(mention->number + 2);
    mention->end = (uint16_t)(sum + 1);
    mention->integer = false;
    return true;
}

/* `inf --> 0.61`, `from 0.7 to 0.6`: the value is what it became. */
static bool fuse_change(const struct sentence *sentence, struct mention *mention, size_t at)
{
    size_t sign = solid_after(sentence, at);
    size_t before = solid_before(sentence, at, 0);
    bool arrow = is_arrow(token_at(sentence, sign));
    while (is_punct(token_at(sentence, sign), '-') || is_punct(token_at(sentence, sign), '=')) {
        if (!is_punct(token_at(sentence, sign + 1), '-') &&
            !is_punct(token_at(sentence, sign + 1), '>'))
            return false;
        arrow = is_punct(token_at(sentence, ++sign), '>');
    }
    bool words =
        before != SIZE_MAX && word_is(sentence, before, "from") && word_is(sentence, sign, "to");
    size_t value = solid_after(sentence, sign);
    if ((!arrow && !words) || token_at(sentence, value)->kind != TOKEN_NUMBER)
        return false;
    mention->number++;
    mention->end = (uint16_t)(value + 1);
    mention->integer = (token_at(sentence, value)->flags & FLAG_INTEGER) != 0;
    mention->unit = token_unit(sentence->cut, token_at(sentence, value));
    mention->changed = true;
    return true;
}

/* `mem 5421/16384 MiB`, `RAM 5.4/12.7 GB`: what is in use of what there is counts nothing. */
static bool fuse_amount(const struct sentence *sentence, struct mention *mention, size_t at)
{
    static const char *const units[] = {"kb", "mb", "gb", "kib", "mib", "gib", NULL};
    const size_t sign = solid_after(sentence, at), whole = solid_after(sentence, sign);
    const size_t unit = solid_after(sentence, whole);
    if (!is_punct(token_at(sentence, sign), '/') || unit >= sentence->cut->count ||
        token_at(sentence, whole)->kind != TOKEN_NUMBER ||
        token_at(sentence, unit)->kind != TOKEN_WORD ||
        !text_in(token_text(sentence->cut, token_at(sentence, unit)), units))
        return false;
    mention->unit = token_text(sentence->cut, token_at(sentence, unit));
    mention->end = (uint16_t)(unit + 1);
    mention->integer = false;
    return true;
}

/* The counter of a bar may be drawn in thousands: `1.25k/10.0k`, `10/1.00kit`. */
static bool counts_bar(const struct sentence *sentence, size_t i)
{
    static const char *const units[] = {"k", "m", "it", "kit", "mit", NULL};
    const struct token *token = token_at(sentence, i);
    return number_is_plain(sentence, i) ||
           (sentence->cut->bar < sentence->cut->count && token->kind == TOKEN_NUMBER &&
            text_in(token_unit(sentence->cut, token), units));
}

/* k / N, k of N, a/b=v, 91-180: one mention of two numbers. `at` is the token of the first. */
void numbers_fuse(struct sentence *sentence, struct mention *mention, size_t at)
{
    size_t plus = solid_after(sentence, at), addend = solid_after(sentence, plus);
    if (fuse_sum(sentence, mention, plus, addend) || fuse_change(sentence, mention, at) ||
        fuse_amount(sentence, mention, at) || !counts_bar(sentence, at))
        return;
    size_t sign = solid_after(sentence, at), second = solid_after(sentence, sign);
    if (second < sentence->cut->count && is_punct(token_at(sentence, sign), '-') &&
        sign == at + 1 && second == at + 2 &&
        (token_at(sentence, second)->flags & FLAG_INTEGER)) { /* 91-180, 91-180batch */
        mention->number++;
        mention->end = (uint16_t)(second + 1);
        mention->unit = token_unit(sentence->cut, token_at(sentence, second));
        return;
    }
    if (second >= sentence->cut->count || !counts_bar(sentence, second))
        return;
    bool slash = is_punct(token_at(sentence, sign), '/');
    bool drawn = !number_is_plain(sentence, at) || !number_is_plain(sentence, second);
    if (drawn && !slash)
        return;
    if (drawn) {
        mention->unit = TEXT("");
        mention->integer = true;
    }
    if (slash || word_is(sentence, sign, "of") || word_is(sentence, sign, "out")) {
        mention->total_number = (uint16_t)(mention->number + 1);
        mention->end = (uint16_t)(second + 1);
        size_t equals = solid_after(sentence, second), value = solid_after(sentence, equals);
        if (slash && is_punct(token_at(sentence, equals), '=') &&
            token_at(sentence, value)->kind == TOKEN_NUMBER) {
            mention->end = (uint16_t)(value + 1);
            if (solid_before(sentence, at, 0) == SIZE_MAX)
                return; /* it counts, and its share is no value */
            mention->number = (uint16_t)(mention->number + 2);
            mention->total_number = NO_NUMBER;
            mention->integer = false;
        }
    }
}
