/* Help and version. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CLI_HELP_H
#define STALLDOC_CLI_HELP_H

#include "cli/options.h"

/* Of one command, or of the program where it is NULL; `all`: every option, else one screen. */
int help_print(const struct command *command, bool all);
int help_usage(void); /* on standard error; the exit status is 2 */
int version_print(void);

#endif
