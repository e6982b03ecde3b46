/* targets-unscaled: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static void begin(void)
{
    used_begin(&used);
}

static void a_warning_on_a_squared_error_of_a_million(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.5e6, 1.1e6};
    used_series(&used, KIND_LOSS, "mse", readings, 3, 1);
    assert_true(judged_alarm(&used, "targets-unscaled"));
    used_end(&used);
}

static void silent_on_a_plain_loss_of_that_size(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.5e6, 1.1e6};
    used_series(&used, KIND_LOSS, "loss", readings, 3, 1);
    assert_null(judged(&used, "targets-unscaled"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_on_a_squared_error_of_a_million),
        cmocka_unit_test(silent_on_a_plain_loss_of_that_size),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
