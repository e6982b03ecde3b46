/* Readings beyond limits. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void a_median_over_its_limit(void **state)
{
    (void)state;
    begin();
    const double readings[] = {0.1, 0.2, 0.1, 0.3};
    used_series(&used, KIND_OTHER, "approx_kl", readings, 4, 3);
    assert_non_null(used_run(&used, "bound", "high", 1, "median-above", 0.05, NULL));
    assert_null(used_run(&used, "bound", "high", 1, "median-above", 0.5, NULL));
    used_end(&used);
}

/* What runs over is over every limit from below; a number that is none is not. */
static void an_exponent_that_runs_over(void **state)
{
    (void)state;
    const double first[] = {(double)INFINITY, (double)NAN, 40};
    for (int i = 0; i < 3; i++) {
        const double readings[] = {first[i], first[i], first[i]};
        begin();
        used_series(&used, KIND_VAL_METRIC, "perplexity", readings, i == 0 ? 3 : 1, 2);
        const struct candidate *found =
            used_run(&used, "bound", "absurd", 1, "median-above", 1e15, NULL);
        assert_true((found != NULL) == (i == 0));
        assert_true(!found || isnan(used_value(found, "beside")));
        used_end(&used);
    }
}

static void an_accelerator_that_is_idle(void **state)
{
    (void)state;
    begin();
    const double readings[] = {10, 12, 8, 30, 11, 9};
    used_series(&used, KIND_UTILISATION, "gpu_util", readings, 6, 0);
    assert_non_null(
        used_run(&used, "bound", "idle", 1, "median-below", 40.0, "p95-below", 70.0, NULL));
    assert_null(used_run(&used, "bound", "idle", 1, "median-below", 40.0, "p95-below", 20.0, NULL));
    used_end(&used);
}

static void begins_where_the_largest_are_over_it(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2, 3, 2, 40, 2e9, 5e9, 3e9};
    used_series(&used, KIND_GRAD_NORM, "grad_norm", readings, 7, 1);
    const struct candidate *found = used_run(&used, "bound", "huge", 1, "high-above", 1e8, NULL);
    assert_non_null(found);
    assert_float_equal(found->onset.value, 2e9, 1);
    used_end(&used);
    begin();
    used_series(&used, KIND_GRAD_NORM, "grad_norm", readings, 7, 1);
    found = used_run(&used, "bound", "high", 1, "median-above", 10.0, NULL);
    assert_float_equal(found->onset.value, 2, 0.1);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_median_over_its_limit),
        cmocka_unit_test(an_exponent_that_runs_over),
        cmocka_unit_test(an_accelerator_that_is_idle),
        cmocka_unit_test(begins_where_the_largest_are_over_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
