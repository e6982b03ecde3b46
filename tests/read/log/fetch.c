/* Bytes that take a window the slow way are found wherever they stand. */
/* SPDX-License-Identifier: MIT */
#include "read/log/fetch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 300 };

static char bytes[SIZE];
static const struct text all = {bytes, SIZE};

static void put(size_t at, const char *what, size_t size)
{
    memset(bytes, 'a', SIZE);
    memcpy(bytes + at, what, size);
}

static void finds_each_byte_everywhere(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++)
        for (size_t at = 0; at < SIZE; at += 7) {
            const char c = (char)byte;
            put(at, &c, 1);
            assert_int_equal(text_special(all),
                             byte == '\r' || byte == '\b' || byte == 033 || byte == 0xef);
        }
}

static void finds_bytes_that_were_written_out(void **state)
{
    (void)state;
    for (size_t at = 0; at + 4 <= SIZE; at++) {
        put(at, "#015", 4);
        assert_true(text_special(all));
        put(at, "#033", 4);
        assert_true(text_special(all));
        put(at, "#014", 4);
        assert_false(text_special(all));
    }
    put(0, "", 0);
    assert_false(text_special(all));
    assert_false(text_special((struct text){bytes, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_byte_everywhere),
        cmocka_unit_test(finds_bytes_that_were_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
