/* Norms that climb as a sum does, and norms of single batches. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 60 };
static struct used used;

/* A norm from 1 to `end`, each reading off by `noise` of it. */
static const struct candidate *found(double end, double noise, int points)
{
    double values[POINTS];
    used_begin(&used);
    for (int i = 0; i < points; i++)
        values[i] = (1 + (end - 1) * i / (points - 1)) * exp(noise * sin(i * 1.9));
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, (size_t)points, 4);
    return used_run(&used, "piled", "piled", 1, NULL);
}

static void a_sum_of_gradients_climbs_evenly(void **state)
{
    (void)state;
    const struct candidate *candidate = found(25, 0.02, POINTS);
    assert_non_null(candidate);
    assert_float_equal(used_value(candidate, "start"), 1, 1e-9);
    assert_true(used_value(candidate, "ratio") > 20);
    used_end(&used);
    assert_non_null(found(8, 0.02, 10)); /* one reading an epoch */
    used_end(&used);
}

static void batches_differ_and_a_little_growth_is_none(void **state)
{
    (void)state;
    assert_null(found(25, 0.4, POINTS));
    used_end(&used);
    assert_null(found(3, 0.02, POINTS));
    used_end(&used);
    assert_null(found(1, 0.02, POINTS));
    used_end(&used);
}

static void what_runs_away_is_no_sum(void **state)
{
    (void)state;
    double values[POINTS];
    used_begin(&used);
    for (int i = 0; i < POINTS; i++)
        values[i] = exp(0.1 * i + 0.001 * i * i);
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, POINTS, 4);
    assert_null(used_run(&used, "piled", "piled", 1, NULL));
    used_end(&used);
    used_begin(&used);
    for (int i = 0; i < POINTS; i++)
        values[i] = i == 0 ? 0.08 : 0.75 + 0.001 * i; /* one odd reading, and a drift */
    used_series(&used, KIND_GRAD_NORM, "grad_norm", values, POINTS, 4);
    assert_null(used_run(&used, "piled", "piled", 1, NULL));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_of_gradients_climbs_evenly),
        cmocka_unit_test(what_runs_away_is_no_sum),
        cmocka_unit_test(batches_differ_and_a_little_growth_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
