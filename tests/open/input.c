/* Inputs: heads, streams, windows and siblings. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/input.h"

#include "../files.h"
#include "stalldoc/arena.h"
#include "stalldoc/limits.h"
#include "stalldoc/pool.h"
#include <fcntl.h>
#include <pthread.h>

/* In place of src/base/block.c: the block with this number is refused; below 0 none is. */
static int blocks_left = -1;
static int blocks_open;

void *block_take(size_t size)
{
    if (blocks_left == 0)
        return NULL;
    blocks_left -= blocks_left > 0;
    void *block = NULL;
    if (posix_memalign(&block, 64, size) != 0)
        return NULL;
    blocks_open++;
    return block;
}

void block_free(void *block)
{
    blocks_open -= block != NULL;
    free(block);
}

enum { SIZE = 3 << 20 };
static uint8_t bytes[SIZE];

static void fill_bytes(void)
{
    uint64_t seed = 521288629;
    for (size_t i = 0; i < SIZE; i += 8) {
        uint64_t word = random_next(&seed);
        memcpy(bytes + i, &word, 8);
    }
    bytes[0] = 0;
}

static struct input *open_sound(const char *path)
{
    struct input *input = NULL;
    struct error error = {0};
    if (!input_open(path, 7, &input, &error))
        print_error("%s\n", error.message);
    assert_non_null(input);
    assert_int_equal(input_number(input), 7);
    return input;
}

static void expect_stream(struct input *input, const uint8_t *expected, size_t size, size_t step)
{
    struct error error;
    uint8_t *part = malloc(step);
    size_t done = 0;
    for (;;) {
        size_t got;
        assert_true(input_read(input, part, step, &got, &error));
        if (!got)
            break;
        assert_true(done + got <= size);
        assert_memory_equal(part, expected + done, got);
        done += got;
        assert_true(input_count(input) == done);
    }
    assert_int_equal(done, size);
    free(part);
}

static void reads_a_file_as_a_stream(void **state)
{
    struct input *input = open_sound(file_put(*state, "x", bytes, SIZE));
    struct error error;
    struct span head;
    assert_int_equal(input_layer(input), INPUT_PLAIN);
    assert_true(input_seekable(input) && input_size(input) == SIZE);
    assert_true(input_head(input, &head, &error));
    assert_int_equal(head.size, 64 << 10);
    assert_memory_equal(head.data, bytes, head.size);
    expect_stream(input, bytes, SIZE, 100000);
    assert_true(input_head(input, &head, &error)); /* still there */
    assert_memory_equal(head.data, bytes, head.size);
    input_close(input);
}

static void gives_windows_on_a_boundary(void **state)
{
    struct input *input = open_sound(file_put(*state, "x", bytes, SIZE));
    uint64_t seed = 42;
    for (int i = 0; i < 2000; i++) {
        uint64_t size = random_next(&seed) % (i % 50 ? 4000 : SIZE);
        uint64_t offset = random_next(&seed) % (SIZE - size);
        struct span window;
        struct error error;
        assert_true(input_window(input, offset, size, &window, &error));
        assert_int_equal(window.size, size);
        assert_int_equal((uintptr_t)window.data % 64, 0);
        assert_memory_equal(window.data, bytes + offset, size);
        volatile uint8_t spare = window.data[-LIMIT_WINDOW_SPARE];
        spare = window.data[size + LIMIT_WINDOW_SPARE - 1];
        (void)spare;
    }
    input_close(input);
}

