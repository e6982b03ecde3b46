/* Words that wrap at the width. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_FLOW_H
#define STALLDOC_REPORT_FLOW_H

#include "stalldoc/report.h"

struct flow { /* begin with {.out = out, .indent = columns of the lines after the first} */
    struct out *out;
    int indent;
    bool unwrapped;
    bool fresh; /* set by flow_begin: no word stands on this line yet */
    bool bol;   /* the pending word is preceded by no blank */
    char word[512];
    size_t size; /* of the pending word */
};

/* Starts at `column` with that many blanks. */
void flow_begin(struct flow *flow, struct out *out, int column, int indent);
/* Appends; blanks part words, and what is not parted by blanks stays together. */
void flow_text(struct flow *flow, struct text text);
void flow_string(struct flow *flow, const char *string);
void flow_print(struct flow *flow, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A whole word in a style. */
void flow_styled(struct flow *flow, enum style style, const char *word);
/* Of a text of the input: all of it, or as many columns with dots behind. */
void flow_quoted(struct flow *flow, struct text text, size_t columns);
/* Bytes of the text that fit into so many columns once escaped; whole code points. */
size_t text_fit(struct text text, size_t columns);
void flow_end(struct flow *flow); /* with a newline */

#endif
