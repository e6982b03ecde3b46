/* The rule files that are built in. */
/* SPDX-License-Identifier: MIT */
#ifndef TEST_EMBEDDED_H
#define TEST_EMBEDDED_H

#include "stalldoc/rule.h"

#include <string.h>

/* The text of the file of that name; empty where there is none. */
static inline struct text embedded_text(const char *name)
{
    for (size_t i = 0; rule_files_embedded[i].name; i++)
        if (strcmp(rule_files_embedded[i].name, name) == 0)
            return rule_files_embedded[i].text;
    return TEXT("");
}

/* NULL: no memory. */
static inline struct vocabulary *embedded_vocabulary(struct arena *arena, struct error *error)
{
    return vocabulary_load(arena, embedded_text("kinds.json"), "kinds.json", error);
}

static inline struct message_table *embedded_messages(struct arena *arena, struct error *error)
{
    return message_table_load(arena, embedded_text("messages.json"), "messages.json", error);
}

#endif
