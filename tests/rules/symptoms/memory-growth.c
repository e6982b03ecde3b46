/* memory-growth: where the rule speaks, and where it is silent. */
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

static void a_warning_where_it_grows_to_the_end(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 10 + 0.1 * i;
    used_series(&used, KIND_MEMORY, "memory", values, 60, 1);
    assert_int_equal(judged(&used, "memory-growth")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void silent_where_it_settles(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 5 ? 8 + 0.4 * i : 10;
    used_series(&used, KIND_MEMORY, "memory", values, 60, 1);
    assert_null(judged(&used, "memory-growth"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_it_grows_to_the_end),
        cmocka_unit_test(silent_where_it_settles),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
