/* lr-zero: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <math.h>
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
}

static void an_error_while_most_of_the_plan_remains(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 20 ? 1e-4 * (20 - i) / 20 : 0;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 40, 9);
    assert_int_equal(judged(&used, "lr-zero")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_the_last_step_of_a_decay(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 1e-4 * (39 - i) / 40;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 40, 9);
    assert_null(judged(&used, "lr-zero"));
    used_end(&used);
}

static void silent_on_a_rate_printed_too_coarsely(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = 0;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 40, 4);
    assert_null(judged(&used, "lr-zero"));
    used_end(&used);
}

/* The loss is at its floor both times: gone for most of the run, the rate is no mere end of it. */
static void a_rate_that_is_gone_early_is_told_at_a_floor_too(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        begin();
        for (int i = 0; i < 60; i++) {
            values[i] = 1e-2 * pow(10, -3.0 * i / (early ? 15 : 42));
            others[i] = 0.02 + 3 * exp(-i / 4.0);
        }
        used_series(&used, KIND_LEARNING_RATE, "lr", values, 60, 14);
        used_series(&used, KIND_LOSS, "loss", others, 60, 4);
        const struct finding *found = judged(&used, "lr-zero");
        if (early)
            assert_int_equal(found->severity, SEVERITY_WARNING);
        else
            assert_null(found);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_while_most_of_the_plan_remains),
        cmocka_unit_test(silent_on_the_last_step_of_a_decay),
        cmocka_unit_test(silent_on_a_rate_printed_too_coarsely),
        cmocka_unit_test(a_rate_that_is_gone_early_is_told_at_a_floor_too),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
