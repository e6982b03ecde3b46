/* One cause file to one cause: evidence with its weights, the expected order, fixes. */
/* SPDX-License-Identifier: MIT */
#include "detect/rule/loading.h"

#include <string.h>

static const char *const members[] = {
    "id", "title", "meaning", "prior", "unless", "evidence", "order", "fixes",
};
static const char *const item_members[] = {
    "symptom", "form", "severity", "where", "when", "group", "weight", "text",
};
static const char *const fix_members[] = {
    "title", "numbers", "effort", "when", "expect", "snippets",
};
static const char *const snippet_members[] = {"framework", "language", "code"};
static const char *const efforts[] = {"config", "code", "data", "environment"};
static const char *const frameworks[] = {
    "pytorch", "lightning", "transformers", "keras", "jax", "deepspeed", "megatron", "any",
};
static const char *const levels[] = {"none", "info", "warning", "error"};
static const char *const marks[] = {"start", "lr-peak", "lr-change", "restart", "epoch-end"};

static const struct asker of_run; /* neither candidate nor onset */

static const char *group_of(const struct loading *loading, const char *id)
{
    for (size_t i = 0; i < loading->catalogue_symptoms; i++)
        if (strcmp(loading->symptoms.items[i], id) == 0)
            return loading->groups[i];
    return "user";
}

static bool take_level(const struct loading *loading, const cJSON *at, enum severity *severity)
{
    const char *level = NULL;
    if (!load_string(loading, at, "severity", false, &level))
        return false;
    if (level && !severity_of_name(text_of(level), severity))
        return load_unknown(loading, load_member(at, "severity"), "value", level, WORDS(levels));
    return true;
}

static bool take_of_symptom(const struct loading *loading, const cJSON *at,
                            struct evidence_item *item, struct words *values)
{
    if (!words_hold(loading->symptoms, item->symptom))
        return load_unknown(loading, load_member(at, "symptom"), "symptom", item->symptom,
                            loading->symptoms);
    const struct declared *declared = load_declared(loading, item->symptom);
    item->group = group_of(loading, item->symptom);
    if (!declared) /* a file that is not there: nothing can be held against it */
        return load_strings(loading, at, "form", &item->forms) &&
               take_level(loading, at, &item->severity);
    const struct asker asker = {declared->forms, declared->values, .candidate = true};
    *values = declared->values;
    return load_names(loading, at, "form", "form", declared->forms, &item->forms) &&
           take_level(loading, at, &item->severity) &&
           condition_member(loading, &asker, at, "where", &item->where);
}

static bool take_item(const struct loading *loading, const cJSON *at, struct evidence_item *item)
{
    struct words values = {0};
    if (!load_members(loading, at, WORDS(item_members)) ||
        !load_string(loading, at, "symptom", false, &item->symptom))
        return false;
    const cJSON *when = load_member(at, "when");
    if (!item->symptom == !when)
        return load_error(loading, at, "evidence has either a \"symptom\" or a \"when\"");
    if (item->symptom && !take_of_symptom(loading, at, item, &values))
        return false;
    if (!item->symptom) {
        static const char *const others[] = {"form", "severity", "where"};
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
            if (load_member(at, others[i]))
                return load_error(loading, load_member(at, others[i]),
                                  "\"%s\" goes with a \"symptom\"", others[i]);
        item->group = "facts";
        if (!condition_load(loading, &of_run, when, &item->when))
            return false;
    }
    if (!load_member(at, "weight"))
        return load_error(loading, at, "member \"weight\" is missing");
    if (!load_string(loading, at, "group", false, &item->group) ||
        !load_number(loading, at, "weight", -5, 5, &item->weight) ||
        !load_string(loading, at, "text", true, &item->text))
        return false;
    bool unread = item->symptom && !values.items;
    return unread || placeholder_check(loading, load_member(at, "text"), values, false);
}

static bool take_evidence(const struct loading *loading, struct cause *cause)
{
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "evidence", true, &count, &at))
        return false;
    struct evidence_item *items = arena_take(loading->arena, count + 1, sizeof(*items));
    if (!items)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++, at = at->next)
        if (!take_item(loading, at, &items[i]))
            return false;
    cause->items = items;
    cause->item_count = count;
    return true;
}

