/* step-time-outlier: where the rule speaks, and where it is silent. */
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

static void a_warning_where_outliers_cost_much(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i == 40 || i == 77 ? 30 : 1 + 0.05 * sin(i * 2.3);
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    assert_int_equal(judged(&used, "step-time-outlier")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void a_remark_on_what_comes_every_so_many_steps(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i % 20 == 19 ? 20 : 1 + 0.05 * sin(i * 2.3);
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    assert_int_equal(judged(&used, "step-time-outlier")->severity, SEVERITY_INFO);
    used_end(&used);
}

static void silent_on_the_first_steps(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i == 0 ? 60 : 1 + 0.05 * sin(i * 2.3);
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    assert_null(judged(&used, "step-time-outlier"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_outliers_cost_much),
        cmocka_unit_test(a_remark_on_what_comes_every_so_many_steps),
        cmocka_unit_test(silent_on_the_first_steps),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
