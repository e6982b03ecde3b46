/* What pattern.c and pattern_learn.c share: the form of a pattern. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_PATTERN_FORM_H
#define STALLDOC_READ_LOG_PATTERN_FORM_H

#include "read/log/pattern.h"

#include <string.h>

enum {
    PATTERNS = 32,
    LINE_BYTES = 512, /* longer lines take the slow way */
    BLOCK = 16,
    BLOCKS = LINE_BYTES / BLOCK,
    SLOTS = 64,
    SLOT_UNREAD = SLOTS - 1, /* of a number that nobody wants */
    WORDS_ALIKE = 8,         /* different words at one position before it is a slot */
    WALKED = 64,             /* lines walked before one of them becomes the image */
    MISSES = 256,            /* a pattern that misses so often more than it hits is given up */
    IMAGE_SPARE = 32,        /* readable bytes behind an image */
    POWERS_EXACT = 22,       /* of ten in a double */
};

enum slot_kind {
    SLOT_NUMBER,
    SLOT_WORD,
    SLOT_END,
};

struct slot { /* what stands behind a literal */
    uint8_t kind;
    bool blanks;                    /* any number of blanks before it, at least one */
    uint16_t literal, literal_size; /* in the image: what stands before it */
    int16_t value;                  /* index of its shape and target */
};

struct shape_of { /* of a number in the image */
    uint16_t end; /* behind its last digit of the mantissa */
    uint8_t whole, fraction;
    uint16_t power_end;
    uint8_t power; /* digits of the exponent */
    bool negative, power_negative;
};

struct target { /* where a number goes */
    bool place, integer, counter;
    uint8_t field;
    uint16_t column;
};

struct pattern {
    bool used, wild; /* wild: has a slot of letters */
    bool lone;       /* which begins at word_at, and nothing beside it may be of a fixed text */
    size_t word_at;
    bool runs;       /* says its place itself: lines behind one another are read in one go */
    size_t size;     /* of the image, with the line end */
    uint64_t serial; /* of its form: the same as long as it reads the same */
    uint8_t image[LINE_BYTES + IMAGE_SPARE], digits[LINE_BYTES + IMAGE_SPARE];
    size_t slot_count, number_count;
    struct slot slots[SLOTS];
    struct shape_of shapes[SLOTS];
    struct target targets[SLOTS];
    size_t clock_at, clock_size; /* of the time in its prefix; size 0: none */
    size_t second_at;            /* its seconds, behind the minute that is remembered */
    unsigned second_places;      /* digits of their fraction */
    char minute[40];
    double minute_time, hour_time;
    bool hour_known;
    const struct sheet *sheet;
    struct entry *entry; /* NULL: of a pattern with a slot of letters */
    uint32_t flags;      /* of the plan */
    int32_t rank;
    uint32_t entry_flags;
    struct pattern *after; /* that followed it the last time */
    uint32_t hits, misses, walked;
    size_t alike_at, alike; /* where words differed, and how often */
};

struct wording { /* what tells whether a word is mere filling */
    const struct vocabulary *vocabulary;
    uint64_t lengths[FIRST_LETTERS]; /* of words about the life of a run, by first_letters */
};

struct patterns {
    struct pattern slots[PATTERNS];
    struct pattern candidate; /* of lines whose templates were all new */
    struct pattern made;      /* at hand */
    struct pattern *last;
    size_t next;
    uint64_t serials;
    struct wording wording;
};

/* The form of the number at `at`, sign and all; *end is behind it. False: none that is plain. */
bool pattern_shape(const char *text, size_t at, struct shape_of *shape, size_t *end);
/* Where the filling word at `at` ends, in *end, which begins as `at`; false: none is there. */
bool pattern_word(const struct wording *wording, const char *text, size_t at, size_t *end);
/* Whether the line has the bytes of the image, but for digits. */
bool pattern_image(const struct pattern *pattern, const char *text);
/* Whether a line of the pattern may hold a fixed text, by its word. */
bool pattern_tells(const struct pattern *pattern, const struct message_table *messages,
                   struct text line);
/* Slot by slot; shapes holds those of the numbers. 0: not this pattern, else the line's size.
   `text` has spare bytes on both sides. */
size_t pattern_walk(const struct wording *wording, const struct pattern *pattern, const char *text,
                    size_t size, struct shape_of *shapes);
void pattern_renew(struct pattern *pattern, const char *text, size_t size,
                   const struct shape_of *shapes);
/* The time of a line that matches, in *time; false where it has none of that kind. */
bool pattern_time(struct pattern *pattern, const char *text, double *time);
/* Those of many lines, NAN where the pattern has none: how many, up to the first that has another.
 */
size_t pattern_times(struct pattern *pattern, const struct text *texts, size_t count,
                     double *times);
double number_make(const char *text, const struct shape_of *shape, int16_t *places);
/* digits * 10^exponent, correctly rounded. */
double number_scaled(uint64_t digits, int exponent);
int shape_power(const char *text, const struct shape_of *shape);
extern const double number_powers[]; /* up to POWERS_EXACT */
extern const uint64_t number_tens[]; /* up to DIGITS_MAX - 1 */
static inline bool shape_integer(const struct shape_of *shape)
{
    return shape->fraction == 0 && shape->power == 0;
}
/* The slot of the table that is to be filled next: the oldest. */
struct pattern *pattern_room(struct patterns *patterns);

#endif
