/* Runs a target where libFuzzer is not at hand: replay PATH... over files and folders, each file
   whole, cut short and with bytes changed, the same way in each run. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "stalldoc/arena.h"
#include "stalldoc/input.h"

#include <stdio.h>

enum {
    FILE_MOST = 8 << 20,
    VARIED_MOST = 16 << 10, /* variants begin with so much of a file */
    CUTS = 3,
    CHANGES = 6,
};

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static void run_variants(const uint8_t *data, size_t size)
{
    uint64_t seed = 88172645463325252u + size;
    LLVMFuzzerTestOneInput(data, size);
    if (size > VARIED_MOST)
        size = VARIED_MOST;
    for (size_t i = 0; i < CUTS && size; i++)
        LLVMFuzzerTestOneInput(data, (size_t)(random_next(&seed) % size));
    uint8_t *changed = exact_copy(data, size);
    for (size_t i = 0; i < CHANGES && size; i++) {
        size_t at = (size_t)(random_next(&seed) % size);
        uint64_t what = random_next(&seed);
        uint8_t before = changed[at];
        static const uint8_t telling[] = {0, 0xff, 0x7f, 0x80, '\n', '{', '"', ','};
        changed[at] =
            what & 1 ? telling[what >> 8 & 7] : (uint8_t)(before ^ (1u << (what >> 8 & 7)));
        LLVMFuzzerTestOneInput(changed, size);
        if (what & 2) /* changes pile up */
            changed[at] = before;
    }
    free(changed);
}

static bool replay_file(void *context, const char *path, enum path_kind kind, struct error *error)
{
    struct arena arena = {0};
    struct text text;
    if (kind != PATH_FILE)
        return true;
    if (file_text(path, FILE_MOST, &arena, &text, error)) {
        run_variants((const uint8_t *)text.data, text.size);
        ++*(size_t *)context;
    } else if (error->kind != ERROR_LIMIT) {
        return false;
    }
    arena_free(&arena);
    return true;
}

int main(int count, char **paths)
{
    size_t files = 0;
    run_variants(NULL, 0);
    for (int i = 1; i < count; i++) {
        struct error error = {0};
        enum path_kind kind = path_kind(paths[i]);
        bool done = kind == PATH_MISSING ||
                    (kind == PATH_FOLDER ? folder_walk(paths[i], NULL, replay_file, &files, &error)
                                         : replay_file(&files, paths[i], kind, &error));
        if (!done) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
    }
    printf("%zu files\n", files);
    return 0;
}
