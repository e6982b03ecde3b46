/* Archives of arrays. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

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

/* A deflated member: `data` packed by zlib. */
static void zip_add_deflated(struct made_zip *zip, const char *name, uint8_t *data, size_t size)
{
    static uint8_t packed[12000];
    z_stream stream = {
        .next_in = data, .avail_in = (uInt)size, .next_out = packed, .avail_out = sizeof(packed)};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    const size_t at = zip->directory.size, length = stream.total_out;
    deflateEnd(&stream);
    zip_add(zip, name, packed, length);
    const uint32_t crc = (uint32_t)crc32(0, data, (uInt)size), whole = (uint32_t)size;
    zip->directory.data[at + 10] = 8;
    memcpy(zip->directory.data + at + 16, &crc, 4);
    memcpy(zip->directory.data + at + 24, &whole, 4);
}

static void names_a_member_that_does_not_fit_and_reads_its_head(void **unused)
{
    (void)unused;
    enum { ROWS = 1 << 20, SIZE = 8 * ROWS };
    static struct heard heard;
    static struct made_zip zip;
    static struct bytes array;
    struct error error = {0};
    put_npy(&array, "<f8", "False", "(1048576,)", "", 0);
    uint8_t *data = calloc(1, SIZE + array.size);
    assert_non_null(data);
    memcpy(data, array.data, array.size);
    zip_add_deflated(&zip, "x.npy", data, SIZE + array.size);
    zip_end(&zip);
    free(data);
    assert_true(heard_read(&heard, &format_npz, zip.file.data, zip.file.size, "a", 0, &error));
    assert_string_equal(heard.text, "tensor x float64 [1048576]\n");
    assert_true(
        heard_read(&heard, &format_npz, zip.file.data, zip.file.size, "a", 6 << 20, &error));
    assert_string_equal(heard.text, "tensor x float64 [1048576] head\n");
    /* Not even the head fits. */
    assert_false(
        heard_read(&heard, &format_npz, zip.file.data, zip.file.size, "a", 1 << 20, &error));
    assert_int_equal(error.kind, ERROR_MEMORY);
    /* A stream that ends before the head does. */
    zip.file.data[40] ^= 0x55;
    assert_false(
        heard_read(&heard, &format_npz, zip.file.data, zip.file.size, "a", 6 << 20, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_member),
        cmocka_unit_test(names_a_member_that_does_not_fit_and_reads_its_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
