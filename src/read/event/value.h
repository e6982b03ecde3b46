/* One Summary.Value of an event: what it holds, reduced to what is judged. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_EVENT_VALUE_H
#define READ_EVENT_VALUE_H

#include "stalldoc/span.h"

enum event_content {
    EVENT_NOTHING,   /* metadata only, images, audio, opaque plugins */
    EVENT_SCALAR,    /* number */
    EVENT_HISTOGRAM, /* number: root of the sum of squares; NAN where edges are not finite */
    EVENT_TEXT,      /* text: the first string of the tensor */
    EVENT_HPARAMS,   /* text: the plugin's bytes */
};

struct event_value {
    struct text tag;
    enum event_content content;
    double number;
    struct text text;
};

/* False where the bytes are no Summary.Value. */
bool event_value_parse(struct span data, struct event_value *value);

#endif
