/* Work on hostile bytes that is left to a library: in a limited process of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CHILD_H
#define STALLDOC_CHILD_H

#include "stalldoc/error.h"
#include <stddef.h>

struct child; /* a process with a pipe that it writes to; until child_end */

struct child_limits {
    uint64_t memory;  /* bytes, beside what is mapped when it is sealed */
    unsigned seconds; /* of processor time; waiting for it ends after twice as many */
};

/* Runs job(context, out) in a copy of this process that writes no file, leaves no core and prints
   nothing; it ends where the job returns. Call with no other threads about. NULL with *error. */
struct child *child_start(void (*job)(void *context, int out), void *context,
                          const struct child_limits *limits, struct place place,
                          struct error *error);
/* Exactly `size` bytes of what it wrote. False: it died or took too long (ERROR_LIMIT), or broke
   down over the bytes (ERROR_MALFORMED). */
bool child_read(struct child *child, void *buffer, size_t size, struct error *error);
void child_end(struct child *child); /* whatever it is doing; NULL is fine */

/* In the child. From here on it opens nothing more (descriptors that are open stay) and its memory
   is bounded. */
void child_seal(const struct child_limits *limits);
bool child_write(int out, const void *bytes, size_t size); /* false: nobody reads */

#endif
