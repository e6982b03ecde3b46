/* ckpt-bad-init: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"
#include "made_tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct finding *judge_tensor(double deviation, int64_t step, bool pretrained)
{
    static struct tensor tensor;
    tensor = made_tensor("fc.weight", 64, 64, deviation);
    tensor.step = step;
    used_begin(&used);
    if (pretrained)
        used_fact(&used, "pretrained", "true", (double)NAN);
    used.run.tensors = &tensor;
    used.run.tensor_count = 1;
    return judged(&used, "ckpt-bad-init");
}

static void a_warning_where_the_start_is_far_too_wide(void **state)
{
    (void)state;
    const struct finding *finding = judge_tensor(2, 0, false);
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_on_the_usual_on_later_steps_and_on_trained_weights(void **state)
{
    (void)state;
    assert_null(judge_tensor(0.18, 0, false));
    used_end(&used);
    assert_null(judge_tensor(2, 1000, false));
    used_end(&used);
    assert_null(judge_tensor(2, 0, true));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_start_is_far_too_wide),
        cmocka_unit_test(silent_on_the_usual_on_later_steps_and_on_trained_weights),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
