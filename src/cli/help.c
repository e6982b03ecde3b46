/* `stalldoc help`, --help, -h and --version, from the tables of commands and options. */
/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include "stalldoc/features.h"
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 29, TEXT_COLUMNS = 79 };

static void print_wrapped(const char *text, size_t indent, size_t column)
{
    bool fresh = true;
    while (*text) {
        size_t size = strcspn(text, " ");
        if (!fresh && column + 1 + size > TEXT_COLUMNS) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!fresh) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)size, text);
        column += size;
        text += size + strspn(text + size, " ");
        fresh = false;
    }
    putchar('\n');
}

static void print_option(const struct option *option)
{
    char name[96], text[320];
    const char *value = option->value ? option->value : "";
    snprintf(name, sizeof(name), "  %c%c%c --%s%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? ',' : ' ', option->name,
             *value == '[' ? "[="
             : *value      ? "="
                           : "",
             *value == '[' ? value + 1 : value, "");
    snprintf(text, sizeof(text), "%s%s%s%s", option->about, option->usual ? " [" : "",
             option->usual ? option->usual : "", option->usual ? "]" : "");
    size_t width = strlen(name);
    printf("%s", name);
    if (width + 2 > NAME_COLUMNS) {
        putchar('\n');
        width = 0;
    }
    printf("%*s", (int)(NAME_COLUMNS - width), "");
    print_wrapped(text, NAME_COLUMNS, NAME_COLUMNS);
}

static void print_options(const struct command *command)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (size_t i = 0; i < option_count; i++) {
            const struct option *option = &option_table[i];
            if ((int)option->group != group || !(option->commands & command->bit))
                continue;
            if (!titled)
                printf("\n%s\n", option_group_names[group]);
            titled = true;
            print_option(option);
        }
    }
}

static void print_examples(const char *examples)
{
    printf("\nExamples\n");
    while (*examples) {
        size_t size = strcspn(examples, "\n");
        printf("  %.*s\n", (int)size, examples);
        examples += size + (examples[size] == '\n');
    }
}

static void print_command(const struct command *command, bool all)
{
    printf("usage: stalldoc %s [OPTION]...%s%s\n\n", command->name, *command->operands ? " " : "",
           command->operands);
    print_wrapped(command->about, 0, 0);
    print_examples(command->examples);
    if (all)
        print_options(command);
    else
        printf("\nAll options: \"stalldoc %s --help\"; more: man stalldoc\n", command->name);
}

static void print_program(FILE *file)
{
    fprintf(file, "usage: stalldoc COMMAND [OPTION]... [PATH]...\n\n"
                  "Why did this training run stall, and what should be changed? Reads logs, event\n"
                  "files and checkpoints, offline, and names the causes, most likely first.\n\n"
                  "  stalldoc analyze train.log      diagnose one log\n"
                  "  stalldoc analyze runs/42        a folder: logs, events, checkpoints\n"
                  "  stalldoc explain nan-loss       what a finding or a cause means\n\n"
                  "Commands\n");
    for (size_t i = 0; commands[i]; i++)
        fprintf(file, "  %-12s%s\n", commands[i]->name, commands[i]->about);
    fprintf(file, "\n\"stalldoc help COMMAND\" tells all of one; \"man stalldoc\" of all.\n"
                  "Exit status: 0 nothing wrong, 1 something is, 2 no verdict.\n");
}

/* A full disk or a closed pipe is no success. */
static int flushed(void)
{
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}

int help_print(const struct command *command, bool all)
{
    if (command)
        print_command(command, all);
    else
        print_program(stdout);
    return flushed();
}

int help_usage(void)
{
    print_program(stderr);
    return 2;
}

int version_print(void)
{
    printf("stalldoc %s\n", VERSION);
    printf("features: gzip%s%s\n", WITH_ZSTD ? " zstd" : "", WITH_HDF5 ? " hdf5" : "");
    printf("rules: %s (%zu files)\n", VERSION, rule_files_embedded_count);
    return flushed();
}

static int run_help(struct options *options)
{
    if (options->paths.count == 0)
        return help_print(NULL, true);
    const char *word = options->paths.items[0];
    const struct command *command = command_named(text_of(word));
    if (command)
        return help_print(command, true);
    const char *names[32];
    size_t count = 0;
    for (; commands[count] && count < 32; count++)
        names[count] = commands[count]->name;
    const char *near = nearest(text_of(word), names, count);
    complain(near ? "unknown command \"%.80s\"; did you mean \"%s\"?" : "unknown command \"%.80s\"",
             word, near);
    return 2;
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .about = "what a command does, and its options",
    .examples = "stalldoc help analyze\n",
    .bit = ON_OTHER,
    .choices = "@command",
    .run = run_help,
};
