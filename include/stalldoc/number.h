/* Numbers in text: locale-free and correctly rounded. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_NUMBER_H
#define STALLDOC_NUMBER_H

#include "stalldoc/span.h"

struct number {
    double value;
    size_t size;     /* bytes of the text that belong to it */
    int16_t places;  /* digits behind the point as printed, the exponent taken into account:
                        1.25 has 2, 1.0481e+01 has 3, 3e5 has -5; 0 for non-finite values */
    bool integer;    /* no point, no exponent */
    bool finite;
};

enum comma {
    COMMA_GROUPS,  /* a comma before exactly three digits, 1 to 3 digits before it, groups */
    COMMA_DECIMAL, /* every single comma is the decimal point */
};

/* The longest number at the start of `text`: sign, digits, point or comma, exponent; or a word for
   NaN or infinity (nan NaN -nan nan(ind) nan.0 inf Infinity 1.#QNAN 1.#INF, any case).
   False where there is none. */
bool number_take(struct text text, enum comma comma, struct number *number);
/* The whole text is one number (COMMA_GROUPS); false otherwise. */
bool number_parse(struct text text, struct number *number);
#define NUMBER_WHOLE_MOST 9007199254740992.0 /* 2^53: above it a double skips some */
/* The whole text is a whole number from 0 to NUMBER_WHOLE_MOST; false otherwise. */
bool number_whole(struct text text, uint64_t *value);
/* digits * 10^exponent, correctly rounded; `digits` exact (no more than 19 digits were there). */
double number_scale(uint64_t digits, int exponent);
/* The same, without a branch for few digits: quicker where some have 15 and others 17. */
double number_scale_long(uint64_t digits, int exponent);
/* Shortest text that reads back as the same double; at most 32 bytes with its NUL.
   Non-finite values are nan, inf, -inf. Returns the length. */
size_t number_print(double value, char *out);
/* The value with at most four significant digits, as the reports print it in prose. */
size_t number_print_short(double value, char *out);

#endif
