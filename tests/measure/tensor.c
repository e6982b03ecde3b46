/* Whole tensors: figures by hand, strides, chunks and threads. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stalldoc/statistics.h"

#include <math.h>
#include <string.h>

static struct input *memory(const void *data, size_t size)
{
    struct input *input;
    struct error error = {0};
    assert_true(input_memory((struct span){data, size}, "memory", 1, &input, &error));
    return input;
}

static struct tensor_view view2(struct input *input, enum dtype dtype, int64_t rows,
                                int64_t columns)
{
    return (struct tensor_view){
        .name = TEXT("w"),
        .dtype = dtype,
        .rank = 2,
        .shape = {rows, columns},
        .stride = {columns, 1},
        .input = input,
        .size = (uint64_t)(rows * columns) * dtype_size(dtype),
    };
}

static struct tensor_stats measured(const struct tensor_view *view, size_t threads,
                                    struct arena *arena)
{
    struct tensor_stats stats;
    struct pool pool = {.threads = threads};
    struct error error = {0};
    assert_true(tensors_measure(view, 1, &pool, arena, &stats, &error));
    return stats;
}

static void gives_the_figures_of_a_small_tensor(void **unused)
{
    (void)unused;
    const float data[] = {3, -4, 0, NAN, INFINITY, 0};
    struct input *input = memory(data, sizeof(data));
    struct tensor_view view = view2(input, DTYPE_FLOAT32, 2, 3);
    struct arena arena = {0};
    struct tensor_stats stats = measured(&view, 1, &arena);
    assert_int_equal(stats.count, 6);
    assert_int_equal(stats.zero, 2);
    assert_int_equal(stats.nan, 1);
    assert_int_equal(stats.inf, 1);
    assert_true(tensor_norm(&stats) == 5 && tensor_absmax(&stats) == 4);
    assert_true(tensor_mean(&stats) == -0.25);
    assert_int_equal(stats.first_exponent, 1);
    assert_int_equal(stats.exponent_count, 2);
    arena_free(&arena);
    input_close(input);
}

static void takes_a_transposed_and_a_sliced_view(void **unused)
{
    (void)unused;
    const float data[] = {1, 2, 3, 4, 5, 6};
    struct input *input = memory(data, sizeof(data));
    struct arena arena = {0};
    struct tensor_view turned = view2(input, DTYPE_FLOAT32, 3, 2);
    turned.stride[0] = 1;
    turned.stride[1] = 3;
    assert_false(tensor_contiguous(&turned));
    struct tensor_stats stats = measured(&turned, 1, &arena);
    assert_true(stats.sum == 21);
    struct tensor_view sliced = view2(input, DTYPE_FLOAT32, 2, 2); /* columns 1 and 2 */
    sliced.stride[0] = 3;
    sliced.first = 1;
    sliced.size = sizeof(data);
    stats = measured(&sliced, 1, &arena);
    assert_true(stats.sum == 2 + 3 + 5 + 6);
    double values[4];
    struct error error = {0};
    assert_true(tensor_values(&turned, 0, 4, values, &error));
    assert_true(values[0] == 1 && values[1] == 4 && values[2] == 2 && values[3] == 5);
    arena_free(&arena);
    input_close(input);
}

static void reads_big_endian_values(void **unused)
{
    (void)unused;
    const uint8_t data[] = {0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0};
    struct input *input = memory(data, sizeof(data));
    struct arena arena = {0};
    struct tensor_view view = view2(input, DTYPE_FLOAT32, 1, 2);
    view.swapped = true;
    struct tensor_stats stats = measured(&view, 1, &arena);
    assert_true(stats.low == -2 && stats.high == 1);
    arena_free(&arena);
    input_close(input);
}

static void has_the_same_bits_on_any_number_of_threads(void **unused)
{
    (void)unused;
    enum { COUNT = 3 << 20 };
    float *data = block_take(COUNT * sizeof(*data));
    uint32_t random = 9;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525 + 1013904223;
        data[i] = (float)(random >> 8) / 16777216.0f - 0.4f;
    }
    struct input *input = memory(data, COUNT * sizeof(*data));
    struct arena arena = {0};
    struct tensor_view view = view2(input, DTYPE_FLOAT32, 3, 1 << 20);
    struct tensor_stats one = measured(&view, 1, &arena), four = measured(&view, 4, &arena);
    assert_int_equal(one.exponent_count, four.exponent_count);
    assert_memory_equal(one.exponents, four.exponents,
                        (size_t)one.exponent_count * sizeof(*one.exponents));
    one.exponents = four.exponents = NULL;
    assert_memory_equal(&one.sum, &four.sum, sizeof(one.sum));
    assert_memory_equal(&one.square, &four.square, sizeof(one.square));
    assert_memory_equal(one.checksum, four.checksum, sizeof(one.checksum));
    arena_free(&arena);
    input_close(input);
    block_free(data);
}

static void scales_where_squares_overflow(void **unused)
{
    (void)unused;
    const double data[] = {3e200, -4e200};
    struct input *input = memory(data, sizeof(data));
    struct arena arena = {0};
    struct tensor_view view = view2(input, DTYPE_FLOAT64, 1, 2);
    struct tensor_stats stats = measured(&view, 1, &arena);
    assert_true(fabs(tensor_norm(&stats) / 5e200 - 1) < 1e-12);
    assert_true(isinf(tensor_deviation(&stats)));
    arena_free(&arena);
    input_close(input);
}

static void refuses_a_view_beyond_its_storage(void **unused)
{
    (void)unused;
    const float data[] = {1, 2, 3};
    struct input *input = memory(data, sizeof(data));
    struct tensor_view view = view2(input, DTYPE_FLOAT32, 2, 2);
    struct arena arena = {0};
    struct pool pool = {.threads = 1};
    struct tensor_stats stats;
    struct error error = {0};
    assert_false(tensors_measure(&view, 1, &pool, &arena, &stats, &error));
    assert_int_equal(error.kind, ERROR_TRUNCATED);
    view.size = 12;
    assert_false(tensors_measure(&view, 1, &pool, &arena, &stats, &error));
    arena_free(&arena);
    input_close(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_figures_of_a_small_tensor),
        cmocka_unit_test(takes_a_transposed_and_a_sliced_view),
        cmocka_unit_test(reads_big_endian_values),
        cmocka_unit_test(has_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(scales_where_squares_overflow),
        cmocka_unit_test(refuses_a_view_beyond_its_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
