/* data-bound: where the rule speaks, and where it is silent. */
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

static void a_warning_where_half_of_the_step_is_waiting(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 12; i++) {
        values[i] = 0.6 + 0.02 * sin(i);
        others[i] = 1;
    }
    used_series(&used, KIND_DATA_TIME, "data", values, 12, 3);
    used_series(&used, KIND_STEP_TIME, "time", others, 12, 3);
    assert_int_equal(judged(&used, "data-bound")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void a_warning_where_the_accelerator_is_idle(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 12; i++)
        values[i] = 15 + i;
    used_series(&used, KIND_UTILISATION, "gpu_util", values, 12, 0);
    assert_string_equal(judged(&used, "data-bound")->form, "idle");
    used_end(&used);
}

static void silent_where_the_first_batch_alone_waits(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 12; i++) {
        values[i] = i == 0 ? 9 : 0.01;
        others[i] = i == 0 ? 10 : 1;
    }
    used_series(&used, KIND_DATA_TIME, "data", values, 12, 3);
    used_series(&used, KIND_STEP_TIME, "time", others, 12, 3);
    assert_null(judged(&used, "data-bound"));
    used_end(&used);
}

/* Twelve readings, each so many steps behind the one before; those that are a w wait for data. */
static const struct finding *waits(const char *readings, int64_t steps)
{
    begin();
    for (int i = 0; i < 12; i++) {
        values[i] = readings[i] == 'w' ? 9 : 0.01;
        others[i] = values[i] + 0.2;
    }
    used_series(&used, KIND_DATA_TIME, "data", values, 12, 3);
    used_series(&used, KIND_STEP_TIME, "time", others, 12, 3);
    for (int i = 0; i < 2; i++)
        make_track(&used.made[i], i == 0 ? values : others, 12, 3, steps);
    return judged(&used, "data-bound");
}

static void a_warning_where_few_steps_hold_the_time_of_all(void **state)
{
    (void)state;
    const struct finding *finding = waits("....w.w.w...", 1);
    assert_non_null(finding);
    assert_string_equal(finding->form, "bursts");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    used_end(&used);
    /* Of a log of every twentieth step, waits that have come to stay. */
    assert_string_equal(waits(".........www", 20)->form, "bursts");
    used_end(&used);
}

static void silent_where_epochs_begin_with_a_wait(void **state)
{
    (void)state;
    assert_null(waits("w...w...w...", 20));
    used_end(&used);
    assert_null(waits("w........w.w", 1));
    used_end(&used);
}

static void a_remark_where_the_second_of_two_readings_waits_less_than_half(void **state)
{
    (void)state;
    begin();
    const double wait[] = {0.6, 0.25}, step[] = {1, 0.6};
    used_series(&used, KIND_DATA_TIME, "data", wait, 2, 3);
    used_series(&used, KIND_STEP_TIME, "time", step, 2, 3);
    assert_int_equal(judged(&used, "data-bound")->severity, SEVERITY_INFO);
    used_end(&used);
    begin();
    const double longer[] = {0.6, 0.36};
    used_series(&used, KIND_DATA_TIME, "data", longer, 2, 3);
    used_series(&used, KIND_STEP_TIME, "time", step, 2, 3);
    assert_int_equal(judged(&used, "data-bound")->severity, SEVERITY_WARNING);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_half_of_the_step_is_waiting),
        cmocka_unit_test(a_warning_where_the_accelerator_is_idle),
        cmocka_unit_test(silent_where_the_first_batch_alone_waits),
        cmocka_unit_test(a_warning_where_few_steps_hold_the_time_of_all),
        cmocka_unit_test(silent_where_epochs_begin_with_a_wait),
        cmocka_unit_test(a_remark_where_the_second_of_two_readings_waits_less_than_half),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
