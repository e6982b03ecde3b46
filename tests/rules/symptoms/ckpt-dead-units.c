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

static struct tensor made_bias(const char *name, bool moved)
{
    struct tensor tensor = made_tensor(name, 8, 1, moved ? 0.1 : 0);
    tensor.rank = 1;
    tensor.stats.zero = moved ? 0 : 8;
    return tensor;
}

static void a_warning_where_only_the_last_bias_moved(void **state)
{
    (void)state;
    struct tensor tensors[5] = {made_bias("dense_1/bias", false), made_bias("dense_2/bias", false),
                                made_bias("dense_3/bias", false), made_bias("dense_4/bias", true),
                                made_tensor("dense_4/kernel", 8, 8, 0.2)};
    used_begin(&used);
    used.run.tensors = tensors;
    used.run.tensor_count = 5;
    const struct finding *finding = judged(&used, "ckpt-dead-units");
    assert_non_null(finding);
    assert_string_equal(finding->form, "unmoved");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    tensors[1] = made_bias("dense_2/bias", true);
    assert_null(judged(&used, "ckpt-dead-units"));
    tensors[1] = made_bias("dense_2/bias", false);
    tensors[4] = made_tensor("batch_norm/running_mean", 8, 1, 0.2);
    assert_null(judged(&used, "ckpt-dead-units")); /* a norm takes the biases' part */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_only_the_last_bias_moved),
        cmocka_unit_test(a_warning_where_rows_are_dead_or_equal),
        cmocka_unit_test(silent_on_padding_adapters_and_a_single_row),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
