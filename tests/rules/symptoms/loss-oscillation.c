/* loss-oscillation: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
}

static void a_warning_on_epochs_that_go_up_and_down(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = 2 * exp(0.25 * sin(i * 2.1));
    used_series(&used, KIND_LOSS, "loss", values, 30, 4)->basis = BASIS_EPOCH_MEAN;
    assert_true(judged_alarm(&used, "loss-oscillation"));
    used_end(&used);
}

/* It swings around a fall, not around a level. */
static void a_remark_where_the_loss_falls_by_more(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 2 * exp(0.12 * sin(i * 2.1) - i / 60.0);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4)->basis = BASIS_EPOCH_MEAN;
    assert_int_equal(judged(&used, "loss-oscillation")->severity, SEVERITY_INFO);
    used_end(&used);
}

static void silent_on_batch_noise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 4096; i++)
        values[i] = 2 * exp(0.3 * sin(i * 2.1) + 0.3 * sin(i * 7.7));
    used_series(&used, KIND_LOSS, "loss", values, 4096, 4);
    assert_null(judged(&used, "loss-oscillation"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_on_epochs_that_go_up_and_down),
        cmocka_unit_test(a_remark_where_the_loss_falls_by_more),
        cmocka_unit_test(silent_on_batch_noise),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
