/* Loaded rules as C: `rules_embedded` and everything that it points to. */
/* SPDX-License-Identifier: MIT */
#ifndef RULES_WRITE_H
#define RULES_WRITE_H

#include "stalldoc/rule.h"

#include <stdio.h>

/* False: no memory, or a member that fields.c does not know; *error says which. */
bool tables_write(FILE *file, const struct rules *rules, struct error *error);

#endif
