/* A folder of its own for a test that needs files; gone afterwards. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include "check.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct files {
    char folder[64];
    char path[256]; /* of the last file_at */
};

static inline const char *file_at(struct files *files, const char *name)
{
    snprintf(files->path, sizeof(files->path), "%s/%s", files->folder, name);
    return files->path;
}

static inline const char *file_put(struct files *files, const char *name, const void *bytes,
                                   size_t size)
{
    FILE *file = fopen(file_at(files, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return files->path;
}

static inline int files_open(void **state)
{
    struct files *files = calloc(1, sizeof(*files));
    memcpy(files->folder, "/tmp/stalldoc-test-XXXXXX", sizeof("/tmp/stalldoc-test-XXXXXX"));
    *state = files;
    return mkdtemp(files->folder) ? 0 : -1;
}

static inline int files_close(void **state)
{
    struct files *files = *state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", files->folder);
    int status = system(command);
    free(files);
    return status;
}

#endif
