/* `stalldoc rules`: the catalogue as it is loaded, and the manual pages made of it. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "stalldoc/rule.h"
#include <string.h>

static bool write_rules(struct options *options, struct error *error)
{
    struct arena arena = {0};
    struct out out;
    bool symptoms = !options->kind || strcmp(options->kind, "symptom") == 0;
    bool causes = !options->kind || strcmp(options->kind, "cause") == 0;
    const struct rules *rules = rules_load(&arena, options->rules, error);
    rules = rules ? rules_plain(&arena, rules, error) : NULL;
    bool good = rules && output_open(options, &out, error);
    if (good) {
        if (strcmp(options->format, "man") == 0)
            catalogue_manual(rules, !symptoms, &out);
        else
            catalogue_list(rules, symptoms, causes,
                           strcmp(options->format, "json") == 0       ? MANUAL_JSON
                           : strcmp(options->format, "markdown") == 0 ? MANUAL_MARKDOWN
                                                                      : MANUAL_TEXT,
                           &out);
        good = output_close(options, &out, error);
    }
    arena_free(&arena);
    return good;
}

static int run_rules(struct options *options)
{
    struct error error = {0};
    if (options->paths.count)
        error_set(&error, ERROR_UNSUPPORTED, (struct place){0},
                  "rules takes no operands; \"stalldoc explain %.80s\" tells of one rule",
                  options->paths.items[0]);
    else if (strcmp(options->format, "man") == 0 && !options->kind)
        error_set(&error, ERROR_UNSUPPORTED, (struct place){0},
                  "-f man prints one page: give --kind=symptom or --kind=cause");
    else if (write_rules(options, &error))
        return 0;
    complain("%s", error.message);
    return 2;
}

const struct command command_rules = {
    .name = "rules",
    .operands = "",
    .about = "list symptoms and causes",
    .examples = "stalldoc rules\n"
                "stalldoc rules --kind=cause -f json\n"
                "stalldoc rules --kind=symptom -f man | man -l -   # its manual page\n",
    .bit = ON_RULES,
    .formats = "text json markdown man",
    .run = run_rules,
};
