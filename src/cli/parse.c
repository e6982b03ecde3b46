/* Words of the command line to options; operands may stand anywhere. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "cli/values.h"
#include <stdlib.h>
#include <string.h>

#define NOWHERE ((struct place){0})

bool words_add(struct options *options, struct words *words, const char *word, struct error *error)
{
    const char **items = arena_grow(options->arena, words->items, words->count, &words->capacity,
                                    words->count + 2, sizeof(*items));
    if (!items)
        return error_set(error, ERROR_MEMORY, NOWHERE, "no memory for the options");
    items[words->count++] = word;
    items[words->count] = NULL;
    words->items = items;
    return true;
}

const char *nearest(struct text word, const char *const *candidates, size_t count)
{
    /* Two edits, or one in short words: more would guess. */
    size_t most = word.size < 5 ? 1 : word.size < 12 ? 2 : 3;
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = text_distance(word, text_of(candidates[i]), most);
        if (distance <= most) {
            best = candidates[i];
            if (distance == 0)
                break;
            most = distance - 1;
        }
    }
    for (size_t i = 0; i < count && !best && word.size >= 3; i++)
        if (text_equal(word, text_cut(text_of(candidates[i]), 0, word.size)))
            best = candidates[i]; /* "clas": a word that was cut short */
    return best;
}

static const struct option *find_long(const struct command *command, struct text name)
{
    for (size_t i = 0; i < option_count; i++)
        if (text_is(name, option_table[i].name) && (option_table[i].commands & command->bit))
            return &option_table[i];
    return NULL;
}

static bool unknown(const struct command *command, struct text name, struct error *error)
{
    const char *names[128];
    size_t count = 0;
    for (size_t i = 0; i < option_count && count < 128; i++) {
        if (!(option_table[i].commands & command->bit)) {
            if (text_is(name, option_table[i].name))
                return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                                 "option \"--%s\" is none of %s. See \"stalldoc help %s\".",
                                 option_table[i].name, command->name, command->name);
            continue;
        }
        names[count++] = option_table[i].name;
    }
    const char *near = nearest(name, names, count);
    if (near)
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                         "unknown option \"--%.*s\"; did you mean \"--%s\"? See \"stalldoc help "
                         "%s\".",
                         (int)(name.size < 80 ? name.size : 80), name.data, near, command->name);
    return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                     "unknown option \"--%.*s\". See \"stalldoc help %s\".",
                     (int)(name.size < 80 ? name.size : 80), name.data, command->name);
}

struct line { /* the words that are left */
    struct options *options;
    char **words;
    int count, at;
};

static bool parse_long(struct line *line, const char *word, struct error *error)
{
    struct text name = text_of(word);
    const char *equals = strchr(word, '=');
    if (equals)
        name.size = (size_t)(equals - word);
    const struct option *option = find_long(line->options->command, name);
    if (!option)
        return unknown(line->options->command, name, error);
    const char *value = equals ? equals + 1 : NULL;
    if (!option->value && value)
        return error_set(error, ERROR_UNSUPPORTED, NOWHERE, "option \"--%s\" takes no value",
                         option->name);
    if (option->value && !value && option->value[0] != '[') {
        if (line->at >= line->count)
            return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                             "option \"--%s\" needs a value: --%s=%s", option->name, option->name,
                             option->value);
        value = line->words[line->at++];
    }
    if (!option->set(line->options, value, error))
        return false;
    if (line->options->help && text_is(name, "help"))
        line->options->help = 2; /* written out, it asks for all */
    return true;
}

static bool parse_letters(struct line *line, const char *letters, struct error *error)
{
    for (; *letters; letters++) {
        const struct option *option = NULL;
        for (size_t i = 0; i < option_count && !option; i++)
            if (option_table[i].letter == *letters &&
                (option_table[i].commands & line->options->command->bit))
                option = &option_table[i];
        if (!option)
            return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                             "unknown option \"-%c\". See \"stalldoc help %s\".", *letters,
                             line->options->command->name);
        if (!option->value) {
            if (!option->set(line->options, NULL, error))
                return false;
            continue;
        }
        const char *value = letters[1] ? letters + 1 : NULL;
        if (!value && line->at < line->count)
            value = line->words[line->at++];
        if (!value)
            return error_set(error, ERROR_UNSUPPORTED, NOWHERE,
                             "option \"-%c\" needs a value: -%c %s", option->letter, option->letter,
                             option->value);
        return option->set(line->options, value, error);
    }
    return true;
}

static bool parse_environment(struct options *options, struct error *error)
{
    static const struct {
        const char *variable, *option;
    } table[] = {
        {"STALLDOC_FORMAT", "format"},
        {"STALLDOC_FAIL_ON", "fail-on"},
        {"STALLDOC_JOBS", "jobs"},
    };
    if (options->command->bit != ON_ANALYZE)
        return true;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const char *value = getenv(table[i].variable);
        if (!value || !*value)
            continue;
        const struct option *option = find_long(options->command, text_of(table[i].option));
        struct error why = {0};
        if (option && !option->set(options, value, &why))
            return error_set(error, why.kind, NOWHERE, "%s: %.200s", table[i].variable,
                             why.message);
    }
    return true;
}

static void set_usual(struct options *options)
{
    options->format = options->command->formats ? "text" : NULL;
    options->max_memory = 128 << 20;
    options->max_line = LIMIT_LINE_MESSAGE;
    options->max_depth = LIMIT_FOLDER_DEPTH;
    options->from = options->to = STEP_NONE;
    options->detect.min_confidence = 0.5;
    options->fail_confidence = 0.7;
    options->causes = 3;
}

bool options_parse(struct options *options, const struct command *command, int count, char **words,
                   struct error *error)
{
    options->command = command;
    set_usual(options);
    if (!parse_environment(options, error))
        return false;
    struct line line = {options, words, count, 0};
    bool only_operands = false;
    while (line.at < count) {
        const char *word = words[line.at++];
        bool good;
        if (only_operands || word[0] != '-' || word[1] == '\0')
            good = words_add(options, &options->paths, word, error);
        else if (strcmp(word, "--") == 0)
            good = only_operands = true;
        else if (word[1] == '-')
            good = parse_long(&line, word + 2, error);
        else
            good = parse_letters(&line, word + 1, error);
        if (!good)
            return false;
    }
    return true;
}
