/* Archives of arrays. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/checkpoint/made_zip.h"
#include "read/heard.h"

extern const struct format format_npz;

static void reads_every_member(void **unused)
{
    (void)unused;
    static struct heard heard;
    static struct made_zip zip;
    static struct bytes array;
    struct error error = {0};
    put_npy(&array, "<f4", "False", "(2,)", "01234567", 8);
    zip_add(&zip, "x.npy", array.data, array.size);
    zip_add(&zip, "deep/y.npy", array.data, array.size);
    zip_end(&zip);
    assert_int_equal(format_npz.probe((struct span){zip.file.data, zip.file.size}, TEXT("a")), 98);
    assert_true(heard_read(&heard, &format_npz, zip.file.data, zip.file.size, "a", 0, &error));
    assert_string_equal(heard.text, "tensor x float32 [2]\ntensor deep/y float32 [2]\n");
    zip.file.data[30 + 5 + array.size - 1] ^= 1;
    assert_false(heard_read(&heard, &format_npz, zip.file.data, zip.file.size, "a", 0, &error));
    assert_int_equal(error.kind, ERROR_CHECKSUM);
    assert_string_equal(heard.text, "tensor deep/y float32 [2]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_every_member)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
