/* growth: kernels that leave their size between checkpoints. */
/* SPDX-License-Identifier: MIT */
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static struct moves moves;

/* A kernel of 64 inputs (0.18 is usual) of these sizes in as many saves. */
static const struct candidate *growth(const char *form, double ratio, double limit,
                                      const double *sizes, size_t count)
{
    const double relative[] = {1};
    memset(&moves, 0, sizeof(moves));
    used_begin(&used);
    for (size_t i = 0; i < count; i++) {
        const struct tensor tensor = made_tensor("a.weight", 64, 64, sizes[i]);
        moves_save(&moves, (int64_t)(1000 * (i + 1)), &tensor, 1);
    }
    for (size_t i = 0; i + 1 < count; i++)
        moves_between(&moves, i, relative);
    moves_give(&moves, &used.run);
    return used_run(&used, "growth", form, 0, "ratio", ratio, "limit", limit, NULL);
}

static void finds_a_kernel_that_grew_out_of_range(void **unused)
{
    (void)unused;
    const double sizes[] = {0.2, 3};
    const struct candidate *candidate = growth("grown", 3, 5, sizes, 2);
    assert_non_null(candidate);
    assert_true(fabs(used_value(candidate, "ratio") - 15) < 1e-9);
    assert_true(used_value(candidate, "from") == 1000 && used_value(candidate, "to") == 2000);
    used_end(&used);
}

static void is_silent_on_growth_within_the_usual(void **unused)
{
    (void)unused;
    const double grown[] = {0.02, 0.3}, little[] = {2, 3};
    assert_null(growth("grown", 3, 5, grown, 2)); /* from a small start to the usual */
    used_end(&used);
    assert_null(growth("grown", 3, 5, little, 2));
    used_end(&used);
}

static void adds_up_a_slow_decay(void **unused)
{
    (void)unused;
    const double sizes[] = {0.2, 0.08, 0.03, 0.01};
    const struct candidate *candidate = growth("shrunk", 0.1, 1, sizes, 4);
    assert_non_null(candidate);
    assert_true(fabs(used_value(candidate, "ratio") - 20) < 1e-9);
    assert_true(used_value(candidate, "from") == 1000 && used_value(candidate, "to") == 4000);
    used_end(&used);
    assert_null(growth("shrunk", 0.1, 1, sizes, 3));
    used_end(&used);
}

static void is_silent_on_pruned_kernels(void **unused)
{
    (void)unused;
    const double sizes[] = {0.2, 0.01};
    growth("shrunk", 0.1, 1, sizes, 2);
    moves.tensors[1].stats.zero = 3000;
    assert_null(used_run(&used, "growth", "shrunk", 0, "ratio", 0.1, "limit", 1.0, NULL));
    moves.tensors[1].stats.zero = 100;
    assert_non_null(used_run(&used, "growth", "shrunk", 0, "ratio", 0.1, "limit", 1.0, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_kernel_that_grew_out_of_range),
        cmocka_unit_test(is_silent_on_growth_within_the_usual),
        cmocka_unit_test(adds_up_a_slow_decay),
        cmocka_unit_test(is_silent_on_pruned_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
