/* Lines that could tell something, told from prose by their bytes. Pure: any thread may do it. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_SIFT_H
#define READ_SIFT_H

#include "read/keywords.h"
#include "stalldoc/message.h"

enum sifted_flag {
    SIFTED_SPEAKS = 1,  /* holds what could matter: it is to be read */
    SIFTED_CLOCK = 2,   /* begins with a time of day, perhaps */
    SIFTED_NUMBERS = 4, /* some stand by themselves */
    SIFTED_HIGH = 8,    /* bytes that are no ASCII */
};

struct sifted {   /* a line */
    uint32_t end; /* behind its line end, from the start of the text */
    uint8_t flags;
    uint8_t use;             /* of its words, bits of keyword_use */
    uint16_t names;          /* words that name numbers */
    uint16_t figures, words; /* behind a blank: numbers, and words */
};

enum { SIFT_LINES = 2048 };

struct sift {
    const struct keywords *keywords;
    const struct message_table *messages; /* NULL: no line holds any */
    struct text text;                     /* whole lines, with LIMIT_WINDOW_SPARE bytes behind */
    /* What was found. */
    size_t count; /* of the first lines of the text: all that there are, or all that fit */
    struct sifted lines[SIFT_LINES];
};

void sift_run(struct sift *sift);

#endif
