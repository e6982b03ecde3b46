/* Rule files: JSON with line comments as trees of cJSON nodes, and where in the file one stands. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_JSON_H
#define STALLDOC_JSON_H

#include "stalldoc/arena.h"
#include "stalldoc/span.h"
#include <cjson/cJSON.h>

struct json {
    struct text text; /* the file, comments blanked; in the arena */
    const char *path; /* as errors name it */
    cJSON *root;      /* in the arena; read only */
};

/* `//` comments outside strings become blanks, in place, so that line numbers stay true. */
void json_blank_comments(char *text, size_t size);
/* Parses a copy of `text`. False: *error says "path:line: what". All lives in the arena; cJSON's
   functions may look at the tree, not change or delete it. */
bool json_parse(struct arena *arena, struct text text, const char *path, struct json *json,
                struct error *error);
void json_free(struct json *json); /* forgets the tree; `json` may be all zero */
/* The line, from 1, where the value `node` begins (of a member: behind its name); 0: not in it. */
uint64_t json_line_of(const struct json *json, const cJSON *node);
/* "path:line: message" as an error; returns false. */
bool json_error(const struct json *json, const cJSON *node, struct error *error, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* Every member of `object` is one of `known` (NULL behind the last) and stands there once; else an
   error that names the nearest. False too where `object` is no object. */
bool json_members(const struct json *json, const cJSON *object, const char *const *known,
                  struct error *error);
/* The one of `known` that is nearest to `name` within two edits; NULL: none. */
const char *json_nearest(const char *name, const char *const *known);
/* A member that may be missing; NULL then. Names are compared by case. */
const cJSON *json_member(const cJSON *object, const char *name);

#endif
