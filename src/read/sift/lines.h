/* Lines by blocks of 64 bytes, for a tier that gives their classes. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_SIFT_LINES_H
#define READ_SIFT_LINES_H

#include "read/sift/tier.h"
#include "stalldoc/limits.h"

enum { CLOCK_WITHIN = 48, STARTS_AT_ONCE = 8 };

struct classes { /* a bit for each byte of a block */
    uint64_t letters, upper, digits, high, blanks, colons, signs, ends;
};

/* The tier's. */
static inline void classify(const char *text, struct classes *classes);

struct carry { /* the last byte of the block before */
    uint64_t lower, letter, alnum, blank, open;
};

/* 12:34 */
static inline bool has_clock(const struct classes *c, uint64_t mask)
{
    const uint64_t d = c->digits & mask;
    return (d & d >> 1 & c->colons >> 2 & d >> 3 & d >> 4 & ~(d << 1) &
            ((UINT64_C(1) << CLOCK_WITHIN) - 1)) != 0;
}

/* Without a branch for each: what is written too much is not counted. */
static inline void starts_add(struct look *look, size_t at, uint64_t starts)
{
    const size_t count = (size_t)__builtin_popcountll(starts);
    const uint64_t top = UINT64_C(1) << (BLOCK - 1); /* where there is none any more */
    uint32_t *to = look->starts + look->words;
    for (size_t first = 0; first < count; first += STARTS_AT_ONCE)
        for (size_t i = 0; i < STARTS_AT_ONCE; i++) {
            to[first + i] = (uint32_t)(at + (size_t)__builtin_ctzll(starts | top));
            starts &= starts - 1;
        }
    look->words += count;
}

static inline void look_at_block(struct look *look, size_t at, const struct classes *c,
                                 uint64_t mask, struct carry *carry, struct sifted *line)
{
    const char *text = look->sift->text.data + at;
    const uint64_t letters = c->letters & mask, digits = c->digits & mask, upper = c->upper & mask;
    const uint64_t lower = letters & ~upper, alnum = letters | digits;
    const uint64_t first = ~(alnum << 1 | carry->alnum);
    const uint64_t opens = c->blanks | (c->signs & (c->blanks << 1 | carry->blank));
    const uint64_t open = opens << 1 | carry->open;
    line->words = (uint16_t)(line->words + __builtin_popcountll(letters & first & open));
    line->figures = (uint16_t)(line->figures + __builtin_popcountll(digits & open));
    line->flags |= (digits & first) != 0 ? SIFTED_NUMBERS : 0;
    line->flags |= (c->high & mask) != 0 ? SIFTED_HIGH : 0;
    const uint64_t last = text[BLOCK] >= 'a' && text[BLOCK] <= 'z';
    const uint64_t border = upper & (lower << 1 | carry->lower); /* lossValue */
    const uint64_t inner =
        upper & (letters << 1 | carry->letter) & (lower >> 1 | last << (BLOCK - 1)); /* IOULoss */
    starts_add(look, at, (letters & first) | border | inner);
    *carry = (struct carry){lower >> (BLOCK - 1), letters >> (BLOCK - 1), alnum >> (BLOCK - 1),
                            c->blanks >> (BLOCK - 1), opens >> (BLOCK - 1)};
}

/* The line at look->at, whose blocks end with `*at`; false where it is longer than what is looked
   at of a line. */
static inline bool look_at_line(struct look *look, struct sifted *line, size_t *at)
{
    struct carry carry = {.blank = 1, .open = 1};
    for (*at = look->at; *at <= look->at + LIMIT_LINE_PART; *at += BLOCK) {
        struct classes c;
        if (look->words > LOOK_WORDS - BLOCK - STARTS_AT_ONCE)
            words_look(look);
        classify(look->sift->text.data + *at, &c);
        const uint64_t mask = (c.ends & -c.ends) - 1; /* all where no line ends */
        if (*at == look->at && has_clock(&c, mask))
            line->flags |= SIFTED_CLOCK;
        look_at_block(look, *at, &c, mask, &carry, line);
        if (c.ends) {
            *at += (size_t)__builtin_ctzll(c.ends) + 1;
            return true;
        }
    }
    return false;
}

/* Behind the next line end; there is one. */
static inline size_t line_end(struct text text, size_t at)
{
    const char *end = memchr(text.data + at, '\n', text.size - at);
    return (size_t)(end - text.data) + 1;
}

static void look_at_lines(struct look *look)
{
    struct sift *sift = look->sift;
    const size_t most =
        look->lines + LOOK_LINES < SIFT_LINES ? look->lines + LOOK_LINES : SIFT_LINES;
    while (look->lines < most && look->at < sift->text.size) {
        struct sifted *line = &sift->lines[look->lines];
        size_t end;
        *line = (struct sifted){.flags = 0};
        if (!look_at_line(look, line, &end)) {
            line->flags |= SIFTED_SPEAKS;
            end = line_end(sift->text, end);
        }
        line->end = (uint32_t)end;
        look->at = end;
        look->lines++;
    }
}

#endif
