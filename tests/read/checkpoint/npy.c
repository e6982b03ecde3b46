/* Arrays made here: types, orders, cuts. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/checkpoint/made_zip.h"
#include "read/heard.h"

extern const struct format format_npy;

static void names_the_bare_array(void **unused)
{
    (void)unused;
    static struct heard heard;
    static struct bytes file;
    struct error error = {0};
    file.size = 0;
    put_npy(&file, "<f4", "False", "(2, 3)", "012345678901234567890123", 24);
    assert_true(heard_read(&heard, &format_npy, file.data, file.size, "a.npy", 0, &error));
    assert_string_equal(heard.text, "tensor (array) float32 [2,3]\n");
    file.size = 0;
    put_npy(&file, ">i2", "True", "(5,)", "0123456789", 10);
    assert_true(heard_read(&heard, &format_npy, file.data, file.size, "a.npy", 0, &error));
    assert_string_equal(heard.text, "tensor (array) int16 [5]\n");
    file.size = 0;
    put_npy(&file, "|O", "False", "()", "x", 1);
    assert_true(heard_read(&heard, &format_npy, file.data, file.size, "a.npy", 0, &error));
    assert_string_equal(heard.text, "tensor (object) opaque []\n");
}

static void says_a_cut_at_every_length(void **unused)
{
    (void)unused;
    static struct heard heard;
    static struct bytes file;
    file.size = 0;
    put_npy(&file, "<f8", "False", "(2,)", "0123456789012345", 16);
    for (size_t size = 8; size < file.size; size++) {
        struct error error = {0};
        assert_false(heard_read(&heard, &format_npy, file.data, size, "a.npy", 0, &error));
        assert_true(error.kind == ERROR_TRUNCATED || error.kind == ERROR_MALFORMED);
    }
}

static void refuses_shapes_that_overflow(void **unused)
{
    (void)unused;
    static struct heard heard;
    static struct bytes file;
    struct error error = {0};
    file.size = 0;
    put_npy(&file, "<f8", "False", "(4294967296, 4294967296)", "01234567", 8);
    assert_false(heard_read(&heard, &format_npy, file.data, file.size, "a.npy", 0, &error));
    assert_int_equal(error.kind, ERROR_MALFORMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_bare_array),
        cmocka_unit_test(says_a_cut_at_every_length),
        cmocka_unit_test(refuses_shapes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
