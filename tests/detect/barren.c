/* A loss that never falls beside a metric that gains nothing. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 12 };
static struct used used;

/* A loss around `level` of its start 2.2, and a share of right answers that goes from 0.2 to `end`.
 */
static const struct candidate *run(double level, double begin, double end)
{
    double losses[POINTS], shares[POINTS];
    used_begin(&used);
    for (int i = 0; i < POINTS; i++) {
        losses[i] = i == 0 ? 2.2 : level + 0.1 * (i % 3);
        shares[i] = i == 0 ? begin : end - 0.01 * (i % 4);
    }
    used_series(&used, KIND_LOSS, "train_loss", losses, POINTS, 4);
    used_series(&used, KIND_VAL_METRIC, "val_acc", shares, POINTS, 4);
    return used_run(&used, "barren", "never", 1, NULL);
}

static void a_run_that_ends_over_its_start(void **state)
{
    (void)state;
    const struct candidate *found = run(2.3, 0.2, 0.14);
    assert_non_null(found);
    assert_float_equal(used_value(found, "start"), 2.2, 1e-9);
    assert_float_equal(used_value(found, "end"), 2.5, 1e-9);
    assert_float_equal(used_value(found, "drop"), -3.0 / 22, 1e-6);
    used_end(&used);
}

static void silent_where_either_gains(void **state)
{
    (void)state;
    assert_null(run(2.0, 0.2, 0.14)); /* the loss */
    used_end(&used);
    assert_null(run(2.3, 0.2, 0.31)); /* the metric */
    used_end(&used);
}

/* What begins with most answers right was trained before. */
static void silent_on_a_model_that_knows_already(void **state)
{
    (void)state;
    assert_null(run(2.3, 0.93, 0.92));
    used_end(&used);
}

/* Accuracies of single batches stray; what counts is whether their middle gains. */
static void batches_stray_and_gain_nothing(void **state)
{
    (void)state;
    enum { MANY = 120, STILL = 0, LEARNS, FORGETS, CASES };
    for (int k = STILL; k < CASES; k++) {
        double losses[MANY], shares[MANY];
        used_begin(&used);
        for (int i = 0; i < MANY; i++) {
            losses[i] = 589 + 12 * ((i * 7) % 11) / 11.0;
            shares[i] = 0.1 + 0.04 * sin(i * 2.4) + (k == LEARNS ? 0.001 * i : 0) +
                        (k == FORGETS && i > 20 && i < 50 ? 0.3 : 0);
        }
        losses[0] = 589;
        used_series(&used, KIND_LOSS, "loss", losses, MANY, 4);
        used_series(&used, KIND_METRIC, "acc", shares, MANY, 4);
        assert_true((used_run(&used, "barren", "never", 1, NULL) != NULL) == (k == STILL));
        used_end(&used);
    }
}

/* Asked of the loss alone: what kept two thirds of its start in spite of a metric that gains, and
   what halved. */
static void alone_it_asks_for_no_metric(void **state)
{
    (void)state;
    for (int halves = 0; halves < 2; halves++) {
        double losses[POINTS];
        used_begin(&used);
        for (int i = 0; i < POINTS; i++)
            losses[i] = 2.8 - (halves ? 1.4 : 0.8) * i / (POINTS - 1);
        used_series(&used, KIND_LOSS, "train_loss", losses, POINTS, 4);
        assert_null(used_run(&used, "barren", "held", 1, "slack", 0.4, NULL));
        const struct candidate *found =
            used_run(&used, "barren", "held", 1, "slack", 0.4, "alone", 1.0, NULL);
        if (halves) {
            assert_null(found);
        } else {
            assert_float_equal(used_value(found, "drop"), 2.0 / 7, 1e-6);
        }
        used_end(&used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_ends_over_its_start),
        cmocka_unit_test(silent_where_either_gains),
        cmocka_unit_test(silent_on_a_model_that_knows_already),
        cmocka_unit_test(batches_stray_and_gain_nothing),
        cmocka_unit_test(alone_it_asks_for_no_metric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
