/* ckpt-weights-exploded: where the rule speaks, and where it is silent. */
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
    return judged(&used, "ckpt-weights-exploded");
}

static void a_warning_where_a_kernel_is_out_of_range(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("fc.weight", 8, 8, 25);
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_WARNING);
    used_end(&used);
    tensor = made_tensor("fc.weight", 8, 8, 1e6);
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_large_embeddings_and_statistics(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("embedding.weight", 8, 8, 25);
    assert_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("bn.running_var", 1, 8, 25);
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_a_kernel_is_out_of_range),
        cmocka_unit_test(silent_on_large_embeddings_and_statistics),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
