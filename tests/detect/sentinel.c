/* What libraries print for a norm that is not finite. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
    memset(others, 0, sizeof(others));
}

static void a_root_again_and_again_beside_a_loss_of_zero(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++) {
        values[i] = i < 10 ? 0.8 + 0.01 * i : 1.4142135;
        others[i] = i < 10 ? 2 : 0;
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 20, 7);
    used_series(&used, KIND_LOSS, "loss", others, 20, 4);
    const struct candidate *found = used_run(&used, "sentinel", "sentinel", 1, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 11);
    used_end(&used);
}

static void a_norm_of_one_beside_a_sound_loss_is_clipped(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++) {
        values[i] = 1;
        others[i] = 2;
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 20, 7);
    used_series(&used, KIND_LOSS, "loss", others, 20, 4);
    assert_null(used_run(&used, "sentinel", "sentinel", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_again_and_again_beside_a_loss_of_zero),
        cmocka_unit_test(a_norm_of_one_beside_a_sound_loss_is_clipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
