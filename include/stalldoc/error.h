/* Errors as values: a kind, a place and one sentence that a user can act on. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_ERROR_H
#define STALLDOC_ERROR_H

#include <stdbool.h>
#include <stdint.h>

enum error_kind {
    ERROR_NONE,
    ERROR_IO,          /* the system refused; the message has its reason */
    ERROR_TRUNCATED,   /* the input ends inside a structure */
    ERROR_MALFORMED,   /* the bytes break the format's own rules */
    ERROR_CHECKSUM,    /* the same, found by a checksum */
    ERROR_UNSUPPORTED, /* sound, but a variant that is not read */
    ERROR_LIMIT,       /* a bound of limits.h was reached */
    ERROR_MEMORY,      /* an arena is full, or the system has no more */
};

/* Where something was read. Every record, finding and error carries one. */
struct place {
    uint32_t input;  /* from 1; 0: nowhere */
    uint64_t line;   /* from 1; 0 in binary inputs */
    uint64_t offset; /* in the input's decoded bytes */
};

struct error {
    enum error_kind kind;
    struct place place;
    char message[256];
};

/* Fills *error and returns false, so that `return error_set(...)` ends a fallible function.
   `error` may be NULL. The message is one line without a final full stop. */
bool error_set(struct error *error, enum error_kind kind, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

#endif
