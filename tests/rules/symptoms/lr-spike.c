/* lr-spike: where the rule speaks, and where it is silent. */
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

static void a_warning_where_trouble_follows(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++) {
        values[i] = i < 60 ? 1e-4 : 1e-3;
        others[i] = i < 61 ? 2 + 0.01 * sin(i * 2.3) : 6 + 0.01 * i;
    }
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 100, 8);
    used_series(&used, KIND_LOSS, "loss", others, 100, 4);
    used.run.first_step = 1;
    used.run.last_step = 100;
    assert_true(judged_alarm(&used, "lr-spike"));
    used_end(&used);
}

static void silent_on_a_warm_up_that_does_no_harm(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++) {
        values[i] = i < 10 ? 1e-4 * (i + 1) : 1e-3 - 1e-5 * (i - 10);
        others[i] = 3 * pow(1 + i, -0.3);
    }
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 100, 8);
    used_series(&used, KIND_LOSS, "loss", others, 100, 4);
    assert_null(judged(&used, "lr-spike"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_trouble_follows),
        cmocka_unit_test(silent_on_a_warm_up_that_does_no_harm),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
