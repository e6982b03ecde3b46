/* inputs-categorical: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double coded(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 2 ? (double)("000011222222233445555556788888"[row % 30] - '0') : made_normal();
}

static double counts(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 2 ? floor(fmin(fabs(2.2 * made_normal()), 8)) : made_normal();
}

static double gaps(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 2 ? 10 * (double)(row % 5) : made_normal();
}

static double flags(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 2 ? row % 3 == 0 : made_normal();
}

static double tokens(size_t row, size_t at)
{
    (void)row, (void)at;
    return floor(65 * made_random());
}

static double levels(size_t row, size_t at)
{
    (void)row, (void)at;
    return floor(17 * made_random());
}

static void a_remark_on_codes_among_numbers(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){2000, 4, 0}, coded);
    const struct finding *finding = judged(&used, "inputs-categorical");
    assert_non_null(finding);
    assert_string_equal(finding->form, "codes");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_true(used_value(&finding->candidate, "feature") == 2);
    assert_true(used_value(&finding->candidate, "number") == 9);
    end();
}

static void a_warning_where_the_loss_stands_still(void **state)
{
    (void)state;
    begin();
    static double readings[40];
    for (int i = 0; i < 40; i++)
        readings[i] = 1.5 + 0.004 * sin(i * 2.3);
    used_series(&used, KIND_LOSS, "loss", readings, 40, 4);
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){2000, 4, 0}, coded);
    assert_true(judged_alarm(&used, "inputs-categorical"));
    end();
}

static void silent_on_counts_of_a_quantity(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){3000, 4, 0}, counts);
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

static void silent_on_codes_with_gaps(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){2000, 4, 0}, gaps);
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

static void silent_on_flags(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){2000, 4, 0}, flags);
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

static void silent_on_tokens_that_share_one_range(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){400, 32, 0}, tokens);
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

static void silent_on_pixels_of_few_levels(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){400, 64, 0}, levels);
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

static void silent_on_ids_as_whole_numbers(void **state)
{
    (void)state;
    begin();
    struct tensor *tensor =
        made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){2000, 4, 0}, coded);
    tensor->dtype = DTYPE_INT64;
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

static void silent_on_standardised_features(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){2000, 4, 0}, made_standard);
    assert_null(judged(&used, "inputs-categorical"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_remark_on_codes_among_numbers),
        cmocka_unit_test(a_warning_where_the_loss_stands_still),
        cmocka_unit_test(silent_on_counts_of_a_quantity),
        cmocka_unit_test(silent_on_codes_with_gaps),
        cmocka_unit_test(silent_on_flags),
        cmocka_unit_test(silent_on_tokens_that_share_one_range),
        cmocka_unit_test(silent_on_pixels_of_few_levels),
        cmocka_unit_test(silent_on_ids_as_whole_numbers),
        cmocka_unit_test(silent_on_standardised_features),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
