/* ckpt-norm-stats: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"
#include "made_tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct finding *judge_tensor(const struct tensor *tensor)
{
    used_begin(&used);
    used.run.tensors = tensor;
    used.run.tensor_count = 1;
    return judged(&used, "ckpt-norm-stats");
}

static void a_warning_where_the_first_variance_is_huge(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("bn1.running_var", 1, 8, 0.1);
    tensor.stats.high = 52000;
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_on_usual_variances_and_other_tensors(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("bn1.running_var", 1, 8, 0.1);
    tensor.stats.high = 90;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("bn1.running_mean", 1, 8, 0.1);
    tensor.stats.high = 52000;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_first_variance_is_huge),
        cmocka_unit_test(silent_on_usual_variances_and_other_tensors),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
