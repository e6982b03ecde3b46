/* Names of severities. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/finding.h"

static const char *const names[] = {
    [SEVERITY_NONE] = "none",
    [SEVERITY_INFO] = "info",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_ERROR] = "error",
};

const char *severity_name(enum severity severity)
{
    return names[severity];
}

bool severity_of_name(struct text name, enum severity *severity)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (text_is(name, names[i])) {
            *severity = (enum severity)i;
            return true;
        }
    return false;
}
