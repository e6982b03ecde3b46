/* The table of outputs: a row each in meson.build. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/report.h"

#define REPORT(name) extern const struct report report_##name;
#include "report/reports.def"
#undef REPORT

const struct report *const reports[] = {
#define REPORT(name) &report_##name,
#include "report/reports.def"
#undef REPORT
    NULL,
};

const struct report *report_named(struct text name)
{
    for (size_t i = 0; reports[i]; i++)
        if (text_is(name, reports[i]->name))
            return reports[i];
    return NULL;
}
