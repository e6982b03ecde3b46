/* inputs-unscaled: where the rule speaks, and where it is silent. */
/* SPDX-License-Identifier: MIT */
#include "judged_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double salary(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 1 ? 300 + 20 * made_normal() : made_normal();
}

static double far(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 2 ? 2005 + 8 * made_normal() : made_normal();
}

static double spread(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_normal() * (at == 0 ? 0.02 : at == 1 ? 60 : 1);
}

static double wide(size_t row, size_t at)
{
    (void)at;
    return floor(1000 * made_normal()) - 200 + (double)(row % 2);
}

static double pixels(size_t row, size_t at)
{
    (void)row, (void)at;
    return floor(255.99 * made_random() * made_random());
}

static double huge(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == 3 ? 30000 * made_normal() : made_normal();
}

static double unit(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_normal() / sqrt(4096.0);
}

static double shares(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_random() / 8;
}

static double flags(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_random() < 0.002;
}

static double one_hot(size_t row, size_t at)
{
    (void)row, (void)at;
    return at == row % 12;
}

static double fitted(size_t row, size_t at)
{
    (void)row, (void)at;
    return row == 0 ? 1 : row < 10 ? 0 : 1e-3 * made_random();
}

static double odd_few(size_t row, size_t at)
{
    (void)row, (void)at;
    return (at < 3 ? 15 : 0) + made_normal();
}

static double ids(size_t row, size_t at)
{
    (void)row, (void)at;
    return floor(50000 * made_random());
}

static double fraction(size_t row, size_t at)
{
    (void)row, (void)at;
    return made_random();
}

static void a_warning_where_the_loss_starts_far_over_ln_k(void **state)
{
    (void)state;
    begin();
    const double readings[] = {48, 45, 44, 30, 20};
    used_series(&used, KIND_LOSS, "loss", readings, 5, 4);
    used_fact(&used, "classes", "10", 10);
    assert_true(judged_alarm(&used, "inputs-unscaled"));
    end();
}

static void silent_where_the_number_of_classes_is_not_known(void **state)
{
    (void)state;
    begin();
    const double readings[] = {48, 45, 44, 30, 20};
    used_series(&used, KIND_LOSS, "loss", readings, 5, 4);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_the_log_alone_where_a_sample_is_scaled(void **state)
{
    (void)state;
    begin();
    const double readings[] = {48, 45, 44, 30, 20};
    used_series(&used, KIND_LOSS, "loss", readings, 5, 4);
    used_fact(&used, "classes", "10", 10);
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, made_standard);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void a_warning_on_a_feature_of_large_deviation_that_it_names(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, salary);
    const struct finding *finding = judged(&used, "inputs-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "features");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "features") == 1);
    assert_true(used_value(&finding->candidate, "feature") == 1);
    assert_true(fabs(used_value(&finding->candidate, "mean") - 300) < 6);
    end();
}

static void a_warning_on_a_mean_of_many_deviations(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, far);
    const struct finding *finding = judged(&used, "inputs-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "features");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "feature") == 2);
    end();
}

static void a_warning_on_deviations_that_differ_by_a_thousand(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){400, 5, 0}, spread);
    const struct finding *finding = judged(&used, "inputs-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "spread");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(used_value(&finding->candidate, "ratio") > 1000);
    end();
}

static void an_error_on_values_of_ten_thousand_and_more(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 6, 0}, huge);
    const struct finding *finding = judged(&used, "inputs-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "large");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    end();
}

static void an_error_on_pixels_as_floating_point_numbers(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){20, 3, 16, 16, 0}, pixels);
    const struct finding *finding = judged(&used, "inputs-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "pixels");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    end();
}

static void an_error_on_such_pixels_of_flat_images(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){40, 784, 0}, pixels);
    const struct finding *finding = judged(&used, "inputs-unscaled");
    assert_non_null(finding);
    assert_string_equal(finding->form, "pixels");
    assert_int_equal(finding->severity, SEVERITY_ERROR);
    end();
}

static void silent_on_pixels_kept_as_bytes(void **state)
{
    (void)state;
    begin();
    struct tensor *tensor =
        made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){20, 3, 16, 16, 0}, pixels);
    tensor->dtype = DTYPE_UINT8;
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_token_ids(void **state)
{
    (void)state;
    begin();
    struct tensor *tensor =
        made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){64, 128, 0}, ids);
    tensor->dtype = DTYPE_INT64;
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void a_warning_on_whole_numbers_that_are_no_indices(void **state)
{
    (void)state;
    begin();
    struct tensor *tensor =
        made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){400, 2, 0}, wide);
    tensor->dtype = DTYPE_INT64;
    assert_true(judged_alarm(&used, "inputs-unscaled"));
    end();
}

static void silent_on_standardised_features(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){500, 20, 0}, made_standard);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_pixels_from_0_to_1(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){20, 16, 16, 3, 0}, fraction);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_embeddings_of_unit_length(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 4096, 0}, unit);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_a_few_odd_dimensions_of_a_wide_embedding(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){200, 768, 0}, odd_few);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_rows_that_add_up_to_1(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){300, 16, 0}, shares);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_flags_and_one_hot_codes(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){3000, 4, 0}, flags);
    made_array(&used, &made, ROLE_INPUTS, "x_test", (const int64_t[]){600, 12, 0}, one_hot);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_a_feature_between_the_ends_of_a_scaler(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "x", (const int64_t[]){3000, 0}, fitted);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_masks_by_name(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_INPUTS, "attention_mask", (const int64_t[]){200, 6, 0}, salary);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

static void silent_on_targets(void **state)
{
    (void)state;
    begin();
    made_array(&used, &made, ROLE_TARGETS, "y", (const int64_t[]){200, 6, 0}, salary);
    assert_null(judged(&used, "inputs-unscaled"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_where_the_loss_starts_far_over_ln_k),
        cmocka_unit_test(silent_where_the_number_of_classes_is_not_known),
        cmocka_unit_test(silent_on_the_log_alone_where_a_sample_is_scaled),
        cmocka_unit_test(a_warning_on_a_feature_of_large_deviation_that_it_names),
        cmocka_unit_test(a_warning_on_a_mean_of_many_deviations),
        cmocka_unit_test(a_warning_on_deviations_that_differ_by_a_thousand),
        cmocka_unit_test(an_error_on_values_of_ten_thousand_and_more),
        cmocka_unit_test(an_error_on_pixels_as_floating_point_numbers),
        cmocka_unit_test(an_error_on_such_pixels_of_flat_images),
        cmocka_unit_test(silent_on_pixels_kept_as_bytes),
        cmocka_unit_test(silent_on_token_ids),
        cmocka_unit_test(a_warning_on_whole_numbers_that_are_no_indices),
        cmocka_unit_test(silent_on_standardised_features),
        cmocka_unit_test(silent_on_pixels_from_0_to_1),
        cmocka_unit_test(silent_on_embeddings_of_unit_length),
        cmocka_unit_test(silent_on_a_few_odd_dimensions_of_a_wide_embedding),
        cmocka_unit_test(silent_on_rows_that_add_up_to_1),
        cmocka_unit_test(silent_on_flags_and_one_hot_codes),
        cmocka_unit_test(silent_on_a_feature_between_the_ends_of_a_scaler),
        cmocka_unit_test(silent_on_masks_by_name),
        cmocka_unit_test(silent_on_targets),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&judged_arena);
    return failed;
}