static bool take_order(const struct loading *loading, struct cause *cause)
{
    static const char *const none[] = {NULL};
    const cJSON *item = load_member(loading->root, "order");
    cause->order = none;
    if (!item)
        return true;
    if (!load_strings(loading, loading->root, "order", &cause->order))
        return false;
    for (const cJSON *at = item->child; at; at = at->next)
        if (!words_hold(WORDS(marks), at->valuestring) &&
            !words_hold(loading->symptoms, at->valuestring))
            return load_unknown(loading, at, "symptom", at->valuestring, loading->symptoms);
    return true;
}

/* A text, or its lines. */
static bool take_code(const struct loading *loading, const cJSON *at, const char **code)
{
    const cJSON *item = load_member(at, "code");
    const char *const *lines = NULL;
    if (!item)
        return load_error(loading, at, "member \"code\" is missing");
    if (!load_strings(loading, at, "code", &lines))
        return false;
    for (const cJSON *line = cJSON_IsArray(item) ? item->child : item; line;
         line = cJSON_IsArray(item) ? line->next : NULL)
        if (!placeholder_check(loading, line, loading->all_values, true))
            return false;
    size_t size = 1;
    for (size_t i = 0; lines[i]; i++)
        size += strlen(lines[i]) + 1;
    char *joined = arena_take(loading->arena, size, 1), *end = joined;
    if (!joined)
        return load_memory(loading);
    for (size_t i = 0; lines[i]; i++) {
        if (i > 0)
            *end++ = '\n';
        size_t length = strlen(lines[i]);
        memcpy(end, lines[i], length);
        end += length;
    }
    *code = joined;
    return true;
}

static bool take_snippets(const struct loading *loading, const cJSON *fix_at, struct fix *fix)
{
    size_t count;
    const cJSON *at;
    if (!load_list(loading, fix_at, "snippets", true, &count, &at))
        return false;
    struct snippet *snippets = arena_take(loading->arena, count + 1, sizeof(*snippets));
    if (!snippets)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++, at = at->next) {
        struct snippet *snippet = &snippets[i];
        if (!load_members(loading, at, WORDS(snippet_members)) ||
            !load_string(loading, at, "framework", true, &snippet->framework) ||
            !load_string(loading, at, "language", true, &snippet->language) ||
            !take_code(loading, at, &snippet->code))
            return false;
        if (!words_hold(WORDS(frameworks), snippet->framework))
            return load_unknown(loading, load_member(at, "framework"), "framework",
                                snippet->framework, WORDS(frameworks));
    }
    fix->snippets = snippets;
    fix->snippet_count = count;
    return true;
}

static bool take_fix(const struct loading *loading, const cJSON *at, struct fix *fix)
{
    static const char *const texts[] = {"title", "numbers", "expect"};
    if (!load_members(loading, at, WORDS(fix_members)) ||
        !load_string(loading, at, "title", true, &fix->title) ||
        !load_string(loading, at, "numbers", false, &fix->numbers) ||
        !load_string(loading, at, "effort", true, &fix->effort) ||
        !load_string(loading, at, "expect", true, &fix->expect) ||
        !condition_member(loading, &of_run, at, "when", &fix->when))
        return false;
    if (!words_hold(WORDS(efforts), fix->effort))
        return load_unknown(loading, load_member(at, "effort"), "value", fix->effort,
                            WORDS(efforts));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const cJSON *text = load_member(at, texts[i]);
        if (text && !placeholder_check(loading, text, loading->all_values, false))
            return false;
    }
    return take_snippets(loading, at, fix);
}

static bool take_fixes(const struct loading *loading, struct cause *cause)
{
    size_t count;
    const cJSON *at;
    if (!load_list(loading, loading->root, "fixes", true, &count, &at))
        return false;
    struct fix *fixes = arena_take(loading->arena, count + 1, sizeof(*fixes));
    if (!fixes)
        return load_memory(loading);
    for (size_t i = 0; i < count; i++, at = at->next)
        if (!take_fix(loading, at, &fixes[i]))
            return false;
    cause->fixes = fixes;
    cause->fix_count = count;
    return true;
}

bool cause_load(const struct loading *loading, struct cause *cause)
{
    const cJSON *root = loading->root;
    cause->path = loading->file->path;
    if (!load_members(loading, root, WORDS(members)) ||
        !load_string(loading, root, "title", true, &cause->title) ||
        !load_string(loading, root, "meaning", true, &cause->meaning))
        return false;
    if (!load_member(root, "prior"))
        return load_error(loading, root, "member \"prior\" is missing");
    return load_number(loading, root, "prior", -1, 1, &cause->prior) &&
           condition_member(loading, &of_run, root, "unless", &cause->unless) &&
           take_evidence(loading, cause) && take_order(loading, cause) &&
           take_fixes(loading, cause);
}
