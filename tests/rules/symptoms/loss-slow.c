/* loss-slow: where the rule speaks, and where it is silent. */
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

static void a_warning_on_a_straight_and_shallow_fall(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 5 * (1 - 0.075 * i / 60) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_true(judged_alarm(&used, "loss-slow"));
    used_end(&used);
}

static void a_warning_on_an_accuracy_that_hardly_rises(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 12; i++)
        values[i] = 0.086 + 0.004 * i;
    used_series(&used, KIND_METRIC, "accuracy", values, 12, 4);
    assert_true(judged_alarm(&used, "loss-slow"));
    used_end(&used);
}

static void silent_on_fine_tuning(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 5 * (1 - 0.075 * i / 60) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    used_fact(&used, "pretrained", "true", (double)NAN);
    assert_false(judged_alarm(&used, "loss-slow"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_on_a_straight_and_shallow_fall),
        cmocka_unit_test(a_warning_on_an_accuracy_that_hardly_rises),
        cmocka_unit_test(silent_on_fine_tuning),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
