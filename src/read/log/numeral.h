/* The spelling of numbers, byte by byte. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_NUMERAL_H
#define STALLDOC_READ_LOG_NUMERAL_H

#include "stalldoc/number.h"

/* The end of a number that begins at `at` (sign, point or digit); `at` where there is none. */
size_t numeral_end(struct text text, size_t at, enum comma comma, uint8_t *flags);
/* Of a power of ten written out behind a number that ends at `at`, `1.5 x 10^-3`, its end and what
   it is; `at` where there is none. */
size_t numeral_power(struct text text, size_t at, int *power);
/* number_take with such a power, where all of the text is a number. */
bool numeral_take(struct text text, enum comma comma, struct number *number);
/* The end of a word for NaN or infinity; *word says whether there is one. */
size_t numeral_nan(struct text text, size_t at, bool *word);
/* The end of the unit glued to a number that ends at `at`. `whole`: nothing else is glued. */
size_t numeral_unit(struct text text, size_t at, bool *whole);
/* Is there a plus-minus sign? */
bool numeral_deviation(struct text text, size_t at);
/* Does a sign of a script without blanks (Chinese, Japanese, Korean) end, or begin, at `at`? */
bool ideograph_ends(struct text text, size_t at);
bool ideograph_begins(struct text text, size_t at);

#endif
