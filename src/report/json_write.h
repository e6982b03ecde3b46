/* Writing JSON as a stream: one member a line, one blank of indent. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_REPORT_JSON_WRITE_H
#define STALLDOC_REPORT_JSON_WRITE_H

#include "stalldoc/report.h"

enum { JSON_DEPTH = 16 };

struct json {
    struct out *out;
    size_t depth;
    size_t flat; /* depth from which on all stands in one line; 0: none does */
    char brackets[JSON_DEPTH];
    bool filled[JSON_DEPTH]; /* a member was written at this depth */
};

/* `name` is NULL in arrays and at the top. `flat` keeps all that is inside in one line. */
void json_open(struct json *json, const char *name, char bracket, bool flat);
void json_close(struct json *json);
void json_text(struct json *json, const char *name, struct text text);
void json_string(struct json *json, const char *name, const char *string); /* NULL: null */
void json_number(struct json *json, const char *name, double value); /* non-finite: a string */
void json_share(struct json *json, const char *name, double value);  /* two decimals */
void json_signed(struct json *json, const char *name, int64_t value);
void json_unsigned(struct json *json, const char *name, uint64_t value);
void json_bool(struct json *json, const char *name, bool value);
void json_null(struct json *json, const char *name);
void json_texts(struct json *json, const char *name, const struct text *texts, size_t count);

#endif
