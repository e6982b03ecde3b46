/* Validation that prints the numbers of training. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

/* Ten rounds of both; validation lies `over` training from the seventh on. */
static const struct candidate *found(double over, double fall)
{
    static double trained[TEST_POINTS_MAX], held[TEST_POINTS_MAX];
    for (int i = 0; i < 10; i++) {
        trained[i] = 17.125 * exp(-fall * i);
        held[i] = trained[i] + (i < 6 ? 0 : over);
    }
    used_begin(&used);
    used_series(&used, KIND_VAL_LOSS, "validate-rmse", held, 10, 4);
    used_series(&used, KIND_LOSS, "train-rmse", trained, 10, 4);
    return used_run(&used, "equal", "one-set", 2, NULL);
}

static void one_set_under_two_names(void **state)
{
    (void)state;
    const struct candidate *candidate = found(0, 0.3);
    assert_non_null(candidate);
    assert_string_equal(candidate->form, "one-set");
    assert_true(used_value(candidate, "points") == 10);
    used_end(&used);
}

static void silent_where_one_reading_differs(void **state)
{
    (void)state;
    assert_null(found(0.125, 0.3));
    used_end(&used);
    assert_null(found(0, 0)); /* what stands still is equal to much */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_set_under_two_names),
        cmocka_unit_test(silent_where_one_reading_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
