/* `stalldoc completion`: scripts for bash, zsh and fish, from the same tables. */
/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* Words for "@..." choices; the rest stands as it is. */
static void print_choices(const char *choices)
{
    if (strcmp(choices, "@command") == 0) {
        for (size_t i = 0; commands[i]; i++)
            printf("%s%s", i ? " " : "", commands[i]->name);
    } else if (strcmp(choices, "@format") == 0) {
        for (size_t i = 0; reports[i]; i++)
            printf("%s%s", i ? " " : "", reports[i]->name);
        printf(" csv");
    } else if (strcmp(choices, "@type") == 0) {
        bool first = true;
        for (size_t i = 0; formats[i]; i++)
            if (formats[i]->read) {
                printf("%s%s", first ? "" : " ", formats[i]->name);
                first = false;
            }
    } else if (choices[0] != '@') {
        printf("%s", choices);
    }
}

static bool is_file(const struct option *option)
{
    return option->choices && strcmp(option->choices, "@file") == 0;
}

static bool is_id(const char *choices)
{
    return choices && (strcmp(choices, "@symptom") == 0 || strcmp(choices, "@id") == 0);
}

static void bash_values(const struct command *command)
{
    printf("    case $previous in\n");
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if (!(option->commands & command->bit) || !option->value || !option->choices)
            continue;
        printf("    --%s%s%c)\n", option->name, option->letter ? "|-" : "",
               option->letter ? option->letter : ' ');
        if (is_file(option))
            printf("      COMPREPLY=($(compgen -f -- \"$word\")); return;;\n");
        else if (is_id(option->choices))
            printf("      COMPREPLY=($(compgen -W \"$(_stalldoc_ids symptom)\" -- \"$word\")); "
                   "return;;\n");
        else {
            printf("      COMPREPLY=($(compgen -W '");
            print_choices(option->choices);
            printf("' -- \"$word\")); return;;\n");
        }
    }
    printf("    esac\n");
}

