/* Errors that begin far too large. */
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

static void a_squared_error_of_a_million(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.9e6, 1.8e6};
    used_series(&used, KIND_LOSS, "train/mse", readings, 3, 1);
    assert_non_null(used_run(&used, "magnitude", "log", 1, NULL));
    used_end(&used);
}

static void infinity_is_no_magnitude(void **state)
{
    (void)state;
    begin();
    const double readings[] = {INFINITY, INFINITY, 1};
    used_series(&used, KIND_LOSS, "train/mse", readings, 3, 1);
    assert_null(used_run(&used, "magnitude", "log", 1, NULL));
    used_end(&used);
}

static void a_plain_loss_needs_a_regression_metric_beside_it(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.9e6, 1.8e6}, metric[] = {900, 880, 870};
    used_series(&used, KIND_LOSS, "loss", readings, 3, 1);
    assert_null(used_run(&used, "magnitude", "log", 1, NULL));
    used_series(&used, KIND_METRIC, "mae", metric, 3, 1);
    assert_non_null(used_run(&used, "magnitude", "log", 1, NULL));
    used_end(&used);
}

static void an_accuracy_tells_that_it_is_no_regression(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.9e6, 1.8e6}, metric[] = {0.1, 0.1, 0.1};
    used_series(&used, KIND_LOSS, "mse", readings, 3, 1);
    used.series[0].tag = TEXT("loss");
    used_series(&used, KIND_METRIC, "accuracy", metric, 3, 1);
    assert_null(used_run(&used, "magnitude", "log", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_squared_error_of_a_million),
        cmocka_unit_test(infinity_is_no_magnitude),
        cmocka_unit_test(a_plain_loss_needs_a_regression_metric_beside_it),
        cmocka_unit_test(an_accuracy_tells_that_it_is_no_regression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
