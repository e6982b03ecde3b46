/* ckpt-nonfinite: where the rule speaks, and where it is silent. */
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
    return judged(&used, "ckpt-nonfinite");
}

static void an_error_where_weights_hold_nan(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("fc.weight", 8, 8, 0.1);
    tensor.stats.nan = 2;
    const struct finding *finding = judge_tensor(&tensor);
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    assert_string_equal(finding->form, "weights");
    used_end(&used);
}

static void tells_the_optimizers_state_apart(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("state.0.exp_avg_sq", 8, 8, 0.1);
    tensor.stats.inf = 1;
    assert_string_equal(judge_tensor(&tensor)->form, "moments");
    used_end(&used);
}

static void silent_on_masks_and_bounds(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("h.0.attn.bias", 8, 8, 0);
    tensor.stats.inf = tensor.stats.negative_inf = 28;
    tensor.stats.zero = 36;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("observation_space.high", 1, 8, 0);
    tensor.stats.inf = 8;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_weights_hold_nan),
        cmocka_unit_test(tells_the_optimizers_state_apart),
        cmocka_unit_test(silent_on_masks_and_bounds),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
