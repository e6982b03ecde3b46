/* loss-negative: where the rule speaks, and where it is silent. */
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

static void an_error_for_a_cross_entropy(void **state)
{
    (void)state;
    begin();
    const double readings[] = {0.5, -0.2, -0.9, -1.5};
    used_series(&used, KIND_LOSS, "train/bce", readings, 4, 3);
    assert_int_equal(judged(&used, "loss-negative")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_beside_a_score_of_overlap(void **state)
{
    (void)state;
    begin();
    const double readings[] = {0.1, -0.2, -0.5, -0.7}, dice[] = {0.5, 0.6, 0.7, 0.8};
    used_series(&used, KIND_LOSS, "loss", readings, 4, 3);
    used_series(&used, KIND_METRIC, "dice", dice, 4, 3);
    assert_false(judged_alarm(&used, "loss-negative") &&
                 judged(&used, "loss-negative")->confidence >= 0.6);
    used_end(&used);
}

static void silent_on_a_likelihood(void **state)
{
    (void)state;
    begin();
    const double readings[] = {0.1, -0.2, -0.5, -0.7};
    used_series(&used, KIND_LOSS, "nll", readings, 4, 3);
    assert_null(judged(&used, "loss-negative"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_for_a_cross_entropy),
        cmocka_unit_test(silent_beside_a_score_of_overlap),
        cmocka_unit_test(silent_on_a_likelihood),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
