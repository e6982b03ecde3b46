/* A diagnosis as bytes. Untrusted text leaves through out_text alone. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_H
#define STALLDOC_REPORT_H

#include "stalldoc/diagnosis.h"
#include <stdio.h>

struct out {
    FILE *file;
    bool colour, unicode;
    int width;   /* columns */
    bool failed; /* sticky; the caller looks once */
    int reason;  /* errno of the failure */
    int column;  /* where the next byte goes, from 0 */
};

enum style { STYLE_PLAIN, STYLE_ERROR, STYLE_WARNING, STYLE_INFO, STYLE_GOOD, STYLE_STRONG };

void out_literal(struct out *out, const char *literal); /* our own words, as they are */
void out_text(struct out *out, struct text untrusted);  /* escaped: ux.md 9.14 */
void out_json(struct out *out, struct text text);       /* a JSON string with its quotes */
void out_print(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_style(struct out *out, enum style style); /* nothing where colour is off */
size_t text_width(struct text text);               /* columns of the escaped form */

struct report_options {
    size_t causes; /* text: how many at most */
    bool fixes, evidence, verbose, quiet;
    bool sparkline;
    const char *framework;      /* which snippets; NULL: from the facts, else the first */
    size_t points;              /* json: of a curve beside each series; 0 none */
    const char *const *fail_on; /* as given; NULL behind the last, or NULL */
    uint32_t stdin_input;       /* number of standard input, which cannot be opened again; 0 none */
};

struct report {
    const char *name, *about;
    void (*write)(const struct diagnosis *diagnosis, const struct report_options *options,
                  struct out *out);
};
extern const struct report *const reports[]; /* NULL behind the last */
const struct report *report_named(struct text name);

struct inspect_options {  /* what is in the inputs, without judgement */
    bool series, tensors; /* which parts; facts, templates and inputs where both are set */
    const char *series_glob, *tensors_glob; /* NULL: all */
    size_t head;                            /* rows of each part; 0: all */
    uint32_t stdin_input;                   /* as in struct report_options */
};
void inspect_text(const struct collection *collection, const struct inspect_options *options,
                  struct out *out);
void inspect_json(const struct collection *collection, const struct inspect_options *options,
                  struct out *out);
void inspect_csv(const struct collection *collection, const struct inspect_options *options,
                 struct out *out);

/* The sections of the catalogues: for explain, `rules` and the manual. Either may be NULL. */
enum manual_form { MANUAL_TEXT, MANUAL_JSON, MANUAL_MARKDOWN };
void explain(const struct symptom *symptom, const struct cause *cause, enum manual_form form,
             struct out *out);
void catalogue_list(const struct rules *rules, bool symptoms, bool causes, enum manual_form form,
                    struct out *out);
/* stalldoc-symptoms(7) or stalldoc-causes(7) in mdoc. */
void catalogue_manual(const struct rules *rules, bool causes, struct out *out);

#endif
