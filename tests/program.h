/* The program as built, run on operands; for tests that read its report. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "check.h"

#include <cjson/cJSON.h>
#include <stdio.h>

enum { PROGRAM_COMMAND = 4096 };

/* What the command (`analyze`, `inspect`) says of the operands, words for the shell, with
   `-f json`; for cJSON_Delete. */
static inline cJSON *program_report(const char *command, const char *operands)
{
    char line[PROGRAM_COMMAND];
    int length = snprintf(line, sizeof(line), "'%s' %s -f json %s 2>/dev/null", getenv("PROGRAM"),
                          command, operands);
    assert_true(length > 0 && (size_t)length < sizeof(line));
    FILE *pipe = popen(line, "r");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    assert_true(pipe && text);
    for (size_t got; (got = fread(text + size, 1, room - size - 1, pipe)) > 0;) {
        size += got;
        if (size + 1 == room)
            text = realloc(text, room *= 2);
        assert_non_null(text);
    }
    text[size] = '\0';
    pclose(pipe);
    cJSON *report = cJSON_Parse(text);
    free(text);
    assert_non_null(report);
    return report;
}

#endif
