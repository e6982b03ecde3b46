/* Tags of an event file: a column of readings each, sent on in batches. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_EVENT_TAGS_H
#define READ_EVENT_TAGS_H

#include "read/event/value.h"

#include "stalldoc/format.h"

struct moment {
    int64_t step;
    double time;
    uint64_t offset;
};

struct tag;
struct tags {
    const struct reading *reading;
    struct tag **table; /* open addressing by hash of the name */
    size_t capacity, count;
    struct tag *first;    /* in order of appearance */
    struct tag *last;     /* of them */
    struct tag *previous; /* the last one put: its `after` is the prediction */
    enum phase folder;    /* what the folder's name says: Keras writes train/ and validation/ */
};

bool tags_init(struct tags *tags, const struct reading *reading);
bool tags_any(const struct tags *tags);
bool tags_put(struct tags *tags, const struct event_value *value, const struct moment *moment,
              struct error *error);
bool tags_flush(struct tags *tags, struct error *error);

#endif
