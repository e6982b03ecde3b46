/* Keys of files: those of one run are equal. */
/* SPDX-License-Identifier: MIT */
#ifndef COLLECT_KEYS_H
#define COLLECT_KEYS_H

#include "stalldoc/span.h"

enum { KEY_MOST = 512 }; /* bytes that the caller gives to a key */

/* "x.err" as "x.out", "run.e12" as "run.o12": what twins have in common. */
struct text twin_key(struct text file, char *bytes);
/* The path with the number of the rank masked; false where it names none. */
bool rank_key(struct text path, char *bytes, struct text *key, int32_t *rank);
/* The path with every number masked: what parts of one run have in common. */
struct text part_key(struct text path, char *bytes);

#endif
