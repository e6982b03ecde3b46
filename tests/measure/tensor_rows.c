/* Rows: dead, tiny and equal units. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stalldoc/statistics.h"

static void counts_zero_tiny_and_equal_rows(void **unused)
{
    (void)unused;
    const float data[] = {3, 4, 0, 0, 3, 4, 1e-5f, 0, 6, 8};
    struct input *input;
    struct error error = {0};
    assert_true(input_memory((struct span){(const uint8_t *)data, sizeof(data)}, "memory", 1,
                             &input, &error));
    struct tensor_view view = {.dtype = DTYPE_FLOAT32,
                               .rank = 2,
                               .shape = {5, 2},
                               .stride = {2, 1},
                               .input = input,
                               .size = sizeof(data)};
    struct tensor_rows rows;
    assert_true(tensor_rows_measure(&view, &rows, &error));
    assert_int_equal(rows.rows, 5);
    assert_int_equal(rows.length, 2);
    assert_int_equal(rows.zero, 1);
    assert_int_equal(rows.small, 2);
    assert_int_equal(rows.identical, 2);
    assert_true(rows.median == 5 && rows.largest == 10);
    view.rank = 1;
    assert_true(tensor_rows_measure(&view, &rows, &error));
    assert_int_equal(rows.rows, 0);
    input_close(input);
}

/* An identity: each row has one value, elsewhere. Widths below and above a row of 1 KiB. */
static void tells_rows_of_one_value_apart(void **unused)
{
    (void)unused;
    enum { MOST = 512 };
    static float data[MOST * MOST];
    for (int64_t n = 8; n <= MOST; n *= 2) {
        struct input *input;
        struct error error = {0};
        struct tensor_rows rows;
        const size_t size = sizeof(data[0]) * (size_t)(n * n);
        memset(data, 0, sizeof(data));
        for (int64_t i = 0; i < n; i++)
            data[i * n + i] = 1;
        assert_true(
            input_memory((struct span){(const uint8_t *)data, size}, "memory", 1, &input, &error));
        const struct tensor_view view = {.dtype = DTYPE_FLOAT32,
                                         .rank = 2,
                                         .shape = {n, n},
                                         .stride = {n, 1},
                                         .input = input,
                                         .size = size};
        assert_true(tensor_rows_measure(&view, &rows, &error));
        assert_int_equal(rows.rows, n);
        assert_int_equal(rows.identical, 0);
        input_close(input);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_zero_tiny_and_equal_rows),
                                       cmocka_unit_test(tells_rows_of_one_value_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
