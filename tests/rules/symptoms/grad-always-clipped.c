/* grad-always-clipped: where the rule speaks, and where it is silent. */
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

static void a_warning_where_the_norm_rises_over_its_bound(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 3 + 0.1 * i;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    used_fact(&used, "clip", "1.0", 1);
    assert_int_equal(judged(&used, "grad-always-clipped")->severity, SEVERITY_WARNING);
    used_end(&used);
}

static void a_remark_where_it_is_a_matter_of_recipe(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 3 + sin(i * 2.3);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    used_fact(&used, "clip", "1.0", 1);
    assert_int_equal(judged(&used, "grad-always-clipped")->severity, SEVERITY_INFO);
    used_end(&used);
    begin();
    for (int i = 0; i < 60; i++) /* as a model learns its data by heart */
        values[i] = 2.1 + 0.02 * i;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    used_fact(&used, "clip", "1.0", 1);
    assert_int_equal(judged(&used, "grad-always-clipped")->severity, SEVERITY_INFO);
    used_end(&used);
}

static void silent_below_the_bound(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 0.3 + 0.1 * sin(i * 2.3);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    used_fact(&used, "clip", "1.0", 1);
    assert_null(judged(&used, "grad-always-clipped"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_norm_rises_over_its_bound),
        cmocka_unit_test(a_remark_where_it_is_a_matter_of_recipe),
        cmocka_unit_test(silent_below_the_bound),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
