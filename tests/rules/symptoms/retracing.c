/* retracing: where the rule speaks, and where it is silent. */
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

static void a_warning_by_the_frameworks_words(void **state)
{
    (void)state;
    begin();
    judged_message(&used, "tf-retracing", 10);
    assert_int_equal(judged(&used, "retracing")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_without_them(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 2 ? 60 : 1;
    used_series(&used, KIND_STEP_TIME, "step_time", values, 40, 2);
    assert_null(judged(&used, "retracing"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_by_the_frameworks_words),
        cmocka_unit_test(silent_without_them),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
