/* Rule files as trees of cJSON nodes, and the line that a node stands on. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/json.h"

#include "base/json_tree.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void json_blank_comments(char *text, size_t size)
{
    bool string = false;
    size_t first = text_find((struct text){text, size}, TEXT("//"));
    if (first == size)
        return;
    for (size_t i = 0; i < size; i++) {
        if (string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            string = !string;
        else if (!string && text[i] == '/' && i + 1 < size && text[i + 1] == '/')
            for (; i < size && text[i] != '\n'; i++)
                text[i] = ' ';
    }
}

static uint64_t line_at(struct text text, size_t offset)
{
    uint64_t line = 1;
    for (size_t i = 0; i < offset && i < text.size; i++)
        line += text.data[i] == '\n';
    return line;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What is open where the text can be read no further: its byte and where it began; '\0': nothing
   that would explain it. A text must end on its own line. */
static char unclosed_at(struct text text, size_t end, size_t *begin)
{
    enum { OPEN_MAX = 64 };
    size_t open[OPEN_MAX], depth = 0;
    for (size_t i = 0; i < text.size && depth < OPEN_MAX; i++) {
        const char c = text.data[i];
        if (c == '"') {
            *begin = i;
            for (i++; i < text.size && text.data[i] != '"' && text.data[i] != '\n'; i++)
                i += text.data[i] == '\\';
            if (i >= text.size || text.data[i] == '\n')
                return '"';
        } else if (c == '{' || c == '[') {
            open[depth++] = i;
        } else if ((c == '}' || c == ']') && depth > 0) {
            *begin = open[--depth];
            if ((c == '}') != (text.data[*begin] == '{'))
                return text.data[*begin];
        }
        if (i > end && !blank(c))
            return '\0'; /* what is wrong stands before, and it is something else */
    }
    if (depth == 0)
        return '\0';
    *begin = open[depth - 1];
    return text.data[*begin];
}

static bool not_json(const struct json *json, size_t offset, struct error *error)
{
    size_t begin = offset;
    const char open = unclosed_at(json->text, offset, &begin);
    const uint64_t line = line_at(json->text, open ? begin : offset);
    const struct place place = {.line = line};
    if (open)
        return error_set(error, ERROR_MALFORMED, place,
                         "%s:%" PRIu64 ": the %c that begins here is not closed", json->path, line,
                         open);
    return error_set(error, ERROR_MALFORMED, place, "%s:%" PRIu64 ": this is not JSON", json->path,
                     line);
}

bool json_parse(struct arena *arena, struct text text, const char *path, struct json *json,
                struct error *error)
{
    struct place nowhere = {0};
    char *copy = arena_string(arena, text);
    if (!copy)
        return error_set(error, ERROR_MEMORY, nowhere, "%s: out of memory", path);
    json_blank_comments(copy, text.size);
    *json = (struct json){.text = {copy, text.size}, .path = path};
    size_t offset;
    bool full;
    json->root = json_tree(arena, json->text, &offset, &full);
    if (full)
        return error_set(error, ERROR_MEMORY, nowhere, "%s: out of memory", path);
    bool sound = json->root != NULL;
    if (sound && offset == text.size)
        return true;
    json->root = NULL;
    if (!sound)
        return not_json(json, offset, error);
    return error_set(error, ERROR_MALFORMED, nowhere,
                     "%s:%" PRIu64 ": more text behind the end of the document", path,
                     line_at(json->text, offset));
}

void json_free(struct json *json)
{
    json->root = NULL;
}

/* How many values stand before `node`, walking as the text does; false: it is not below `at`. */
static bool values_before(const cJSON *at, const cJSON *node, size_t *count)
{
    if (at == node)
        return true;
    (*count)++;
    for (const cJSON *child = at->child; child; child = child->next)
        if (values_before(child, node, count))
            return true;
    return false;
}

static size_t string_end(struct text text, size_t i)
{
    for (i++; i < text.size && text.data[i] != '"'; i++)
        if (text.data[i] == '\\')
            i++;
    return i < text.size ? i + 1 : text.size;
}

static size_t token_end(struct text text, size_t i)
{
    if (text.data[i] == '"')
        return string_end(text, i);
    if (text.data[i] == '{' || text.data[i] == '[')
        return i + 1;
    while (i < text.size && !blank(text.data[i]) && !strchr(",:]}", text.data[i]))
        i++;
    return i;
}

/* Where the value with `count` values before it begins. */
static size_t value_offset(struct text text, size_t count)
{
    size_t i = 0;
    while (i < text.size) {
        if (blank(text.data[i]) || strchr(",:]}", text.data[i])) {
            i++;
            continue;
        }
        size_t end = token_end(text, i), next = end;
        while (next < text.size && blank(text.data[next]))
            next++;
        bool name = text.data[i] == '"' && next < text.size && text.data[next] == ':';
        if (!name && count-- == 0)
            return i;
        i = end;
    }
    return text.size;
}

uint64_t json_line_of(const struct json *json, const cJSON *node)
{
    size_t count = 0;
    if (!json->root || !node || !values_before(json->root, node, &count))
        return 0;
    return line_at(json->text, value_offset(json->text, count));
}

bool json_error(const struct json *json, const cJSON *node, struct error *error, const char *format,
                ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    uint64_t line = json_line_of(json, node);
    return error_set(error, ERROR_MALFORMED, (struct place){.line = line}, "%s:%" PRIu64 ": %s",
                     json->path, line, what);
}

const char *json_nearest(const char *name, const char *const *known)
{
    const char *best = NULL;
    size_t least = 3;
    for (size_t i = 0; known[i]; i++) {
        size_t distance = text_distance(text_of(name), text_of(known[i]), 2);
        if (distance < least) {
            least = distance;
            best = known[i];
        }
    }
    return best;
}

const cJSON *json_member(const cJSON *object, const char *name)
{
    for (const cJSON *child = object ? object->child : NULL; child; child = child->next)
        if (child->string && strcmp(child->string, name) == 0)
            return child;
    return NULL;
}

bool json_members(const struct json *json, const cJSON *object, const char *const *known,
                  struct error *error)
{
    if (!cJSON_IsObject(object))
        return json_error(json, object, error, "an object belongs here");
    for (const cJSON *child = object->child; child; child = child->next) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], child->string) != 0)
            i++;
        if (!known[i]) {
            const char *near = json_nearest(child->string, known);
            return json_error(json, child, error, "unknown member \"%.60s\"%s%s%s", child->string,
                              near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        }
        if (json_member(object, child->string) != child)
            return json_error(json, child, error, "member \"%.60s\" stands here twice",
                              child->string);
    }
    return true;
}
