/* `stalldoc explain`: the section of the manual on a symptom or a cause. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "stalldoc/rule.h"
#include <string.h>

static bool unknown_id(const struct rules *rules, struct arena *arena, const char *word,
                       struct error *error)
{
    size_t count = 0;
    const char **names =
        arena_take(arena, rules->symptom_count + rules->cause_count + 1, sizeof(*names));
    for (size_t i = 0; names && i < rules->symptom_count; i++)
        names[count++] = rules->symptoms[i].id;
    for (size_t i = 0; names && i < rules->cause_count; i++)
        names[count++] = rules->causes[i].id;
    const char *near = nearest(text_of(word), names, count);
    if (near)
        return error_set(error, ERROR_UNSUPPORTED, (struct place){0},
                         "unknown id \"%.80s\"; did you mean \"%s\"?", word, near);
    return error_set(error, ERROR_UNSUPPORTED, (struct place){0},
                     "unknown id \"%.80s\"; \"stalldoc rules\" lists them", word);
}

static bool explain_one(const struct rules *rules, struct arena *arena, const char *word,
                        enum manual_form form, struct out *out, struct error *error)
{
    struct text id = text_of(word);
    bool symptoms = true, causes = true;
    if (text_starts(id, "symptom:")) {
        causes = false;
        id = text_cut(id, 8, id.size);
    } else if (text_starts(id, "cause:")) {
        symptoms = false;
        id = text_cut(id, 6, id.size);
    }
    const struct symptom *symptom = symptoms ? rules_symptom(rules, id) : NULL;
    const struct cause *cause = causes ? rules_cause(rules, id) : NULL;
    if (!symptom && !cause &&
        (symptoms ? rules_cause(rules, id) != NULL : rules_symptom(rules, id) != NULL))
        return error_set(error, ERROR_UNSUPPORTED, (struct place){0}, "\"%.80s\" is a %s, no %s",
                         id.data, symptoms ? "cause" : "symptom", symptoms ? "symptom" : "cause");
    if (!symptom && !cause)
        return unknown_id(rules, arena, id.data, error);
    explain(symptom, cause, form, out);
    return true;
}

static bool explain_all(struct options *options, struct error *error)
{
    struct arena arena = {0};
    struct out out;
    enum manual_form form = strcmp(options->format, "json") == 0       ? MANUAL_JSON
                            : strcmp(options->format, "markdown") == 0 ? MANUAL_MARKDOWN
                                                                       : MANUAL_TEXT;
    const struct rules *rules = rules_load(&arena, options->rules, error);
    rules = rules ? rules_plain(&arena, rules, error) : NULL;
    bool good = rules != NULL;
    /* Unknown ids are found before anything is written. */
    struct out nowhere = {.failed = true, .width = 80};
    for (size_t i = 0; good && i < options->paths.count; i++)
        good = explain_one(rules, &arena, options->paths.items[i], form, &nowhere, error);
    good = good && output_open(options, &out, error);
    if (good) {
        for (size_t i = 0; i < options->paths.count; i++) {
            if (i && form != MANUAL_JSON)
                out_literal(&out, "\n");
            explain_one(rules, &arena, options->paths.items[i], form, &out, error);
        }
        good = output_close(options, &out, error);
    }
    arena_free(&arena);
    return good;
}

static int run_explain(struct options *options)
{
    struct error error = {0};
    if (options->paths.count == 0)
        error_set(&error, ERROR_UNSUPPORTED, (struct place){0},
                  "explain needs an id, such as nan-loss; \"stalldoc rules\" lists them");
    else if (explain_all(options, &error))
        return 0;
    complain("%s", error.message);
    return 2;
}

const struct command command_explain = {
    .name = "explain",
    .operands = "ID...",
    .about = "what a symptom or a cause means, how it is found, what to do",
    .examples = "stalldoc explain nan-loss\n"
                "stalldoc explain cause:overfitting\n",
    .bit = ON_EXPLAIN,
    .choices = "@id",
    .formats = "text json markdown",
    .run = run_explain,
};
