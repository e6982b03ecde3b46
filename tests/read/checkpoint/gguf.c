/* GGUF files made here. */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/made_zip.h"
#include "read/checkpoint/sample.h"

extern const struct format format_gguf;

static struct heard heard;

static struct bytes made(void)
{
    struct bytes file = {.size = 0};
    put(&file, "GGUF", 4);
    put_int(&file, 3, 4);
    put_int(&file, 1, 8);
    put_int(&file, 2, 8);
    put_int(&file, 17, 8);
    put(&file, "general.alignment", 17);
    put_int(&file, 4, 4);
    put_int(&file, 32, 4);
    put_int(&file, 1, 8);
    put(&file, "t", 1);
    put_int(&file, 9, 4); /* a list of two texts */
    put_int(&file, 8, 4);
    put_int(&file, 2, 8);
    put_int(&file, 1, 8);
    put(&file, "a", 1);
    put_int(&file, 0, 8);
    put_int(&file, 1, 8);
    put(&file, "w", 1);
    put_int(&file, 2, 4);
    put_int(&file, 3, 8);
    put_int(&file, 2, 8);
    put_int(&file, 0, 4);
    put_int(&file, 0, 8);
    while (file.size % 32)
        put(&file, "", 1);
    put(&file, "012345678901234567890123", 24);
    return file;
}

static void turns_dimensions_to_row_major(void **unused)
{
    (void)unused;
    struct bytes file = made();
    struct error error = {0};
    assert_true(heard_read(&heard, &format_gguf, file.data, file.size, "a", 0, &error));
    assert_string_equal(heard.text, "setting general.alignment=32\ntensor w float32 [2,3]\n");
}

/* One matrix of `type`, 32 columns by 2, whose values are 80 bytes. */
static void decodes_or_names(uint32_t type, const char *wanted)
{
    struct bytes file = {.size = 0};
    struct error error = {0};
    put(&file, "GGUF", 4);
    put_int(&file, 3, 4);
    put_int(&file, 1, 8);
    put_int(&file, 0, 8);
    put_int(&file, 1, 8);
    put(&file, "w", 1);
    put_int(&file, 2, 4);
    put_int(&file, 32, 8);
    put_int(&file, 2, 8);
    put_int(&file, type, 4);
    put_int(&file, 0, 8);
    while (file.size < 96 + 80)
        put(&file, "", 1);
    sample_read_part(&heard, &format_gguf, (struct span){file.data, file.size}, file.size, 0,
                     &error);
    assert_string_equal(heard.text, wanted);
}

static void blocks_are_decoded_or_bear_the_name_of_their_type(void **unused)
{
    (void)unused;
    decodes_or_names(8, "w Q8_0 [2,32]\n");
    decodes_or_names(20, "w IQ4_NL [2,32]\n");
    decodes_or_names(12, ""); /* blocks of 256 */
    decodes_or_names(99, "");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    struct bytes file = made();
    for (size_t size = 8; size < file.size; size++) {
        struct error error = {0};
        assert_false(heard_read(&heard, &format_gguf, file.data, size, "a", 0, &error));
        assert_int_not_equal(error.kind, ERROR_NONE);
    }
}

static void names_a_big_endian_file(void **unused)
{
    (void)unused;
    struct bytes file = made();
    struct error error = {0};
    memcpy(file.data + 4, "\0\0\0\3", 4);
    assert_false(heard_read(&heard, &format_gguf, file.data, file.size, "a", 0, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "big-endian"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_dimensions_to_row_major),
        cmocka_unit_test(blocks_are_decoded_or_bear_the_name_of_their_type),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(names_a_big_endian_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
