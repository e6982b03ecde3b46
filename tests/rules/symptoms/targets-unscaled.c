/* targets-unscaled: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double prices(size_t row, size_t at)
{
    (void)row, (void)at;
    return 180000.5 + 79000 * made_normal();
}

static double whole(size_t row, size_t at)
{
    (void)row, (void)at;
    return floor(20000 + 4000 * made_normal());
}

static double far(size_t row, size_t at)
{
    (void)row, (void)at;
    return 40 + made_normal();
}

static double classes(size_t row, size_t at)
{
    (void)row, (void)at;
    return (double)(row % 300);
}

static void a_warning_on_a_squared_error_of_a_million(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.5e6, 1.1e6};
    used_series(&used, KIND_LOSS, "mse", readings, 3, 1);
    assert_true(judged_alarm(&used, "targets-unscaled"));
    end();
}

/* No targets are that large: the outputs have run away before the log begins. */
static void silent_on_a_loss_that_nothing_explains(void **state)
{
    (void)state;
    begin();
    const double readings[] = {3e31, 3.1e31, 3.2e31};
    used_series(&used, KIND_LOSS, "loss", readings, 3, 1);
    assert_false(judged_alarm(&used, "targets-unscaled"));
    assert_true(judged_alarm(&used, "loss-divergence"));
    used_end(&used);
}

static void silent_on_a_plain_loss_of_that_size(void **state)
{
    (void)state;
    begin();
    const double readings[] = {2e6, 1.5e6, 1.1e6};
    used_series(&used, KIND_LOSS, "loss", readings, 3, 1);
    assert_null(judged(&used, "targets-unscaled"));
    end();
}

static void a_warning_on_prices_as_they_are(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 0}, prices);
    const struct finding *finding = judged(&used, "targets-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "values");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "deviation") > 50000);
    end();
}

static void an_error_where_the_loss_turned_nan(void **state)
{
    (void)state;
    begin();
    const double readings[] = {4e10, 5e10, NAN, NAN, NAN, NAN};
    used_series(&used, KIND_LOSS, "loss", readings, 6, 4);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 1, 0}, prices);
    const struct finding *finding = judged(&used, "targets-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "values");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    end();
}

static void a_warning_on_whole_prices_in_a_regression(void **state)
{
    (void)state;
    begin();
    used_fact(&used, "objective", "mse", NAN);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 0}, whole);
    const struct finding *finding = judged(&used, "targets-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "values");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    end();
}

static void a_warning_on_a_far_mean_in_a_regression(void **state)
{
    (void)state;
    begin();
    used_fact(&used, "objective", "mse", NAN);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 0}, far);
    const struct finding *finding = judged(&used, "targets-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "values");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    end();
}

static void silent_on_a_far_mean_of_another_objective(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 0}, far);
    assert_null(judged(&used, "targets-unscaled"));
    end();
}

static void silent_where_the_first_loss_tells_that_they_are_scaled_on_their_way(void **state)
{
    (void)state;
    begin();
    const double readings[] = {1.1, 0.7, 0.4, 0.3};
    used_series(&used, KIND_LOSS, "mse", readings, 4, 2);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 0}, prices);
    assert_null(judged(&used, "targets-unscaled"));
    end();
}

static void silent_on_class_numbers(void **state)
{
    (void)state;
    begin();
    used_fact(&used, "objective", "mse", NAN);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){4000, 0}, classes);
    assert_null(judged(&used, "targets-unscaled"));
    end();
}

static void silent_on_standardised_targets(void **state)
{
    (void)state;
    begin();
    used_fact(&used, "objective", "mse", NAN);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 3, 0}, made_standard);
    assert_null(judged(&used, "targets-unscaled"));
    end();
}

static void silent_on_token_ids(void **state)
{
    (void)state;
    begin();
    struct tensor *tensor =
        made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){400, 16, 0}, whole);
    tensor->dtype = DTYPE_INT64;
    assert_null(judged(&used, "targets-unscaled"));
    end();
}

static void a_warning_on_returns_of_a_thousand(void **state)
{
    (void)state;
    const double policy[] = {-0.01, -0.02, -0.01, -0.02};
    const double large[] = {3e6, 2.5e6, 2.8e6, 2.6e6}, usual[] = {900, 1100, 800, 700};
    for (int i = 0; i < 2; i++) {
        used_begin(&used);
        used_series(&used, KIND_LOSS, "policy_loss", policy, 4, 3);
        used_series(&used, KIND_LOSS, "value_loss", i ? usual : large, 4, 3);
        used.run.reinforcement = true;
        const struct finding *found = judged(&used, "targets-unscaled");
        if (i) {
            assert_null(found);
        } else {
            assert_non_null(found);
            assert_string_equal(found->candidate.form, "returns");
            assert_int_equal(found->severity, SEVERITY_WARNING);
        }
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_on_a_squared_error_of_a_million),
        cmocka_unit_test(silent_on_a_loss_that_nothing_explains),
        cmocka_unit_test(silent_on_a_plain_loss_of_that_size),
        cmocka_unit_test(a_warning_on_prices_as_they_are),
        cmocka_unit_test(an_error_where_the_loss_turned_nan),
        cmocka_unit_test(a_warning_on_whole_prices_in_a_regression),
        cmocka_unit_test(a_warning_on_a_far_mean_in_a_regression),
        cmocka_unit_test(silent_on_a_far_mean_of_another_objective),
        cmocka_unit_test(silent_where_the_first_loss_tells_that_they_are_scaled_on_their_way),
        cmocka_unit_test(silent_on_class_numbers),
        cmocka_unit_test(silent_on_standardised_targets),
        cmocka_unit_test(silent_on_token_ids),
        cmocka_unit_test(a_warning_on_returns_of_a_thousand),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
