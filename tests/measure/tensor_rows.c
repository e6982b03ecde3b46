/* Rows: dead, tiny and equal units. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_zero_tiny_and_equal_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
