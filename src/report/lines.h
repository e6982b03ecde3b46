/* Lines that more than one text format has. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_LINES_H
#define STALLDOC_REPORT_LINES_H

#include "report/finding.h"
#include "report/flow.h"

enum { QUOTED_COLUMNS = 148 }; /* of a line of the input in prose: about two lines */

/* `path:line: ` or `path: ` in binary inputs. */
void line_place(struct flow *flow, const struct diagnosis *diagnosis, const struct place *place);
/* `path:line: severity: message [rule]` with its newline. Unwrapped it is one line; else a
   quoted message is cut, and later findings that say the same of the same place join in:
   `[rule, rule]`. How sure it is stands behind it in words, or with LINE_SURE as a number. */
enum line_form { LINE_WRAPPED, LINE_SURE, LINE_UNWRAPPED };
void line_finding(const struct diagnosis *diagnosis, const struct verdict *verdict,
                  const struct finding *finding, enum line_form form, struct out *out);
/* An earlier finding says the same of the same place. */
bool line_is_repeated(const struct verdict *verdict, const struct finding *finding);
/* FAILING, in its colour, as far as there is one. */
void line_status(struct flow *flow, const struct verdict *verdict);
enum style status_style(enum status status);
const char *status_word(enum status status);
/* `5 errors, 1 warning`, behind `before`; nothing where there are no findings. */
void line_counts(struct flow *flow, const struct verdict *verdict, const char *before);

#endif
