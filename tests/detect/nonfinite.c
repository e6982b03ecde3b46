/* Readings that are NaN or infinite, and what came before them. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

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

static void points_at_the_first_nan(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++)
        values[i] = i < 40 ? 2 + 0.01 * sin(i) : (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 50, 4);
    const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "out-of-the-blue");
    assert_int_equal(found->onset.step, 41);
    assert_int_equal(found->onset.line, 41);
    assert_true(used_value(found, "row") == 10);
    assert_true(used_value(found, "at-end") == 1);
    used_end(&used);
}

static void tells_a_rise_before_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = i < 24 ? 2 : i < 29 ? values[i - 1] * 1.6 : (double)INFINITY;
    used_series(&used, KIND_LOSS, "loss", values, 30, 4);
    const struct candidate *found = used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL);
    assert_non_null(found);
    assert_string_equal(found->form, "after-rise");
    assert_true(used_value(found, "ratio") > 10);
    used_end(&used);
}

/* Less than the double, but clear of the readings before. */
static void three_readings_that_stand_clear_are_a_rise(void **state)
{
    (void)state;
    static const double told[] = {10.2, 9.9, 10.1, 13.5, 14.2, 15.8, NAN};
    static const double noise[] = {10.2, 9.9, 12.1, 11.5, 12.2, 13.1, NAN};
    begin();
    memcpy(values, told, sizeof told);
    used_series(&used, KIND_LOSS, "loss", values, 7, 4);
    assert_string_equal(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL)->form,
                        "after-rise");
    used_end(&used);
    begin();
    memcpy(values, noise, sizeof noise);
    used_series(&used, KIND_LOSS, "loss", values, 7, 4);
    assert_string_equal(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL)->form,
                        "out-of-the-blue");
    used_end(&used);
}

static void the_first_readings_make_it_instant(void **state)
{
    (void)state;
    begin();
    values[0] = 2.3;
    values[1] = values[2] = (double)NAN;
    used_series(&used, KIND_LOSS, "loss", values, 3, 4);
    assert_string_equal(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL)->form, "instant");
    used_end(&used);
}

static void finite_readings_say_nothing(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = 1e30;
    used_series(&used, KIND_LOSS, "loss", values, 30, 0);
    assert_null(used_run(&used, "nonfinite", "out-of-the-blue", 1, NULL));
    used_end(&used);
}

static void the_search_for_a_loss_scale_may_overflow(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i < 5 ? (double)INFINITY : 1;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 100, 4);
    assert_non_null(used_run(&used, "nonfinite", "row", 1, NULL));
    used_fact(&used, "precision", "fp16", (double)NAN);
    assert_null(used_run(&used, "nonfinite", "row", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_at_the_first_nan),
        cmocka_unit_test(tells_a_rise_before_it),
        cmocka_unit_test(three_readings_that_stand_clear_are_a_rise),
        cmocka_unit_test(the_first_readings_make_it_instant),
        cmocka_unit_test(finite_readings_say_nothing),
        cmocka_unit_test(the_search_for_a_loss_scale_may_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
