/* One code point after the other, and how many columns it takes. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_UTF8_H
#define STALLDOC_REPORT_UTF8_H

#include "stalldoc/span.h"

/* Bytes of the code point at the start of `text`; 0 where the bytes are no UTF-8 (overlong forms,
   surrogates and cut sequences are none) or the text is empty. */
size_t utf8_take(struct text text, uint32_t *code);
/* Columns on a terminal: 0 combining, 2 wide, else 1. */
int utf8_width(uint32_t code);
/* Code points; each byte that is no UTF-8 counts as one. */
size_t utf8_count(struct text text);

#endif
