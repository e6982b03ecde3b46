/* A JSON document of any shape as readings and settings. */
/* SPDX-License-Identifier: MIT */
#ifndef READ_DOCUMENT_WALK_H
#define READ_DOCUMENT_WALK_H

#include "read/document/rows.h"
#include "read/document/tokenizer.h"

struct walk_options {
    bool root_settings;  /* members of the document itself are settings, never readings */
    bool drop_summaries; /* see struct writer */
};

/* Objects in lists are records; lists of numbers under a name are its values, epoch by epoch; all
   else is one record of the whole document, or its settings. */
bool walk_document(const struct reading *reading, const struct walk_options *options,
                   struct error *error);

/* How well the head tokenizes as one document: 0 not, else how many tokens there were. `found` is
   set where one of the keys (NULL behind the last) was met. */
size_t walk_probe(struct span head, const char *const *keys, bool *found, bool *cut);

#endif
