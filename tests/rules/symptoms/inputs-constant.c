/* inputs-constant: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double one(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 5 ? 3.5 : made_normal();
}

static double fifth(size_t row, size_t at)
{
    (void)row, (void)at;
    return at < 2 ? 0 : made_normal();
}

static double same(size_t row, size_t at)
{
    (void)row, (void)at;
    return (double)at;
}

static double first_only(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 0;
}

static double nearly(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 1 && row != 17 && row != 1200 ? 0.5 : made_normal();
}

static double border(size_t row, size_t at)
{
    (void)row, (void)at;
    return at % 28 < 3 || at % 28 > 24 ? 0 : at == 400 && row == 0 ? 1 : made_random();
}

static double rare(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 2 ? row == 77 : made_normal();
}

static double words(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_random() < 0.005 ? 1 + floor(3 * made_random()) : 0;
}

static void a_remark_on_one_feature_of_many(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 12, 0}, one);
    const struct finding *finding = judged(&used, "inputs-constant");
    assert_non_null(finding);
    assert_string_equal(finding->form, "constant");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_true(used_value(&finding->candidate, "feature") == 5);
    end();
}

static void a_warning_on_a_fifth_of_the_features(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 10, 0}, fifth);
    const struct finding *finding = judged(&used, "inputs-constant");
    assert_non_null(finding);
    assert_string_equal(finding->form, "constant");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    end();
}

static void an_error_where_all_samples_are_the_same(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 10, 0}, same);
    const struct finding *finding = judged(&used, "inputs-constant");
    assert_non_null(finding);
    assert_string_equal(finding->form, "constant");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    end();
}

static void a_warning_where_a_few_samples_are_all_the_same(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){9, 10, 0}, first_only);
    const struct finding *finding = judged(&used, "inputs-constant");
    assert_non_null(finding);
    assert_string_equal(finding->form, "constant");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    end();
}

static void counts_a_feature_that_is_one_value_in_nearly_all_samples(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){4000, 4, 0}, nearly);
    const struct finding *finding = judged(&used, "inputs-constant");
    assert_non_null(finding);
    assert_string_equal(finding->form, "constant");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    end();
}

static void silent_on_a_few_samples_where_a_feature_varies(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){9, 10, 0}, fifth);
    assert_null(judged(&used, "inputs-constant"));
    end();
}

static void silent_on_the_border_of_images(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){60, 784, 0}, border);
    assert_null(judged(&used, "inputs-constant"));
    end();
}

static void silent_on_rare_flags(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){5000, 6, 0}, rare);
    assert_null(judged(&used, "inputs-constant"));
    end();
}

static void no_alarm_on_rare_words(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){50, 400, 0}, words);
    assert_false(judged_alarm(&used, "inputs-constant"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_remark_on_one_feature_of_many),
        cmocka_unit_test(a_warning_on_a_fifth_of_the_features),
        cmocka_unit_test(an_error_where_all_samples_are_the_same),
        cmocka_unit_test(a_warning_where_a_few_samples_are_all_the_same),
        cmocka_unit_test(counts_a_feature_that_is_one_value_in_nearly_all_samples),
        cmocka_unit_test(silent_on_a_few_samples_where_a_feature_varies),
        cmocka_unit_test(silent_on_the_border_of_images),
        cmocka_unit_test(silent_on_rare_flags),
        cmocka_unit_test(no_alarm_on_rare_words),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
