/* loss-constant: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

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

static void an_error_where_the_loss_stands_still(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 10; i++)
        values[i] = 2.3026;
    used_series(&used, KIND_LOSS, "loss", values, 10, 4);
    assert_int_equal(judged(&used, "loss-constant")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_where_digits_are_few(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 10; i++)
        values[i] = 0.7;
    used_series(&used, KIND_LOSS, "loss", values, 10, 1);
    assert_null(judged(&used, "loss-constant"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_where_the_loss_stands_still),
        cmocka_unit_test(silent_where_digits_are_few),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
