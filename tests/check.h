/* What every test needs: cmocka, and helpers to make things fail. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define assert_text(got, expected)                                                                 \
    do {                                                                                           \
        struct text assert_text_value = (got);                                                     \
        assert_int_equal(assert_text_value.size, strlen(expected));                                \
        assert_memory_equal(assert_text_value.data, expected, assert_text_value.size);             \
    } while (0)

/* Numbers of no pattern, the same in each run. */
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Steps the limit of an arena up until what is tested succeeds:
   for (size_t limit = 1;; limit = limit_after(limit)) { ...; if (succeeded) break; } */
static inline size_t limit_after(size_t limit)
{
    return limit + 16 + limit / 64;
}

#endif
