/* The program as a function. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_CLI_PROGRAM_H
#define STALLDOC_CLI_PROGRAM_H

int program(int count, char **words); /* as main */

#endif
