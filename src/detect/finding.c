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

struct text finding_core(const struct finding *finding)
{
    enum { SHORT = 148, LEAD = 24, FAR = 48 }; /* bytes: of a line, kept before, worth a cut */
    const struct message *message = finding->candidate.message;
    const struct text text = finding->message;
    if (!message || text.size <= SHORT || message->column > message->line.size)
        return text;
    const size_t blanks = (size_t)(text_trim(message->line).data - message->line.data);
    if (message->column < blanks + FAR || !text_equal(text, text_trim(message->line)))
        return text;
    size_t start = message->column - blanks - LEAD;
    while (start < text.size && text.data[start] != ' ')
        start++;
    return start < message->column - blanks ? text_trim(text_cut(text, start, text.size)) : text;
}
