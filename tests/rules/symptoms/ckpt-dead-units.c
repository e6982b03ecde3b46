/* ckpt-dead-units: where the rule speaks, and where it is silent. */
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
    return judged(&used, "ckpt-dead-units");
}

static void a_warning_where_rows_are_dead_or_equal(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("fc.weight", 10, 8, 0.1);
    tensor.rows.small = 2;
    assert_int_equal(judge_tensor(&tensor)->severity, SEVERITY_WARNING);
    used_end(&used);
    tensor.rows.small = 0;
    tensor.rows.identical = 4;
    assert_non_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("dense/kernel", 4, 2, 0);
    tensor.stats.zero = 8;
    assert_non_null(judge_tensor(&tensor));
    used_end(&used);
}

static void silent_on_padding_adapters_and_a_single_row(void **state)
{
    (void)state;
    struct tensor tensor = made_tensor("embed_tokens.weight", 10, 8, 0.1);
    tensor.rows.small = 3;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("q.lora_B.weight", 4, 2, 0);
    tensor.stats.zero = 8;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
    tensor = made_tensor("fc.weight", 100, 8, 0.1);
    tensor.rows.small = 1;
    assert_null(judge_tensor(&tensor));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_rows_are_dead_or_equal),
        cmocka_unit_test(silent_on_padding_adapters_and_a_single_row),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
