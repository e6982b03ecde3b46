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

/* Behind the fall a curve climbs from its own start, or swings where it is. */
static void a_remark_where_another_curve_begins(void **state)
{
    (void)state;
    for (int climbs = 0; climbs < 2; climbs++) {
        begin();
        for (int i = 0; i < 30; i++)
            values[i] = i < 12 ? 0.76 + 0.01 * i : 0.55 + (climbs ? 0.006 * i : 0.002 * (i % 3));
        used_series(&used, KIND_VAL_METRIC, "acc", values, 30, 4);
        const struct finding *found = judged(&used, "metric-drop");
        assert_non_null(found);
        assert_int_equal(found->severity, climbs ? SEVERITY_INFO : SEVERITY_ERROR);
        used_end(&used);
    }
}

static void a_metric_that_ends_at_nothing_is_0(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 25 ? 0.1 + 0.03 * i : 0;
    used_series(&used, KIND_METRIC, "acc", values, 40, 4);
    const struct finding *found = judged(&used, "metric-drop");
    assert_non_null(found);
    assert_true(text_find(found->message, TEXT(" to 0 from ")) < found->message.size);
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
        cmocka_unit_test(a_remark_where_another_curve_begins),
        cmocka_unit_test(a_metric_that_ends_at_nothing_is_0),
        cmocka_unit_test(silent_on_a_small_swing_at_the_top),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
