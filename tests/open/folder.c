/* Walks over folders, and small files as a whole. */
/* SPDX-License-Identifier: MIT */
#include "../files.h"
#include "stalldoc/arena.h"
#include "stalldoc/input.h"

struct seen {
    size_t skip, count, most;
    char names[4000];
};

static bool note(void *context, const char *path, enum path_kind kind, struct error *error)
{
    struct seen *seen = context;
    if (seen->most && seen->count == seen->most)
        return error_set(error, ERROR_LIMIT, (struct place){0}, "enough");
    seen->count++;
    size_t at = strlen(seen->names);
    snprintf(seen->names + at, sizeof(seen->names) - at, "%s%s\n", path + seen->skip,
             kind == PATH_FILE     ? ""
             : kind == PATH_STREAM ? "|"
                                   : "?");
    return true;
}

static const char *walked(struct files *files, const struct folder_options *options,
                          struct seen *seen)
{
    struct error error = {0};
    *seen = (struct seen){.skip = strlen(files->folder) + 1};
    if (!folder_walk(files->folder, options, note, seen, &error))
        print_error("%s\n", error.message);
    assert_int_equal(error.kind, ERROR_NONE);
    return seen->names;
}

static int tree_open(void **state)
{
    if (files_open(state) != 0)
        return -1;
    struct files *files = *state;
    static const char *const folders[] = {"a", "a/deep", "a/deep/er", "b10", "b9", ".git"};
    static const char *const names[] = {"run10.log",   "run9.log",         "x.txt", ".hidden",
                                        "a/train.log", "a/deep/train.log", "b9/c",  "b10/c",
                                        ".git/x.log",  "a/deep/er/last"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        assert_int_equal(mkdir(file_at(files, folders[i]), 0700), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        file_put(files, names[i], "", 0);
    assert_int_equal(symlink("..", file_at(files, "a/loop")), 0);
    assert_int_equal(symlink("../x.txt", file_at(files, "a/link.txt")), 0);
    assert_int_equal(symlink("nowhere", file_at(files, "a/dangling")), 0);
    assert_int_equal(mkfifo(file_at(files, "fifo"), 0600), 0);
    return 0;
}

static void walks_in_natural_order_without_loops(void **state)
{
    struct seen seen;
    assert_string_equal(walked(*state, NULL, &seen),
                        "fifo|\nrun9.log\nrun10.log\nx.txt\na/link.txt\na/train.log\n"
                        "a/deep/train.log\na/deep/er/last\nb9/c\nb10/c\n");
}

static void keeps_to_the_globs(void **state)
{
    struct seen seen;
    const char *const logs[] = {"*.log"}, *const train[] = {"a/*.log"}, *const a[] = {"a"},
                      *const file[] = {"train.log"};
    assert_string_equal(
        walked(*state, &(struct folder_options){.include = logs, .include_count = 1}, &seen),
        "run9.log\nrun10.log\na/train.log\na/deep/train.log\n");
    assert_string_equal(
        walked(*state, &(struct folder_options){.include = train, .include_count = 1}, &seen),
        "a/train.log\na/deep/train.log\n");
    assert_string_equal(
        walked(*state,
               &(struct folder_options){
                   .include = logs, .include_count = 1, .exclude = a, .exclude_count = 1},
               &seen),
        "run9.log\nrun10.log\n");
    assert_string_equal(
        walked(*state,
               &(struct folder_options){
                   .include = logs, .include_count = 1, .exclude = file, .exclude_count = 1},
               &seen),
        "run9.log\nrun10.log\n");
}

static void stops_at_the_depth(void **state)
{
    struct seen seen;
    assert_string_equal(walked(*state, &(struct folder_options){.max_depth = 1}, &seen),
                        "fifo|\nrun9.log\nrun10.log\nx.txt\n");
    assert_string_equal(
        walked(*state, &(struct folder_options){.max_depth = 2}, &seen),
        "fifo|\nrun9.log\nrun10.log\nx.txt\na/link.txt\na/train.log\nb9/c\nb10/c\n");
}

static void ends_where_the_caller_says_so(void **state)
{
    struct files *files = *state;
    struct seen seen = {.most = 2};
    struct error error = {0};
    assert_false(folder_walk(files->folder, NULL, note, &seen, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
    assert_int_equal(seen.count, 2);
    assert_false(folder_walk(file_at(files, "nothing"), NULL, note, &seen, &error));
    assert_int_equal(error.kind, ERROR_IO);
    assert_non_null(strstr(error.message, "nothing: no such file or folder"));
}

static void tells_kinds_of_paths(void **state)
{
    struct files *files = *state;
    assert_int_equal(path_kind("-"), PATH_STREAM);
    assert_int_equal(path_kind("/dev/null"), PATH_STREAM);
    assert_int_equal(path_kind(files->folder), PATH_FOLDER);
    assert_int_equal(path_kind(file_at(files, "a/loop")), PATH_FOLDER);
    assert_int_equal(path_kind(file_at(files, "x.txt")), PATH_FILE);
    assert_int_equal(path_kind(file_at(files, "fifo")), PATH_STREAM);
    assert_int_equal(path_kind(file_at(files, "a/dangling")), PATH_MISSING);
}

static void reads_small_files_whole(void **state)
{
    struct files *files = *state;
    char body[5000];
    memset(body, 'x', sizeof(body));
    const char *path = file_put(files, "rule.json", body, sizeof(body));
    struct text text = {0};
    struct error error = {0};
    size_t limit = 1;
    for (;; limit = limit_after(limit)) {
        struct arena arena = {.limit = limit};
        bool done = file_text(path, sizeof(body), &arena, &text, &error);
        if (done) {
            assert_int_equal(text.size, sizeof(body));
            assert_memory_equal(text.data, body, sizeof(body));
        } else {
            assert_int_equal(error.kind, ERROR_MEMORY);
        }
        arena_free(&arena);
        if (done)
            break;
    }
    struct arena arena = {0};
    assert_false(file_text(path, sizeof(body) - 1, &arena, &text, &error));
    assert_int_equal(error.kind, ERROR_LIMIT);
    assert_false(file_text(files->folder, 100, &arena, &text, &error));
    assert_non_null(strstr(error.message, "is a folder"));
    assert_true(file_text(file_put(files, "empty", "", 0), 100, &arena, &text, &error));
    assert_int_equal(text.size, 0);
    arena_free(&arena);
}

/* Chunks of arrays are no files of their own; their descriptions are, hidden or not. */
static void leaves_chunks_to_their_descriptions(void **state)
{
    struct files *files = *state;
    struct seen seen;
    static const char *const folders[] = {"w", "v", "v/c", "store", "store/d", "log", "log/c"};
    static const char *const names[] = {"w/.zarray",   "w/0.0",   "w/1.log",
                                        "v/zarr.json", "v/c/0",   "store/manifest.ocdbt",
                                        "store/d/5f",  "log/c/a", "log/d"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        assert_int_equal(mkdir(file_at(files, folders[i]), 0700), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        file_put(files, names[i], "", 0);
    assert_string_equal(walked(files, NULL, &seen),
                        "log/d\nlog/c/a\nstore/manifest.ocdbt\nv/zarr.json\nw/.zarray\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(leaves_chunks_to_their_descriptions, files_open,
                                        files_close),
#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, tree_open, files_close)
        WITH_TREE(walks_in_natural_order_without_loops),
        WITH_TREE(keeps_to_the_globs),
        WITH_TREE(stops_at_the_depth),
        WITH_TREE(ends_where_the_caller_says_so),
        WITH_TREE(tells_kinds_of_paths),
        WITH_TREE(reads_small_files_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
