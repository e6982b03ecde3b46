/* CRC-32 against published values and zlib's tables, by each fold that runs here. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../src/base/crc32_fold.h"
#include "stalldoc/crc32.h"

#include <zlib.h>

static uint8_t data[5000];

static void has_the_published_values(void **unused)
{
    (void)unused;
    assert_int_equal(crc32_of(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(crc32_of(0, "", 0), 0);
}

static void is_that_of_the_tables_at_every_length(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * i * 37 + 11);
    for (size_t size = 0; size < sizeof(data); size += size < 600 ? 1 : 61) {
        uint32_t whole = (uint32_t)crc32(0, data, (uInt)size);
        uint32_t first = crc32_of(0, data, size / 3);
        assert_int_equal(crc32_of(0, data, size), whole);
        assert_int_equal(crc32_of(first, data + size / 3, size - size / 3), whole);
        assert_int_equal(
            crc32_joined(first, crc32_of(0, data + size / 3, size - size / 3), size - size / 3),
            whole);
    }
}

static void folds_to_the_same_remainder(void **unused)
{
    (void)unused;
    const struct crc32_fold *const folds[] = {&crc32_fold512, &crc32_fold128};
    for (size_t i = 0; i < 2; i++)
        for (size_t size = CRC32_FOLD; folds[i]->runs_here() && size <= 16 * CRC32_FOLD;
             size += CRC32_FOLD) {
            uint8_t left[CRC32_FOLD];
            folds[i]->fold(0x12345678, data + 1, size, left);
            assert_int_equal(crc32(UINT32_MAX, left, sizeof(left)),
                             crc32(~UINT32_C(0x12345678), data + 1, (uInt)size));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_published_values),
        cmocka_unit_test(is_that_of_the_tables_at_every_length),
        cmocka_unit_test(folds_to_the_same_remainder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
