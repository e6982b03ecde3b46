/* Swings that do not settle. */
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

static void epochs_that_go_up_and_down(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = exp(0.3 * sin(i * 2.1)) * (1 + 2 * exp(-i));
    used_series(&used, KIND_LOSS, "loss", values, 30, 4);
    const struct candidate *found = used_run(&used, "swing", "epochs", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "swings") >= 8);
    used_end(&used);
}

static void swings_that_shrink_are_settling(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = exp(0.6 * exp(-i * 0.12) * sin(i * 2.1));
    used_series(&used, KIND_LOSS, "loss", values, 40, 4);
    assert_null(used_run(&used, "swing", "epochs", 1, NULL));
    used_end(&used);
}

static void the_noise_of_batches_is_no_swing(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 4096; i++)
        values[i] = exp(0.3 * sin(i * 2.1) + 0.3 * sin(i * 7.7));
    used_series(&used, KIND_LOSS, "loss", values, 4096, 4);
    assert_null(used_run(&used, "swing", "steps", 1, "band", 0.4, "swings", 8.0, "per-group", 8.0,
                         "noise-sigma", 4.0, "variance-ratio", 6.0, NULL));
    used_end(&used);
}

static void slow_swings_of_a_long_log_are(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 4096; i++)
        values[i] = exp(0.3 * sin(i * 6.2832 / 400) + 0.05 * sin(i * 7.7));
    used_series(&used, KIND_LOSS, "loss", values, 4096, 4);
    assert_non_null(used_run(&used, "swing", "steps", 1, "band", 0.4, "swings", 8.0, "per-group",
                             8.0, "noise-sigma", 4.0, "variance-ratio", 6.0, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epochs_that_go_up_and_down),
        cmocka_unit_test(swings_that_shrink_are_settling),
        cmocka_unit_test(the_noise_of_batches_is_no_swing),
        cmocka_unit_test(slow_swings_of_a_long_log_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
