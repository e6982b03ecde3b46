/* Pairs: difference, angle, equality. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stalldoc/statistics.h"

#include <math.h>

static struct tensor_view view(struct input *input, int64_t count)
{
    return (struct tensor_view){.dtype = DTYPE_FLOAT32,
                                .rank = 1,
                                .shape = {count},
                                .stride = {1},
                                .input = input,
                                .size = (uint64_t)count * 4};
}

static void compares_two_tensors(void **unused)
{
    (void)unused;
    const float first[] = {3, 4, NAN}, second[] = {3, 0, 1};
    struct input *a, *b;
    struct error error = {0};
    assert_true(input_memory((struct span){(const uint8_t *)first, 12}, "a", 1, &a, &error));
    assert_true(input_memory((struct span){(const uint8_t *)second, 12}, "b", 2, &b, &error));
    struct tensor_view x = view(a, 3), y = view(b, 3);
    struct tensor_pair pair;
    assert_true(tensor_pair_measure(&x, &y, &pair, &error));
    assert_true(pair.diff_l2 == 4 && fabs(pair.relative - 0.8) < 1e-15);
    assert_true(fabs(pair.cosine - 0.6) < 1e-15);
    assert_int_equal(pair.changed, 2);
    assert_false(pair.identical);
    assert_true(tensor_pair_measure(&x, &x, &pair, &error));
    assert_true(pair.identical && pair.diff_l2 == 0);
    y.shape[0] = 2;
    assert_false(tensor_pair_measure(&x, &y, &pair, &error));
    assert_int_equal(error.kind, ERROR_UNSUPPORTED);
    input_close(a);
    input_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compares_two_tensors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
