/* Exact zeros. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void a_jump_to_zero_beside_a_norm_that_is_gone(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++) {
        values[i] = i < 10 ? 1.5 : 0;
        others[i] = i < 10 ? 0.7 : (double)NAN;
    }
    used_series(&used, KIND_LOSS, "loss", values, 20, 4);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", others, 20, 4);
    const struct candidate *found = used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "nan-norm");
    assert_int_equal(found->onset.step, 11);
    used_end(&used);
}

static void an_approach_to_zero_is_no_jump(void **state)
{
    (void)state;
    begin();
    const double falls[] = {0.5, 0.1, 0.01, 0.001, 0.0004, 0.0001, 0, 0, 0, 0};
    used_series(&used, KIND_LOSS, "loss", falls, 10, 4);
    assert_null(used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL));
    used_end(&used);
}

static void zeros_from_the_start_need_a_bad_norm_or_exactness(void **state)
{
    (void)state;
    begin();
    used_series(&used, KIND_LOSS, "loss", values, 0, 4);
    used.run.series_count = 0;
    used_series(&used, KIND_LOSS, "loss", values, 10, 4);
    assert_null(used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL));
    used.run.series_count = 0;
    used_series(&used, KIND_LOSS, "loss", values, 10, 1);
    assert_string_equal(used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL)->form, "start");
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 10, 1);
    assert_string_equal(used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL)->form, "zero-norm");
    used_end(&used);
}

static void zeros_throughout_speak_beside_a_score_that_never_was(void **state)
{
    (void)state;
    begin();
    used_series(&used, KIND_LOSS, "loss", values, 10, 2);
    used_series(&used, KIND_METRIC, "f1", values, 10, 2);
    const struct candidate *found = used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "start");
    used.run.series_count = 0;
    used_series(&used, KIND_LOSS, "loss", values, 10, 2);
    used_series(&used, KIND_METRIC, "f1", values, 4, 2);
    assert_null(used_run(&used, "zero", "zero", 1, "jump", 20.0, NULL));
    used_end(&used);
}

static void a_rate_printed_with_four_decimals_is_unknown(void **state)
{
    (void)state;
    begin();
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 30, 4);
    assert_null(used_run(&used, "zero", "zero", 1, "finest", 1e-8, NULL));
    used.made[0].track.places = 10;
    assert_non_null(used_run(&used, "zero", "zero", 1, "finest", 1e-8, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jump_to_zero_beside_a_norm_that_is_gone),
        cmocka_unit_test(an_approach_to_zero_is_no_jump),
        cmocka_unit_test(zeros_from_the_start_need_a_bad_norm_or_exactness),
        cmocka_unit_test(zeros_throughout_speak_beside_a_score_that_never_was),
        cmocka_unit_test(a_rate_printed_with_four_decimals_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
