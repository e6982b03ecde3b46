/* `grad fc1 2.9e-10  fc8 1.7e-8  head 0.1`: names of layers under one word that says of what. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <string.h>

enum { LAYERS_LEAST = 3 };

static struct text word_at(const struct sentence *sentence, size_t i)
{
    return token_text(sentence->cut, token_at(sentence, i));
}

static bool is_gradient(const struct sentence *sentence, size_t i)
{
    static const char *const words[] = {"grad",      "grads",     "gradient",
                                        "gradients", "grad_norm", "grad_norms",
                                        "gradnorm",  "gradnorms", NULL};
    return token_at(sentence, i)->kind == TOKEN_WORD && text_in(word_at(sentence, i), words);
}

static bool is_norm(const struct sentence *sentence, size_t i)
{
    static const char *const words[] = {"norm", "norms", "l2", NULL};
    return token_at(sentence, i)->kind == TOKEN_WORD && text_in(word_at(sentence, i), words);
}

/* Of one tensor, or of all: no layers. */
static bool is_statistic(struct text name)
{
    static const char *const words[] = {"mean",  "avg",   "average", "max",    "min",    "std",
                                        "var",   "norm",  "median",  "total",  "global", "all",
                                        "sum",   "raw",   "clip",    "before", "after",  "clipped",
                                        "ratio", "scale", "abs",     "absmax", "rms",    NULL};
    return text_in(name, words);
}

static size_t bars_before(const struct sentence *sentence, size_t i)
{
    while (i != SIZE_MAX && is_punct(token_at(sentence, i), '|'))
        i = solid_before(sentence, i, 0);
    return i;
}

/* `|g|  fc1 0.1`, `||grad|| fc1 0.1`: `i` is the last of the bars. */
static bool barred_gradient(const struct sentence *sentence, size_t i)
{
    const size_t word = bars_before(sentence, i);
    if (word == SIZE_MAX || word == 0 || !is_punct(token_at(sentence, word - 1), '|') ||
        !is_punct(token_at(sentence, word + 1), '|'))
        return false;
    return is_gradient(sentence, word) || word_is(sentence, word, "g");
}

/* The heading is a key of its own, in front of the first layer's: `gradients: fc1: 0.1`; or it
   stands in brackets: `[GradNorm] fc1 0.1`. */
static bool headed_before(const struct sentence *sentence, size_t word)
{
    size_t i = solid_before(sentence, word, 0);
    if (i != SIZE_MAX && is_punct(token_at(sentence, i), '|') && barred_gradient(sentence, i))
        return true;
    for (int marks = 0; marks < 2 && i != SIZE_MAX && token_at(sentence, i)->kind == TOKEN_PUNCT &&
                        strchr(":|=-([{])}>", token_at(sentence, i)->byte);
         marks++)
        i = solid_before(sentence, i, 0);
    if (i != SIZE_MAX && is_norm(sentence, i))
        i = solid_before(sentence, i, 0);
    return i != SIZE_MAX && is_gradient(sentence, i);
}

/* Where the layer's own name begins, behind a heading within its key or in front of it; SIZE_MAX:
   there is none. */
static size_t layer_first(const struct sentence *sentence, const struct mention *mention)
{
    size_t word = mention->word_first;
    if (!is_gradient(sentence, word))
        return headed_before(sentence, word) ? word : SIZE_MAX;
    word = solid_after(sentence, word);
    if (is_norm(sentence, word))
        word = solid_after(sentence, word);
    return word < mention->word_end ? word : SIZE_MAX;
}

static bool is_plain(const struct mention *mention)
{
    return !mention->dropped && mention->place == PLACE_NONE && mention->field == FIELD_NONE &&
           mention->side == SIDE_LEFT && mention->total_number == NO_NUMBER &&
           mention->unit.size == 0 && !mention->keyed && mention->words > 0;
}

/* `L1`, `fc2`: under such a heading it is no loss of that name. */
static bool is_numbered(struct text name)
{
    enum { LETTERS_MOST = 2 };
    size_t letters = 0, end;
    while (byte_is_letter(text_byte(name, letters)))
        letters++;
    end = letters;
    while (byte_is_digit(text_byte(name, end)))
        end++;
    return letters > 0 && letters <= LETTERS_MOST && end > letters && end == name.size;
}

static bool names_layer(const struct sentence *sentence, struct text name)
{
    if (is_numbered(name))
        return true;
    const struct naming naming = memo_naming(sentence->reader, name, TEXT(""), PHASE_NONE);
    return name.size > 0 && !naming.known && !is_statistic(name);
}

/* One more of the list: nothing but blanks or a comma stands between it and the one before. */
static bool goes_on(const struct sentence *sentence, const struct mention *before,
                    const struct mention *mention)
{
    if (!is_plain(mention) || mention->words != 1 || mention->separator != before->separator ||
        !names_layer(sentence, mention->name))
        return false;
    for (size_t i = before->end; i < mention->word_first; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_BLANK && token->kind != TOKEN_GAP && !is_punct(token, ','))
            return false;
    }
    return true;
}

static void name_under(struct sentence *sentence, struct mention *mention, struct text layer)
{
    struct text name = sentence_copy(sentence, TEXT("grad/"));
    name.size += sentence_copy(sentence, layer).size;
    mention->name = name;
    mention->naming = memo_naming(sentence->reader, name, mention->unit, mention->phase);
}

void layers_name(struct sentence *sentence)
{
    for (size_t i = 0; i + LAYERS_LEAST <= sentence->count; i++) {
        struct mention *mentions = &sentence->mentions[i];
        const size_t first = is_plain(mentions) ? layer_first(sentence, mentions) : SIZE_MAX;
        if (first == SIZE_MAX || solid_after(sentence, first) < mentions->word_end)
            continue;
        const struct text layer = word_at(sentence, first);
        size_t count = names_layer(sentence, layer);
        while (count > 0 && i + count < sentence->count &&
               goes_on(sentence, &mentions[count - 1], &mentions[count]))
            count++;
        if (count < LAYERS_LEAST)
            continue;
        name_under(sentence, mentions, layer);
        sentence->marks |= MARK_LAYERS;
        for (size_t k = 1; k < count; k++)
            name_under(sentence, &mentions[k], mentions[k].name);
        i += count - 1;
    }
}