static void refuses_windows_behind_the_end(void **state)
{
    struct input *input = open_sound(file_put(*state, "x", bytes, 1000));
    struct span window;
    struct error error;
    assert_true(input_window(input, 0, 1000, &window, &error));
    assert_true(input_window(input, 1000, 0, &window, &error));
    static const struct {
        uint64_t offset;
        size_t size;
    } behind[] = {{0, 1001},    {1000, 1}, {1001, 0}, {UINT64_MAX, 1}, {UINT64_MAX, SIZE_MAX},
                  {1, SIZE_MAX}};
    for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
        error.kind = ERROR_NONE;
        assert_false(input_window(input, behind[i].offset, behind[i].size, &window, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
        assert_int_equal(error.place.input, 7);
        uint8_t byte;
        assert_false(input_pread(input, behind[i].offset, behind[i].size, &byte, &error));
    }
    input_close(input);
}

static void takes_a_file_that_shrinks_as_truncated(void **state)
{
    const char *path = file_put(*state, "x", bytes, SIZE);
    struct input *input = open_sound(path);
    struct span window;
    struct error error;
    assert_true(input_window(input, 0, 100, &window, &error));
    assert_int_equal(truncate(path, 100), 0);
    assert_false(input_window(input, 2 << 20, 100, &window, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    uint8_t part[100];
    assert_false(input_pread(input, 50, 100, part, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_true(input_pread(input, 0, 100, part, &error));
    input_close(input);
}

static void pread_job(void *context, size_t index)
{
    uint8_t part[4096];
    struct error error;
    size_t offset = index * 4001 % (SIZE - sizeof(part));
    if (!input_pread(context, offset, sizeof(part), part, &error) ||
        memcmp(part, bytes + offset, sizeof(part)) != 0)
        abort();
}

static void reads_at_offsets_from_several_threads(void **state)
{
    struct input *input = open_sound(file_put(*state, "x", bytes, SIZE));
    pool_run(&(struct pool){.threads = 4}, 2000, pread_job, input);
    input_close(input);
}

static void says_what_is_wrong_with_a_path(void **state)
{
    struct files *files = *state;
    struct input *input = NULL;
    struct error error;
    assert_false(input_open(file_at(files, "missing"), 3, &input, &error));
    assert_int_equal(error.kind, ERROR_IO);
    assert_int_equal(error.place.input, 3);
    assert_non_null(strstr(error.message, "missing: no such file or folder"));
    assert_false(input_open(files->folder, 3, &input, &error));
    assert_non_null(strstr(error.message, ": is a folder"));
    const char *path = file_put(files, "closed", "x", 1);
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() != 0) {
        assert_false(input_open(path, 3, &input, &error));
        assert_non_null(strstr(error.message, "closed: permission denied"));
    }
    assert_null(input);
    assert_int_equal(blocks_open, 0);
}

static void *feed_fifo(void *path)
{
    int file = open(path, O_WRONLY);
    for (size_t at = 0; at < 200000;) { /* in pieces, as programs write */
        size_t piece = 1 + at % 5000;
        ssize_t put = write(file, bytes + at, piece < 200000 - at ? piece : 200000 - at);
        if (put < 0)
            break;
        at += (size_t)put;
    }
    close(file);
    return NULL;
}

static void reads_a_fifo_to_its_end(void **state)
{
    const char *path = file_at(*state, "fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    for (int head_first = 0; head_first < 2; head_first++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, feed_fifo, (void *)path), 0);
        struct input *input = open_sound(path);
        struct span head;
        struct error error;
        assert_false(input_seekable(input));
        if (head_first) {
            assert_true(input_head(input, &head, &error));
            assert_int_equal(head.size, 64 << 10);
            assert_memory_equal(head.data, bytes, head.size);
        }
        struct span window;
        assert_false(input_window(input, 0, 1, &window, &error));
        assert_int_equal(error.kind, ERROR_UNSUPPORTED);
        expect_stream(input, bytes, 200000, 7001);
        input_close(input);
        pthread_join(thread, NULL);
    }
}

static void reads_short_and_empty_inputs(void **state)
{
    for (size_t size = 0; size < 8; size++) {
        struct input *input = open_sound(file_put(*state, "x", bytes, size));
        struct span head;
        struct error error;
        assert_true(input_head(input, &head, &error));
        assert_int_equal(head.size, size);
        expect_stream(input, bytes, size, 3);
        input_close(input);
    }
}

static void reads_standard_input_from_where_it_stands(void **state)
{
    int file = open(file_put(*state, "x", bytes, 1000), O_RDONLY);
    int kept = dup(STDIN_FILENO);
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    struct input *input = open_sound("-");
    assert_true(input_seekable(input));
    expect_stream(input, bytes, 1000, 300);
    input_close(input);
    lseek(file, 100, SEEK_SET); /* the offset is shared */
    input = open_sound("-");
    assert_false(input_seekable(input));
    expect_stream(input, bytes + 100, 900, 300);
    input_close(input);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(file);
}

static void reads_memory_like_a_file(void **state)
{
    (void)state;
    struct input *input = NULL;
    struct error error;
    assert_true(input_memory((struct span){bytes, 5000}, "memory", 2, &input, &error));
    struct span window;
    assert_true(input_window(input, 100, 200, &window, &error));
    assert_memory_equal(window.data, bytes + 100, 200);
    assert_false(input_window(input, 4900, 101, &window, &error));
    expect_stream(input, bytes, 5000, 512);
    assert_null(input_sibling(input, TEXT("x"), &error));
    assert_string_equal(input_path(input), "memory");
    input_close(input);
}

static void expect_text(const char *stored, size_t size, const char *expected)
{
    for (size_t step = 1; step < 9; step++) {
        struct input *input;
        struct error error = {0};
        struct span text = {(const uint8_t *)stored, size};
        assert_true(input_memory(text, "x", 0, &input, &error));
        assert_int_equal(input_layer(input), INPUT_UTF16);
        expect_stream(input, (const uint8_t *)expected, strlen(expected), step);
        input_close(input);
    }
}

static void reads_utf16_as_utf8(void **state)
{
    (void)state;
    /* a, U+00E9, U+635F, U+1F680, a lone low half, a lone high half, z */
    static const char little[] = "\xFF\xFE"
                                 "a\0\xE9\0\x5F\x63\x3D\xD8\x80\xDE\x01\xDC\x3D\xD8z\0";
    static const char big[] = "\xFE\xFF"
                              "\0a\0\xE9\x63\x5F\xD8\x3D\xDE\x80\xDC\x01\xD8\x3D\0z";
    static const char expected[] = "a\xC3\xA9\xE6\x8D\x9F\xF0\x9F\x9A\x80\xEF\xBF\xBDz";
    expect_text(little, sizeof(little) - 1, expected);
    expect_text(big, sizeof(big) - 1, expected);
    expect_text(little, 5, "a"); /* half a unit at the end */
}

static void joins_parts_of_others(void **state)
{
    (void)state;
    struct input *input = NULL, *other = NULL, *joined;
    struct error error;
    struct span window;
    assert_true(input_memory((struct span){bytes, 5000}, "memory", 2, &input, &error));
    other = input_inside(input, (struct span){bytes + 5000, 100}, &error);
    const struct input_part parts[] = {
        {input, 10, 7}, {other, 0, 0}, {other, 99, 1}, {input, 0, 5000}};
    joined = input_joined(input, parts, 4, &error);
    assert_non_null(joined);
    assert_int_equal(input_size(joined), 5008);
    assert_true(input_seekable(joined));
    uint8_t expected[5008];
    memcpy(expected, bytes + 10, 7);
    expected[7] = bytes[5099];
    memcpy(expected + 8, bytes, 5000);
    for (size_t offset = 0; offset < 20; offset++) {
        assert_true(input_window(joined, offset, 30, &window, &error));
        assert_memory_equal(window.data, expected + offset, 30);
    }
    assert_false(input_window(joined, 5000, 9, &window, &error));
    expect_stream(joined, expected, 5008, 512);
    const struct input_part beyond = {other, 50, 51}, twice = {joined, 0, 1};
    assert_null(input_joined(input, &beyond, 1, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_null(input_joined(input, &twice, 1, &error));
    joined = input_joined(input, NULL, 0, &error);
    assert_int_equal(input_size(joined), 0);
    blocks_left = 1; /* for the input, not for its parts */
    assert_null(input_joined(input, parts, 4, &error));
    assert_int_equal(error.kind, ERROR_MEMORY);
    blocks_left = -1;
    input_close(input);
    assert_int_equal(blocks_open, 0);
}

/* Pairs of bytes as one: their sum, and their difference, and again. */
static void decode_pairs(const struct coding *coding, const uint8_t *stored, uint8_t *values,
                         size_t groups)
{
    (void)coding;
    for (size_t i = 0; i < groups; i++) {
        values[3 * i] = (uint8_t)(stored[2 * i] + stored[2 * i + 1]);
        values[3 * i + 1] = (uint8_t)(stored[2 * i] - stored[2 * i + 1]);
        values[3 * i + 2] = stored[2 * i];
    }
}

static void decodes_where_it_reads(void **unused)
{
    (void)unused;
    enum { GROUPS = 12000 }; /* more than are decoded at once */
    static const struct coding pairs = {2, 3, decode_pairs};
    static uint8_t stored[2 * GROUPS + 1], expected[3 * GROUPS], read[3 * GROUPS];
    struct input *input = NULL;
    struct error error;
    for (size_t i = 0; i < sizeof(stored); i++)
        stored[i] = (uint8_t)(i * i / 7);
    decode_pairs(&pairs, stored + 1, expected, GROUPS);
    assert_true(input_memory((struct span){stored, sizeof(stored)}, "memory", 2, &input, &error));
    struct input *coded = input_coded(input, 1, GROUPS, &pairs, &error);
    assert_non_null(coded);
    assert_int_equal(input_size(coded), 3 * GROUPS);
    for (size_t offset = 0; offset < 40; offset += 13)
        for (size_t size = 1; size <= 3 * GROUPS - offset; size += size < 20 ? 1 : 5003) {
            assert_true(input_pread(coded, offset, size, read, &error));
            assert_memory_equal(read, expected + offset, size);
        }
    assert_false(input_pread(coded, 3 * GROUPS - 1, 2, read, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    expect_stream(coded, expected, 3 * GROUPS, 512);
    assert_null(input_coded(input, 2, GROUPS, &pairs, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    assert_null(input_coded(coded, 0, 1, &pairs, &error));
    const struct input_part part = {coded, 0, 3};
    assert_null(input_joined(input, &part, 1, &error));
    blocks_left = 0;
    assert_null(input_coded(input, 1, 1, &pairs, &error));
    assert_int_equal(error.kind, ERROR_MEMORY);
    blocks_left = -1;
    input_close(input);
    assert_int_equal(blocks_open, 0);
}

static void opens_only_files_of_the_same_folder_beside_one(void **state)
{
    struct files *files = *state;
    file_put(files, "shard-2", "second", 6);
    file_put(files, "secret", "secret", 6);
    char link[256], target[256];
    snprintf(target, sizeof(target), "%s", file_at(files, "secret"));
    snprintf(link, sizeof(link), "%s", file_at(files, "link"));
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(mkdir(file_at(files, "below"), 0700), 0);
    assert_int_equal(mkfifo(file_at(files, "fifo"), 0600), 0);
    struct input *input = open_sound(file_put(files, "shard-1", "first", 5));
    struct error error;
    struct span window;
    struct input *sibling = input_sibling(input, TEXT("shard-2"), &error);
    assert_non_null(sibling);
    assert_true(input_window(sibling, 0, 6, &window, &error));
    assert_memory_equal(window.data, "second", 6);
    assert_ptr_equal(input_sibling(sibling, TEXT("shard-2"), &error), sibling);
    static const char *const refused[] = {"link", "fifo", "below", "missing", "",
                                          "../x", "..",   ".",     "below/x", "/etc/passwd"};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        assert_null(input_sibling(input, text_of(refused[i]), &error));
    assert_null(input_sibling(input, (struct text){"shard-2\0x", 9}, &error));
    input_close(input);
    assert_int_equal(blocks_open, 0);
}

static bool use_everything(const char *path)
{
    struct input *input = NULL;
    struct error error = {0};
    struct span span;
    uint8_t part[10];
    size_t got;
    bool done = input_open(path, 1, &input, &error) && input_head(input, &span, &error) &&
                input_window(input, 0, 100, &span, &error) &&
                input_window(input, 200000, 2 << 20, &span, &error) &&
                input_read(input, part, sizeof(part), &got, &error) &&
                input_sibling(input, TEXT("y"), &error);
    if (!done)
        assert_int_equal(error.kind, ERROR_MEMORY);
    input_close(input);
    return done;
}

static void survives_the_end_of_memory_anywhere(void **state)
{
    file_put(*state, "y", bytes, 10);
    const char *path = file_put(*state, "x", bytes, SIZE);
    bool done = false;
    for (int left = 0; !done; left++) {
        blocks_left = left;
        done = use_everything(path);
        blocks_left = -1;
        assert_int_equal(blocks_open, 0);
        assert_true(left < 50);
    }
}

int main(void)
{
    fill_bytes();
    const struct CMUnitTest tests[] = {
#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, files_open, files_close)
        WITH_FILES(reads_a_file_as_a_stream),
        WITH_FILES(gives_windows_on_a_boundary),
        WITH_FILES(refuses_windows_behind_the_end),
        WITH_FILES(takes_a_file_that_shrinks_as_truncated),
        WITH_FILES(reads_at_offsets_from_several_threads),
        WITH_FILES(says_what_is_wrong_with_a_path),
        WITH_FILES(reads_a_fifo_to_its_end),
        WITH_FILES(reads_short_and_empty_inputs),
        WITH_FILES(reads_standard_input_from_where_it_stands),
        cmocka_unit_test(reads_memory_like_a_file),
        cmocka_unit_test(reads_utf16_as_utf8),
        cmocka_unit_test(joins_parts_of_others),
        cmocka_unit_test(decodes_where_it_reads),
        WITH_FILES(opens_only_files_of_the_same_folder_beside_one),
        WITH_FILES(survives_the_end_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
