/* The best level lies far back. */
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

static void tells_when_the_last_gain_was(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = (i < 20 ? 2.3 - 0.01 * i : 2.1) + 0.01 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    const struct candidate *found = used_run(&used, "stall", "stall", 1, NULL);
    assert_non_null(found);
    assert_in_range(found->onset.step, 10, 30);
    assert_true(used_value(found, "stall") > 0.6);
    assert_true(used_value(found, "drop") < 0.15);
    used_end(&used);
}

/* A loss beside it falls by half of its level, or by a trace of it. */
static void a_fellow_that_falls_is_told(void **state)
{
    (void)state;
    double fellow[100];
    for (int falls = 0; falls < 2; falls++) {
        begin();
        for (int i = 0; i < 100; i++) {
            values[i] = 0.2 + 0.001 * sin(i * 2.1);
            fellow[i] = falls ? 0.25 - 0.001 * i : 0.02 - 0.0001 * i;
        }
        used_series(&used, KIND_LOSS, "full_loss", values, 100, 4);
        used_series(&used, KIND_LOSS, "hard_loss", fellow, 100, 4)->main = false;
        const struct candidate *found = used_run(&used, "stall", "stall", 1, NULL);
        assert_non_null(found);
        assert_true(used_value(found, "fellow") == falls);
        used_end(&used);
    }
}

/* A level segment of 40 readings is the whole run, or the last part of a long one. */
static void a_segment_goes_on_where_another_ended(void **state)
{
    (void)state;
    for (int before = 0; before < 2; before++) {
        begin();
        for (int i = 0; i < 40; i++)
            values[i] = 2.1 + 0.01 * sin(i * 2.1);
        struct series *series = used_series(&used, KIND_LOSS, "loss", values, 40, 4);
        used.use.segment = 1;
        series->whole.first.step -= before ? 200 : 0;
        assert_true((used_run(&used, "stall", "stall", 1, NULL) == NULL) == before);
        used_end(&used);
    }
}

/* One low stretch near the end of a level run is no gain that the rest holds. */
static void a_dip_is_no_gain(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = (i < 3 ? 2.35 - 0.12 * i : 2.0) + 0.02 * sin(i * 2.3);
    values[43] = values[44] = values[45] = 1.93;
    used_series(&used, KIND_LOSS, "loss", values, 60, 4);
    const struct candidate *found = used_run(&used, "stall", "stall", 1, "delta-sigma", 4.0, NULL);
    assert_non_null(found);
    assert_true(used_value(found, "stall") > 0.9);
    used_end(&used);
}

/* A metric beside it that gains a trace of its level, and one that gains a tenth. */
static void a_trace_of_a_metric_is_no_progress(void **state)
{
    (void)state;
    double shares[100];
    for (int gains = 0; gains < 2; gains++) {
        begin();
        for (int i = 0; i < 100; i++) {
            values[i] = (i < 20 ? 2.3 - 0.01 * i : 2.1) + 0.01 * sin(i * 2.1);
            shares[i] = 0.36 * (1 + (gains ? 0.1 : 0.004) * (i - 20) / 80);
        }
        used_series(&used, KIND_LOSS, "loss", values, 100, 4);
        used_series(&used, KIND_METRIC, "accuracy", shares, 100, 5);
        const struct candidate *found = used_run(&used, "stall", "stall", 1, NULL);
        assert_true((found == NULL) == (gains == 1));
        used_end(&used);
    }
}

/* A rate that climbs to the end, or has come to its peak. */
static void a_run_that_warms_up_has_it_all_ahead(void **state)
{
    (void)state;
    double rate[100];
    for (int warms = 0; warms < 2; warms++) {
        begin();
        for (int i = 0; i < 100; i++) {
            values[i] = (i < 20 ? 2.3 - 0.01 * i : 2.1) + 0.01 * sin(i * 2.1);
            rate[i] = 1e-6 * (warms || i < 90 ? i + 1 : 90);
        }
        used_series(&used, KIND_LOSS, "loss", values, 100, 4);
        used_series(&used, KIND_LEARNING_RATE, "lr", rate, 100, 8);
        assert_true((used_run(&used, "stall", "stall", 1, NULL) == NULL) == warms);
        used_end(&used);
    }
}

/* One that gained a tenth of its start and one that gained nothing, both below 0. */
static void below_zero_a_gain_is_enough(void **state)
{
    (void)state;
    for (int gains = 0; gains < 2; gains++) {
        begin();
        for (int i = 0; i < 100; i++)
            values[i] = -2 - (gains ? 0.01 * (i < 20 ? i : 20) : 0) + 0.002 * sin(i * 2.1);
        used_series(&used, KIND_LOSS, "loss", values, 100, 4);
        assert_true((used_run(&used, "stall", "stall", 1, NULL) == NULL) == gains);
        used_end(&used);
    }
}

static void a_power_law_still_falls(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 200; i++)
        values[i] = 2 + 4 * pow(i + 1, -0.4) + 0.01 * sin(i * 2.1);
    used_series(&used, KIND_LOSS, "loss", values, 200, 4);
    assert_null(used_run(&used, "stall", "stall", 1, NULL));
    used_end(&used);
}

static void a_loss_that_fell_by_more_than_half_is_done(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        values[i] = i < 30 ? 2.3 - 0.07 * i : 0.2;
    used_series(&used, KIND_LOSS, "loss", values, 100, 4);
    assert_null(used_run(&used, "stall", "stall", 1, NULL));
    used_end(&used);
}

static void a_metric_is_turned_round(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 60; i++)
        values[i] = (i < 10 ? 0.30 + 0.01 * i : 0.40) + 0.002 * sin(i * 2.1);
    used_series(&used, KIND_VAL_METRIC, "val_acc", values, 60, 4);
    assert_non_null(used_run(&used, "stall", "metric", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_when_the_last_gain_was),
        cmocka_unit_test(a_fellow_that_falls_is_told),
        cmocka_unit_test(a_segment_goes_on_where_another_ended),
        cmocka_unit_test(a_dip_is_no_gain),
        cmocka_unit_test(a_trace_of_a_metric_is_no_progress),
        cmocka_unit_test(a_run_that_warms_up_has_it_all_ahead),
        cmocka_unit_test(below_zero_a_gain_is_enough),
        cmocka_unit_test(a_power_law_still_falls),
        cmocka_unit_test(a_loss_that_fell_by_more_than_half_is_done),
        cmocka_unit_test(a_metric_is_turned_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
