/* The table of commands: a row each in meson.build. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

const struct command *command_named(struct text name)
{
    for (size_t i = 0; commands[i]; i++)
        if (text_is(name, commands[i]->name))
            return commands[i];
    return NULL;
}
