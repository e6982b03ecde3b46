/* Lines that equal an image but for their digits: compared and read with known places, many lines
   at once (speed.md 2.2). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_IMAGE_H
#define STALLDOC_READ_LOG_IMAGE_H

#include "read/log/pattern_form.h"

enum {
    IMAGE_BLOCK = 32,
    IMAGE_BLOCKS = LINE_BYTES / IMAGE_BLOCK,
    IMAGE_NUMBERS = SLOTS,
    IMAGE_LINES = 64, /* most lines read at once */
    DIGITS_HALF = 8,  /* of a number that shares sixteen bytes with another */
};

struct image_two { /* two numbers of up to DIGITS_HALF digits */
    uint8_t number[2];
    int16_t load[2]; /* where the sixteen bytes begin that hold it, from the start of the line */
    uint8_t pick[2][16];
    double scale[2]; /* the value is the digits as an integer, divided by it */
};

struct image {
    size_t size;
    uint8_t bytes[LINE_BYTES + IMAGE_BLOCK], digits[LINE_BYTES + IMAGE_BLOCK];
    uint8_t beyond[IMAGE_BLOCK]; /* 0xff behind the end, in its last block */
    struct image_two twos[IMAGE_NUMBERS / 2 + 1];
    size_t two_count;
    /* Of the twos those with an exponent and the others; those that are read one by one. */
    uint8_t powered[IMAGE_NUMBERS], exact[IMAGE_NUMBERS], plain[IMAGE_NUMBERS];
    size_t powered_count, exact_count, plain_count;
    const struct shape_of *shapes; /* the pattern's */
};

void image_make(const struct pattern *pattern, struct image *image);
/* How many lines from `text` on have the image, up to `most`; all their bytes and those of a block
   behind them are readable. */
size_t image_lines(const struct image *image, const char *text, size_t most);
/* The numbers of `count` lines that have the image: number n of line i into out[n * room + i],
   places[n] is raised to the most decimals of that number. */
void image_numbers(const struct image *image, const char *text, size_t count, double *out,
                   size_t room, int16_t *places);

#endif
