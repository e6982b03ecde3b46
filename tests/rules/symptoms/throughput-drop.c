/* throughput-drop: where the rule speaks, and where it is silent. */
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

static void a_warning_where_a_third_is_lost(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i < 60 ? 150 : 100) * (1 + 0.01 * sin(i * 2.3));
    used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 100, 1);
    assert_int_equal(judged(&used, "throughput-drop")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void an_error_where_steps_take_three_times_as_long(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i < 60 ? 1 : 3) * (1 + 0.02 * sin(i * 2.3));
    used_series(&used, KIND_STEP_TIME, "step_time", values, 100, 3);
    const struct finding *found = judged(&used, "throughput-drop");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_string_equal(found->form, "slower");
    used_end(&used);
}

static void a_remark_where_steps_grew_slowly_once(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        begin();
        for (int i = 0; i < 200; i++)
            values[i] = (1 + fmin(i, on ? 200 : 100) / 25.0) * (1 + 0.02 * sin(i * 2.3));
        used_series(&used, KIND_STEP_TIME, "step_time", values, 200, 3);
        assert_int_equal(judged(&used, "throughput-drop")->severity,
                         on ? SEVERITY_ERROR : SEVERITY_INFO);
        used_end(&used);
    }
}

/* What a bar shows behind the end of the run is of another loop, unless it counts something else.
 */
static void silent_on_another_loop_behind_the_run(void **state)
{
    (void)state;
    for (int bar = 0; bar < 2; bar++) {
        for (int last = 40; last <= 60; last += 20) {
            begin();
            for (int i = 0; i < 100; i++)
                values[i] = (i < 60 ? 1 : 3) * (1 + 0.02 * sin(i * 2.3));
            used_series(&used, KIND_STEP_TIME, "s/it", values, 100, 3)->origin =
                bar ? ORIGIN_REDRAW : ORIGIN_LINE;
            used.run.last_step = last;
            assert_true(judged_alarm(&used, "throughput-drop") == !(bar && last == 60));
            used_end(&used);
        }
    }
}

static void silent_on_a_clock_that_adds_up(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 10 + 3 * i;
    used_series(&used, KIND_STEP_TIME, "train_time", values, 100, 1);
    assert_null(judged(&used, "throughput-drop"));
    used_end(&used);
}

static void silent_on_noise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 150 * (1 + 0.2 * sin(i * 2.3));
    used_series(&used, KIND_THROUGHPUT, "tokens/s", values, 100, 1);
    assert_null(judged(&used, "throughput-drop"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_a_third_is_lost),
        cmocka_unit_test(an_error_where_steps_take_three_times_as_long),
        cmocka_unit_test(a_remark_where_steps_grew_slowly_once),
        cmocka_unit_test(silent_on_another_loop_behind_the_run),
        cmocka_unit_test(silent_on_a_clock_that_adds_up),
        cmocka_unit_test(silent_on_noise),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
