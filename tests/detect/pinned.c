/* Norms at or over their bound. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void over_the_bound_nearly_always(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 3 + sin(i * 2.3);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    assert_null(used_run(&used, "pinned", "clip", 1, NULL));
    used_fact(&used, "clip", "1.0", 1);
    const struct candidate *found = used_run(&used, "pinned", "clip", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "clip");
    assert_true(used_value(found, "ratio") > 2);
    used_end(&used);
}

static void the_clipped_norm_is_printed(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 0.5;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    assert_string_equal(used_run(&used, "pinned", "clip", 1, NULL)->form, "pinned");
    used_end(&used);
}

static void a_norm_below_its_bound_is_free(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 0.3 + 0.1 * sin(i * 2.3);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    used_fact(&used, "clip", "1.0", 1);
    assert_null(used_run(&used, "pinned", "clip", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_the_bound_nearly_always),
        cmocka_unit_test(the_clipped_norm_is_printed),
        cmocka_unit_test(a_norm_below_its_bound_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
