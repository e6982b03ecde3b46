/* A diagnosis as bytes. Untrusted text leaves through out_text alone. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_H
#define STALLDOC_REPORT_H

#include "stalldoc/diagnosis.h"
#include <stdio.h>

struct out {
    FILE *file;
    bool colour, unicode;
    int width;     /* columns */
    bool failed;   /* sticky; the caller looks once */
    int column;    /* where the next byte goes, from 0 */
};

enum style { STYLE_PLAIN, STYLE_ERROR, STYLE_WARNING, STYLE_INFO, STYLE_GOOD, STYLE_STRONG };

void out_literal(struct out *out, const char *literal); /* our own words, as they are */
void out_text(struct out *out, struct text untrusted);  /* escaped: ux.md 9.14 */
void out_json(struct out *out, struct text text);       /* a JSON string with its quotes */
void out_print(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_style(struct out *out, enum style style);      /* nothing where colour is off */
size_t text_width(struct text text);                    /* columns of the escaped form */

struct report_options {
    size_t causes; /* text: how many at most */
    bool fixes, evidence, verbose, quiet;
    bool sparkline;
    const char *framework; /* which snippets; NULL: from the facts, else the first */
    size_t points;
};

struct report {
    const char *name, *about;
    void (*write)(const struct diagnosis *diagnosis, const struct report_options *options,
                  struct out *out);
};
extern const struct report *const reports[]; /* NULL behind the last */
const struct report *report_named(struct text name);

#endif
