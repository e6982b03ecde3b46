/* Streams of torch before 1.6, made here. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/checkpoint/made_zip.h"
#include "read/heard.h"

extern const struct format format_torch_legacy;

#define NUMBER "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."

static struct bytes made_behind(const char *magic, size_t size)
{
    static const char head[] = "\x80\x02M\xe9\x03."
                               "\x80\x02}X\x0d\0\0\0little_endian\x88s.";
    struct bytes file = {.size = 0};
    put(&file, magic, size);
    put(&file, head, sizeof(head) - 1);
    put_tree(&file, 6, 2, 3);
    put(&file,
        "\x80\x02]X\x01\0\0\0"
        "0a.",
        11);
    put_int(&file, 6, 8);
    put(&file, "012345678901234567890123", 24);
    return file;
}

static struct bytes made(void)
{
    static const char magic[] = "\x80\x02" NUMBER;
    return made_behind(magic, sizeof(magic) - 1);
}

static void knows_the_number_in_later_protocols(void **unused)
{
    (void)unused;
    static struct heard heard;
    static const char framed[] = "\x80\x04\x95\x0d\0\0\0\0\0\0\0" NUMBER;
    static const char computed[] = "\x80\x02"
                                   "cbuiltins\neval\n)R.";
    struct bytes file = made_behind(framed, sizeof(framed) - 1);
    struct error error = {0};
    assert_int_equal(format_torch_legacy.probe((struct span){file.data, file.size}, TEXT("a.pt")),
                     99);
    assert_true(heard_read(&heard, &format_torch_legacy, file.data, file.size, "a", 0, &error));
    assert_string_equal(heard.text, "tensor w float32 [2,3]\n");
    /* A number that is the result of a call is none. */
    file = made_behind(computed, sizeof(computed) - 1);
    assert_int_equal(format_torch_legacy.probe((struct span){file.data, file.size}, TEXT("a.pt")),
                     0);
}

static void finds_the_storages_behind_the_pickles(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct bytes file = made();
    struct error error = {0};
    assert_int_equal(format_torch_legacy.probe((struct span){file.data, file.size}, TEXT("a.pt")),
                     99);
    assert_true(heard_read(&heard, &format_torch_legacy, file.data, file.size, "a", 0, &error));
    assert_string_equal(heard.text, "tensor w float32 [2,3]\n");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    static struct heard heard;
    struct bytes file = made();
    for (size_t size = 16; size < file.size; size++) {
        struct error error = {0};
        assert_false(heard_read(&heard, &format_torch_legacy, file.data, size, "a", 0, &error));
        assert_int_equal(error.kind, ERROR_TRUNCATED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_storages_behind_the_pickles),
        cmocka_unit_test(knows_the_number_in_later_protocols),
        cmocka_unit_test(says_a_cut_at_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
