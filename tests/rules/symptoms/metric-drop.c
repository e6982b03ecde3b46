/* metric-drop: where the rule speaks, and where it is silent. */
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

static void an_error_where_all_is_lost_again(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = (i < 25 ? 0.1 + 0.03 * i : 0.12) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_METRIC, "acc", values, 40, 4);
    assert_int_equal(judged(&used, "metric-drop")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_a_small_swing_at_the_top(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = (i < 25 ? 0.5 + 0.016 * i : 0.88) + 0.005 * sin(i * 2.3);
    used_series(&used, KIND_METRIC, "acc", values, 40, 4);
    assert_null(judged(&used, "metric-drop"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_all_is_lost_again),
        cmocka_unit_test(silent_on_a_small_swing_at_the_top),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
