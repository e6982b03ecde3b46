/* weights: names and what they mean. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/weights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void tells_weights_from_what_stands_beside_them(void **unused)
{
    (void)unused;
    assert_true(tensor_is_state(TEXT("optimizer.state.0.exp_avg")));
    assert_false(tensor_is_state(TEXT("layer1.weight")));
    assert_true(tensor_is_buffer(TEXT("bn1.running_var")));
    assert_true(tensor_is_buffer(TEXT("model_ema.fc.weight")));
    assert_false(tensor_is_buffer(TEXT("semantic_head.weight")));
    assert_true(tensor_is_adapter(TEXT("q_proj.lora_A.weight")));
    assert_false(tensor_is_adapter(TEXT("q_proj.weight")));
    assert_true(tensor_is_loose(TEXT("transformer.wte.weight")));
    assert_true(tensor_starts_at_zero(TEXT("q_proj.lora_B.weight")));
    assert_true(tensor_has(TEXT("Dense/Kernel:0"), "kernel"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_weights_from_what_stands_beside_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
