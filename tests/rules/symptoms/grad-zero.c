/* grad-zero: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;
static double values[TEST_POINTS_MAX], others[TEST_POINTS_MAX];

static void begin(void)
{
    used_begin(&used);
    memset(values, 0, sizeof(values));
    memset(others, 0, sizeof(others));
}

static void an_error_from_three_in_a_row(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 12; i++)
        values[i] = i < 8 ? 0.5 + 0.01 * i : 0;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 12, 4);
    assert_int_equal(judged(&used, "grad-zero")->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_two_beside_a_loss_that_moves(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 12; i++) {
        values[i] = i < 10 ? 0.5 + 0.01 * i : 0;
        others[i] = 3 - 0.1 * i;
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 12, 4);
    used_series(&used, KIND_LOSS, "loss", others, 12, 4);
    assert_null(judged(&used, "grad-zero"));
    used_end(&used);
}

/* Moments of three checkpoints, beside a loss. */
static const struct finding *judge_moments(double norm, bool falls)
{
    begin();
    for (int i = 0; i < 3; i++)
        values[i] = norm;
    for (int i = 0; i < 12; i++)
        others[i] = falls ? 3 - 0.2 * i : 2.3026;
    struct series *series =
        used_series(&used, KIND_GRAD_NORM, "exp_avg_sq/grad_norm", values, 3, 30);
    series->basis = BASIS_ESTIMATED;
    used_series(&used, KIND_LOSS, "loss", others, 12, 4);
    return judged(&used, "grad-zero");
}

static void an_error_where_the_optimizer_never_saw_a_gradient(void **state)
{
    (void)state;
    const struct finding *finding = judge_moments(0, false);
    assert_non_null(finding);
    assert_string_equal(finding->form, "moments");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    used_end(&used);
    assert_null(judge_moments(0.5, false));
    used_end(&used);
    assert_null(judge_moments(0, true)); /* another optimizer trains it */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_from_three_in_a_row),
        cmocka_unit_test(an_error_where_the_optimizer_never_saw_a_gradient),
        cmocka_unit_test(silent_on_two_beside_a_loss_that_moves),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
