/* ckpt-frozen: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static struct moves moves;

static const struct finding *judge_moves(const double *relative, const char *adapter)
{
    const struct tensor tensors[] = {made_tensor("a.weight", 8, 8, 0.1),
                                     made_tensor("b.weight", 8, 8, 0.1),
                                     made_tensor("bn.running_var", 1, 8, 0.1)};
    used_begin(&used);
    if (adapter)
        used_fact(&used, "adapter", adapter, (double)NAN);
    moves_two(&moves, &used.run, 500, 1000, tensors, 3, relative);
    return judged(&used, "ckpt-frozen");
}

static void an_error_where_no_kernel_moves(void **state)
{
    (void)state;
    const double relative[] = {0, 0, 0.1};
    const struct finding *finding = judge_moves(relative, NULL);
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    assert_true(finding->confidence >= 0.9);
    used_end(&used);
}

static void silent_on_a_trained_head_and_on_adapters(void **state)
{
    (void)state;
    const double head[] = {0, 0.1, 0.1}, still[] = {0, 0, 0.1};
    assert_null(judge_moves(head, NULL));
    used_end(&used);
    assert_null(judge_moves(still, "lora"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_no_kernel_moves),
        cmocka_unit_test(silent_on_a_trained_head_and_on_adapters),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
