/* inputs-nonfinite: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double holes(size_t row, size_t at)
{
    (void)row, (void)at;
    return (at == 4 && (row == 7 || row == 90)) ? (double)NAN : made_normal();
}

static double marked(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 1 && row % 50 == 0 ? -9999 : 20 + 3 * made_normal();
}

static double outliers(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 1 && row % 50 == 0 ? -1234.5 : 20 + 3 * made_normal();
}

static double masked(size_t row, size_t at)
{
    (void)row, (void)at;
    return at > row ? -(double)INFINITY : 0;
}

static double ages(size_t row, size_t at)
{
    (void)row, (void)at;
    return row % 40 == 0 ? 99 : floor(18 + 60 * made_random());
}

static void a_warning_on_nan_with_the_feature_that_holds_it(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, holes);
    const struct finding *finding = judged(&used, "inputs-nonfinite");
    assert_non_null(finding);
    assert_string_equal(finding->form, "values");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "nan") == 2);
    assert_true(used_value(&finding->candidate, "inf") == 0);
    assert_true(used_value(&finding->candidate, "feature") == 4);
    assert_true(used_value(&finding->candidate, "features") == 1);
    end();
}

static void an_error_where_the_loss_turned_nan(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2.3, 2.2, NAN, NAN, NAN, NAN};
    used_series(&used, KIND_LOSS, "loss", readings, 6, 4);
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, holes);
    const struct finding *finding = judged(&used, "inputs-nonfinite");
    assert_non_null(finding);
    assert_string_equal(finding->form, "values");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    end();
}

static void a_warning_on_a_mark_for_missing_values(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){1000, 3, 0}, marked);
    const struct finding *finding = judged(&used, "inputs-nonfinite");
    assert_non_null(finding);
    assert_string_equal(finding->form, "sentinel");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "number") == -9999);
    assert_true(used_value(&finding->candidate, "feature") == 1);
    end();
}

static void a_warning_on_targets_that_are_no_numbers(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, made_standard);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){200, 6, 0}, holes);
    const struct finding *finding = judged(&used, "inputs-nonfinite");
    assert_non_null(finding);
    assert_true(text_is(finding->candidate.subject, "y"));
    end();
}

static void silent_on_finite_values(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, made_standard);
    assert_null(judged(&used, "inputs-nonfinite"));
    end();
}

static void silent_on_outliers_that_are_no_mark(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){1000, 3, 0}, outliers);
    assert_null(judged(&used, "inputs-nonfinite"));
    end();
}

static void silent_on_masks_of_minus_infinity(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){8, 64, 0}, masked);
    assert_null(judged(&used, "inputs-nonfinite"));
    end();
}

static void silent_on_ages_of_99(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){1000, 2, 0}, ages);
    assert_null(judged(&used, "inputs-nonfinite"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_on_nan_with_the_feature_that_holds_it),
        cmocka_unit_test(an_error_where_the_loss_turned_nan),
        cmocka_unit_test(a_warning_on_a_mark_for_missing_values),
        cmocka_unit_test(a_warning_on_targets_that_are_no_numbers),
        cmocka_unit_test(silent_on_finite_values),
        cmocka_unit_test(silent_on_outliers_that_are_no_mark),
        cmocka_unit_test(silent_on_masks_of_minus_infinity),
        cmocka_unit_test(silent_on_ages_of_99),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
