/* Reading members of rule files, with errors that name file, line and the nearest word. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/loading.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool load_error(const struct loading *loading, const cJSON *at, const char *format, ...)
{
    char what[sizeof(loading->error->message)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    uint64_t line = at && loading->json ? json_line_of(loading->json, at) : 0;
    line = line ? line : 1;
    const struct place place = {.line = line};
    return error_set(loading->error, ERROR_MALFORMED, place, "%.100s:%" PRIu64 ": %s",
                     loading->file->path, line, what);
}

bool load_memory(const struct loading *loading)
{
    return error_set(loading->error, ERROR_MEMORY, (struct place){0}, "no memory for the rules");
}

bool words_hold(struct words words, const char *word)
{
    for (size_t i = 0; i < words.count; i++)
        if (strcmp(words.items[i], word) == 0)
            return true;
    return false;
}

const char *words_nearest(struct words words, const char *word)
{
    /* A third of the letters may differ: further off it is another word. */
    const struct text text = text_of(word);
    size_t best = text.size / 3 + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < words.count; i++) {
        size_t distance = text_distance(text, text_of(words.items[i]), best);
        if (distance < best || (distance == best && !nearest)) {
            best = distance;
            nearest = words.items[i];
        }
    }
    return nearest;
}

bool load_unknown(const struct loading *loading, const cJSON *at, const char *what,
                  const char *word, struct words known)
{
    const char *nearest = words_nearest(known, word);
    if (nearest)
        return load_error(loading, at, "unknown %s \"%s\"; did you mean \"%s\"?", what, word,
                          nearest);
    return load_error(loading, at, "unknown %s \"%s\"", what, word);
}

bool load_members(const struct loading *loading, const cJSON *object, struct words known)
{
    if (!cJSON_IsObject(object))
        return load_error(loading, object, "an object is wanted here");
    for (const cJSON *item = object->child; item; item = item->next) {
        if (!words_hold(known, item->string))
            return load_unknown(loading, item, "member", item->string, known);
        for (const cJSON *other = object->child; other != item; other = other->next)
            if (strcmp(other->string, item->string) == 0)
                return load_error(loading, item, "member \"%s\" stands twice", item->string);
    }
    return true;
}

const cJSON *load_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

bool load_string(const struct loading *loading, const cJSON *object, const char *name, bool needed,
                 const char **result)
{
    const cJSON *item = load_member(object, name);
    if (!item)
        return needed ? load_error(loading, object, "member \"%s\" is missing", name) : true;
    if (!cJSON_IsString(item))
        return load_error(loading, item, "\"%s\" is a text", name);
    *result = item->valuestring; /* the tree lives as long as the rules */
    return true;
}

bool load_number(const struct loading *loading, const cJSON *object, const char *name, double low,
                 double high, double *result)
{
    const cJSON *item = load_member(object, name);
    if (!item)
        return true;
    if (!cJSON_IsNumber(item))
        return load_error(loading, item, "\"%s\" is a number", name);
    if (!(item->valuedouble >= low && item->valuedouble <= high))
        return load_error(loading, item, "\"%s\" is %g; it lies between %g and %g", name,
                          item->valuedouble, low, high);
    *result = item->valuedouble;
    return true;
}

bool load_strings(const struct loading *loading, const cJSON *object, const char *name,
                  const char *const **result)
{
    const cJSON *item = load_member(object, name);
    if (!item)
        return true;
    bool list = cJSON_IsArray(item);
    size_t count = list ? (size_t)cJSON_GetArraySize(item) : 1;
    const char **strings = arena_take(loading->arena, count + 1, sizeof(*strings));
    if (!strings)
        return load_memory(loading);
    const cJSON *at = list ? item->child : item;
    for (size_t i = 0; i < count; i++, at = at->next) {
        if (!cJSON_IsString(at))
            return load_error(loading, at, "\"%s\" is a text or a list of texts", name);
        strings[i] = at->valuestring;
    }
    *result = strings;
    return true;
}

bool load_names(const struct loading *loading, const cJSON *object, const char *name,
                const char *what, struct words known, const char *const **result)
{
    if (!load_strings(loading, object, name, result))
        return false;
    const cJSON *item = load_member(object, name);
    if (!item)
        return true;
    for (const cJSON *at = cJSON_IsArray(item) ? item->child : item; at;
         at = cJSON_IsArray(item) ? at->next : NULL)
        if (!words_hold(known, at->valuestring))
            return load_unknown(loading, at, what, at->valuestring, known);
    return true;
}

bool load_list(const struct loading *loading, const cJSON *object, const char *name, bool needed,
               size_t *count, const cJSON **first)
{
    const cJSON *item = load_member(object, name);
    *count = 0;
    *first = NULL;
    if (!item)
        return needed ? load_error(loading, object, "member \"%s\" is missing", name) : true;
    if (!cJSON_IsArray(item))
        return load_error(loading, item, "\"%s\" is a list", name);
    *count = (size_t)cJSON_GetArraySize(item);
    *first = item->child;
    return true;
}

const struct declared *load_declared(const struct loading *loading, const char *id)
{
    for (size_t i = 0; i < loading->declared_count; i++)
        if (strcmp(loading->declared[i].id, id) == 0)
            return &loading->declared[i];
    return NULL;
}
