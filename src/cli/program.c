/* Finds the command and hands over. */
/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include "cli/help.h"

#include <stdio.h>
#include <string.h>

static int unknown_command(const char *word)
{
    const char *names[32];
    size_t count = 0;
    for (; commands[count] && count < 32; count++)
        names[count] = commands[count]->name;
    const char *near = nearest(text_of(word), names, count);
    if (word[0] == '-' && word[1])
        complain("unknown option \"%.80s\": a command comes first. See \"stalldoc help\".", word);
    else if (near)
        complain("unknown command \"%.80s\"; did you mean \"%s\"? See \"stalldoc help\".", word,
                 near);
    else if (strchr(word, '/') || strchr(word, '.'))
        complain("unknown command \"%.80s\"; did you mean \"stalldoc analyze %.80s\"?", word, word);
    else
        complain("unknown command \"%.80s\". See \"stalldoc help\".", word);
    return 2;
}

static int run_command(const struct command *command, int count, char **words)
{
    struct arena arena = {0};
    struct options options = {.arena = &arena};
    struct error error = {0};
    int status = 2;
    if (!options_parse(&options, command, count, words, &error))
        complain("%s", error.message);
    else if (options.help)
        status = help_print(command, options.help > 1);
    else if (options.version)
        status = version_print();
    else
        status = command->run(&options);
    arena_free(&arena);
    return status;
}

int program(int count, char **words)
{
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* whole lines, also of several at one terminal */
    if (count < 2)
        return help_usage();
    const char *word = words[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return version_print();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help_print(NULL, word[1] == '-');
    const struct command *command = command_named(text_of(word));
    return command ? run_command(command, count - 2, words + 2) : unknown_command(word);
}
