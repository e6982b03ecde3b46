/* The fixed texts of rules/messages.json, and the search for them in lines. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_MESSAGE_H
#define STALLDOC_MESSAGE_H

#include "stalldoc/arena.h"
#include "stalldoc/record.h"

struct message_fact {
    struct text key, value;
};

struct message_row {
    const char *id;
    const struct text *parts; /* in order on the raw line; '#' stands for a number */
    size_t part_count;
    bool line_start; /* the first part stands where the line (behind its prefixes) begins */
    bool whole_line; /* and nothing follows the last part */
    enum message_strength strength;
    const char *const *symptoms; /* catalogue ids, NULL behind the last */
    const char *const *forms;    /* beside each symptom: the form it takes; NULL: "message" */
    const char *const *causes;   /* the first named weighs most; NULL behind the last */
    const struct message_fact *facts;
    size_t fact_count;
    const char *suggest; /* what to try; "" */
    const char *change;  /* what it tells has changed; "" */
    uint32_t times;      /* met less often in a stream it says nothing; 1 as a rule */
};

struct message_table {
    const struct message_row *rows;
    size_t row_count;
    const struct message_filter *filter; /* private to message.c */
};

struct message_table *message_table_load(struct arena *arena, struct text text, const char *path,
                                         struct error *error);
/* Calls met for each row that the line holds, in order of columns; `content` is where the line
   begins behind time, level and rank prefixes. Fast on lines that hold none (speed.md 3.1). */
void message_search(const struct message_table *table, struct text line, size_t content,
                    void (*met)(void *context, uint32_t row, size_t column), void *context);
/* True where message_search would say something if digits were masked alike: what is cached for a
   template. Never false for a line on which message_search finds a row. */
bool message_possible(const struct message_table *table, struct text line);
/* For a line that is known but for its bytes `from` to `to`, and where message_near was false for
   all of its bytes when others stood there: where it is false now, message_possible is. */
bool message_near(const struct message_table *table, struct text line, size_t from, size_t to);
/* What a fact of a row says on a line that message_search found at `column`: its value, or the
   number that "#1" (the first '#' of the row) stands for. Empty where the line has none. */
struct text message_fact_value(const struct message_table *table, uint32_t row,
                               const struct message_fact *fact, struct text line, size_t column);

#endif
