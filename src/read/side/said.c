/* What a line says, to the sink. */
/* SPDX-License-Identifier: MIT */
#include "read/side/said.h"

#include "stalldoc/message.h"

#include <math.h>

struct telling {
    const struct reading *reading;
    struct text line;
    struct place place;
    struct error *error;
    bool sound;
};

static void met(void *context, uint32_t row, size_t column)
{
    struct telling *telling = context;
    struct sink *sink = telling->reading->sink;
    const struct message_seen seen = {.message = row,
                                      .place = telling->place,
                                      .line = telling->line,
                                      .column = column,
                                      .rank = -1,
                                      .step = STEP_NONE,
                                      .time = (double)NAN};
    telling->sound = telling->sound && sink->message(sink, &seen, telling->error);
}

bool said_tell(const struct reading *reading, struct text line, struct place place,
               struct error *error)
{
    struct telling telling = {reading, line, place, error, true};
    if (reading->messages)
        message_search(reading->messages, line, 0, met, &telling);
    return telling.sound;
}
