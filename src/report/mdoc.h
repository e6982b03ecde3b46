/* Manual pages in mdoc(7). */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_MDOC_H
#define STALLDOC_REPORT_MDOC_H

#include "stalldoc/report.h"

void mdoc_head(const char *page, const char *about, struct out *out);
void mdoc_tail(const char *other, struct out *out);
void mdoc_section(const char *group, struct out *out); /* hyphens become blanks */
void mdoc_subsection(const char *id, struct out *out);
void mdoc_paragraph(const char *title, const char *text, struct out *out); /* title NULL: none */
void mdoc_list(const char *title, struct out *out);
void mdoc_item(const char *text, const char *id, struct out *out); /* id NULL: none */
/* The title as a comment over the code; NULL: none. */
void mdoc_code(const char *title, const char *code, struct out *out);
void mdoc_list_end(struct out *out);

#endif
