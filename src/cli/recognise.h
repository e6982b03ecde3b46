/* What a file is, and what is said where it is nothing that is read. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CLI_RECOGNISE_H
#define STALLDOC_CLI_RECOGNISE_H

#include "stalldoc/format.h"

struct recognised {
    const struct format *format; /* NULL: nothing that is known */
    bool broken;                 /* of that type by its name, but not by its content: not read */
    struct error why;            /* where it is broken, unknown or not read */
};

/* `forced` is the type of --type, or NULL; an empty file is of none. `begin` is the place of the
   first byte. */
void recognise(const struct format *forced, struct span head, struct text name, struct place begin,
               struct recognised *recognised);

/* By its name a program or a document: a copy of the code beside a run quotes errors and holds
   losses that no run had. */
bool is_source_text(struct text name);

#endif
