/* Names that are joined as their values are: `Loss (train/val): 2.5/2.75`, `G_loss/D_loss 1.2/0.3`.
 */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <string.h>

enum { JOINED_LEAST = 2, JOINED_MOST = 4, LETTERS_MOST = 4 };

struct joined {
    size_t count;
    struct text parts[JOINED_MOST];
    struct text all; /* with the signs between them */
};

/* Is the sign all that stands between two numbers? A slash may have a blank on either side. */
static bool joins(const struct sentence *sentence, const struct mention *before,
                  const struct mention *next, char sign)
{
    const bool glued = is_punct(token_at(sentence, before->end), sign);
    const size_t at = glued ? before->end : solid_after(sentence, before->end - 1u);
    return is_punct(token_at(sentence, at), sign) &&
           next->first == (glued ? at + 1 : solid_after(sentence, at));
}

/* How many values follow one another from `first` on, with nothing but `/` or `|` between two. */
static size_t values_joined(const struct sentence *sentence, size_t first)
{
    const struct mention *values = &sentence->mentions[first];
    size_t count = 1;
    const size_t behind = solid_after(sentence, values->end - 1u);
    const bool spaced = is_punct(token_at(sentence, behind), '/');
    const char sign = spaced ? '/' : token_at(sentence, values->end)->byte;
    if (values->dropped || values->integer || values->side != SIDE_LEFT || values->keyed ||
        values->place != PLACE_NONE || (sign != '/' && sign != '|'))
        return 0;
    for (; first + count < sentence->count && count < JOINED_MOST; count++) {
        const struct mention *before = &values[count - 1], *next = &values[count];
        if (!joins(sentence, before, next, sign) || next->side == SIDE_LEFT || next->integer ||
            next->dropped)
            break;
    }
    return count;
}

/* The word of `text` that has `count` parts: its last one. */
static bool parts_find(struct text text, size_t count, struct joined *joined)
{
    size_t end = text.size;
    while (end > 0) {
        size_t start = end;
        while (start > 0 && text.data[start - 1] != ' ')
            start--;
        const struct text word = text_cut(text, start, end - start);
        if (text_count(word, '/') == count - 1) {
            joined->all = word;
            joined->count = 0;
            for (size_t at = 0; joined->count < count; at++) {
                const size_t from = at;
                while (at < word.size && word.data[at] != '/')
                    at++;
                if (at == from)
                    return false;
                joined->parts[joined->count++] = text_cut(word, from, at - from);
            }
            return true;
        }
        end = start > 0 ? start - 1 : 0;
    }
    return false;
}

/* All are phases, all name series, or all are letters that stand for something. A tag
   (`train/loss`) or a unit (`samples/s`) is none of these. */
static bool parts_alike(const struct sentence *sentence, const struct joined *joined)
{
    size_t phases = 0, known = 0, letters = 0;
    for (size_t i = 0; i < joined->count; i++) {
        const struct text part = joined->parts[i];
        bool only;
        const struct naming naming = memo_naming(sentence->reader, part, TEXT(""), PHASE_NONE);
        phases += phase_of_name(sentence->reader->vocabulary, part, &only) != PHASE_NONE && only;
        known += naming.known && !naming.refused;
        letters += part.size <= LETTERS_MOST && part.data[0] >= 'A' && part.data[0] <= 'Z';
    }
    const size_t all = joined->count;
    return phases == all || (phases == 0 && (known == all || letters == all));
}

/* The name with one part in the place of all, or behind it where they stand in its brackets. */
static struct text name_part(struct sentence *sentence, struct text name, struct text all,
                             struct text part)
{
    const size_t at = text_find(name, all);
    const struct text rest = text_cut(name, at + all.size, name.size);
    struct text made = sentence_copy(sentence, text_cut(name, 0, at));
    if (at == name.size)
        made.size += sentence_copy(sentence, TEXT(" ")).size;
    made.size += sentence_copy(sentence, part).size;
    made.size += sentence_copy(sentence, rest).size;
    return made;
}

/* Names `value` like the first of those that it is joined to. */
static void value_take(struct mention *value, const struct mention *first, struct text name)
{
    value->name = name;
    value->unit = TEXT("");
    value->side = SIDE_LEFT;
    value->separator = first->separator;
    value->words = first->words;
    value->group = first->group;
}

