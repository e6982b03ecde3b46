/* grad-explosion: where the rule speaks, and where it is silent. */
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

static void an_error_from_a_hundredfold_on(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 50 ? 0.5 + 0.05 * sin(i * 2.3) : 0.5 * exp(i - 49);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 4);
    const struct finding *found = judged(&used, "grad-explosion");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    used_end(&used);
}

static void silent_on_a_norm_that_is_always_large(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 5000 + 2000 * sin(i * 2.3);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 1);
    assert_null(judged(&used, "grad-explosion"));
    used_end(&used);
}

static void a_remark_on_one_reading_among_many_that_scatter(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 200; i++)
        values[i] = 8 * exp(1.2 * sin(i * 2.3) + 0.6 * sin(i * 0.7));
    values[58] = 800;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 200, 4);
    const struct finding *found = judged(&used, "grad-explosion");
    assert_non_null(found);
    assert_string_equal(found->form, "outlier");
    assert_int_equal(found->severity, SEVERITY_INFO);
    used_end(&used);
}

/* Twentyfold for a few readings, and the loss with it: both came back. */
static void a_remark_on_a_spike_that_the_loss_shares(void **state)
{
    static double losses[200];
    (void)state;
    begin();
    for (int i = 0; i < 200; i++) {
        const double spike = i < 120 ? 0 : exp(-(i - 120) / 2.0);
        values[i] = (0.17 + 0.01 * sin(i * 2.3)) * exp(3 * spike);
        losses[i] = 2.25 + 0.02 * sin(i * 1.9) + 1.2 * spike;
    }
    used_series(&used, KIND_LOSS, "loss", losses, 200, 4);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 200, 4);
    const struct finding *found = judged(&used, "grad-explosion");
    assert_non_null(found);
    assert_int_equal(found->severity, SEVERITY_INFO);
    used_end(&used);
}

/* What the optimizer's state tells in four checkpoints. */
static const struct finding *judge_estimates(double first, double last)
{
    static double norms[4];
    used_begin(&used);
    for (int i = 0; i < 4; i++)
        norms[i] = first * pow(last / first, i / 3.0);
    used_series(&used, KIND_GRAD_NORM, "exp_avg_sq/grad_norm", norms, 4, 30)->basis =
        BASIS_ESTIMATED;
    return judged(&used, "grad-explosion");
}

static void a_finding_where_estimates_grow_from_checkpoint_to_checkpoint(void **state)
{
    (void)state;
    const struct finding *finding = judge_estimates(1, 50);
    assert_non_null(finding);
    assert_string_equal(finding->form, "estimated");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(finding->confidence <= 0.6);
    used_end(&used);
    assert_null(judge_estimates(1, 4));
    used_end(&used);
    assert_null(judge_estimates(50, 1));
    used_end(&used);
}

/* Five checkpoints whose estimate leaps at one of them and stays there. */
static const struct finding *judge_leap(int at, double by)
{
    static double norms[5];
    used_begin(&used);
    for (int i = 0; i < 5; i++)
        norms[i] = (1 + 0.1 * i) * (i >= at ? by : 1);
    used_series(&used, KIND_GRAD_NORM, "exp_avg_sq/grad_norm", norms, 5, 30)->basis =
        BASIS_ESTIMATED;
    return judged(&used, "grad-explosion");
}

static void a_finding_where_an_estimate_leaps_between_two_checkpoints(void **state)
{
    (void)state;
    for (int at = 2; at < 5; at++) {
        const struct finding *finding = judge_leap(at, 40);
        assert_non_null(finding);
        assert_string_equal(finding->form, "estimated");
        used_end(&used);
        assert_null(judge_leap(at, 4));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_where_estimates_grow_from_checkpoint_to_checkpoint),
        cmocka_unit_test(a_finding_where_an_estimate_leaps_between_two_checkpoints),
        cmocka_unit_test(an_error_from_a_hundredfold_on),
        cmocka_unit_test(a_remark_on_one_reading_among_many_that_scatter),
        cmocka_unit_test(silent_on_a_norm_that_is_always_large),
        cmocka_unit_test(a_remark_on_a_spike_that_the_loss_shares),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
