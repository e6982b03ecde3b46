/* A series that shrinks to nothing. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <math.h>
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

static void a_norm_that_is_gone_beside_a_loss_that_stays(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++) {
        values[i] = i < 20 ? 1 : 1e-5;
        others[i] = 2.3;
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 50, 8);
    used_series(&used, KIND_LOSS, "loss", others, 50, 4);
    assert_non_null(used_run(&used, "fade", "total", 1, "max-drop", 0.2, NULL));
    used_end(&used);
}

/* One reading far over the others, at the end: half of a number, or another run. */
static void a_peak_behind_is_nothing_to_have_fallen_from(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        begin();
        for (int i = 0; i < 50; i++)
            values[i] = 2e-4;
        values[late ? 49 : 0] = 2.4;
        used_series(&used, KIND_LEARNING_RATE, "lr", values, 50, 6);
        const struct candidate *found =
            used_run(&used, "fade", "decayed", 1, "ratio", 0.001, "part", 0.2, "peak", 1.0, NULL);
        assert_true((found != NULL) == !late);
        used_end(&used);
    }
}

static void a_loss_that_fell_explains_it(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 50; i++) {
        values[i] = i < 20 ? 1 : 1e-5;
        others[i] = 2.3 / (1 + i);
    }
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 50, 8);
    used_series(&used, KIND_LOSS, "loss", others, 50, 4);
    assert_null(used_run(&used, "fade", "total", 1, "max-drop", 0.2, NULL));
    used_end(&used);
}

/* Printed as -0.7, -0.69 ... 0: what fades is the value without its sign. */
static void an_entropy_with_its_sign_turned(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        begin();
        for (int i = 0; i < 50; i++)
            values[i] = i < 20 ? -1.8 : i == 30 && over ? 0.01 : -0.01;
        used_series(&used, KIND_LOSS, "entropy_loss", values, 50, 6);
        assert_null(used_run(&used, "fade", "entropy", 1, "ratio", 0.05, NULL));
        const struct candidate *found =
            used_run(&used, "fade", "entropy", 1, "ratio", 0.05, "negated", 1.0, NULL);
        if (over)
            assert_null(found);
        else
            assert_float_equal(used_value(found, "median"), 0.01, 1e-9);
        used_end(&used);
    }
}

/* A rate that falls tenfold every three readings: its first part is no measure of its peak. */
static void a_rate_against_its_peak(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 30; i++)
        values[i] = pow(10, -2 - i / 3);
    used_series(&used, KIND_LEARNING_RATE, "lr", values, 30, 14);
    const struct candidate *found =
        used_run(&used, "fade", "decayed", 1, "ratio", 0.001, "peak", 1.0, NULL);
    assert_non_null(found);
    assert_float_equal(used_value(found, "start"), 0.01, 1e-12);
    assert_float_equal(used_value(found, "share"), 20.0 / 29, 0.04);
    assert_in_range(found->onset.step, 5, 7); /* a hundredth is left */
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_norm_that_is_gone_beside_a_loss_that_stays),
        cmocka_unit_test(a_peak_behind_is_nothing_to_have_fallen_from),
        cmocka_unit_test(a_loss_that_fell_explains_it),
        cmocka_unit_test(an_entropy_with_its_sign_turned),
        cmocka_unit_test(a_rate_against_its_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
