/* What one rank's flight recorder of PyTorch's collectives holds. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_SIDE_FLIGHT_H
#define READ_SIDE_FLIGHT_H

#include "stalldoc/format.h"
#include "stalldoc/limits.h"

enum {
    FLIGHT_RANKS = LIMIT_SIBLINGS,
    FLIGHT_GROUPS = 256, /* of a dump; more are passed over */
    FLIGHT_LAST = 8,     /* collectives kept of a group: the dump is a ring, the end tells */
    FLIGHT_NAME = 48,
};

enum flight_state { FLIGHT_SCHEDULED, FLIGHT_STARTED, FLIGHT_COMPLETED };

struct flight_entry {
    int64_t sequence;            /* of its group, from 1 */
    char operation[FLIGHT_NAME]; /* "nccl:all_reduce" */
    uint64_t form;               /* of sizes and types */
    enum flight_state state;
    bool peer; /* point to point: has no sequence in common */
};

struct flight_group {
    struct flight_group *next;
    char id[FLIGHT_NAME], about[FLIGHT_NAME];
    int64_t enqueued, started, completed; /* sequence of the last; -1 none */
    struct flight_entry last[FLIGHT_LAST];
    uint64_t entries;
    uint8_t *members;                  /* bits; NULL: not told */
    uint32_t member_count, member_top; /* top: highest rank + 1 */
};

struct flight_dump {
    int32_t rank;                /* -1: not told */
    struct flight_group *groups; /* in order of appearance */
    uint32_t group_count;
    bool foreign; /* a pickle that asks for names: no dump of this kind */
};

/* JSON or a pickle, from its first byte on. Groups live in `arena`; the rest ends with `scratch`.
 */
bool flight_read(struct input *input, struct arena *arena, struct arena *scratch,
                 struct flight_dump *dump, struct error *error);
const struct flight_group *flight_group_of(const struct flight_dump *dump, const char *id);
bool flight_member(const struct flight_group *group, uint32_t rank);
/* The collective of a sequence among the last; NULL: gone, or not there yet. */
const struct flight_entry *flight_entry_of(const struct flight_group *group, int64_t sequence);

#endif