/* `loss train|val 1.2|1.3`: the parts as words of their own, and the word in front of them. */
static bool words_find(const struct sentence *sentence, const struct mention *values, size_t count,
                       struct joined *joined)
{
    size_t at = values->word_first;
    joined->count = count;
    joined->all = TEXT("");
    for (size_t left = count; left > 0; left--) {
        if (values->words == 0 || token_at(sentence, at)->kind != TOKEN_WORD)
            return false;
        joined->parts[left - 1] = token_text(sentence->cut, token_at(sentence, at));
        if (left > 1 && (at < 2 || !is_punct(token_at(sentence, at - 1), '|')))
            return false;
        at -= left > 1 ? 2 : 0;
    }
    if (at >= 2 && token_at(sentence, at - 1)->kind == TOKEN_BLANK &&
        token_at(sentence, at - 2)->kind == TOKEN_WORD)
        joined->all = token_text(sentence->cut, token_at(sentence, at - 2));
    const struct text last = joined->parts[count - 1];
    return values->name.size >= last.size &&
           text_equal(text_cut(values->name, 0, last.size), last) && parts_alike(sentence, joined);
}

static void words_name(struct sentence *sentence, size_t first, const struct joined *joined)
{
    struct mention *values = &sentence->mentions[first];
    const struct text last = joined->parts[joined->count - 1];
    const struct text rest = text_cut(values->name, last.size, values->name.size);
    for (size_t i = 0; i < joined->count; i++) {
        struct text made = sentence_copy(sentence, joined->all);
        if (joined->all.size > 0)
            made.size += sentence_copy(sentence, TEXT(" ")).size;
        made.size += sentence_copy(sentence, joined->parts[i]).size;
        made.size += sentence_copy(sentence, rest).size;
        value_take(&values[i], values, made);
    }
}

static void values_name(struct sentence *sentence, size_t first, size_t count)
{
    struct mention *values = &sentence->mentions[first];
    struct joined joined;
    const struct text name = values->name;
    if (is_punct(token_at(sentence, values->end), '|') &&
        words_find(sentence, values, count, &joined)) {
        words_name(sentence, first, &joined);
        return;
    }
    if ((!parts_find(values->unit, count, &joined) && !parts_find(name, count, &joined)) ||
        !parts_alike(sentence, &joined))
        return;
    for (size_t i = 0; i < count; i++) {
        value_take(&values[i], values, name_part(sentence, name, joined.all, joined.parts[i]));
    }
}

static bool is_phase(const struct sentence *sentence, struct text name)
{
    bool only;
    return phase_of_name(sentence->reader->vocabulary, name, &only) != PHASE_NONE && only;
}

/* Two values one behind the other, of which the first has all the words. */
static bool values_paired(const struct sentence *sentence, size_t first)
{
    const struct mention *values = &sentence->mentions[first];
    if (first + 1 == sentence->count || values->dropped || values->side != SIDE_LEFT ||
        values->keyed || values->place != PLACE_NONE || values->integer || values[1].dropped ||
        values[1].integer || values[1].words > 0)
        return false;
    for (size_t i = values->end; i < values[1].first; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_BLANK && !is_punct(token, ',') && !is_punct(token, '/'))
            return false;
    }
    return true;
}

/* `Train and Val loss: 2.5 2.75`, `loss and grad norm: 2.5, 0.75`: the first has the words in front
   of `and`, with those behind the other's phase where it is a phase itself. */
static bool pair_name(struct sentence *sentence, size_t first)
{
    static const char joint[] = " and ";
    struct mention *values = &sentence->mentions[first];
    const struct text name = values->name;
    const size_t at = text_find(name, text_of(joint)), behind = at + strlen(joint);
    if (at == 0 || behind >= name.size || !values_paired(sentence, first))
        return false;
    struct text left = text_cut(name, 0, at), right = text_cut(name, behind, name.size);
    size_t word = 0;
    while (word < right.size && right.data[word] != ' ')
        word++;
    if (is_phase(sentence, left) && word < right.size &&
        is_phase(sentence, text_cut(right, 0, word))) {
        left = sentence_copy(sentence, left);
        left.size += sentence_copy(sentence, text_cut(right, word, right.size)).size;
    }
    const struct naming naming = memo_naming(sentence->reader, right, TEXT(""), PHASE_NONE);
    if (!naming.known || naming.refused)
        return false;
    value_take(&values[1], values, right);
    values->name = left;
    return true;
}

void names_divide(struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        if (pair_name(sentence, i)) {
            i++;
            continue;
        }
        const size_t count = values_joined(sentence, i);
        if (count < JOINED_LEAST)
            continue;
        values_name(sentence, i, count);
        i += count - 1;
    }
}
