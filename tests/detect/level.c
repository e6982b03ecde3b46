/* The end at another order of magnitude. */
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

static void stands_ten_times_over_the_middle(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 54 ? 1 : 30;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    const struct candidate *found = used_run(&used, "level", "level", 1, NULL);
    assert_non_null(found);
    assert_true(fabs(used_value(found, "ratio") - 30) < 1e-9);
    used_end(&used);
}

static void one_high_reading_is_no_level(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 59 ? 1 : 30;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    assert_null(used_run(&used, "level", "level", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_ten_times_over_the_middle),
        cmocka_unit_test(one_high_reading_is_no_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
