/* The program's entry. */
/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

int main(int count, char **words)
{
    return program(count, words);
}
