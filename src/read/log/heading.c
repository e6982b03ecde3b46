/* Headings within a line that qualify the names behind them: `grad norms | L1 0.2 L2 0.3`. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

enum { HEADING_WORDS = 3 };

static const char *const gradients[] = {"grad", "grads", "gradient", "gradients", NULL};
static const char *const norms[] = {"norm", "norms", NULL};
static const char *const rates[] = {"lr", "lrs", "rates", NULL};
static const char *const others[] = {"weights",     "params",  "parameters", "updates",
                                     "activations", "moments", NULL};

/* What the words [first, end) say of the values behind them. */
static struct text prefix_of(const struct sentence *sentence, size_t first, size_t end)
{
    bool gradient = false, norm = false, other = false, rate = false;
    for (size_t i = first; i < end; i++) {
        const struct text word = token_text(sentence->cut, token_at(sentence, i));
        gradient = gradient || text_in(word, gradients);
        norm = norm || text_in(word, norms);
        other = other || text_in(word, others);
        rate = rate || text_in(word, rates);
    }
    return gradient && norm ? TEXT("grad norm")
           : gradient       ? TEXT("grad")
           : other          ? TEXT("weights")
           : norm           ? TEXT("norm")
           : rate           ? TEXT("lr")
                            : TEXT("");
}

/* The words that end in front of the sign at `sign`, behind a number, a sign or nothing. */
static struct text words_before(const struct sentence *sentence, size_t sign, size_t left)
{
    size_t first = sign, words = 0;
    for (size_t i = solid_before(sentence, sign, left); i != SIZE_MAX;
         i = solid_before(sentence, i, left)) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_WORD)
            break;
        first = i;
        words++;
    }
    return words > 0 && words <= HEADING_WORDS ? prefix_of(sentence, first, sign) : TEXT("");
}

static bool ends_heading(const struct token *token)
{
    return is_punct(token, '|') || is_punct(token, ':');
}

/* Follows the headings from one mention to the next. */
static void heading_follow(const struct sentence *sentence, const struct mention *mention,
                           size_t left, struct text *heading)
{
    const size_t sign = solid_before(sentence, mention->word_first, left);
    for (size_t i = left; i < mention->word_first; i++)
        if (is_punct(token_at(sentence, i), '|') || is_punct(token_at(sentence, i), ';'))
            *heading = TEXT(""); /* it ends with its part of the line */
    if (sign == SIZE_MAX || !ends_heading(token_at(sentence, sign)))
        return;
    *heading = words_before(sentence, sign, left);
}

/* A name that says little by itself. */
static bool is_open(const struct mention *mention)
{
    const struct naming *naming = &mention->naming;
    if (text_starts(mention->name, "grad/")) /* a layer that its heading has named already */
        return false;
    const bool loss = naming->kind == KIND_LOSS || naming->kind == KIND_VAL_LOSS;
    return !naming->known || naming->kind == KIND_OTHER || (loss && naming->class >= 1);
}

void headings_apply(struct sentence *sentence)
{
    struct text heading = {"", 0}; /* what it puts in front of the names behind it */
    size_t left = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->side != SIDE_LEFT || mention->words == 0 || mention->group >= 0 ||
            mention->word_first < left) {
            left = mention->end > left ? mention->end : left;
            continue;
        }
        heading_follow(sentence, mention, left, &heading);
        left = mention->end;
        if (heading.size == 0 || mention->dropped || mention->keyed ||
            mention->field != FIELD_NONE || mention->place != PLACE_NONE || !is_open(mention))
            continue;
        struct text name = sentence_copy(sentence, heading);
        name.size += sentence_copy(sentence, TEXT(" ")).size;
        name.size += sentence_copy(sentence, mention->name).size;
        mention->name = name;
        mention->naming = memo_naming(sentence->reader, name, mention->unit, mention->phase);
    }
}
