/* initial: spreads that no usual initialisation has, and those that one has. */
/* SPDX-License-Identifier: MIT */
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct candidate *initial(struct tensor *tensors, size_t count, int64_t step)
{
    used_begin(&used);
    for (size_t i = 0; i < count; i++)
        tensors[i].step = step;
    used.run.tensors = tensors;
    used.run.tensor_count = count;
    return used_run(&used, "initial", "spread", 0, NULL);
}

static void finds_a_spread_of_one(void **unused)
{
    (void)unused;
    struct tensor tensor = made_tensor("fc.weight", 64, 64, 1);
    const struct candidate *candidate = initial(&tensor, 1, 0);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "spread");
    assert_true(fabs(used_value(candidate, "expected") - sqrt(2.0 / 64)) < 1e-9);
    assert_true(fabs(used_value(candidate, "ratio") - sqrt(32)) < 1e-9);
    used_end(&used);
    assert_null(initial(&tensor, 1, 5000)); /* trained */
    used_end(&used);
    assert_null(initial(&tensor, 1, STEP_NONE));
    used_end(&used);
}

static void takes_what_frameworks_do(void **unused)
{
    (void)unused;
    static const struct {
        int64_t rows, columns;
        double deviation;
    } usual[] = {
        {64, 64, 0.17677},   /* He */ {10, 784, 0.0206},      /* uniform by 1/sqrt(fan-in) */
        {784, 10, 0.05},     /* glorot */ {1024, 4096, 0.02}, /* language models */
        {4096, 4096, 0.002}, /* and their outputs */ {512, 512, 0.1}, /* truncated normal */
    };
    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
        struct tensor tensor =
            made_tensor("fc.weight", usual[i].rows, usual[i].columns, usual[i].deviation);
        assert_null(initial(&tensor, 1, 0));
        used_end(&used);
    }
}

static void tells_a_constant_kernel_from_one_that_begins_at_zero(void **unused)
{
    (void)unused;
    struct tensor tensor = made_tensor("fc.weight", 8, 8, 0.5);
    tensor.stats.sum = 0.5 * 64;
    tensor.stats.low = tensor.stats.high = 0.5;
    const struct candidate *candidate = initial(&tensor, 1, 0);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "constant");
    used_end(&used);
    tensor.stats = (struct tensor_stats){.count = 64, .zero = 64};
    assert_null(initial(&tensor, 1, 0));
    used_end(&used);
}

static void wants_half_of_the_kernels(void **unused)
{
    (void)unused;
    struct tensor tensors[] = {made_tensor("a.weight", 64, 64, 0.1),
                               made_tensor("b.weight", 64, 64, 0.1),
                               made_tensor("c.weight", 64, 64, 4)};
    assert_null(initial(tensors, 3, 0));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_spread_of_one),
        cmocka_unit_test(takes_what_frameworks_do),
        cmocka_unit_test(tells_a_constant_kernel_from_one_that_begins_at_zero),
        cmocka_unit_test(wants_half_of_the_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
