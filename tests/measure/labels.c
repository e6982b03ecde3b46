/* Labels: shares of classes, and what is none. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stalldoc/statistics.h"

static struct tensor_labels labels_of(const void *data, size_t size, enum dtype dtype,
                                      int64_t count)
{
    struct input *input;
    struct error error = {0};
    struct tensor_labels labels;
    assert_true(input_memory((struct span){data, size}, "memory", 1, &input, &error));
    const struct tensor_view view = {
        .dtype = dtype, .rank = 1, .shape = {count}, .stride = {1}, .input = input, .size = size};
    assert_true(tensor_labels_measure(&view, &labels, &error));
    input_close(input);
    return labels;
}

static void counts_the_classes_and_passes_over_negative_ones(void **state)
{
    (void)state;
    const int64_t data[] = {3, 3, 1, -100, 3, 7, 1, -1};
    const struct tensor_labels labels = labels_of(data, sizeof(data), DTYPE_INT64, 8);
    assert_true(labels.whole);
    assert_int_equal(labels.count, 6);
    assert_int_equal(labels.passed, 2);
    assert_int_equal(labels.distinct, 3);
    assert_int_equal(labels.common, 3);
    assert_int_equal(labels.most, 3);
    assert_int_equal(labels.rare, 7);
    assert_int_equal(labels.least, 1);
    assert_true(labels.low == 1 && labels.high == 7);
}

static void fractions_and_large_numbers_are_no_classes(void **state)
{
    (void)state;
    const float fractions[] = {0, 1, 0.5F};
    assert_false(labels_of(fractions, sizeof(fractions), DTYPE_FLOAT32, 3).whole);
    const int32_t large[] = {0, 1, 65536};
    assert_false(labels_of(large, sizeof(large), DTYPE_INT32, 3).whole);
    const float whole[] = {0, 1, 1};
    const struct tensor_labels labels = labels_of(whole, sizeof(whole), DTYPE_FLOAT32, 3);
    assert_true(labels.whole && labels.most == 2 && labels.common == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_classes_and_passes_over_negative_ones),
        cmocka_unit_test(fractions_and_large_numbers_are_no_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
