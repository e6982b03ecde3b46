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

/* Nothing says what the loss is: prices of hundreds of thousands, and what is none. */
static void a_loss_without_a_name(void **state)
{
    (void)state;
    const struct {
        double readings[3];
        bool found;
    } cases[] = {{{4e12, 3.9e12, 3.9e12}, true},
                 {{2e7, 1.9e7, 1.8e7}, false}, /* summed over a batch */
                 {{6e8, 2.3, 2.3}, false}};    /* a first step out of bounds */
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin();
        used_series(&used, KIND_LOSS, "loss", cases[i].readings, 3, 1);
        assert_int_equal(used_run(&used, "magnitude", "log", 1, NULL) != NULL, cases[i].found);
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_squared_error_of_a_million),
        cmocka_unit_test(infinity_is_no_magnitude),
        cmocka_unit_test(a_plain_loss_needs_a_regression_metric_beside_it),
        cmocka_unit_test(an_accuracy_tells_that_it_is_no_regression),
        cmocka_unit_test(a_loss_without_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
