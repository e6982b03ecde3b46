/* CRC-32C against published vectors, instruction against tables. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../src/read/crc32c.h"

static void has_the_published_values(void **unused)
{
    (void)unused;
    const uint8_t zeros[32] = {0}, length[8] = {24};
    assert_int_equal(crc32c_plain(0, (const uint8_t *)"123456789", 9), 0xe3069283);
    assert_int_equal(crc32c_plain(0, zeros, 32), 0x8a9136aa);
    assert_int_equal(crc32c_masked(0), 0xa282ead8);
    assert_int_equal(crc32c_masked(crc32c(0, length, 8)), 0x224b7fa3);
}

static void is_the_same_by_instruction_and_in_pieces(void **unused)
{
    (void)unused;
    uint8_t data[300];
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 37 + 11);
    for (size_t size = 0; size <= sizeof(data); size++) {
        uint32_t whole = crc32c_plain(0, data, size);
        assert_int_equal(crc32c(0, data, size), whole);
        assert_int_equal(crc32c(crc32c(0, data, size / 3), data + size / 3, size - size / 3),
                         whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_published_values),
        cmocka_unit_test(is_the_same_by_instruction_and_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