static void bash_command(const struct command *command)
{
    printf("  %s)\n", command->name);
    bash_values(command);
    printf("    if [[ $word == -* ]]; then\n      COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].commands & command->bit)
            printf("--%s ", option_table[i].name);
    printf("' -- \"$word\"))\n    else\n");
    if (is_id(command->choices)) {
        printf("      COMPREPLY=($(compgen -W \"$(_stalldoc_ids)\" -- \"$word\"))\n");
    } else if (command->choices && strcmp(command->choices, "@file") == 0) {
        printf("      COMPREPLY=($(compgen -f -- \"$word\"))\n");
    } else {
        printf("      COMPREPLY=($(compgen -W '");
        print_choices(command->choices ? command->choices : "");
        printf("' -- \"$word\"))\n");
    }
    printf("    fi;;\n");
}

static void print_bash(void)
{
    printf("# bash completion of stalldoc\n"
           "_stalldoc_ids() {\n"
           "  stalldoc rules ${1:+--kind=$1} -f json 2>/dev/null |\n"
           "    sed -n 's/.*\"id\": \"\\([a-z0-9-]*\\)\".*/\\1/p'\n"
           "}\n"
           "_stalldoc() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "  if ((COMP_CWORD == 1)); then\n"
           "    COMPREPLY=($(compgen -W '");
    print_choices("@command");
    printf(" --help --version' -- \"$word\"))\n    return\n  fi\n"
           "  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}\n"
           "  [[ $word == = ]] && { previous=${COMP_WORDS[COMP_CWORD-1]}; word=; }\n"
           "  case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; commands[i]; i++)
        bash_command(commands[i]);
    printf("  esac\n}\ncomplete -o filenames -F _stalldoc stalldoc\n");
}

/* Inside single quotes and brackets of zsh. */
static void zsh_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_option(const struct option *option)
{
    bool open = option->value && option->value[0] == '[';
    printf("      '*--%s%s[", option->name, option->value ? open ? "=-" : "=" : "");
    zsh_quoted(option->about);
    printf("]");
    if (option->value) {
        printf("%s", open ? "::" : ":");
        zsh_quoted(open ? "GLOB" : option->name);
        printf(":");
        if (is_file(option)) {
            printf("_files");
        } else if (is_id(option->choices)) {
            printf("_stalldoc_ids symptom");
        } else if (option->choices) {
            printf("(");
            print_choices(option->choices);
            printf(")");
        } else {
            printf(" ");
        }
    }
    printf("' \\\n");
}

static void print_zsh(void)
{
    printf("#compdef stalldoc\n"
           "_stalldoc_ids() {\n"
           "  compadd -- ${(f)\"$(stalldoc rules ${1:+--kind=$1} -f json 2>/dev/null |\n"
           "    sed -n 's/.*\"id\": \"\\([a-z0-9-]*\\)\".*/\\1/p')\"}\n"
           "}\n"
           "_stalldoc() {\n"
           "  if ((CURRENT == 2)); then\n    compadd ");
    print_choices("@command");
    printf(" --help --version\n    return\n  fi\n"
           "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n");
    for (size_t i = 0; commands[i]; i++) {
        printf("  %s)\n    _arguments \\\n", commands[i]->name);
        for (size_t k = 0; k < option_count; k++)
            if (option_table[k].commands & commands[i]->bit)
                zsh_option(&option_table[k]);
        const char *choices = commands[i]->choices;
        if (is_id(choices)) {
            printf("      '*:id:_stalldoc_ids';;\n");
        } else if (choices && strcmp(choices, "@file") == 0) {
            printf("      '*:file:_files';;\n");
        } else {
            printf("      '*:word:(");
            print_choices(choices ? choices : "");
            printf(")';;\n");
        }
    }
    printf("  esac\n}\n_stalldoc \"$@\"\n");
}

static void fish_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void fish_option(const struct command *command, const struct option *option)
{
    printf("complete -c stalldoc -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (option->value && option->value[0] != '[')
        printf(is_file(option) ? " -r -F" : " -x");
    if (option->choices && !is_file(option)) {
        printf(" -a '");
        if (is_id(option->choices))
            printf("(__stalldoc_ids symptom)");
        else
            print_choices(option->choices);
        printf("'");
    }
    printf(" -d '");
    fish_quoted(option->about);
    printf("'\n");
}

static void print_fish(void)
{
    printf("# fish completion of stalldoc\n"
           "function __stalldoc_ids\n"
           "    stalldoc rules (test -n \"$argv[1]\"; and echo --kind=$argv[1]) -f json "
           "2>/dev/null |\n"
           "        sed -n 's/.*\"id\": \"\\([a-z0-9-]*\\)\".*/\\1/p'\n"
           "end\n");
    for (size_t i = 0; commands[i]; i++) {
        const struct command *command = commands[i];
        printf("complete -c stalldoc -f -n __fish_use_subcommand -a %s -d '", command->name);
        fish_quoted(command->about);
        printf("'\n");
        for (size_t k = 0; k < option_count; k++)
            if (option_table[k].commands & command->bit)
                fish_option(command, &option_table[k]);
        if (!command->choices || strcmp(command->choices, "@file") == 0)
            continue;
        printf("complete -c stalldoc -f -n '__fish_seen_subcommand_from %s' -a '", command->name);
        if (is_id(command->choices))
            printf("(__stalldoc_ids)");
        else
            print_choices(command->choices);
        printf("'\n");
    }
}

static int run_completion(struct options *options)
{
    const char *shell = options->paths.count ? options->paths.items[0] : "";
    if (strcmp(shell, "bash") == 0) {
        print_bash();
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh();
    } else if (strcmp(shell, "fish") == 0) {
        print_fish();
    } else {
        complain("completion is known for bash, zsh and fish%s%.40s%s",
                 *shell ? ", not for \"" : "", shell, *shell ? "\"" : "");
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}

const struct command command_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .about = "print a completion script for a shell",
    .examples = "stalldoc completion bash > ~/.local/share/bash-completion/completions/stalldoc\n"
                "stalldoc completion zsh > \"${fpath[1]}/_stalldoc\"\n"
                "stalldoc completion fish > ~/.config/fish/completions/stalldoc.fish\n",
    .bit = ON_OTHER,
    .choices = "bash zsh fish",
    .run = run_completion,
};
