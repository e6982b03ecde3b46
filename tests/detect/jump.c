/* Rates that leap. */
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

static void leaps_tenfold(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = i < 20 ? 1e-4 : 1e-3;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 30, 8);
    const struct candidate *found = used_run(&used, "jump", "jump", 1, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 21);
    assert_true(fabs(used_value(found, "ratio") - 10) < 1e-9);
    used_end(&used);
}

static void a_warm_up_only_peaks(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = i < 10 ? 1e-4 * (i + 1) : 1e-3 - 2e-5 * i;
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 30, 8);
    assert_null(used_run(&used, "jump", "jump", 1, NULL));
    const struct candidate *found = used_run(&used, "jump", "jump", 1, "peak", 1.0, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "peak");
    assert_int_equal(found->onset.step, 10);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaps_tenfold),
        cmocka_unit_test(a_warm_up_only_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
