/* Borrowed bytes and borrowed text, and the bounds-checked walk over them. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_SPAN_H
#define STALLDOC_SPAN_H

#include "stalldoc/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    const uint8_t *data;
    size_t size;
};

struct text { /* no NUL at its end; any bytes, UTF-8 where sound */
    const char *data;
    size_t size;
};

#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

struct text text_of(const char *string); /* NULL gives an empty text */
bool text_equal(struct text a, struct text b);
bool text_is(struct text a, const char *string);
bool text_starts(struct text a, const char *prefix);
bool text_ends(struct text a, const char *suffix);
int text_compare(struct text a, struct text b);                 /* by bytes, the shorter first */
struct text text_cut(struct text a, size_t start, size_t size); /* clamped to what is there */
struct text text_trim(struct text a);                           /* without ASCII blanks around */
size_t text_find(struct text a, struct text part);              /* a.size where it is not there */
size_t text_count(struct text a, char byte);                    /* how often it stands there */
size_t text_behind(struct text a, char byte); /* where the last one ends; 0: it is not there */
uint64_t text_hash(struct text a);            /* the same on every machine */
/* Natural order: digit runs compare as numbers ("step9" before "step10"). */
int text_compare_natural(struct text a, struct text b);
/* Least number of single edits; capped at `most` + 1. For "did you mean". */
size_t text_distance(struct text a, struct text b, size_t most);
/* Shell pattern with * ? and [..]; `/` is an ordinary byte; ASCII case folded where asked. */
bool text_glob(struct text pattern, struct text text, bool fold);

struct cursor { /* a walk over a span */
    struct span rest;
    struct place place; /* of rest.data */
    bool overrun;       /* sticky: takes return 0 from here on; check once a structure */
};

uint8_t take_u8(struct cursor *cursor);
uint16_t take_u16le(struct cursor *cursor);
uint32_t take_u32le(struct cursor *cursor);
uint64_t take_u64le(struct cursor *cursor);
uint16_t take_u16be(struct cursor *cursor);
uint32_t take_u32be(struct cursor *cursor);
uint64_t take_u64be(struct cursor *cursor);
struct span take_bytes(struct cursor *cursor, uint64_t count); /* empty on overrun */

/* a * b and a + b; false on overflow, *result untouched. */
bool size_product(uint64_t a, uint64_t b, uint64_t *result);
bool size_sum(uint64_t a, uint64_t b, uint64_t *result);

#endif
