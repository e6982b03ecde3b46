/* What every report says about a finding. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_FINDING_H
#define STALLDOC_REPORT_FINDING_H

#include "stalldoc/report.h"

/* Where the finding begins: its onset, else its first evidence, else the run's first input. */
struct place finding_place(const struct run *run, const struct finding *finding);
/* What was kept of the line at that place, for inputs that cannot be opened again; "": nothing. */
struct text finding_line(const struct finding *finding, const struct place *place);
/* 16 hex digits and a NUL: the same for the same rule, form, run, series and onset step. */
void finding_fingerprint(const struct run *run, const struct finding *finding, char out[17]);
/* Its number in the whole report, from 1: runs in order, findings as judged. 0: not there. */
size_t finding_number(const struct diagnosis *diagnosis, const struct finding *finding);
struct text source_path(const struct diagnosis *diagnosis, uint32_t input); /* "" for 0 */

#endif
