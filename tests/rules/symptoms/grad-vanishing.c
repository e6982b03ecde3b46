/* grad-vanishing: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

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

static void a_warning_where_the_loss_stays_as_well(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++) {
        values[i] = i < 15 ? 1 : 1e-5;
        others[i] = 5 + 0.01 * sin(i * 2.2);
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 50, 8);
    used_series(&used, KIND_LOSS, "loss", others, 50, 4);
    assert_true(judged_alarm(&used, "grad-vanishing"));
    used_end(&used);
}

static void silent_where_the_loss_fell_with_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++) {
        values[i] = 1.0 / (1 + i * i);
        others[i] = 2.3 / (1 + i);
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 50, 8);
    used_series(&used, KIND_LOSS, "loss", others, 50, 4);
    assert_null(judged(&used, "grad-vanishing"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_loss_stays_as_well),
        cmocka_unit_test(silent_where_the_loss_fell_with_it),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
