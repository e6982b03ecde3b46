/* JSON text as a tree of cJSON nodes that lives in an arena. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_BASE_JSON_TREE_H
#define STALLDOC_BASE_JSON_TREE_H

#include "stalldoc/arena.h"
#include "stalldoc/span.h"
#include <cjson/cJSON.h>

/* The value at the start of `text` and the blanks around it; *end is where reading stopped. NULL
   where that is no JSON, nested deeper than LIMIT_DEPTH, or memory ended (*full). Read only: cJSON
   must neither change nor delete it. */
cJSON *json_tree(struct arena *arena, struct text text, size_t *end, bool *full);

#endif
