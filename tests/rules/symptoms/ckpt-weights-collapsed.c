/* ckpt-weights-collapsed: where the rule speaks, and where it is silent. */
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
    return judged(&used, "ckpt-weights-collapsed");
}

static void a_warning_where_a_kernel_has_shrunk(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("fc.weight", 8, 8, 1e-8);
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_on_adapters_that_begin_at_nothing(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("q_proj.lora_B.weight", 8, 8, 1e-8);
    assert_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("fc.weight", 8, 8, 0.02);
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

static void a_warning_where_one_magnitude_is_left(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("fc.weight", 64, 64, 0.0045);
    tensor.stats.low = -0.0045;
    tensor.stats.high = 0.0045;
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_WARNING);
    used_end(&used);
    tensor = made_tensor("fc.weight", 64, 64, 1); /* a net of signs on purpose */
    tensor.stats.low = -1;
    tensor.stats.high = 1;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_a_kernel_has_shrunk),
        cmocka_unit_test(a_warning_where_one_magnitude_is_left),
        cmocka_unit_test(silent_on_adapters_that_begin_at_nothing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
