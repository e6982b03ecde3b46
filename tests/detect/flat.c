/* A handful of readings within a narrow band. */
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

static void three_epochs_at_one_level(void **state)
{
    (void)state;
    begin();
    const double level[] = {2.305, 2.302, 2.303};
    used_series(&used, KIND_LOSS, "loss", level, 3, 3);
    const struct candidate *found = used_run(&used, "flat", "short", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "points") == 3);
    used_end(&used);
}

static void a_companion_that_improves_speaks_against_it(void **state)
{
    (void)state;
    begin();
    const double level[] = {2.305, 2.302, 2.303}, metric[] = {0.1, 0.2, 0.3};
    used_series(&used, KIND_LOSS, "loss", level, 3, 3);
    used_series(&used, KIND_METRIC, "acc", metric, 3, 3);
    assert_null(used_run(&used, "flat", "short", 1, NULL));
    used_end(&used);
}

static void a_fall_is_not_flat(void **state)
{
    (void)state;
    begin();
    const double level[] = {2.3, 2.1, 1.9};
    used_series(&used, KIND_LOSS, "loss", level, 3, 3);
    assert_null(used_run(&used, "flat", "short", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_epochs_at_one_level),
        cmocka_unit_test(a_companion_that_improves_speaks_against_it),
        cmocka_unit_test(a_fall_is_not_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
