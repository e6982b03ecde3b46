/* Excursions that come back. */
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

static void a_spike_with_its_ratio(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = 2 + 0.03 * sin(i * 2.3);
    values[70] = 7;
    values[71] = 5;
    values[72] = 3;
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    const struct candidate *found = used_run(&used, "spike", "spike", 1, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 71);
    assert_true(fabs(used_value(found, "ratio") - 3.5) < 0.1);
    used_end(&used);
}

/* The same batch comes by once in every pass; others come when they like. */
static void spikes_at_one_distance_have_a_period(void **state)
{
    (void)state;
    static const int at[2][4] = {{35, 85, 135, 185}, {35, 75, 140, 185}};
    for (int k = 0; k < 2; k++) {
        begin();
        for (int i = 0; i < 200; i++)
            values[i] = 2 + 0.03 * sin(i * 2.3);
        for (int i = 0; i < 4; i++)
            values[at[k][i]] = 12;
        used_series(&used, KIND_LOSS, "loss", values, 200, 4);
        const struct candidate *found = used_run(&used, "spike", "spike", 1, NULL);
        assert_non_null(found);
        assert_true(used_value(found, "count") == 4);
        assert_true(used_value(found, "period") == (k == 0 ? 50 : 0));
        used_end(&used);
    }
}

/* `first`: the reading, 100 steps wide, of the first of four spikes 3000 steps apart. */
static bool planned(int first, double epoch)
{
    begin();
    for (int i = 0; i < 200; i++)
        values[i] = 2 + 0.03 * sin(i * 2.3);
    for (int i = 0; i < 4; i++)
        values[first + 30 * i] = 12;
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    used_apart(&used, 0, values, 200, 4, 100);
    if (epoch > 0)
        used_fact(&used, "steps_per_epoch", "", epoch);
    const struct candidate *found = used_run(&used, "spike", "spike", 1, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "period") == 3000);
    const bool told = used_value(found, "planned") == 1;
    used_end(&used);
    return told;
}

static void spikes_behind_round_steps_are_planned(void **state)
{
    (void)state;
    assert_true(planned(30, 0));
    assert_true(planned(30, 251));
    assert_false(planned(30, 3000)); /* the samples of an epoch */
    assert_false(planned(45, 0));
}

static void noise_is_no_spike(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 200; i++)
        values[i] = 2 + 0.3 * sin(i * 2.3) + 0.2 * sin(i * 5.1);
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    assert_null(used_run(&used, "spike", "spike", 1, NULL));
    used_end(&used);
}

static void the_rise_before_a_nan_counts_for_a_norm_only(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++)
        values[i] = i < 36 ? 0.3 + 0.02 * sin(i * 2.3) : 3 * exp(i - 36);
    values[39] = (double)NAN;
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 40, 4);
    assert_null(used_run(&used, "spike", "spike", 1, NULL));
    const struct candidate *found = used_run(&used, "spike", "spike", 1, "open-ratio", 8.0,
                                             "report-ratio", 10.0, "single", 1.0, "cut", 1.0, NULL);
    assert_non_null(found);
    assert_int_equal(found->onset.step, 37);
    used_end(&used);
}

static void one_reading_of_a_short_log_over_its_neighbours(void **state)
{
    (void)state;
    begin();
    const double readings[] = {1.2, 1.1, 1.0, 6.5, 1.0, 0.9, 0.9, 0.8};
    used_series(&used, KIND_LOSS, "loss", readings, 8, 2);
    assert_non_null(used_run(&used, "spike", "short", 1, "short-ratio", 3.0, NULL));
    assert_null(used_run(&used, "spike", "short", 1, NULL));
    used_end(&used);
}

/* The loss comes down from 40 within its first group: what a spike gives back is counted from
   there. */
static void a_start_that_is_left_at_once_is_the_start(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        begin();
        for (int i = 0; i < 200; i++)
            values[i] = 0.5 + 0.01 * sin(i * 2.3);
        for (int i = 0; fast && i < 5; i++)
            values[i] = 40;
        values[0] = values[1] = (double)INFINITY; /* no start: nothing is a share of it */
        values[120] = 3;
        used_series(&used, KIND_LOSS, "loss", values, 200, 4);
        const struct candidate *found = used_run(&used, "spike", "spike", 1, NULL);
        assert_non_null(found);
        assert_int_equal(used_value(found, "start-share") < 0.1, fast);
        used_end(&used);
    }
}

/* Norms that are printed as 0.00 and 0.01, and one that is far over that. */
static void last_digits_are_no_spike(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        begin();
        for (int i = 0; i < 60; i++)
            values[i] = i < 8 ? 0.02 : 0;
        values[50] = values[51] = far ? 3 : 0.01;
        used_series(&used, KIND_GRAD_NORM, "grad_norm", values, 60, 2);
        const struct candidate *found = used_run(&used, "spike", "spike", 1, "open-ratio", 8.0,
                                                 "report-ratio", 10.0, "single", 1.0, NULL);
        assert_true((found != NULL) == (far == 1));
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spike_with_its_ratio),
        cmocka_unit_test(spikes_at_one_distance_have_a_period),
        cmocka_unit_test(spikes_behind_round_steps_are_planned),
        cmocka_unit_test(last_digits_are_no_spike),
        cmocka_unit_test(noise_is_no_spike),
        cmocka_unit_test(the_rise_before_a_nan_counts_for_a_norm_only),
        cmocka_unit_test(one_reading_of_a_short_log_over_its_neighbours),
        cmocka_unit_test(a_start_that_is_left_at_once_is_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
