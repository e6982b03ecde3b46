/* ckpt-fp16-range: where the rule speaks, and where it is silent. */
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
    return judged(&used, "ckpt-fp16-range");
}

static void an_error_at_the_edge_and_a_warning_below_the_normal(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("fc.weight", 8, 8, 0.1);
    tensor.dtype = DTYPE_FLOAT16;
    tensor.stats.high = 65504;
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_ERROR);
    used_end(&used);
    tensor.stats.high = 1e-5;
    tensor.stats.subnormal = 40;
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_on_float32_of_the_same_size(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("x", 8, 8, 0.1);
    tensor.stats.high = 65504;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_at_the_edge_and_a_warning_below_the_normal),
        cmocka_unit_test(silent_on_float32_of_the_same_size),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
