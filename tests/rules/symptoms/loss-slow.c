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

/* An accuracy beside it goes half of its way, or a tenth. */
static void no_alarm_beside_a_metric_that_rises(void **state)
{
    (void)state;
    for (int rises = 0; rises < 2; rises++) {
        double metric[60];
        begin();
        for (int i = 0; i < 60; i++) {
            values[i] = 5 * (1 - 0.075 * i / 60) + 0.005 * sin(i * 2.3);
            metric[i] = 0.45 + (rises ? 0.3 : 0.055) * i / 60;
        }
        used_series(&used, KIND_LOSS, "loss", values, 60, 4);
        used_series(&used, KIND_METRIC, "f1", metric, 60, 4);
        assert_non_null(judged(&used, "loss-slow"));
        assert_true(judged_alarm(&used, "loss-slow") == !rises);
        used_end(&used);
    }
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
        cmocka_unit_test(no_alarm_beside_a_metric_that_rises),
        cmocka_unit_test(silent_on_fine_tuning),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
