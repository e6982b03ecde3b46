/* The causes of one run in the text report. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_TEXT_CAUSE_H
#define STALLDOC_REPORT_TEXT_CAUSE_H

#include "stalldoc/report.h"

void text_heading(const char *words, struct out *out); /* an empty line before it */
void text_causes(const struct diagnosis *diagnosis, const struct verdict *verdict,
                 const struct report_options *options, struct out *out);
/* "PyTorch"; NULL for "any": the code speaks for itself. */
const char *framework_title(const char *name);

#endif
