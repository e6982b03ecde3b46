/* What the forms of `inspect` share. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_INSPECT_H
#define STALLDOC_REPORT_INSPECT_H

#include "report/json_parts.h"

struct tensor_figures { /* that follow from the sums */
    uint64_t finite;
    double norm, largest, mean, deviation;
};
struct tensor_figures tensor_figures(const struct tensor_stats *stats);
bool inspect_takes(const char *glob, struct text name); /* glob NULL: all */

#endif
