/* inputs-unscaled: where the rule speaks, and where it is silent. */
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

static void a_warning_where_the_loss_starts_far_over_ln_k(void **state)
{
    (void)state;
    begin();
    const double readings[] = {48, 45, 44, 30, 20};
    used_series(&used, KIND_LOSS, "loss", readings, 5, 4);
    used_fact(&used, "classes", "10", 10);
    assert_true(judged_alarm(&used, "inputs-unscaled"));
    used_end(&used);
}

static void silent_where_the_number_of_classes_is_not_known(void **state)
{
    (void)state;
    begin();
    const double readings[] = {48, 45, 44, 30, 20};
    used_series(&used, KIND_LOSS, "loss", readings, 5, 4);
    assert_null(judged(&used, "inputs-unscaled"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_loss_starts_far_over_ln_k),
        cmocka_unit_test(silent_where_the_number_of_classes_is_not_known),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
