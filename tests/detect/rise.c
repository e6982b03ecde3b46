/* A level that is left upwards for good. */
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

static void tells_a_divergence_and_where_it_begins(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i < 40 ? 3.0 / (1 + i * 0.1) + 0.01 * sin(i * 1.9) : 0.6 * exp((i - 39) * 0.1);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    const struct candidate *found = used_run(&used, "rise", "rise", 1, NULL);
    assert_non_null(found);
    assert_in_range(found->onset.step, 38, 44);
    assert_true(used_value(found, "ratio") > 4);
    used_end(&used);
}

static void a_fall_is_no_rise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 3.0 / (1 + i * 0.1) + 0.05 * sin(i * 1.9);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_null(used_run(&used, "rise", "rise", 1, NULL));
    used_end(&used);
}

static void one_high_reading_at_the_end_is_no_rise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = 1 + 0.02 * sin(i * 1.9);
    values[59] = 9;
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_null(used_run(&used, "rise", "rise", 1, NULL));
    used_end(&used);
}

static void a_spike_that_is_over_is_no_rise(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = i > 30 && i < 40 ? 6 : 1 + 0.02 * sin(i * 1.9);
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    assert_null(used_run(&used, "rise", "rise", 1, NULL));
    used_end(&used);
}

static void eight_readings_that_fall_and_rise_again(void **state)
{
    (void)state;
    begin();
    const double bowl[] = {12, 9, 3.1, 1.9, 1.2, 4.1, 6, 8.5};
    used_series(&used, KIND_LOSS, "loss", bowl, 8, 1);
    const struct candidate *found = used_run(&used, "rise", "rise", 1, "ratio", 1.4, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 6);
    assert_float_equal(used_value(found, "best"), 1.2, 1e-9);
    used_end(&used);
    /* One that goes back down on the way is noise, and so is a low rise. */
    begin();
    const double noisy[] = {12, 9, 3.1, 1.9, 1.2, 4.1, 3.4, 8.5};
    used_series(&used, KIND_LOSS, "loss", noisy, 8, 1);
    assert_null(used_run(&used, "rise", "rise", 1, "ratio", 1.4, NULL));
    used_end(&used);
    begin();
    const double low[] = {12, 9, 3.1, 1.9, 1.2, 1.3, 1.5, 1.8};
    used_series(&used, KIND_LOSS, "loss", low, 8, 1);
    assert_null(used_run(&used, "rise", "rise", 1, "ratio", 1.4, NULL));
    used_end(&used);
}

/* Noise around one level with two low readings near each other, and a run that leaves its level. */
static void an_end_at_the_usual_level_is_no_rise(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    static const double noise[] = {0.02, -0.13, 0.05, 0.09, -0.08, 0.12, -0.01, 0.06, -0.11, 0.01};
    for (int risen = 0; risen < 2; risen++) {
        begin();
        for (int i = 0; i < COUNT; i++) {
            const bool low = i == 31 || i == 33;
            const double level = i >= 38 && risen ? 0.38 : i >= 45 ? 0.24 : 0.22;
            values[i] = (low && !risen ? 0.158 : level) * (1 + 1.6 * noise[i * 7 % 10]);
        }
        used_series(&used, KIND_LOSS, "loss", values, COUNT, 4);
        const struct candidate *found =
            used_run(&used, "rise", "rise", 1, "ratio", 1.3, "sigma", 4.0, NULL);
        assert_true((found != NULL) == (risen == 1));
        used_end(&used);
    }
}

static void a_perplexity_rises_in_ratios(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 5; i++)
        values[i] = i == 0 ? 3400 : pow(10, 15 + 4 * i);
    used_series(&used, KIND_METRIC, "perplexity", values, 5, 3);
    const struct candidate *found = used_run(&used, "rise", "rise", 1, "ratio", 100.0, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "ratio") > 1e12);
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_a_divergence_and_where_it_begins),
        cmocka_unit_test(a_fall_is_no_rise),
        cmocka_unit_test(one_high_reading_at_the_end_is_no_rise),
        cmocka_unit_test(a_spike_that_is_over_is_no_rise),
        cmocka_unit_test(eight_readings_that_fall_and_rise_again),
        cmocka_unit_test(an_end_at_the_usual_level_is_no_rise),
        cmocka_unit_test(a_perplexity_rises_in_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
