/* Target: the files of rules/. The first byte says which kind of file the rest is. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "stalldoc/kind.h"
#include "stalldoc/message.h"
#include "stalldoc/rule.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rules come from folders only, so the bytes become a file of one. */
static void load_folder(const char *kind, const uint8_t *data, size_t size)
{
    char folder[64] = "/tmp/stalldoc-fuzz-XXXXXX", below[96], path[128];
    if (!mkdtemp(folder))
        abort();
    snprintf(below, sizeof(below), "%s/%s", folder, kind);
    snprintf(path, sizeof(path), "%s/user-fuzz.json", below);
    FILE *file = mkdir(below, 0700) == 0 ? fopen(path, "wb") : NULL;
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    struct arena arena = {0};
    struct error error = {0};
    if (!rules_load(&arena, folder, &error) && (error.kind == ERROR_NONE || !error.message[0]))
        abort();
    arena_free(&arena);
    unlink(path);
    rmdir(below);
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    uint8_t *copy = exact_copy(data + 1, size - 1);
    const struct text text = {(const char *)copy, size - 1};
    struct arena arena = {0};
    struct error error = {0};
    bool loaded = true;
    switch (data[0]) {
    case 'k':
        loaded = vocabulary_load(&arena, text, "kinds.json", &error) != NULL;
        break;
    case 'm':
        loaded = message_table_load(&arena, text, "messages.json", &error) != NULL;
        break;
    case 's':
        load_folder("symptoms", copy, size - 1);
        break;
    case 'c':
        load_folder("causes", copy, size - 1);
        break;
    default:
        break;
    }
    if (!loaded && (error.kind == ERROR_NONE || !error.message[0]))
        abort();
    arena_free(&arena);
    free(copy);
    return 0;
}
