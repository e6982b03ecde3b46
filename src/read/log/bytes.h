/* Classes of bytes in log lines. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_BYTES_H
#define STALLDOC_READ_LOG_BYTES_H

#include "stalldoc/span.h"

enum byte_class { BYTE_CONTROL, BYTE_BLANK, BYTE_DIGIT, BYTE_LETTER, BYTE_PUNCT };
extern const uint8_t byte_classes[256];

static inline enum byte_class byte_class_of(char byte)
{
    return (enum byte_class)byte_classes[(unsigned char)byte];
}
static inline bool byte_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}
static inline bool byte_is_letter(char byte) /* or _, or a byte of a longer character */
{
    return byte_class_of(byte) == BYTE_LETTER;
}
static inline bool byte_is_word(char byte)
{
    enum byte_class class = byte_class_of(byte);
    return class == BYTE_LETTER || class == BYTE_DIGIT;
}
static inline char byte_lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte;
}
/* The byte at `at`, NUL behind the end. */
static inline char text_byte(struct text text, size_t at)
{
    return at < text.size ? text.data[at] : '\0';
}
/* ASCII case folded; `lower` is in lower case. */
static inline bool text_folds_to(struct text text, const char *lower)
{
    size_t i = 0;
    for (; i < text.size && lower[i]; i++)
        if (byte_lower(text.data[i]) != lower[i])
            return false;
    return i == text.size && !lower[i];
}
/* Is `word` (any case) one of the words of a NULL-ended list in lower case? */
static inline bool text_in(struct text word, const char *const *list)
{
    for (; *list; list++)
        if (text_folds_to(word, *list))
            return true;
    return false;
}

#endif
