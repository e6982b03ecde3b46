/* Loads the rules that are in the program and writes them as tables in C: tables FILE */
/* SPDX-License-Identifier: MIT */
#include "fields.h"
#include "stalldoc/rule.h"
#include "write.h"

#include <stdio.h>

int main(int count, char **arguments)
{
    struct arena arena = {0};
    struct error error = {0};
    const struct rules *rules = rules_read(&arena, NULL, &error);
    if (!rules) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    FILE *file = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!file) {
        fprintf(stderr, "usage: tables FILE, a file that can be written\n");
        return 1;
    }
    bool written = tables_write(file, rules, &error);
    if (fclose(file) != 0 && written)
        written = error_set(&error, ERROR_IO, (struct place){0}, "cannot be written");
    if (!written)
        fprintf(stderr, "%s: %s\n", arguments[1], error.message);
    arena_free(&arena);
    return written ? 0 : 1;
}
