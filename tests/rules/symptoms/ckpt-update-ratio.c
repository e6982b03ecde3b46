/* ckpt-update-ratio: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"
#include "made_moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static struct moves moves;

static const struct finding *judge_moves(double relative)
{
    const struct tensor tensor = made_tensor("a.weight", 8, 8, 0.1);
    used_begin(&used);
    moves_two(&moves, &used.run, 500, 1000, &tensor, 1, &relative);
    return judged(&used, "ckpt-update-ratio");
}

static void a_warning_on_either_side_of_the_band(void **state)
{
    (void)state;
    const struct finding *finding = judge_moves(1e-6);
    assert_non_null(finding);
    assert_string_equal(finding->form, "low");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    used_end(&used);
    finding = judge_moves(9);
    assert_non_null(finding);
    assert_string_equal(finding->form, "high");
    used_end(&used);
}

static void silent_within_the_band(void **state)
{
    (void)state;
    assert_null(judge_moves(0.2));
    used_end(&used);
    assert_null(judge_moves(1e-3));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_on_either_side_of_the_band),
        cmocka_unit_test(silent_within_the_band),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
