/* targets-imbalanced: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double rare(size_t row, size_t at)
{
    (void)row, (void)at;
    return row % 50 == 7;
}

static double ninth(size_t row, size_t at)
{
    (void)row, (void)at;
    return row % 25 < 2;
}

static double hot(size_t row, size_t at)
{
    (void)row, (void)at;
    return (row % 50 == 7) == (at == 1);
}

static double uneven(size_t row, size_t at)
{
    (void)row, (void)at;
    return row % 40 == 0 ? 2 : (double)(row % 2);
}

static double even(size_t row, size_t at)
{
    (void)row, (void)at;
    return (double)(row % 10);
}

static void a_warning_where_one_class_has_nearly_all(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, rare);
    const struct finding *finding = judged(&used, "targets-imbalanced");
    assert_non_null(finding);
    assert_string_equal(finding->form, "shares");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "class") == 0);
    assert_true(fabs(used_value(&finding->candidate, "largest") - 0.98) < 0.001);
    end();
}

static void a_remark_on_nine_of_ten(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, ninth);
    const struct finding *finding = judged(&used, "targets-imbalanced");
    assert_non_null(finding);
    assert_string_equal(finding->form, "shares");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    end();
}

static void a_warning_where_the_accuracy_is_the_share_of_a_class(void **state)
{
    (void)state;
    begin();
    const double readings[] = {0.92, 0.92, 0.92, 0.92, 0.92};
    used_series(&used, KIND_VAL_METRIC, "val_accuracy", readings, 5, 4);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, ninth);
    const struct finding *finding = judged(&used, "targets-imbalanced");
    assert_non_null(finding);
    assert_string_equal(finding->form, "shares");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    end();
}

static void the_same_of_one_hot_targets_and_percent(void **state)
{
    (void)state;
    begin();
    const double readings[] = {98.0, 98.0, 98.0, 98.0, 98.0};
    used_series(&used, KIND_VAL_METRIC, "val_accuracy", readings, 5, 4);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 2, 0}, hot);
    const struct finding *finding = judged(&used, "targets-imbalanced");
    assert_non_null(finding);
    assert_string_equal(finding->form, "shares");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "stuck") == 1);
    end();
}

static void a_remark_on_classes_of_very_different_size(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, uneven);
    const struct finding *finding = judged(&used, "targets-imbalanced");
    assert_non_null(finding);
    assert_string_equal(finding->form, "shares");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    end();
}

static void silent_on_balanced_classes(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, even);
    assert_null(judged(&used, "targets-imbalanced"));
    end();
}

static void silent_on_numbers(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, made_standard);
    assert_null(judged(&used, "targets-imbalanced"));
    end();
}

static void silent_on_counts_in_a_regression(void **state)
{
    (void)state;
    begin();
    used_fact(&used, "objective", "mse", NAN);
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){2000, 0}, uneven);
    assert_null(judged(&used, "targets-imbalanced"));
    end();
}

static void silent_on_a_handful_of_labels(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){16, 0}, rare);
    assert_null(judged(&used, "targets-imbalanced"));
    end();
}

static void silent_on_labels_of_every_pixel(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){4, 32, 32, 0}, rare);
    assert_null(judged(&used, "targets-imbalanced"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_one_class_has_nearly_all),
        cmocka_unit_test(a_remark_on_nine_of_ten),
        cmocka_unit_test(a_warning_where_the_accuracy_is_the_share_of_a_class),
        cmocka_unit_test(the_same_of_one_hot_targets_and_percent),
        cmocka_unit_test(a_remark_on_classes_of_very_different_size),
        cmocka_unit_test(silent_on_balanced_classes),
        cmocka_unit_test(silent_on_numbers),
        cmocka_unit_test(silent_on_counts_in_a_regression),
        cmocka_unit_test(silent_on_a_handful_of_labels),
        cmocka_unit_test(silent_on_labels_of_every_pixel),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
