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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_half_of_the_step_is_waiting),
        cmocka_unit_test(a_warning_where_the_accelerator_is_idle),
        cmocka_unit_test(silent_where_the_first_batch_alone_waits),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
