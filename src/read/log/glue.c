/* Places glued to their numbers without a blank: `iter100`, `Epoch-3`, `0.6Epoch 2`. */
/* SPDX-License-Identifier: MIT */
#include "read/log/bytes.h"
#include "read/log/numeral.h"
#include "read/log/reader.h"

#include <string.h>

enum { SHORT_LEAST = 2 }; /* letters of a place word in front of two digits or more */

/* Where the digits at the end of a word begin, of `epoch1/10` those in front of the slash. */
static size_t glued_digits(struct text text, size_t at, size_t end)
{
    size_t digits = end;
    while (digits > at && byte_is_digit(text.data[digits - 1]))
        digits--;
    if (digits == end || digits <= at + 1 || text.data[digits - 1] != '/' ||
        !byte_is_digit(text.data[digits - 2]))
        return digits;
    for (digits--; digits > at && byte_is_digit(text.data[digits - 1]);)
        digits--;
    return digits;
}

/* Scripts without blanks glue numbers to words: those of `第1轮`, a place or a fraction are cut
 * off. */
static size_t ideographs_end(const struct vocabulary *vocabulary, struct text text, size_t at,
                             size_t end)
{
    for (size_t i = at + 1; i < end; i++) {
        if (!byte_is_digit(text.data[i]) || !ideograph_ends(text, i))
            continue;
        struct text word = {text.data + at, i - at};
        size_t digits = i;
        while (byte_is_digit(text_byte(text, digits)))
            digits++;
        bool ordinal = word.size >= 3 && memcmp(word.data + word.size - 3, "\xE7\xAC\xAC", 3) == 0;
        bool fraction =
            text_byte(text, digits) == '.' && byte_is_digit(text_byte(text, digits + 1));
        return ordinal || fraction || vocabulary_place(vocabulary, word) != PLACE_NONE ? i : end;
    }
    return end;
}

/* Another letter with its number follows: `e07 s0100`. */
static bool goes_on(struct text text, size_t end)
{
    return text_byte(text, end) == ' ' && byte_is_letter(text_byte(text, end + 1)) &&
           byte_is_digit(text_byte(text, end + 2));
}

size_t glued_place(const struct vocabulary *vocabulary, struct text text, size_t at, size_t end,
                   bool chained)
{
    size_t cut = ideographs_end(vocabulary, text, at, end);
    if (cut < end)
        return cut;
    size_t digits = glued_digits(text, at, end);
    /* `E104 loss`, `e07 s0100 loss`, `ep003 loss`, `Ep3 It20`: as short a word is one only where it
       opens the line, or goes on. */
    bool opens = text.data[at] == 'E' && at <= 1 && digits + 1 < end + (digits > 1);
    opens = opens || (text.data[at] == 'e' && at <= 1 && digits == at + 1 && goes_on(text, end));
    opens = opens || chained || (at <= 1 && digits >= at + SHORT_LEAST && digits + 1 < end);
    if (digits == end || digits < at + 1 + !opens)
        return end;
    char sign = text.data[digits - 1];
    bool letter = byte_is_letter(sign);
    if (!letter && sign != '-' && sign != '#' && sign != '.')
        return end;
    letter = letter && sign != '_';
    struct text word = {text.data + at, digits - !letter - at};
    if ((letter && word.size < GLUED_LEAST && !opens) ||
        (vocabulary_place(vocabulary, word) == PLACE_NONE && !(chained && word.size == 1)))
        return end;
    /* No fraction is left of `Epoch.3`, no word of `Epoch_3`. */
    return sign == '.' || sign == '_' ? digits : digits - !letter;
}

/* Behind the place word that ends at `end` a whole number stands alone: `epoch: 13 `. */
static bool counts_alone(struct text text, size_t end)
{
    size_t next = end;
    if (text_byte(text, next) != ':' && text_byte(text, next) != '=')
        return false;
    do
        next++;
    while (text_byte(text, next) == ' ');
    const size_t digits = next;
    while (byte_is_digit(text_byte(text, next)))
        next++;
    const char behind = text_byte(text, next);
    return next > digits && (behind == ' ' || behind == '\t' || behind == ',');
}

bool glued_record(const struct vocabulary *vocabulary, struct text text, size_t at, size_t end)
{
    const struct text word = text_cut(text, at, end - at);
    const char first = text_byte(text, at);
    size_t next = end;
    while (text_byte(text, next) == ' ' || text_byte(text, next) == '[')
        next++;
    const bool named = first >= 'A' && first <= 'Z' && next > end;
    return word.size >= GLUED_LEAST &&
           ((named && byte_is_digit(text_byte(text, next))) || counts_alone(text, end)) &&
           vocabulary_place(vocabulary, word) != PLACE_NONE;
}

bool glued_name(struct reader *reader, struct text text, size_t end)
{
    const size_t sign = token_word_end(text, end);
    if (sign == end || (text_byte(text, sign) != '=' && text_byte(text, sign) != ':'))
        return false;
    const struct text word = text_cut(text, end, sign - end);
    const struct naming naming = memo_naming(reader, word, TEXT(""), PHASE_NONE);
    return naming.known && !naming.refused && naming.kind <= KIND_LEARNING_RATE;
}
